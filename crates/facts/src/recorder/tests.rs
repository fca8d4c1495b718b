//! Bodies as ironic-python-agent writes them, whole and broken.

use serde_json::json;

use super::*;
use crate::{compare, page};

/// The body of a server with two disks and two interfaces, one of which has a neighbour.
fn body() -> Value {
    json!({
        "inventory": {
            "cpu": {
                "model_name": "Contoso Xeon 6338", "frequency": "3200.0000", "count": 64, "architecture": "x86_64",
                "flags": ["fpu", "vme"], "socket_count": 2,
            },
            "memory": {"total": 269_976_715_264_u64, "physical_mb": 262_144},
            "disks": [
                {
                    "name": "/dev/sda", "model": "CN-480", "size": 480_103_981_056_u64, "rotational": false,
                    "wwn": "0x5000c500a1b2c3d4", "serial": "CN480-0001", "vendor": "Contoso",
                    "wwn_with_extension": "0x5000c500a1b2c3d4", "wwn_vendor_extension": null, "hctl": "0:0:0:0",
                    "by_path": "/dev/disk/by-path/pci-0000:00:17.0-ata-1", "logical_sectors": 512, "uuid": null,
                },
                {
                    "name": "/dev/nvme0n1", "model": "CN-3840", "size": 3_840_755_982_336_u64, "rotational": false,
                    "serial": "CN3840-0001", "vendor": null, "by_path": null,
                },
            ],
            "interfaces": [
                {
                    "name": "eno1", "mac_address": "02:00:5E:00:00:01", "ipv4_address": "10.0.0.7",
                    "ipv6_address": "fe80::5eff:fe00:1%eno1", "has_carrier": true, "lldp": null, "vendor": "0x8086",
                    "product": "0x1572", "client_id": null, "biosdevname": null, "speed_mbps": 10_000,
                    "pci_address": "0000:41:00.0", "driver": "i40e",
                },
                {"name": "eno2", "mac_address": "02:00:5e:00:00:02", "has_carrier": false, "speed_mbps": -1, "lldp": []},
                {"name": "eno1.100", "mac_address": "02:00:5e:00:00:01", "has_carrier": true},
            ],
            "system_vendor": {
                "product_name": "CN-R740", "serial_number": "SN-7", "manufacturer": "Contoso",
                "firmware": {"vendor": "Contoso", "version": "2.19.1", "build_date": "06/04/2023"},
            },
            "boot": {"current_boot_mode": "uefi", "pxe_interface": "02:00:5e:00:00:01"},
            "bmc_address": "10.9.0.7", "bmc_v6address": "::/0", "bmc_mac": "02:00:5e:00:00:09", "hostname": "ramdisk",
        },
        "plugin_data": {
            "lldp_raw": {
                "eno1": [
                    [1, "04001c73000001"], [2, "0545746831"], [3, "0078"], [5, "6c6561662d31"], [127, "0012bb01"], [0, ""],
                ],
            },
        },
    })
}

fn report(body: &Value) -> Report {
    Recording::read(body.to_string().as_bytes()).expect("a body").report(DateTime::UNIX_EPOCH)
}

#[test]
fn a_body_is_a_report_with_what_it_does_not_tell() {
    let expected = "\
System
  machine   Contoso CN-R740, serial SN-7
  firmware  Contoso 2.19.1 of 06/04/2023
  booted    by UEFI
  not read:
    mainboard, chassis and Secure Boot: this recorder does not tell them

Processors: not known
  note: processors: 64 threads of Contoso Xeon 6338 in 2 sockets
  not read:
    cores and threads of each processor: this recorder does not tell them

Memory: no modules found
  note: memory: 262144 MiB in all
  not read:
    memory modules: this recorder does not tell them

Disks: 2
  sda      480 GB   SSD   Contoso CN-480  serial CN480-0001   pci-0000:00:17.0-ata-1
  nvme0n1  3.84 TB  NVMe  CN-3840         serial CN3840-0001

Interfaces: 2
  eno1  02:00:5e:00:00:01  Ethernet  link at 10 Gbit/s  i40e  0000:41:00.0
  eno2  02:00:5e:00:00:02  Ethernet  no link

Neighbours: 1
  eno1  leaf-1  port Eth1  00:1c:73:00:00:01
  not read:
    LLDP: the recorder listens only for a moment
";
    let report = report(&body());
    assert_eq!(page(&report), expected);
    let sections = &report.sections;
    assert!(sections.disks.as_ref().is_some_and(|it| it.complete && it.found[0].wwn.is_some()));
    assert!(sections.interfaces.as_ref().is_some_and(|it| it.complete));
    assert!(sections.devices.is_none() && sections.gpus.is_none(), "what is not told is left out");
}

#[test]
fn what_identifies_the_machine_is_kept_and_erased_for_tenants() {
    let mut report = report(&body());
    let kept = |report: &Report| serde_json::to_value(report).expect("JSON")["system"]["found"].clone();
    assert_eq!(kept(&report)["bmc_address"], "10.9.0.7");
    assert_eq!(kept(&report)["hostname"], "ramdisk");
    report.sections.erase_identities();
    let text = serde_json::to_string(&report).expect("JSON");
    for identity in ["10.9.0.7", "02:00:5e", "ramdisk", "SN-7", "CN480-0001", "leaf-1", "0x5000c5"] {
        assert!(!text.contains(identity), "{identity}: {text}");
    }
}

#[test]
fn a_part_that_cannot_be_read_costs_that_part_alone() {
    for (at, broken, section, lacks, found) in [
        ("/inventory/disks", json!(null), "disks", Some("disks"), 0),
        ("/inventory/disks", json!("none"), "disks", Some("disks"), 0),
        ("/inventory/disks", json!([]), "disks", None, 0),
        ("/inventory/disks/0", json!(7), "disks", Some("disk 1"), 1),
        ("/inventory/disks/1/name", json!(null), "disks", Some("disk 2"), 1),
        ("/inventory/disks/1/size", json!("big"), "disks", None, 2),
        ("/inventory/interfaces", json!({}), "interfaces", Some("interfaces"), 0),
        ("/inventory/interfaces/1", json!([]), "interfaces", Some("interface 2"), 1),
        ("/inventory/interfaces/0/mac_address", json!(null), "interfaces", None, 2),
        ("/plugin_data/lldp_raw/eno1/0", json!([1, "04"]), "neighbours", Some("eno1"), 0),
        ("/plugin_data/lldp_raw/eno1/0", json!([300, "zz"]), "neighbours", Some("eno1"), 0),
        ("/plugin_data/lldp_raw/eno1/3", json!([5]), "neighbours", None, 1),
        ("/plugin_data/lldp_raw/eno1/3/1", json!("6c6561662d3é"), "neighbours", None, 1),
    ] {
        let mut body = body();
        *body.pointer_mut(at).expect("a member") = broken.clone();
        let read = serde_json::to_value(report(&body)).expect("JSON");
        let section = &read[section];
        assert_eq!(section["found"].as_array().map(Vec::len), Some(found), "{at} {broken}: {section}");
        let unread: Vec<&str> =
            section["unread"].as_array().into_iter().flatten().filter_map(|it| it["what"].as_str()).collect();
        assert_eq!(unread.iter().find(|what| **what != "LLDP").copied(), lacks, "{at} {broken}");
    }
}

#[test]
fn odd_bodies_are_read_and_others_are_none() {
    for (text, is_read) in [
        (r#"{"inventory": {}}"#, true),
        (r#"{"inventory": {}, "plugin_data": null, "error": "collector lldp failed"}"#, true),
        (r#"{"inventory": {"system_vendor": [], "cpu": 1, "memory": "x", "boot": {"current_boot_mode": 3}}}"#, true),
        (r#"{"inventory": null}"#, false),
        ("{}", false),
        ("[]", false),
        ("", false),
    ] {
        let read = Recording::read(text.as_bytes());
        assert_eq!(read.is_ok(), is_read, "{text}");
        let sections = read.ok().map(|read| read.report(DateTime::UNIX_EPOCH).sections);
        assert!(
            sections.is_none_or(|it| it.system.is_some_and(|it| !it.complete) && it.neighbours.is_none()),
            "{text}"
        );
    }
}

#[test]
fn older_recorders_have_lldp_at_the_interface() {
    let mut body = body();
    body["plugin_data"] = json!({});
    assert!(report(&body).sections.neighbours.is_none());
    body["inventory"]["interfaces"][1]["lldp"] = json!([[1, "0766"], [2, "0733"], [3, "0078"]]);
    let neighbours = report(&body).sections.neighbours.expect("a section");
    let heard = &neighbours.found[0];
    assert_eq!((heard.interface.as_str(), heard.chassis_id.as_str(), heard.port_id.as_str()), ("eno2", "f", "3"));
}

#[test]
fn changes_between_two_bodies_are_events_of_what_is_told() {
    let before = report(&body());
    let mut changed = body();
    changed["inventory"]["disks"][1]["serial"] = json!("CN3840-0002");
    changed["inventory"]["interfaces"][0]["has_carrier"] = json!(false);
    changed["inventory"]["cpu"]["count"] = json!(32);
    changed["inventory"]["memory"]["physical_mb"] = json!(131_072);
    let events = compare(&before, &crate::MissingParts::default(), &report(&changed)).events;
    let told: Vec<_> = events.iter().map(|it| (it.part, it.change, it.place.as_str())).collect();
    let (disk, interface) = (crate::Part::Disk, crate::Part::Interface);
    assert!(told.contains(&(interface, crate::PartChange::LinkDown, "0000:41:00.0")), "{told:?}");
    assert!(told.contains(&(disk, crate::PartChange::Added, "nvme0n1")), "{told:?}");
    assert_eq!(told.len(), 2, "{told:?}");
}
