//! The reports of the five machines.

use serde_json::{Value, json};

use crate::machines;
use crate::tree::Tree;

/// The reason why a machine without lldpd does not know its neighbours.
const DEAF: &str = "lldpctl is not installed, and nothing listened before this report";

fn complete(found: Value) -> Value {
    json!({"complete": true, "found": found})
}

fn lacking(found: Value, unread: &[(&str, &str)]) -> Value {
    let unread: Vec<Value> = unread.iter().map(|(what, reason)| json!({"what": what, "reason": reason})).collect();
    json!({"complete": false, "unread": unread, "found": found})
}

#[track_caller]
fn is(tree: &Tree, expected: &Value) {
    let sections = tree.sections();
    for section in ["system", "memory", "processors", "disks", "interfaces", "devices", "gpus", "neighbours"] {
        let [found, expected] = [&sections, expected].map(|all| format!("{:#}", sorted(&all[section])));
        assert_eq!(found, expected, "{section}");
    }
}

/// Returns a value whose members are in order, so that texts can be compared.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(values) => values.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_server_with_everything() {
    let dimm = |slot: &str, bytes: u64| {
        json!({"slot": slot, "sizeBytes": bytes, "type": "DDR4", "speedMts": 2933, "manufacturer": "Samsung",
            "partNumber": "M393A8G40BB4-CWE"})
    };
    let mut dimms = [dimm("A1", 64 << 30), dimm("B1", 64 << 30), dimm("B1 #2", 16 << 30)];
    dimms[0]["serial"] = json!("1A2B3C4D");
    dimms[1]["serial"] = json!("5E6F7A8B");
    let processor = |socket: u32| {
        json!({"socket": socket, "model": "AMD EPYC 7313 16-Core Processor", "cores": 2, "threads": 4,
            "microcode": "0xa0011d1"})
    };
    let port = |place: &str| {
        json!({"place": place, "vendor": "15b3", "device": "101d", "class": "020000", "revision": "00",
            "driver": "mlx5_core", "linkSpeedMts": 16000, "maxLinkSpeedMts": 16000, "linkWidth": 8, "maxLinkWidth": 16,
            "numaNode": 1})
    };
    is(
        &machines::server(),
        &json!({
            "system": complete(json!({
                "uuid": "4c4c4544-0042-4b10-8057-b7c04f503533", "manufacturer": "Dell Inc.", "model": "PowerEdge R6525",
                "serial": "BKWP5F3", "boardManufacturer": "Dell Inc.", "boardModel": "0DMFVG",
                "boardSerial": ".BKWP5F3.CNFCP0016L00B9.", "chassisSerial": "CH4SS1S", "firmwareVendor": "Dell Inc.",
                "firmwareVersion": "2.14.1", "firmwareDate": "12/17/2023", "bootMode": "UEFI", "secureBoot": true,
                "secureBootAuthorities": ["Fleet CA"],
                "bootId": "0d4b3a0e-71d6-4c0e-a4d2-64f2d25e2b25",
            })),
            "memory": complete(json!({
                "modules": dimms, "slots": 4, "errors": {"corrected": 4, "uncorrected": 2},
            })),
            "processors": complete(json!([processor(0), processor(1)])),
            "disks": complete(json!([
                {"name": "nvme0n1", "model": "SAMSUNG MZQL21T9HCJR-00A07", "serial": "S64GNE0R501234",
                    "wwn": "eui.36344730525012340025384500000001", "place": "pci-0000:01:00.0-nvme-1",
                    "sizeBytes": 1_920_383_410_176_u64, "medium": "NVME", "firmwareVersion": "GDC5602Q",
                    "health": "PASSED"},
                {"name": "nvme1n1", "model": "KIOXIA KCM6", "serial": "Y1A0A00ZTC", "wwn": "eui.00000000000000018ce38ee2",
                    "sizeBytes": 3000 * 512, "medium": "NVME", "firmwareVersion": "0106", "health": "PASSED"},
                {"name": "sda", "model": "INTEL SSDSC2KB480G8", "serial": "PHYF0123004X480BGN",
                    "wwn": "0x55cd2e414d3f0a1b", "place": "pci-0000:05:00.0-ata-1", "sizeBytes": 480_103_981_056_u64,
                    "medium": "SSD", "firmwareVersion": "XCV10132", "health": "FAILING"},
                {"name": "sdb", "manufacturer": "SEAGATE", "model": "ST18000NM004J", "serial": "ZR5A0B1C0000C1234567",
                    "wwn": "0x5000c500d9a1b2c3", "place": "pci-0000:81:00.0", "sizeBytes": 18_000_207_937_536_u64,
                    "medium": "HDD", "firmwareVersion": "E004", "health": "PASSED"},
                {"name": "bus/1/megaraid,5", "model": "SAMSUNG MZ7L31T9HBLT-00A07", "serial": "S6ESNC0W600001",
                    "wwn": "0x5002538df8475801", "place": "pci-0000:81:00.0-megaraid,5",
                    "sizeBytes": 1_920_383_410_176_u64, "medium": "SSD", "firmwareVersion": "JXTC304Q",
                    "health": "PASSED"},
            ])),
            "interfaces": complete(json!([
                {"name": "eno1np0", "permanentMac": "b8:3f:d2:11:22:33", "kind": "ETHERNET", "place": "0000:41:00.0/p0",
                    "driver": "mlx5_core", "carrier": true, "carrierChanges": 3, "speedMbps": 25000},
                {"name": "eno2np1", "permanentMac": "b8:3f:d2:11:22:34", "mac": "b8:3f:d2:11:22:33", "kind": "ETHERNET",
                    "place": "0000:41:00.1/p1", "driver": "mlx5_core", "carrier": false, "carrierChanges": 2},
                {"name": "ens2d1", "permanentMac": "00:02:c9:1a:2b:3d", "kind": "ETHERNET", "place": "0000:42:00.0/1",
                    "driver": "mlx4_core"},
                {"name": "ib0", "permanentMac": "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:1a:2b:3c",
                    "kind": "INFINIBAND", "place": "0000:42:00.0", "driver": "mlx4_core", "carrier": true,
                    "speedMbps": 56000},
            ])),
            "devices": complete(json!([
                {"place": "0000:01:00.0", "vendor": "144d", "device": "a80a", "class": "010802", "revision": "00",
                    "subsystemVendor": "144d", "subsystemDevice": "aa8d", "driver": "nvme", "linkSpeedMts": 8000,
                    "maxLinkSpeedMts": 16000, "linkWidth": 4, "maxLinkWidth": 4, "numaNode": 0},
                port("0000:41:00.0"),
                port("0000:41:00.1"),
                {"place": "0000:c3:00.0", "vendor": "1a03", "device": "2000", "class": "030000", "revision": "41",
                    "driver": "ast"},
            ])),
            "gpus": complete(json!([])),
            "neighbours": complete(json!([
                {"interface": "eno1np0", "permanentMac": "b8:3f:d2:11:22:33", "chassisId": "00:1c:73:a5:00:01",
                    "chassisIdSubtype": "MAC_ADDRESS", "portId": "Ethernet12/1", "portIdSubtype": "INTERFACE_NAME",
                    "portDescription": "rack 7 u12", "systemName": "leaf-1a",
                    "systemDescription": "Arista Networks EOS version 4.31.2F",
                    "managementAddresses": ["10.20.0.11", "fe80::21c:73ff:fea5:1"], "capabilities": ["BRIDGE", "ROUTER"]},
                {"interface": "eno1np0", "permanentMac": "b8:3f:d2:11:22:33", "chassisId": "3c:ec:ef:00:11:22",
                    "chassisIdSubtype": "MAC_ADDRESS", "portId": "3c:ec:ef:00:11:22", "portIdSubtype": "MAC_ADDRESS"},
            ])),
        }),
    );
}

#[test]
fn a_server_with_gpus() {
    let gpu = |place: &str, width: u32| {
        json!({"place": place, "vendor": "10de", "device": "2330", "driver": "nvidia", "linkWidth": width,
            "maxLinkWidth": 16, "numaNode": 0})
    };
    let mut gpus = [gpu("0000:19:00.0", 16), gpu("0000:3b:00.0", 8), gpu("0000:4c:00.0", 16)];
    gpus[0]["serial"] = json!("1652923033871");
    gpus[0]["uuid"] = json!("GPU-8a3c5e1f-9d2b-4f60-a1c7-3e5d7f9b1a2c");
    gpus[0]["memoryBytes"] = json!(81_559_u64 << 20);
    gpus[0]["firmwareVersion"] = json!("96.00.74.00.1A");
    gpus[1]["offBus"] = json!(true);
    // It sleeps, and would be woken by the question.
    gpus[2] = json!({"place": "0000:4c:00.0", "vendor": "10de", "device": "2330", "driver": "nvidia", "numaNode": 0});
    gpus[2]["uuid"] = json!("GPU-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    for gpu in [0, 2] {
        gpus[gpu]["model"] = json!("NVIDIA H100 80GB HBM3");
        gpus[gpu]["driverVersion"] = json!("550.90.07");
    }
    let amd = json!({"place": "0000:5d:00.0", "vendor": "1002", "device": "74a1", "driver": "amdgpu"});
    let sections = machines::gpu_server().sections();
    let expected = complete(json!([gpus[0], gpus[1], gpus[2], amd]));
    assert_eq!(format!("{:#}", sorted(&sections["gpus"])), format!("{:#}", sorted(&expected)));
    assert_eq!(sections["devices"], complete(json!([])));
    let note = |name: &str, switch: &str| {
        let command = format!("ethtool --set-priv-flags {name} {switch}");
        json!({"about": name, "text": format!("heard no LLDP; the adapter keeps it to itself until `{command}`")})
    };
    let mut silence = complete(json!([]));
    silence["notes"] = json!([note("ens1f0", "fw-lldp-agent off"), note("ens2f0", "disable-fw-lldp on")]);
    assert_eq!(sections["neighbours"], silence);
}

#[test]
fn a_machine_with_a_device_tree() {
    is(
        &machines::arm(),
        &json!({
            "system": complete(json!({"model": "Raspberry Pi 4 Model B Rev 1.4", "serial": "10000000a1b2c3d4"})),
            "memory": complete(json!({"modules": []})),
            "processors": complete(json!([{"socket": 0, "model": "Arm Cortex-A72", "cores": 4, "threads": 4}])),
            "disks": complete(json!([{"name": "mmcblk0", "model": "SD32G", "serial": "0x2f8a1b3c",
                "sizeBytes": 31_914_983_424_u64}])),
            "interfaces": complete(json!([{"name": "end0", "permanentMac": "dc:a6:32:aa:bb:cc", "kind": "ETHERNET",
                "place": "fd580000.ethernet", "driver": "bcmgenet", "carrier": true, "carrierChanges": 1,
                "speedMbps": 1000}])),
            "devices": complete(json!([])),
            "gpus": complete(json!([])),
            "neighbours": lacking(json!([]), &[("LLDP", DEAF)]),
        }),
    );
}

#[test]
fn a_virtual_machine() {
    is(
        &machines::virtual_machine(),
        &json!({
            "system": complete(json!({
                "uuid": "9c1e6c8e-2f7b-4a53-8d1c-3f5b0a7e6d21", "manufacturer": "QEMU",
                "model": "Standard PC (Q35 + ICH9, 2009)", "firmwareVendor": "SeaBIOS", "firmwareVersion": "1.16.2",
                "bootMode": "BIOS",
            })),
            "memory": complete(json!({
                "modules": [{"slot": "DIMM 0", "sizeBytes": 4_u64 << 30, "manufacturer": "QEMU"}], "slots": 1,
            })),
            "processors": complete(json!([{"socket": 0, "model": "QEMU Virtual CPU version 2.5+", "cores": 1, "threads": 1,
                "microcode": "0x1"}])),
            "disks": complete(json!([{"name": "vda", "place": "pci-0000:00:03.0", "sizeBytes": 20_u64 << 30}])),
            "interfaces": complete(json!([{"name": "enp0s2", "permanentMac": "fa:16:3e:12:34:56", "kind": "ETHERNET",
                "place": "0000:00:02.0", "driver": "virtio_net", "carrier": true, "carrierChanges": 2}])),
            "devices": complete(json!([
                {"place": "0000:00:01.0", "vendor": "1234", "device": "1111", "class": "030000", "revision": "02",
                    "driver": "bochs-drm"},
                {"place": "0000:00:03.0", "vendor": "1af4", "device": "1042", "class": "010000", "driver": "virtio-pci"},
            ])),
            "gpus": complete(json!([])),
            "neighbours": complete(json!([{"interface": "enp0s2", "permanentMac": "fa:16:3e:12:34:56", "chassisId": "hv3",
                "chassisIdSubtype": "LOCAL", "portId": "tap 17", "portIdSubtype": "INTERFACE_ALIAS",
                "systemName": "hypervisor-3", "managementAddresses": ["10.0.0.3"], "capabilities": ["STATION_ONLY"]}])),
        }),
    );
}

#[test]
fn broken_parts_are_named_and_the_others_reported() {
    let no_folder = "there is no such folder";
    let vendor = ("/sys/bus/pci/devices/0000:00:02.0/vendor", "is not a number in its bounds");
    is(
        &machines::broken(),
        &json!({
            "system": lacking(
                json!({"firmwareVersion": "P1.30", "bootMode": "BIOS"}),
                &[("/sys/class/dmi/id/product_name", "is a directory")],
            ),
            "memory": lacking(
                json!({"modules": [{"slot": "BANK 0 DIMM_A", "sizeBytes": 8_u64 << 30, "type": "DDR3", "speedMts": 1600}],
                    "slots": 1}),
                &[("/sys/firmware/dmi/tables/DMI", "is cut off or broken")],
            ),
            "processors": lacking(json!([]), &[("/proc/cpuinfo", "lists no processor")]),
            "disks": lacking(
                json!([{"name": "sdb", "sizeBytes": 512_000_000, "place": "pci-0000:00:1f.2"}]),
                &[
                    ("/sys/block/sda/size", "is not a number in its bounds"),
                    ("smartctl sdb", "does not write what it should"),
                ],
            ),
            "interfaces": lacking(json!([]), &[("/sys/class/net", "there is no such folder")]),
            "devices": lacking(json!([]), &[vendor]),
            "gpus": lacking(json!([{"place": "0000:00:02.0"}]), &[vendor]),
            "neighbours": lacking(
                json!([]),
                &[
                    ("/sys/class/net", no_folder),
                    ("LLDP", "lldpctl does not write what it should, and nothing listened before this report"),
                ],
            ),
        }),
    );
}

#[test]
fn a_machine_without_files_says_what_it_lacks() {
    let no_file = "there is no such file";
    let no_folder = "there is no such folder";
    is(
        &Tree::new(),
        &json!({
            "system": lacking(json!({}), &[("/sys/class/dmi/id", "there is no such folder, and no device tree")]),
            "memory": lacking(json!({"modules": []}), &[("/sys/firmware/dmi/tables/DMI", no_file)]),
            "processors": lacking(json!([]), &[("/proc/cpuinfo", no_file)]),
            "disks": lacking(json!([]), &[("/sys/block", no_folder)]),
            "interfaces": lacking(json!([]), &[("/sys/class/net", no_folder)]),
            "devices": lacking(json!([]), &[("/sys/bus/pci/devices", no_folder)]),
            "gpus": lacking(json!([]), &[("/sys/bus/pci/devices", no_folder)]),
            "neighbours": lacking(json!([]), &[("/sys/class/net", no_folder), ("LLDP", DEAF)]),
        }),
    );
}

#[test]
fn equal_names_of_disks_with_other_serial_numbers_are_two() {
    let disk = |tree: Tree, name: &str, serial: &str| {
        let real = format!("/sys/devices/pci0000:00/0000:00:1f.2/{name}/block/{name}");
        tree.device("/sys/block", &real, &[("size", "1000"), ("serial", serial)])
            .files(&format!("{real}/device"), &[("wwid", "naa.5000000000000001")])
    };
    // The third says no serial number, and is taken for another path to the first.
    let tree = [("sda", "A1"), ("sdb", "B1"), ("sdc", "")].iter();
    let tree = tree.fold(Tree::new(), |tree, (name, serial)| disk(tree, name, serial));
    let found = tree.report().sections.disks.expect("a section").found;
    let found: Vec<_> = found.iter().map(|disk| (disk.name.as_str(), disk.serial.as_deref())).collect();
    assert_eq!(found, [("sda", Some("A1")), ("sdb", Some("B1"))]);
}

#[test]
fn an_empty_device_tree_is_none() {
    let tree = Tree::new().file("/proc/device-tree/name", "\0");
    let sections = tree.report().sections;
    assert!(!sections.system.expect("a section").complete && !sections.memory.expect("a section").complete);
}
