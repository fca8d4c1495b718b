//! Stories of devices, GPUs and neighbours.

use super::*;

#[test]
fn devices_are_known_by_what_they_are_at_their_places() {
    let devices = |found: Value| json!({"devices": whole(found)});
    let at = |place: &str, device: &str| json!({"place": place, "vendor": "15b3", "device": device, "linkWidth": 16});
    let one = at("0000:41:00.0", "1017");
    let narrow = with(one.clone(), "linkWidth", json!(8));
    let unknown = json!({"place": "0000:41:00.0"});
    check(vec![
        ("same", vec![devices(json!([one])), devices(json!([one]))], &[&[]]),
        (
            "narrower, and again as wide",
            vec![devices(json!([one])), devices(json!([narrow])), devices(json!([one]))],
            &[&["DEVICE CHANGED 0000:41:00.0"], &["DEVICE CHANGED 0000:41:00.0"]],
        ),
        (
            "another one in the place",
            vec![devices(json!([one])), devices(json!([at("0000:41:00.0", "101d")]))],
            &[&["DEVICE REPLACED 0000:41:00.0"]],
        ),
        (
            "numbers not read",
            vec![devices(json!([one])), devices(json!([unknown])), devices(json!([one]))],
            &[&[], &[]],
        ),
        (
            "in another place",
            vec![devices(json!([one])), devices(json!([at("0000:42:00.0", "1017")])), devices(json!([]))],
            &[&["DEVICE ADDED 0000:42:00.0"], &["DEVICE REMOVED 0000:41:00.0"]],
        ),
        ("no section before", vec![json!({}), devices(json!([one]))], &[&[]]),
    ]);
    let events = between("devices", json!([one]), json!([narrow]));
    assert_eq!(
        (&events[0].before, &events[0].after),
        (&Some(json!({"linkWidth": 16})), &Some(json!({"linkWidth": 8})))
    );
}

#[test]
fn a_card_that_is_an_interface_or_a_drive_is_told_once() {
    let of = |devices: &[&str], interfaces: Value, disks: Value| {
        let devices = devices.iter().map(|place| json!({"place": place, "vendor": "15b3", "device": "1017"})).collect();
        json!({"devices": whole(devices), "interfaces": whole(interfaces), "disks": whole(disks)})
    };
    let none = || of(&[], json!([]), json!([]));
    let port = |number: u32| json!({"name": format!("e{number}"), "place": format!("0000:41:00.{number}/p{number}")});
    let drive = |medium: &str| json!({"name": "a", "place": "pci-0000:01:00.0-nvme-1", "medium": medium});
    let card = || of(&["0000:41:00.0", "0000:41:00.1"], json!([port(0), port(1)]), json!([]));
    let came: &[&str] = &["INTERFACE ADDED 0000:41:00.0/p0", "INTERFACE ADDED 0000:41:00.1/p1"];
    let gone: &[&str] = &["INTERFACE REMOVED 0000:41:00.0/p0", "INTERFACE REMOVED 0000:41:00.1/p1"];
    check(vec![
        ("a card with two ports", vec![none(), card(), none(), none()], &[came, &[], gone]),
        (
            "a drive",
            vec![none(), of(&["0000:01:00.0"], json!([]), json!([drive("NVME")]))],
            &[&["DISK ADDED pci-0000:01:00.0-nvme-1"]],
        ),
        (
            "a controller is not its disk",
            vec![none(), of(&["0000:01:00.0"], json!([]), json!([drive("SSD")]))],
            &[&["DISK ADDED pci-0000:01:00.0-nvme-1", "DEVICE ADDED 0000:01:00.0"]],
        ),
        (
            "another card beside it",
            vec![none(), of(&["0000:01:00.0", "0000:02:00.0"], json!([]), json!([drive("NVME")]))],
            &[&["DISK ADDED pci-0000:01:00.0-nvme-1", "DEVICE ADDED 0000:02:00.0"]],
        ),
    ]);
}

#[test]
fn gpus_are_known_by_the_best_sign_that_they_have() {
    let gpus = |found: Value| json!({"gpus": whole(found)});
    let at = |place: &str, serial: &str| json!({"place": place, "vendor": "10de", "device": "2330", "serial": serial});
    let by_uuid = |place: &str| json!({"place": place, "uuid": "GPU-1"});
    let bare = json!({"place": "0000:17:00.0", "vendor": "10de", "device": "2330", "linkWidth": 16});
    let lost = with(bare.clone(), "offBus", json!(true));
    let other = with(bare.clone(), "device", json!("26b9"));
    let one = at("0000:17:00.0", "A");
    check(vec![
        (
            "another one in the place",
            vec![gpus(json!([one])), gpus(json!([at("0000:17:00.0", "B")]))],
            &[&["GPU REPLACED 0000:17:00.0"]],
        ),
        (
            "in another slot",
            vec![gpus(json!([one])), gpus(json!([at("0000:18:00.0", "A")]))],
            &[&["GPU CHANGED 0000:18:00.0"]],
        ),
        (
            "in another slot by UUID",
            vec![gpus(json!([by_uuid("0000:17:00.0")])), gpus(json!([by_uuid("0000:18:00.0")]))],
            &[&["GPU CHANGED 0000:18:00.0"]],
        ),
        (
            "without the program of its maker",
            vec![gpus(json!([one])), gpus(json!([bare])), gpus(json!([one]))],
            &[&[], &[]],
        ),
        ("another model", vec![gpus(json!([bare])), gpus(json!([other]))], &[&["GPU REPLACED 0000:17:00.0"]]),
        (
            "off the bus and back",
            vec![gpus(json!([one])), gpus(json!([lost])), gpus(json!([lost])), gpus(json!([one]))],
            &[&["GPU FAILING 0000:17:00.0"], &[], &["GPU CHANGED 0000:17:00.0"]],
        ),
        (
            "narrower",
            vec![gpus(json!([bare])), gpus(json!([with(bare.clone(), "linkWidth", json!(4))]))],
            &[&["GPU CHANGED 0000:17:00.0"]],
        ),
        (
            "other firmware and driver",
            vec![
                gpus(json!([with(with(one.clone(), "firmwareVersion", json!("1")), "driverVersion", json!("5"))])),
                gpus(json!([with(with(one.clone(), "firmwareVersion", json!("2")), "driverVersion", json!("6"))])),
            ],
            &[&["FIRMWARE CHANGED 0000:17:00.0"]],
        ),
        ("gone", vec![gpus(json!([one])), gpus(json!([])), gpus(json!([]))], &[&[], &["GPU REMOVED 0000:17:00.0"]]),
        ("no section before", vec![json!({}), gpus(json!([one]))], &[&[]]),
    ]);
}

#[test]
fn neighbours_are_known_by_both_ends() {
    let heard = |found: Value| json!({"neighbours": whole(found)});
    let deaf = |found: Value| json!({"neighbours": part_of(found, "LLDP")});
    let [one, other] = [neighbour("e0", "C", "1"), neighbour("e0", "D", "9")];
    let at = |interface: &str, mac: &str| with(neighbour(interface, "C", "1"), "permanentMac", json!(mac));
    check(vec![
        ("two at a port", vec![heard(json!([one])), heard(json!([other, one]))], &[&["NEIGHBOUR ADDED e0"]]),
        (
            "another cable",
            vec![heard(json!([one])), heard(json!([other])), heard(json!([other]))],
            &[&["NEIGHBOUR ADDED e0"], &["NEIGHBOUR REMOVED e0"]],
        ),
        (
            "another name of the system",
            vec![heard(json!([one])), heard(json!([with(one.clone(), "systemName", json!("sw2"))]))],
            &[&["NEIGHBOUR CHANGED e0"]],
        ),
        (
            "not heard yet",
            vec![heard(json!([one])), deaf(json!([])), deaf(json!([])), heard(json!([one]))],
            &[&[], &[], &[]],
        ),
        ("heard at last", vec![deaf(json!([])), heard(json!([one]))], &[&[]]),
        (
            "another name of the interface",
            vec![heard(json!([at("e0", "0a")])), heard(json!([at("eth1", "0a")]))],
            &[&[]],
        ),
        ("an address that is read now", vec![heard(json!([one])), heard(json!([at("e0", "0a")]))], &[&[]]),
        (
            "another interface of the name",
            vec![heard(json!([at("e0", "0a")])), heard(json!([at("e0", "0b")]))],
            &[&["NEIGHBOUR ADDED e0"]],
        ),
        ("no section before", vec![json!({}), heard(json!([one]))], &[&[]]),
    ]);
}
