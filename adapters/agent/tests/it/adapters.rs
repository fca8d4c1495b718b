//! Disks behind RAID adapters, of which the kernel shows only volumes: `smartctl` is a script.

use std::fs;

use serde_json::{Value, json};
use underlay_agent::Root;
use underlay_facts::{Disk, MissingParts, Part, PartChange, Report, Section, compare};
use underlay_testing::HANG;

use crate::installed::{EACH_TIME, Installed};
use crate::tree::Tree;

/// A machine whose adapter has a `smartctl`. It writes the file in `/said` that is named after the device and the type,
/// and lists what it was asked in `/asked`.
struct Machine {
    tree: Tree,
    _installed: Installed,
    root: Root,
}

impl Machine {
    /// Makes a machine with a volume, `sda`, and with a disk that its adapter shows as it is, `sdb`.
    fn new() -> Self {
        let adapter = "/sys/devices/pci0000:00/0000:00:02.0/0000:03:00.0/host0";
        let disk = |tree: Tree, name: &str, serial: &str| {
            let real = format!("{adapter}/target0:2:0/{name}/block/{name}");
            tree.device("/sys/block", &real, &[("size", "1000"), ("serial", serial)])
        };
        let tree = Tree::new().device("/sys/class/scsi_host", &format!("{adapter}/scsi_host/host0"), &[]);
        let tree = disk(disk(tree, "sda", "VOLUME"), "sdb", "PLAIN").folder("/said");
        let script = format!(
            "cd {}\necho \"$*\" >> asked\n[ $1 = --scan-open ] && exec cat said/list\n\
             [ $6 = -d ] || {{ echo '{{}}'; exit 4; }}\n. \"./said/$(basename $8) $7\"",
            tree.path().display()
        );
        let installed = Installed::new(&[("smartctl", &script)]);
        let root = installed.root(&tree, EACH_TIME);
        Self { tree, _installed: installed, root }
    }

    /// Sets the list.
    fn lists(&self, devices: &[(&str, &str)]) {
        let devices: Vec<Value> = devices.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect();
        fs::write(self.tree.at("/said/list"), json!({"devices": devices}).to_string()).expect("write");
    }

    /// Sets what is done when a disk at the adapter `/dev/bus/0` is asked.
    fn does(&self, kind: &str, script: &str) {
        fs::write(self.tree.at(&format!("/said/0 {kind}")), script).expect("write");
    }

    fn says(&self, kind: &str, said: &Value) {
        // A status that says that something was wrong once.
        self.does(kind, &format!("echo '{said}'; exit 72"));
    }

    fn report(&self) -> Report {
        underlay_agent::report(&self.root, HANG)
    }

    fn disks(&self) -> Section<Vec<Disk>> {
        self.report().sections.disks.expect("a section")
    }

    /// Returns the serial numbers of the disks besides those of `/sys`, and the reasons why the section is incomplete.
    fn seen(&self) -> (Vec<String>, Vec<String>) {
        let section = self.disks();
        let reasons = section.unread.iter().map(|it| format!("{}: {}", it.what, it.reason)).collect();
        (section.found.into_iter().skip(2).filter_map(|disk| disk.serial).collect(), reasons)
    }
}

fn serial(serial: &str) -> Value {
    json!({"serial_number": serial, "smart_status": {"passed": true}})
}

fn asleep() -> Value {
    json!({"smartctl": {"messages": [{"string": "Device is in STANDBY mode, exit(2)", "severity": "information"}]}})
}

fn seen(serials: &[&str], reasons: &[&str]) -> (Vec<String>, Vec<String>) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    (owned(serials), owned(reasons))
}

const ADAPTER: &str = "/dev/bus/0";

#[test]
fn disks_behind_an_adapter_are_found_once() {
    let machine = Machine::new();
    machine.lists(&[
        ("/dev/sda", "scsi"),
        (ADAPTER, "sat+megaraid,0"),
        (ADAPTER, "megaraid,1"),
        (ADAPTER, "sat+megaraid,2"),
        (ADAPTER, "megaraid,3"),
        // Bridges, and what could be taken for something else by the program.
        ("/dev/sdc", "usbjmicron,0"),
        ("/dev/../x", "megaraid,4"),
        ("-V", "megaraid,5"),
        (ADAPTER, "megaraid,6 -V"),
    ]);
    let sata = json!({"device": {"protocol": "ATA"}, "model_name": "WDC WD4000FYYX", "serial_number": "WD-1",
        "wwn": {"naa": 5, "oui": 5358, "id": 11_223_344}, "firmware_version": "01.01K04", "rotation_rate": 7200,
        "user_capacity": {"blocks": 1, "bytes": 4_000_787_030_016_u64}, "smart_status": {"passed": false}});
    machine.says("sat+megaraid,0", &sata);
    let sas = json!({"device": {"protocol": "SCSI"}, "scsi_vendor": "HGST", "scsi_product": "HUSMM1680ASS200",
        "scsi_model_name": "HGST HUSMM1680ASS200", "scsi_revision": "A204", "logical_unit_id": "0x5000cca04e123456",
        "serial_number": "0QV1", "rotation_rate": 0});
    machine.says("megaraid,1", &sas);
    machine.says("sat+megaraid,2", &serial("plain"));
    // Another way to the first one.
    machine.says("megaraid,3", &serial("WD-1"));

    let section = machine.disks();
    assert!(section.complete, "{section:?}");
    let found = serde_json::to_value(&section.found).expect("JSON");
    assert_eq!(found[1]["health"], "PASSED");
    assert_eq!(
        found.as_array().expect("a list")[2..],
        [
            json!({"name": "bus/0/megaraid,0", "model": "WDC WD4000FYYX", "serial": "WD-1", "wwn": "0x50014ee000ab4130",
                "place": "pci-0000:03:00.0-megaraid,0", "sizeBytes": 4_000_787_030_016_u64, "medium": "HDD",
                "firmwareVersion": "01.01K04", "health": "FAILING"}),
            json!({"name": "bus/0/megaraid,1", "manufacturer": "HGST", "model": "HUSMM1680ASS200", "serial": "0QV1",
                "wwn": "0x5000cca04e123456", "place": "pci-0000:03:00.0-megaraid,1", "medium": "SSD",
                "firmwareVersion": "A204"}),
        ]
    );

    let ask = |rest: &str| format!("-j -H -i -n standby {rest}");
    let through = ["sat+megaraid,0", "megaraid,1", "sat+megaraid,2", "megaraid,3"];
    let mut asked = vec![ask("/dev/sda"), ask("/dev/sdb"), "--scan-open -j".to_owned()];
    asked.extend(through.map(|kind| ask(&format!("-d {kind} {ADAPTER}"))));
    let lines = fs::read_to_string(machine.tree.at("/asked")).expect("the calls");
    assert_eq!(lines.lines().collect::<Vec<_>>(), asked);
}

#[test]
fn a_disk_that_does_not_answer_makes_the_section_incomplete() {
    let failed = json!({"smartctl": {"messages": [{"string": "Smartctl open device: failed", "severity": "error"}],
        "exit_status": 2}});
    for (does, reason) in [
        (format!("echo '{failed}'; exit 2"), "does not say which disk it is"),
        (format!("echo '{}'; exit 2", asleep()), "sleeps, and does not say which disk it is"),
        ("echo '{\"serial_number\": \"Not Specified\"}'".to_owned(), "does not say which disk it is"),
        ("echo garbage".to_owned(), "does not write what it should"),
        ("exit 1".to_owned(), "does not write what it should"),
        ("echo '{\"serial_number\": 7}'".to_owned(), "does not write what it should"),
        ("head -c 10485760 /dev/zero".to_owned(), "wrote more than 1024 KiB"),
        ("kill -9 $$".to_owned(), "was ended by a signal"),
    ] {
        let machine = Machine::new();
        machine.lists(&[(ADAPTER, "megaraid,0"), (ADAPTER, "megaraid,1")]);
        machine.does("megaraid,0", &does);
        machine.says("megaraid,1", &serial("B1"));
        let expected = seen(&["B1"], &[&format!("smartctl bus/0/megaraid,0: {reason}")]);
        assert_eq!(machine.seen(), expected, "{does}");
    }
}

#[test]
fn a_list_that_cannot_be_read_makes_the_section_incomplete() {
    let many: Vec<Value> =
        (0..257).map(|number| json!({"name": ADAPTER, "type": format!("megaraid,{number}")})).collect();
    for (list, reason) in [
        ("{}", None),
        (r#"{"devices": []}"#, None),
        ("garbage", Some("does not write what it should")),
        ("", Some("does not write what it should")),
        (r#"{"devices": [{"name": "/dev/sda"}]}"#, Some("does not write what it should")),
        (&json!({"devices": many}).to_string(), Some("lists more than 256 disks behind adapters")),
    ] {
        let machine = Machine::new();
        fs::write(machine.tree.at("/said/list"), list).expect("write");
        let reasons = machine.seen().1;
        let expected = reason.map(|reason| format!("smartctl --scan-open: {reason}"));
        assert_eq!(reasons.first(), expected.as_ref(), "{list}");
        assert_eq!(machine.disks().found.len(), 2, "{list}");
    }
}

#[test]
fn a_disk_that_sleeps_is_there_and_one_that_cannot_be_asked_is_unknown() {
    let machine = Machine::new();
    machine.lists(&[(ADAPTER, "megaraid,0")]);
    machine.says("megaraid,0", &serial("A1"));
    assert_eq!(machine.seen(), seen(&["A1"], &[]));
    machine.says("megaraid,0", &asleep());
    assert_eq!(machine.seen(), seen(&["A1"], &[]));
    let unknown = seen(&[], &["smartctl bus/0/megaraid,0: does not say which disk it is"]);
    machine.says("megaraid,0", &json!({}));
    assert_eq!(machine.seen(), unknown);

    // Without the right to ask an adapter, the list is empty, as if it had no disks.
    machine.lists(&[("/dev/sda", "scsi")]);
    assert_eq!(machine.seen(), unknown);
    machine.says("megaraid,0", &serial("B1"));
    assert_eq!(machine.seen(), seen(&["B1"], &[]));
}

#[test]
fn a_disk_is_gone_when_it_was_pulled_and_not_when_the_program_fails() {
    let machine = Machine::new();
    let both = [(ADAPTER, "megaraid,0"), (ADAPTER, "megaraid,1")];
    machine.says("megaraid,0", &serial("A1"));
    machine.says("megaraid,1", &serial("B1"));
    machine.lists(&both);
    let mut reports = vec![machine.report()];
    machine.does("megaraid,1", "kill -9 $$");
    reports.extend([machine.report(), machine.report()]);
    fs::write(machine.tree.at("/said/list"), "garbage").expect("write");
    reports.extend([machine.report(), machine.report()]);
    machine.lists(&both[..1]);
    reports.extend([machine.report(), machine.report()]);

    let mut missing = MissingParts::default();
    let changes = reports.windows(2).map(|pair| {
        let comparison = compare(&pair[0], &missing, &pair[1]);
        missing = comparison.missing;
        let event = |it: underlay_facts::PartEvent| (it.part, it.change, it.before.expect("a part")["serial"].clone());
        comparison.events.into_iter().map(event).collect::<Vec<_>>()
    });
    let removed = vec![(Part::Disk, PartChange::Removed, json!("B1"))];
    assert_eq!(changes.collect::<Vec<_>>(), [vec![], vec![], vec![], vec![], vec![], removed]);
}
