//! Tables of cases for the mapping.

use serde_json::{Map, Value, json};

use super::*;
use crate::client::{Fields, Inventory, Link, Node, Port};
use crate::place::Rule;

fn context(rules: &[&str]) -> Context {
    Context {
        source: "ironic".to_owned(),
        base: "http://ironic:6385/".to_owned(),
        site: "ams1".to_owned(),
        places: rules.iter().map(|rule| Rule::parse(rule).expect("a rule")).collect(),
        rack_units: 48,
    }
}

fn members(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("an object") };
    members
}

fn read_node(mut node: Value) -> Node {
    node["uuid"] = "7".into();
    Node::read(&Fields::new(String::new(), &members(node))).expect("a node")
}

fn read_port(uuid: &str, mut port: Value) -> Port {
    port["uuid"] = uuid.into();
    port["node_uuid"] = "7".into();
    Port::read(&Fields::new(String::new(), &members(port))).expect("a port")
}

fn fields_of(mapped: &Mapped, kind: &str) -> Value {
    let item = mapped.items.iter().find(|item| item.id().kind == kind);
    item.map_or(Value::Null, |item| Value::Object(item.fields().clone()))
}

/// Maps a node with ports, and returns its device and its host.
fn map_node(member: Value, ports: &[Port], inventory: Option<&Inventory>) -> (Value, Value) {
    let details = NodeDetails { ports, ports_are_incomplete: false, inventory };
    let mapped = node(&context(&[]), &read_node(member), &details);
    (fields_of(&mapped, DEVICE), fields_of(&mapped, HOST))
}

#[test]
fn the_address_of_a_bmc_follows_its_driver() {
    for (node, expected) in [
        (json!({"driver_info": {"redfish_address": "10.0.0.7"}}), json!("redfish://10.0.0.7")),
        (
            json!({"driver_info": {"redfish_address": "https://bmc:8443", "redfish_system_id": "/redfish/v1/Systems/1"}}),
            json!("redfish://bmc:8443/redfish/v1/Systems/1"),
        ),
        (
            json!({"driver_info": {"redfish_address": "http://bmc/redfish/v1/"}, "boot_interface": "redfish-virtual-media"}),
            json!("redfish-virtualmedia+http://bmc/redfish/v1"),
        ),
        (
            json!({"driver": "idrac", "driver_info": {"redfish_address": "https://bmc"}, "boot_interface": "idrac-redfish-virtual-media"}),
            json!("idrac-virtualmedia://bmc"),
        ),
        (json!({"driver": "idrac", "driver_info": {"redfish_address": "bmc"}}), json!("idrac-redfish://bmc")),
        (
            json!({"driver_info": {"redfish_address": "bmc"}, "boot_interface": "redfish-https"}),
            json!("redfish-uefihttp://bmc"),
        ),
        (json!({"driver_info": {"redfish_address": "fd00::7"}}), json!("redfish://[fd00::7]")),
        (json!({"driver_info": {"ipmi_address": "10.0.0.7"}}), json!("ipmi://10.0.0.7")),
        (json!({"driver_info": {"ipmi_address": "fd00::7", "ipmi_port": "6230"}}), json!("ipmi://[fd00::7]:6230")),
        (json!({"driver": "fake-hardware"}), Value::Null),
    ] {
        let (_, host) = map_node(node.clone(), &[], None);
        assert_eq!(host["bmcUrl"], expected, "{node}");
    }
    for info in [
        json!({"redfish_address": "ftp://bmc"}),
        json!({"redfish_address": "https://admin:secret@bmc"}),
        json!({"ipmi_address": "bmc", "ipmi_port": "many"}),
    ] {
        let details = NodeDetails { ports: &[], ports_are_incomplete: false, inventory: None };
        let mapped = node(&context(&[]), &read_node(json!({"driver_info": info})), &details);
        assert!(!fields_of(&mapped, HOST).as_object().expect("a host").contains_key("bmcUrl"));
        assert!(
            mapped.bad[0].message.contains("must") && !mapped.bad[0].message.contains("secret"),
            "{:?}",
            mapped.bad
        );
    }
}

#[test]
fn a_masked_password_is_never_written() {
    let details = NodeDetails { ports: &[], ports_are_incomplete: false, inventory: None };
    for (info, user, secret) in [
        (json!({"redfish_address": "bmc", "redfish_username": "root", "redfish_password": "******"}), "root", None),
        (json!({"ipmi_address": "bmc", "ipmi_username": "root", "ipmi_password": "calvin"}), "root", Some("calvin")),
        (json!({"redfish_address": "bmc", "redfish_username": "******", "redfish_password": "******"}), "", None),
    ] {
        let mapped = node(&context(&[]), &read_node(json!({"driver_info": info, "name": "n7"})), &details);
        let credential = fields_of(&mapped, CREDENTIAL);
        assert_eq!(credential["username"].as_str().unwrap_or_default(), user, "{info}");
        assert_eq!(fields_of(&mapped, HOST)["bmcCredential"].is_null(), user.is_empty());
        assert_eq!(mapped.secret.as_ref().map(|secret| secret.value.as_str()), secret);
        assert!(!format!("{:?}", mapped.items).contains("******"));
    }
}

#[test]
fn the_boot_address_is_that_of_the_port_that_boots() {
    let port = |uuid: &str, address: &str, pxe: bool| read_port(uuid, json!({"address": address, "pxe_enabled": pxe}));
    let ports = [
        port("a", "52:54:00:00:00:01", false),
        port("b", "52:54:00:00:00:02", true),
        port("c", "52-54-00-00-00-0F", true),
    ];
    let booted = |mac: &str| Inventory { boot_mac: Some(mac.to_owned()), ..Inventory::default() };
    for (ports, inventory, expected) in [
        (&ports[..1], None, Value::Null),
        (&ports[..], None, json!("52:54:00:00:00:02")),
        (&ports[..], Some(booted("52:54:00:00:00:0f")), json!("52:54:00:00:00:0f")),
        (&ports[..], Some(booted("52:54:00:00:00:01")), json!("52:54:00:00:00:02")),
    ] {
        assert_eq!(map_node(json!({}), ports, inventory.as_ref()).1["bootMac"], expected);
    }
}

#[test]
fn keeps_fields_that_an_inspection_did_not_find() {
    let full = json!({"inventory": {
        "system_vendor": {"manufacturer": "ACME", "product_name": "R1", "serial_number": "S7", "system_uuid": "u-7"},
        "cpu": {"count": 64, "architecture": "x86_64"}, "memory": {"physical_mb": 1024},
        "disks": [{"name": "/dev/nvme0n1", "size": 100}, {"name": "/dev/sda", "size": 5, "rotational": true}, {"name": "Virtual Floppy", "size": 0}]
    }});
    let full = Inventory::read(&members(full));
    let (device, host) = map_node(json!({}), &[], Some(&full));
    assert_eq!((&device["serial"], &device["model"], &host["uid"]), (&json!("S7"), &json!("R1"), &json!("u-7")));
    assert_eq!(
        device["hardware"],
        json!({"cpuCores": 64, "cpuArchitecture": "AMD64", "memoryBytes": 1 << 30, "disks": [
            {"name": "nvme0n1", "sizeBytes": 100, "type": "NVME"}, {"name": "sda", "sizeBytes": 5, "type": "HDD"}
        ]})
    );
    let sparse = Inventory::read(&members(
        json!({"inventory": {"memory": {"physical_mb": 1024}, "system_vendor": {"serial_number": "To be filled by O.E.M."}}}),
    ));
    for inventory in [None, Some(&sparse)] {
        let (device, host) = map_node(json!({}), &[], inventory);
        for field in ["hardware", "serial", "manufacturer", "model"] {
            assert!(device.get(field).is_none(), "{field}");
        }
        assert!(["uid", "architecture", "bootMode"].iter().all(|field| host.get(*field).is_none()));
    }
}

#[test]
fn the_state_of_a_node_decides_how_its_host_arrives() {
    for (node, state, maintenance) in [
        (json!({"provision_state": "available"}), json!("AVAILABLE"), json!({})),
        (
            json!({"provision_state": "active", "maintenance": true, "maintenance_reason": "fan"}),
            json!("INSTALLED"),
            json!({"ironic": "fan"}),
        ),
        (
            json!({"provision_state": "deploying", "maintenance": true, "fault": "power failure"}),
            Value::Null,
            json!({"ironic": "Ironic found a power failure"}),
        ),
        (json!({"retired": true}), Value::Null, json!({"ironic retired": "the node is retired in Ironic"})),
    ] {
        let (_, host) = map_node(node.clone(), &[], None);
        assert_eq!(host.get("arrivesAs").cloned().unwrap_or_default(), state, "{node}");
        assert_eq!(host["maintenance"], maintenance, "{node}");
    }
}

#[test]
fn the_disk_to_install_on_follows_plain_hints() {
    for (hints, expected) in [
        (Value::Null, Some(Value::Null)),
        (json!({"wwn": "0x5", "rotational": false}), Some(json!({"wwn": "0x5", "rotational": false}))),
        (json!({"serial": "s== S7", "size": ">= 100"}), Some(json!({"serial": "S7", "minSizeBytes": 100_u64 << 30}))),
        (json!({"model": "fast"}), None),
        (json!({"size": 100}), None),
        (json!({"name": "s!= /dev/sda"}), None),
    ] {
        let (_, host) = map_node(json!({"properties": {"root_device": hints}}), &[], None);
        assert_eq!(host.get("rootDevice").cloned(), expected, "{hints}");
    }
}

#[test]
fn a_place_is_written_where_a_rule_finds_it() {
    let cx = context(&["extra.rack={rack}", "extra.unit={unit}", "extra.height={height}"]);
    let details = NodeDetails { ports: &[], ports_are_incomplete: false, inventory: None };
    for (extra, expected) in [
        (json!({}), None),
        (json!({"rack": "a1"}), Some(json!({"rack": {"externalId": "a1"}}))),
        (
            json!({"rack": "a1", "unit": 4, "height": 2}),
            Some(json!({"rack": {"externalId": "a1"}, "startUnit": 4.0, "unitHeight": 2.0})),
        ),
        (json!({"rack": "a1", "unit": 48, "height": 2}), None),
    ] {
        let mapped = node(&cx, &read_node(json!({"extra": extra})), &details);
        assert_eq!(fields_of(&mapped, DEVICE).get("placement").cloned(), expected, "{extra}");
    }
    let (name, mapped) = rack(&cx, &read_node(json!({"extra": {"rack": "a1"}}))).expect("a rack");
    assert_eq!((name.as_str(), &fields_of(&mapped, RACK)["heightU"]), ("a1", &json!(48)));
}

#[test]
fn a_cable_is_made_only_where_both_ends_are_clear() {
    let link = |switch: &str, port: &str, name: &str| Link {
        switch_id: Some(switch.to_owned()),
        port_id: Some(port.to_owned()),
        switch_info: Some(name.to_owned()),
    };
    let mut switches = Switches::default();
    for (port, link) in [
        ("p1", link("52:54:00:aa:00:01", "Eth1", "leaf-1")),
        // The same switch in another notation.
        ("p2", link("5254.00AA.0001", "Eth2", "leaf-1")),
        // Two ports name one port of a switch.
        ("p3", link("52:54:00:aa:00:02", "Eth1", "leaf-2")),
        ("p4", link("52:54:00:aa:00:02", "Eth1", "leaf-2")),
        // Two switches have one name.
        ("p5", link("52:54:00:aa:00:03", "Eth1", "leaf-3")),
        ("p6", link("52:54:00:aa:00:04", "Eth1", "leaf-3")),
        // A switch without a name has its address as the name.
        ("p7", Link { switch_info: None, ..link("52:54:00:aa:00:05", "Eth1", "") }),
        // One end only.
        ("p8", Link { port_id: None, ..link("52:54:00:aa:00:06", "", "leaf-6") }),
    ] {
        switches.add(port, &link);
    }
    let mapped = switches.mapped(&context(&[]));
    let names = |kind: &str| -> Vec<String> {
        let of = mapped.items.iter().filter(|item| item.id().kind == kind);
        of.map(|item| {
            item.fields().get("name").unwrap_or(&item.fields()["externalId"]).as_str().unwrap_or_default().to_owned()
        })
        .collect()
    };
    assert_eq!(names(DEVICE), ["leaf-1", "leaf-2", "52:54:00:aa:00:05"]);
    assert_eq!(names(CABLE), ["p1", "p2", "p7"]);
    assert_eq!(mapped.left_out.iter().map(|(_, count)| count).sum::<u64>(), 4);
}

#[test]
fn a_port_has_the_name_of_its_interface() {
    let inventory = Inventory::read(&members(json!({"inventory": {"interfaces": [
        {"name": "eno1", "mac_address": "52:54:00:00:00:01", "speed_mbps": 25000},
        {"name": "52:54:00:00:00:02", "mac_address": "52:54:00:00:00:02"},
        {"name": "twice", "mac_address": "52:54:00:00:00:03"}, {"name": "twice", "mac_address": "52:54:00:00:00:04"}
    ]}})));
    let cx = context(&[]);
    for (member, inventory, expected) in [
        (
            json!({"address": "52:54:00:00:00:01", "name": "n7-1"}),
            Some(&inventory),
            ("eno1", json!(25_000_000_000_u64)),
        ),
        (json!({"address": "52:54:00:00:00:01", "name": "n7-1"}), None, ("n7-1", Value::Null)),
        (json!({"address": "52:54:00:00:00:02"}), Some(&inventory), ("52:54:00:00:00:02", Value::Null)),
        (json!({"address": "52:54:00:00:00:03"}), Some(&inventory), ("52:54:00:00:00:03", Value::Null)),
    ] {
        let fields = fields_of(&port(&cx, &read_port("p", member), inventory), PORT);
        assert_eq!(
            (fields["name"].as_str().unwrap_or_default(), fields.get("speedBps").cloned().unwrap_or_default()),
            expected
        );
    }
    let bad = port(&cx, &read_port("p", json!({"address": "garbage"})), None);
    assert!(bad.items.is_empty() && bad.bad[0].message.contains("six bytes"), "{:?}", bad.bad);
}
