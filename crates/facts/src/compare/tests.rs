//! Stories of machines by tables: the reports in their order, and the events after each.

mod cards;
mod chassis;

use serde_json::{Value, json};

use super::*;

/// A story: what it is about, the sections of each report, and the events that each report after the first makes.
type Story<'a> = (&'a str, Vec<Value>, &'a [&'a [&'a str]]);

fn report(sections: &Value) -> Report {
    let mut text = json!({"format": 1, "agent": {"version": "0.1.0"}, "observedAt": "2026-11-01T10:00:00Z"});
    let members = sections.as_object().expect("sections").clone();
    text.as_object_mut().expect("a report").extend(members);
    serde_json::from_value(text).expect("a report")
}

/// The JSON of a complete section.
fn whole(found: Value) -> Value {
    json!({"complete": true, "found": found})
}

/// The JSON of a section in which something could not be read.
fn part_of(found: Value, unread: &str) -> Value {
    json!({"complete": false, "unread": [{"what": unread, "reason": "permission denied"}], "found": found})
}

/// An event as a table names it, such as `DISK ADDED bay 1`.
fn short(event: &PartEvent) -> String {
    let name = |value: Value| value.as_str().expect("a name").to_owned();
    let [part, change] = [serde_json::to_value(event.part), serde_json::to_value(event.change)];
    format!("{} {} {}", name(part.expect("JSON")), name(change.expect("JSON")), event.place)
}

/// Compares each report with the one before, as a server does that keeps what is missing as JSON.
fn told(reports: &[Value]) -> Vec<Vec<String>> {
    let mut missing = MissingParts::default();
    let pairs = reports.windows(2).map(|pair| {
        let kept = serde_json::to_string(&missing).expect("JSON");
        let kept = serde_json::from_str(&kept).expect("the missing parts");
        assert_eq!(kept, missing);
        let comparison = compare(&report(&pair[0]), &kept, &report(&pair[1]));
        missing = comparison.missing;
        comparison.events.iter().map(short).collect()
    });
    pairs.collect()
}

fn check(stories: Vec<Story<'_>>) {
    for (name, reports, expected) in stories {
        assert_eq!(told(&reports), expected, "{name}");
    }
}

/// The events between two reports that have a section in common.
fn between(section: &str, before: Value, after: Value) -> Vec<PartEvent> {
    let [before, after] = [before, after].map(|found| report(&json!({section: whole(found)})));
    compare(&before, &MissingParts::default(), &after).events
}

fn disks(found: Value) -> Value {
    json!({"disks": whole(found)})
}

fn disk(serial: &str, place: &str) -> Value {
    json!({"name": "sda", "model": "M", "serial": serial, "place": place, "sizeBytes": 5})
}

fn neighbour(interface: &str, chassis: &str, port: &str) -> Value {
    json!({"interface": interface, "chassisId": chassis, "portId": port, "systemName": "sw1"})
}

fn with(mut part: Value, member: &str, value: Value) -> Value {
    part[member] = value;
    part
}

#[test]
fn absent_is_not_removed_until_two_complete_sections_lack_it() {
    let [a, b] = [disk("A", "bay 1"), disk("B", "bay 2")];
    let both = disks(json!([a, b]));
    let one = disks(json!([a]));
    let unread = json!({"disks": part_of(json!([a]), "/sys/block/sdb")});
    let nothing = json!({});
    check(vec![
        ("pulled", vec![both.clone(), one.clone(), one.clone(), one.clone()], &[&[], &["DISK REMOVED bay 2"], &[]]),
        ("back", vec![both.clone(), one.clone(), both.clone(), both.clone()], &[&[], &[], &[]]),
        ("back and gone", vec![both.clone(), one.clone(), both.clone(), one.clone()], &[&[], &[], &[]]),
        ("not read", vec![both.clone(), unread.clone(), unread.clone(), both.clone()], &[&[], &[], &[]]),
        (
            "gone while not read",
            vec![both.clone(), unread.clone(), one.clone(), unread.clone(), one.clone(), one.clone()],
            &[&[], &[], &[], &["DISK REMOVED bay 2"], &[]],
        ),
        (
            "no section",
            vec![both.clone(), nothing.clone(), nothing.clone(), both.clone(), one.clone(), nothing, one.clone()],
            &[&[], &[], &[], &[], &[], &["DISK REMOVED bay 2"]],
        ),
        ("back in an incomplete section", vec![one, both.clone(), unread, both], &[&["DISK ADDED bay 2"], &[], &[]]),
    ]);
}

#[test]
fn the_same_report_confirms_what_is_missing() {
    let before = report(&json!({
        "processors": whole(json!([{"socket": 0, "cores": 1, "threads": 1}, {"socket": 1, "cores": 1, "threads": 1}])),
        "memory": whole(json!({"modules": [{"slot": "A1"}, {"slot": "A2"}]})),
        "disks": whole(json!([disk("A", "bay 1"), disk("B", "bay 2")])),
        "interfaces": whole(json!([{"name": "a", "place": "1/0"}, {"name": "b", "place": "1/1"}])),
        "devices": whole(json!([{"place": "1:0"}, {"place": "1:1"}])),
        "gpus": whole(json!([{"place": "2:0"}, {"place": "2:1"}])),
        "neighbours": whole(json!([neighbour("a", "C", "1"), neighbour("b", "C", "2")])),
    }));
    let mut after = before.clone();
    after.sections.processors.as_mut().expect("a section").found.pop();
    after.sections.memory.as_mut().expect("a section").found.modules.pop();
    after.sections.disks.as_mut().expect("a section").found.pop();
    after.sections.interfaces.as_mut().expect("a section").found.pop();
    after.sections.devices.as_mut().expect("a section").found.pop();
    after.sections.gpus.as_mut().expect("a section").found.pop();
    after.sections.neighbours.as_mut().expect("a section").found.pop();

    let first = compare(&before, &MissingParts::default(), &after);
    assert_eq!(first.events, []);
    assert!(!first.missing.is_empty());
    let second = compare(&after, &first.missing, &after);
    let expected = [
        "PROCESSOR REMOVED socket 1",
        "MEMORY REMOVED A2",
        "DISK REMOVED bay 2",
        "INTERFACE REMOVED 1/1",
        "DEVICE REMOVED 1:1",
        "GPU REMOVED 2:1",
        "NEIGHBOUR REMOVED b",
    ];
    assert_eq!(second.events.iter().map(short).collect::<Vec<_>>(), expected);
    assert_eq!(second.events[2].before, Some(disk("B", "bay 2")));
    assert_eq!(second.events[2].after, None);
    assert!(second.missing.is_empty());
}

#[test]
fn what_comes_from_what_was_not_read_is_not_added() {
    let [a, b, c] = [disk("A", "bay 1"), disk("B", "bay 2"), disk("C", "bay 3")];
    let unread = |found: Value, what: &str| json!({"disks": part_of(found, what)});
    check(vec![
        ("now read", vec![unread(json!([a]), "sdb"), disks(json!([a, b]))], &[&[]]),
        ("no section before", vec![json!({}), disks(json!([a])), disks(json!([a, b]))], &[&[], &["DISK ADDED bay 2"]]),
        ("as unread", vec![unread(json!([a]), "sdc"), unread(json!([a, b]), "sdc")], &[&["DISK ADDED bay 2"]]),
        (
            "all was known",
            vec![disks(json!([a, b])), unread(json!([a]), "sdb"), json!({}), disks(json!([a, b, c]))],
            &[&[], &[], &["DISK ADDED bay 3"]],
        ),
    ]);
}

#[test]
fn parts_are_added_replaced_and_moved() {
    let [a, b] = [disk("A", "bay 1"), disk("B", "bay 1")];
    let moved = disk("A", "bay 2");
    check(vec![
        ("added", vec![disks(json!([])), disks(json!([a]))], &[&["DISK ADDED bay 1"]]),
        ("replaced", vec![disks(json!([a])), disks(json!([b])), disks(json!([b]))], &[&["DISK REPLACED bay 1"], &[]]),
        (
            "replaced after a while",
            vec![disks(json!([a])), disks(json!([])), disks(json!([b]))],
            &[&[], &["DISK REPLACED bay 1"]],
        ),
        (
            "moved",
            vec![disks(json!([a])), disks(json!([moved])), disks(json!([moved]))],
            &[&["DISK CHANGED bay 2"], &[]],
        ),
        (
            "moved after a while",
            vec![disks(json!([a])), disks(json!([])), disks(json!([moved]))],
            &[&[], &["DISK CHANGED bay 2"]],
        ),
        (
            "exchanged",
            vec![disks(json!([a, disk("C", "bay 2")])), disks(json!([disk("C", "bay 1"), moved]))],
            &[&["DISK CHANGED bay 1", "DISK CHANGED bay 2"]],
        ),
        (
            "another one in the place of one that moved",
            vec![disks(json!([a])), disks(json!([moved, b]))],
            &[&["DISK ADDED bay 1", "DISK CHANGED bay 2"]],
        ),
        (
            "removed from a place that another one took",
            vec![disks(json!([a, disk("C", "bay 2")])), disks(json!([moved])), disks(json!([moved]))],
            &[&["DISK CHANGED bay 2"], &["DISK REMOVED bay 2"]],
        ),
    ]);

    let events = between("disks", json!([a]), json!([b]));
    assert_eq!((&events[0].before, &events[0].after), (&Some(a.clone()), &Some(b)));
    // A part that moved is shown as a whole, with what else changed.
    let larger = with(with(moved, "sizeBytes", json!(6)), "firmwareVersion", json!("2"));
    let events = between("disks", json!([with(a.clone(), "firmwareVersion", json!("1"))]), json!([larger]));
    assert_eq!(events.iter().map(short).collect::<Vec<_>>(), ["DISK CHANGED bay 2", "FIRMWARE CHANGED bay 2"]);
    assert_eq!(events[0].after, Some(larger));
}

#[test]
fn the_last_part_of_a_place_is_the_one_that_is_replaced() {
    let [a, b] = [disk("A", "bay 1"), disk("B", "bay 2")];
    let [moved, c] = [disk("B", "bay 1"), disk("C", "bay 1")];
    let start = [disks(json!([a, b])), disks(json!([b]))];
    let unread = |found: Value| json!({"disks": part_of(found, "sda")});
    let story = |rest: &[Value]| start.iter().chain(rest).cloned().collect::<Vec<_>>();
    check(vec![
        (
            "it is there",
            story(&[unread(json!([moved])), unread(json!([c])), disks(json!([c]))]),
            &[&[], &["DISK CHANGED bay 1"], &["DISK REPLACED bay 1"], &["DISK REMOVED bay 1"]],
        ),
        (
            "it is not seen",
            story(&[unread(json!([moved])), unread(json!([])), disks(json!([c])), disks(json!([c]))]),
            &[&[], &["DISK CHANGED bay 1"], &[], &["DISK REMOVED bay 1", "DISK REPLACED bay 1"], &[]],
        ),
    ]);
}

#[test]
fn a_disk_is_known_by_the_best_sign_that_it_has() {
    let boot = |id: &str, found: Value| json!({"system": whole(json!({"bootId": id})), "disks": whole(found)});
    let named = |name: &str| json!({"name": name});
    let [by_wwn, by_place] = [json!({"name": "sda", "wwn": "0x1"}), json!({"name": "sda", "place": "bay 1"})];
    check(vec![
        ("WWN", vec![disks(json!([by_wwn])), disks(json!([with(by_wwn.clone(), "name", json!("sdb"))]))], &[&[]]),
        ("place", vec![disks(json!([by_place])), disks(json!([with(by_place.clone(), "name", json!("sdb"))]))], &[&[]]),
        (
            "WWN at a place",
            vec![
                disks(json!([with(by_wwn.clone(), "place", json!("bay 1"))])),
                disks(json!([{"name": "sda", "wwn": "0x2", "place": "bay 1"}])),
            ],
            &[&["DISK REPLACED bay 1"]],
        ),
        ("serial not read", vec![disks(json!([disk("A", "bay 1")])), disks(json!([by_place]))], &[&[]]),
        ("WWN not read", vec![disks(json!([by_wwn])), disks(json!([disk("A", "bay 1")]))], &[&["DISK ADDED bay 1"]]),
        (
            "model not read",
            vec![disks(json!([disk("A", "bay 1")])), disks(json!([{"name": "sdb", "serial": "A", "place": "bay 2"}]))],
            &[&["DISK CHANGED bay 2"]],
        ),
        (
            "serial of another model",
            vec![disks(json!([disk("1", "bay 1")])), disks(json!([with(disk("1", "bay 1"), "model", json!("N"))]))],
            &[&["DISK REPLACED bay 1"]],
        ),
        (
            "names in a boot",
            vec![boot("1", json!([named("sda"), named("sdb")])), boot("1", json!([named("sdb"), named("sdc")]))],
            &[&["DISK ADDED sdc"]],
        ),
        (
            "a name at another place",
            vec![boot("1", json!([by_place])), boot("1", json!([with(by_place.clone(), "place", json!("bay 2"))]))],
            &[&["DISK ADDED bay 2"]],
        ),
        (
            "names of another boot",
            vec![boot("1", json!([named("sda"), named("sdb")])), boot("2", json!([named("sdb"), named("sdc")]))],
            &[&[]],
        ),
    ]);
}

#[test]
fn parts_of_one_identity_are_told_apart_by_their_places() {
    let at = |places: &[&str]| disks(places.iter().map(|place| disk("0", place)).collect());
    check(vec![
        ("another order", vec![at(&["bay 1", "bay 2"]), at(&["bay 2", "bay 1"])], &[&[]]),
        ("pulled", vec![at(&["bay 1", "bay 2"]), at(&["bay 2"]), at(&["bay 2"])], &[&[], &["DISK REMOVED bay 1"]]),
        ("back", vec![at(&["bay 1", "bay 2"]), at(&["bay 2"]), at(&["bay 1", "bay 2"])], &[&[], &[]]),
        ("one at a time", vec![at(&["bay 1", "bay 2"]), at(&["bay 1"]), at(&["bay 2"])], &[&[], &[]]),
        ("added", vec![at(&["bay 1"]), at(&["bay 2", "bay 1"])], &[&["DISK ADDED bay 2"]]),
        ("one place", vec![at(&["bay 1", "bay 1"]), at(&["bay 1", "bay 1"])], &[&[]]),
        (
            "fewer in a place",
            vec![at(&["bay 1", "bay 1"]), at(&["bay 1"]), at(&["bay 1"])],
            &[&[], &["DISK REMOVED bay 1"]],
        ),
    ]);
    let slots = |sizes: [u64; 2]| json!({"modules": sizes.map(|size| json!({"slot": "A", "sizeBytes": size}))});
    assert_eq!(between("memory", slots([1, 2]), slots([2, 1])), []);
}

#[test]
fn versions_make_events_if_both_are_known() {
    let disk =
        |version: Option<&str>| json!([{"name": "a", "serial": "A", "place": "bay 1", "firmwareVersion": version}]);
    let interface = |version: Option<&str>| json!([{"name": "a", "place": "1/0", "firmwareVersion": version}]);
    let socket = |version: Option<&str>| json!([{"socket": 0, "cores": 1, "threads": 1, "microcode": version}]);
    let system = |version: Option<&str>| json!({"firmwareVersion": version, "bootId": "1"});
    let versions = [None, Some("1"), Some("2")];
    let cases = [
        ("system", "system", versions.map(system)),
        ("processors", "socket 0", versions.map(socket)),
        ("disks", "bay 1", versions.map(disk)),
        ("interfaces", "1/0", versions.map(interface)),
    ];
    for (section, place, [none, one, two]) in cases {
        let expected = PartEvent {
            part: Part::Firmware,
            change: PartChange::Changed,
            place: place.to_owned(),
            before: Some(json!({"version": "1"})),
            after: Some(json!({"version": "2"})),
            // The serial number of the disk is one letter, which means nothing.
            serial: None,
            serial_before: None,
        };
        assert_eq!(between(section, one.clone(), two.clone()), [expected]);
        assert_eq!(between(section, none.clone(), two), []);
        assert_eq!(between(section, one, none), []);
    }
    let [a, b] =
        ["A", "B"].map(|serial| json!([{"name": "a", "serial": serial, "place": "1", "firmwareVersion": serial}]));
    assert_eq!(between("disks", a, b).iter().map(short).collect::<Vec<_>>(), ["DISK REPLACED 1"]);
}

#[test]
fn members_of_parts_that_changed_are_named() {
    let socket = |model: &str, cores: u32| json!([{"socket": 0, "model": model, "cores": cores, "threads": 16}]);
    let module =
        |size: u64, speed: Option<u32>| json!({"modules": [{"slot": "A1", "sizeBytes": size, "speedMts": speed}]});
    let disk = |medium: &str, health: &str| json!([{"name": "a", "place": "1", "medium": medium, "health": health}]);
    let cases = [
        ("processors", socket("M", 8), socket("M", 4), "PROCESSOR CHANGED socket 0", json!({"cores": 4})),
        ("processors", socket("M", 8), socket("N", 4), "PROCESSOR REPLACED socket 0", socket("N", 4)[0].clone()),
        ("memory", module(1, None), module(2, Some(3)), "MEMORY CHANGED A1", json!({"sizeBytes": 2})),
        ("memory", module(1, Some(2)), module(1, Some(3)), "MEMORY CHANGED A1", json!({"speedMts": 3})),
        ("disks", disk("SSD", "PASSED"), disk("HDD", "PASSED"), "DISK CHANGED 1", json!({"medium": "HDD"})),
        ("disks", disk("SSD", "FAILING"), disk("SSD", "PASSED"), "DISK CHANGED 1", json!({"health": "PASSED"})),
        ("disks", disk("SSD", "PASSED"), disk("SSD", "FAILING"), "DISK FAILING 1", json!({"health": "FAILING"})),
        (
            "system",
            json!({"uuid": "1", "bootId": "1"}),
            json!({"uuid": "2"}),
            "SYSTEM CHANGED system",
            json!({"uuid": "2"}),
        ),
        (
            "system",
            json!({"bootMode": "BIOS", "serial": "S", "secureBoot": false, "assetTag": "T", "boardSerial": "B"}),
            json!({"bootMode": "UEFI", "serial": "S", "secureBoot": true, "chassisSerial": "C", "boardSerial": "D"}),
            "SYSTEM CHANGED system",
            json!({"bootMode": "UEFI", "secureBoot": true, "boardSerial": "D"}),
        ),
        (
            "system",
            json!({"secureBootAuthorities": ["A", "B"]}),
            json!({"secureBootAuthorities": ["A"]}),
            "SYSTEM CHANGED system",
            json!({"secureBootAuthorities": ["A"]}),
        ),
        (
            "system",
            json!({"model": "M", "manufacturer": "A", "boardModel": "B", "chassisSerial": "C", "firmwareDate": "1"}),
            json!({"model": "N", "manufacturer": "B", "boardModel": "C", "chassisSerial": "D", "firmwareDate": "2"}),
            "SYSTEM CHANGED system",
            json!({"model": "N", "manufacturer": "B", "boardModel": "C", "chassisSerial": "D"}),
        ),
    ];
    for (section, before, after, name, now) in cases {
        let events = between(section, before, after);
        assert_eq!(events.iter().map(short).collect::<Vec<_>>(), [name]);
        assert_eq!(events[0].after, Some(now));
    }
    assert_eq!(between("system", json!({"bootId": "1", "x": 1}), json!({"bootId": "2", "x": 2})), []);
}

#[test]
fn a_disk_that_is_failing_when_it_is_first_seen_is_told() {
    let [good, failing] = ["PASSED", "FAILING"].map(|health| with(disk("A", "bay 1"), "health", json!(health)));
    let other = with(failing.clone(), "serial", json!("B"));
    check(vec![
        ("added", vec![disks(json!([])), disks(json!([failing]))], &[&["DISK ADDED bay 1", "DISK FAILING bay 1"]]),
        (
            "in place",
            vec![disks(json!([good])), disks(json!([other]))],
            &[&["DISK REPLACED bay 1", "DISK FAILING bay 1"]],
        ),
        ("not read", vec![disks(json!([disk("A", "bay 1")])), disks(json!([failing]))], &[&["DISK FAILING bay 1"]]),
        ("back", vec![disks(json!([failing])), disks(json!([])), disks(json!([failing]))], &[&[], &[]]),
    ]);
}

#[test]
fn errors_of_memory_count_within_a_boot() {
    let of = |boot: Option<&str>, errors: Value| json!({"system": whole(json!({"bootId": boot})), "memory": whole(json!({"errors": errors}))});
    let count = |uncorrected: u64| json!({"corrected": uncorrected * 7, "uncorrected": uncorrected});
    let corrected = json!({"corrected": 9, "uncorrected": 0});
    let failing: &[&[&str]] = &[&["MEMORY FAILING memory"]];
    check(vec![
        ("grew", vec![of(Some("1"), count(1)), of(Some("1"), count(2))], failing),
        ("stayed", vec![of(Some("1"), count(1)), of(Some("1"), count(1))], &[&[]]),
        ("corrected", vec![of(Some("1"), count(0)), of(Some("1"), corrected)], &[&[]]),
        ("another boot", vec![of(Some("1"), count(5)), of(Some("2"), count(2))], failing),
        ("another boot without errors", vec![of(Some("1"), count(5)), of(Some("2"), count(0))], &[&[]]),
        ("unknown boot", vec![of(Some("1"), count(1)), of(None, count(2))], &[&[]]),
        ("not counted before", vec![of(Some("1"), json!(null)), of(Some("1"), count(2))], &[&[]]),
    ]);
    let [before, after] = [1, 2].map(|errors| report(&of(Some("1"), count(errors))));
    let event = &compare(&before, &MissingParts::default(), &after).events[0];
    assert_eq!((&event.before, &event.after), (&Some(count(1)), &Some(count(2))));
}

#[test]
fn links_go_down_and_come_up() {
    let of = |boot: &str, carrier: Value, changes: u64| {
        let interface =
            json!({"name": "a", "permanentMac": "0a", "place": "1", "carrier": carrier, "carrierChanges": changes});
        json!({"system": whole(json!({"bootId": boot})), "interfaces": whole(json!([interface]))})
    };
    let (up, down, off) = (json!(true), json!(false), json!(null));
    let [goes, comes]: [&[&[&str]]; 2] = [&[&["INTERFACE LINK_DOWN 1"]], &[&["INTERFACE LINK_UP 1"]]];
    let absent = || json!({"system": whole(json!({"bootId": "1"})), "interfaces": whole(json!([]))});
    check(vec![
        ("goes", vec![of("1", up.clone(), 1), of("1", down.clone(), 2)], goes),
        ("comes", vec![of("1", down.clone(), 1), of("1", up.clone(), 2)], comes),
        ("went and came", vec![of("1", up.clone(), 1), of("1", up.clone(), 3)], comes),
        ("came and went", vec![of("1", down.clone(), 1), of("1", down.clone(), 3)], goes),
        ("in another boot", vec![of("1", up.clone(), 1), of("2", up.clone(), 3)], &[&[]]),
        ("down in another boot", vec![of("1", up.clone(), 1), of("2", down.clone(), 1)], goes),
        ("switched off", vec![of("1", up.clone(), 1), of("1", off.clone(), 2)], &[&[]]),
        ("switched on", vec![of("1", off, 1), of("1", down, 2)], &[&[]]),
        ("counted anew", vec![of("1", up.clone(), 1), absent(), of("1", up, 9)], &[&[], &[]]),
    ]);
    let [before, after] = [1, 3].map(|changes| report(&of("1", json!(true), changes)));
    let event = &compare(&before, &MissingParts::default(), &after).events[0];
    assert_eq!(event.before, Some(json!({"carrier": true, "carrierChanges": 1})));
    assert_eq!(event.after, Some(json!({"carrier": true, "carrierChanges": 3})));
}

#[test]
fn another_version_of_the_agent_makes_no_events() {
    let [one, none] = [json!([disk("A", "bay 1")]), json!([])].map(|found| report(&disks(found)));
    let missing = compare(&one, &MissingParts::default(), &none).missing;
    assert!(!missing.is_empty());
    let mut later = none.clone();
    later.agent.version = "0.2.0".to_owned();
    assert_eq!(compare(&none, &missing, &later), Comparison::default());
    assert_eq!(compare(&one, &MissingParts::default(), &later), Comparison::default());
}

#[test]
fn events_have_an_order() {
    let sockets = |cores: u32| {
        let of = |socket: u32| json!({"socket": socket, "cores": cores, "threads": 16});
        whole(json!([of(10), of(2)]))
    };
    let module = |slot: &str, size: u64| json!({"slot": slot, "sizeBytes": size});
    let before = json!({
        "system": whole(json!({"uuid": "1", "bootId": "1", "firmwareVersion": "1"})),
        "interfaces": whole(json!([{"name": "b", "place": "2"}])),
        "disks": whole(json!([disk("A", "bay 2")])),
        "memory": whole(json!({"modules": [module("B", 1), module("A", 1)], "errors": {"corrected": 0, "uncorrected": 0}})),
        "processors": sockets(8),
        "devices": whole(json!([])),
        "gpus": whole(json!([])),
        "neighbours": whole(json!([])),
    });
    let after = json!({
        "system": whole(json!({"uuid": "2", "bootId": "1", "firmwareVersion": "2"})),
        "interfaces": whole(json!([{"name": "b", "place": "2"}, {"name": "a", "place": "1"}])),
        "disks": whole(json!([disk("B", "bay 2"), disk("C", "bay 1")])),
        "memory": whole(json!({"modules": [module("B", 2), module("A", 2)], "errors": {"corrected": 0, "uncorrected": 1}})),
        "processors": sockets(4),
        "neighbours": whole(json!([neighbour("b", "D", "2"), neighbour("b", "C", "1"), neighbour("a", "C", "1")])),
        "gpus": whole(json!([{"place": "0000:18:00.0"}, {"place": "0000:17:00.0", "offBus": true}])),
        "devices": whole(json!([{"place": "0000:42:00.0"}, {"place": "0000:41:00.0"}])),
    });
    let expected: &[&str] = &[
        "SYSTEM CHANGED system",
        "FIRMWARE CHANGED system",
        "PROCESSOR CHANGED socket 2",
        "PROCESSOR CHANGED socket 10",
        "MEMORY FAILING memory",
        "MEMORY CHANGED A",
        "MEMORY CHANGED B",
        "DISK ADDED bay 1",
        "DISK REPLACED bay 2",
        "INTERFACE ADDED 1",
        "DEVICE ADDED 0000:41:00.0",
        "DEVICE ADDED 0000:42:00.0",
        "GPU ADDED 0000:17:00.0",
        "GPU FAILING 0000:17:00.0",
        "GPU ADDED 0000:18:00.0",
        "NEIGHBOUR ADDED a",
        "NEIGHBOUR ADDED b",
        "NEIGHBOUR ADDED b",
    ];
    check(vec![("all sections", vec![before, after], &[expected])]);
}

#[test]
fn a_machine_that_makes_up_parts_is_not_remembered_without_end() {
    let of = |numbers: std::ops::Range<u32>| {
        let made_up = |number: u32| disk(&number.to_string(), &format!("bay {number}"));
        report(&json!({"disks": part_of(numbers.map(made_up).collect(), "sda")}))
    };
    let missing = compare(&of(0..1500), &MissingParts::default(), &of(0..1)).missing;
    assert_eq!(missing.disks.unseen.len(), 1000);
    assert_eq!(missing.disks.unseen.last().and_then(|disk| disk.serial.as_deref()), Some("1499"));
}
