//! A server with everything.

use super::{interface, lanes, pci};
use crate::tree::{Dimm, Tree, table};

const SECURE_BOOT: &str = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

const AUTHORITIES: &str = "/sys/firmware/efi/efivars/db-d719b2cb-3d3a-4596-a3bc-dad00e67656f";

/// A variable with one certificate, of which there is little more than the name of its subject.
fn authorities() -> Vec<u8> {
    let subject = b"\x30\x13\x31\x11\x30\x0f\x06\x03\x55\x04\x03\x0c\x08Fleet CA";
    let before = b"\x02\x01\x01\x30\x00\x30\x00\x30\x00";
    let signed = [&before[..], subject].concat();
    let certificate = [&[0x30, signed.len() as u8 + 2, 0x30, signed.len() as u8], &signed[..]].concat();
    let kind = [0xa1, 0x59, 0xc0, 0xa5, 0xe4, 0x94, 0xa7, 0x4a, 0x87, 0xb5, 0xab, 0x15, 0x5c, 0x2b, 0xf0, 0x72];
    let entry = 16 + certificate.len() as u32;
    let sizes = [28 + entry, 0, entry].map(u32::to_le_bytes).concat();
    [&[0x27, 0, 0, 0], &kind[..], &sizes, &[0; 16], &certificate].concat()
}

/// A server with everything.
pub fn server() -> Tree {
    let tree = Tree::new()
        .files(
            "/sys/devices/virtual/dmi/id",
            &[
                ("product_uuid", "4C4C4544-0042-4B10-8057-B7C04F503533"),
                ("sys_vendor", "Dell Inc."),
                ("product_name", "PowerEdge R6525 "),
                ("product_serial", "BKWP5F3"),
                ("board_vendor", "Dell Inc."),
                ("board_name", "0DMFVG"),
                ("board_serial", ".BKWP5F3.CNFCP0016L00B9."),
                ("chassis_serial", "CH4SS1S"),
                ("chassis_asset_tag", "Not Specified"),
                ("bios_vendor", "Dell Inc."),
                ("bios_version", "2.14.1"),
                ("bios_date", "12/17/2023"),
            ],
        )
        .folder("/sys/class/dmi")
        .link("/sys/class/dmi/id", "../../devices/virtual/dmi/id")
        .file(SECURE_BOOT, [6, 0, 0, 0, 1])
        .file(AUTHORITIES, authorities())
        .files("/proc/sys/kernel/random", &[("boot_id", "0d4b3a0e-71d6-4c0e-a4d2-64f2d25e2b25")])
        .file("/sys/firmware/dmi/tables/DMI", table(&dimms()))
        .files("/sys/devices/system/edac/mc/mc0", &[("ce_count", "3"), ("ue_count", "0")])
        .files("/sys/devices/system/edac/mc/mc1", &[("ce_count", "1"), ("ue_count", "2")])
        .folder("/sys/devices/system/edac/mc/power");
    behind_adapter(health(cards(interfaces(disks(processors(tree)))))).file("/programs/lldpctl", NEIGHBOURS)
}

/// The words of `smartctl` about the disks behind an adapter: one that the kernel shows too, and one that it does not.
fn behind_adapter(tree: Tree) -> Tree {
    let list = "{\"devices\": [{\"name\": \"/dev/sdb\", \"info_name\": \"/dev/sdb\", \"type\": \"scsi\", \"protocol\": \"SCSI\"}, \
                {\"name\": \"/dev/bus/1\", \"type\": \"megaraid,4\"}, {\"name\": \"/dev/bus/1\", \"type\": \"sat+megaraid,5\"}]}\n";
    let both = "{\"device\": {\"protocol\": \"SCSI\"}, \"serial_number\": \"ZR5A0B1C0000C1234567\", \"smart_status\": {\"passed\": true}}";
    let hidden = "{\"smartctl\": {\"exit_status\": 64}, \"device\": {\"info_name\": \"/dev/bus/1 [megaraid_disk_05] [SAT]\", \
                  \"protocol\": \"ATA\"}, \"model_name\": \"SAMSUNG MZ7L31T9HBLT-00A07\", \"serial_number\": \"S6ESNC0W600001\", \
                  \"wwn\": {\"naa\": 5, \"oui\": 9528, \"id\": 60000000001}, \"firmware_version\": \"JXTC304Q\", \"user_capacity\": \
                  {\"bytes\": 1920383410176}, \"rotation_rate\": 0, \"smart_status\": {\"passed\": true}}\n";
    tree.file("/programs/smartctl/--scan-open", list)
        .file("/programs/smartctl/bus!1!megaraid,4", both)
        .file("/programs/smartctl/bus!1!megaraid,5", hidden)
        .device("/sys/class/scsi_host", "/sys/devices/pci0000:80/0000:81:00.0/host1/scsi_host/host1", &[])
}

/// The words of `smartctl` about the disks. One of them is going to fail, and one sleeps and has said nothing yet.
fn health(tree: Tree) -> Tree {
    let said = |passed: bool, serial: &str| {
        let status = if passed { 0 } else { 8 };
        format!(
            "{{\"json_format_version\": [1, 0], \"smartctl\": {{\"exit_status\": {status}}}, \"serial_number\": \
             \"{serial}\", \"smart_status\": {{\"passed\": {passed}, \"nvme\": {{\"value\": 0}}}}, \"power_on_time\": \
             {{\"hours\": 4711}}, \"temperature\": {{\"current\": 31}}}}\n"
        )
    };
    let asleep = "{\"smartctl\": {\"exit_status\": 2, \"messages\": [{\"string\": \"Device is in STANDBY mode, \
                  exit(2)\", \"severity\": \"information\"}]}, \"device\": {\"name\": \"/dev/sdb\"}}\n";
    tree.file("/programs/smartctl/nvme0n1", said(true, "S64GNE0R501234"))
        .file("/programs/smartctl/nvme1n1", said(true, "Y1A0A00ZTC"))
        .file("/programs/smartctl/sda", said(false, "PHYF0123004X480BGN"))
        .file("/programs/smartctl/sdb", asleep)
}

/// The words of `lldpctl` about two neighbours at one port: a switch, and the BMC that shares the port. Neighbours of a
/// container and those of another protocol are none.
const NEIGHBOURS: &str = r#"{"lldp": {"interface": [
    {"eno1np0": {"via": "LLDP", "rid": "1", "age": "3 days, 04:11:09",
        "chassis": {"leaf-1a": {"id": {"type": "mac", "value": "00:1C:73:A5:00:01"},
            "descr": "Arista Networks EOS version 4.31.2F", "mgmt-ip": ["fe80::21c:73ff:fea5:1", "10.20.0.11"],
            "capability": [{"type": "Router", "enabled": true}, {"type": "Bridge", "enabled": true},
                {"type": "Wlan", "enabled": false}]}},
        "port": {"id": {"type": "ifname", "value": "Ethernet12/1"}, "descr": "rack 7 u12", "ttl": "120"},
        "lldp-med": {"inventory": {"serial": "JPE-MED-SERIAL"}}}},
    {"eno1np0": {"via": "LLDP", "rid": "2", "age": "3 days, 04:11:02",
        "chassis": {"id": {"type": "mac", "value": "3c:ec:ef:00:11:22"}},
        "port": {"id": {"type": "mac", "value": "3c:ec:ef:00:11:22"}, "ttl": "120"}}},
    {"eno1np0": {"via": "CDPv2", "rid": "3", "chassis": {"leaf-1a": {"id": {"type": "local", "value": "leaf-1a"}}},
        "port": {"id": {"type": "ifname", "value": "Ethernet12/1"}}}},
    {"veth1": {"via": "LLDP", "chassis": {"id": {"type": "local", "value": "c"}},
        "port": {"id": {"type": "local", "value": "p"}}}}
]}}"#;

fn dimms() -> [Dimm; 4] {
    let full = |locator, serial| Dimm {
        bank: "Not Specified",
        locator,
        size: 0x7fff,
        extended: 65536,
        kind: 0x1a,
        speed: 2933,
        maker: "Samsung",
        serial,
        part: "M393A8G40BB4-CWE    ",
    };
    [
        full("A1", "1A2B3C4D"),
        Dimm { size: 0, serial: "", maker: "NO DIMM", ..full("A2", "") },
        full("B1", "5E6F7A8B"),
        // The board gives two slots one name.
        Dimm { size: 16384, ..full("B1", "00000000") },
    ]
}

/// Two sockets with two cores of two threads each, whose numbers begin anew in each socket.
pub(super) fn processors(tree: Tree) -> Tree {
    let block = |number: u32| {
        format!(
            "processor\t: {number}\nmodel name\t: AMD EPYC 7313 16-Core Processor\nmicrocode\t: 0xa0011d1\n\
             cpu MHz\t\t: {}.5\nphysical id\t: {}\ncore id\t\t: {}\n\n",
            1500 + number,
            number % 4 / 2,
            number % 2
        )
    };
    let list: String = (0..8).map(block).collect();
    (0..8).fold(tree.file("/proc/cpuinfo", list), |tree, number| {
        tree.files(
            &format!("/sys/devices/system/cpu/cpu{number}/topology"),
            &[
                ("physical_package_id", if number % 4 < 2 { "0" } else { "1" }),
                ("core_id", if number % 2 == 0 { "0" } else { "1" }),
                ("thread_siblings_list", &format!("{},{}", number % 4, number % 4 + 4)),
            ],
        )
    })
}

fn disks(tree: Tree) -> Tree {
    let nvme = "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/nvme/nvme0";
    let subsystem = "/sys/devices/virtual/nvme-subsystem/nvme-subsys1";
    let sata = "/sys/devices/pci0000:00/0000:00:08.2/0000:05:00.0/ata1/host0/target0:0:0/0:0:0:0";
    let tree = tree
        .files(
            nvme,
            &[
                ("model", "SAMSUNG MZQL21T9HCJR-00A07              "),
                ("serial", "S64GNE0R501234      "),
                ("firmware_rev", "GDC5602Q"),
            ],
        )
        .device(
            "/sys/block",
            &format!("{nvme}/nvme0n1"),
            &[
                ("size", "3750748848"),
                ("dev", "259:0"),
                ("removable", "0"),
                ("hidden", "0"),
                ("wwid", "eui.36344730525012340025384500000001"),
            ],
        )
        .link(&format!("{nvme}/nvme0n1/device"), "../../nvme0")
        .file("/run/udev/data/b259:0", "S:disk/by-id/x\nE:ID_PATH=pci-0000:01:00.0-nvme-1\nE:ID_SERIAL=x\n")
        // The kernel joins the paths to a drive; its two namespaces are one drive.
        .files(subsystem, &[("model", "KIOXIA KCM6"), ("serial", "Y1A0A00ZTC"), ("firmware_rev", "0106")])
        .device(
            "/sys/block",
            &format!("{subsystem}/nvme1n1"),
            &[("size", "2000"), ("wwid", "eui.00000000000000018ce38ee2")],
        )
        .link(&format!("{subsystem}/nvme1n1/device"), "../../nvme-subsys1")
        .device("/sys/block", &format!("{subsystem}/nvme1n2"), &[("size", "1000"), ("wwid", "nvme.1e0f-59314130")])
        .link(&format!("{subsystem}/nvme1n2/device"), "../../nvme-subsys1")
        .device(
            "/sys/block",
            "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme1/nvme1c1n1",
            &[("size", "2000"), ("hidden", "1")],
        )
        .device(
            "/sys/block",
            &format!("{sata}/block/sda"),
            &[("size", "937703088"), ("dev", "8:0"), ("queue", "")][..2],
        )
        .files(&format!("{sata}/block/sda/queue"), &[("rotational", "0")])
        .files(sata, &[("vendor", "ATA     "), ("model", "INTEL SSDSC2KB48"), ("rev", "0132")])
        .link(&format!("{sata}/block/sda/device"), "../../../0:0:0:0")
        .file(
            "/run/udev/data/b8:0",
            "E:ID_MODEL_ENC=INTEL\\x20SSDSC2KB480G8\\x20\\x20\\x20\nE:ID_SERIAL_SHORT=PHYF0123004X480BGN\n\
             E:ID_WWN=0x55cd2e414d3f0a1b\nE:ID_REVISION=XCV10132\nE:ID_PATH=pci-0000:05:00.0-ata-1\n",
        );
    let tree = path_to_sas(path_to_sas(tree, "sdb", "0000:81:00.0"), "sdc", "0000:82:00.0");
    tree.device(
        "/sys/block",
        "/sys/devices/pci0000:00/0000:00:14.0/usb1/block/sdd",
        &[("size", "60000"), ("removable", "1")],
    )
    .device("/sys/block", "/sys/devices/pci0000:00/0000:00:14.0/usb2/block/sde", &[("size", "0"), ("removable", "0")])
    .device("/sys/block", "/sys/devices/pci0000:00/0000:00:14.0/usb3/block/sr0", &[("size", "2048")])
    .device("/sys/block", "/sys/devices/virtual/block/dm-0", &[("size", "2048")])
    .device("/sys/block", "/sys/devices/virtual/block/loop0", &[("size", "2048")])
    .device("/sys/block", "/sys/devices/virtual/block/drbd0", &[("size", "2048")])
}

/// One of the two paths to a disk that rotates. There is no word of udev about it.
fn path_to_sas(tree: Tree, name: &str, adapter: &str) -> Tree {
    let device = format!("/sys/devices/pci0000:80/{adapter}/host1/target1:0:0/1:0:0:0");
    tree.device("/sys/block", &format!("{device}/block/{name}"), &[("size", "35156656128")])
        .files(&format!("{device}/block/{name}/queue"), &[("rotational", "1")])
        .files(
            &device,
            &[("vendor", "SEAGATE "), ("model", "ST18000NM004J   "), ("rev", "E004"), ("wwid", "naa.5000c500d9a1b2c3")],
        )
        .file(&format!("{device}/vpd_pg80"), b"\0\x80\0\x14ZR5A0B1C0000C1234567")
        .link(&format!("{device}/block/{name}/device"), "../../../1:0:0:0")
}

fn interfaces(tree: Tree) -> Tree {
    let pci = |address: &str| format!("/sys/devices/pci0000:40/0000:40:01.1/{address}");
    // Two ports in a bond, which gave the second the address of the first.
    let tree = interface(
        tree,
        &pci("0000:41:00.0"),
        "eno1np0",
        "mlx5_core",
        &[
            ("type", "1"),
            ("address", "B8:3F:D2:11:22:33"),
            ("addr_assign_type", "0"),
            ("phys_port_name", "p0"),
            ("carrier", "1"),
            ("carrier_changes", "3"),
            ("speed", "25000"),
        ],
    );
    let tree = interface(
        tree,
        &pci("0000:41:00.1"),
        "eno2np1",
        "mlx5_core",
        &[
            ("type", "1"),
            ("address", "b8:3f:d2:11:22:33"),
            ("addr_assign_type", "3"),
            ("phys_port_name", "p1"),
            ("carrier", "0"),
            ("carrier_changes", "2"),
            ("speed", "-1"),
        ],
    );
    let tree = tree.files("/net/permanent", &[("eno2np1", "b8:3f:d2:11:22:34")]);
    // Two ports of one PCI function, and InfiniBand; the second is switched off.
    let infiniband = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:1a:2b:3c";
    let tree = interface(
        tree,
        &pci("0000:42:00.0"),
        "ib0",
        "mlx4_core",
        &[
            ("type", "32"),
            ("address", infiniband),
            ("addr_assign_type", "0"),
            ("dev_port", "0"),
            ("carrier", "1"),
            ("speed", "56000"),
        ],
    );
    let tree = interface(
        tree,
        &pci("0000:42:00.0"),
        "ens2d1",
        "mlx4_core",
        &[("type", "1"), ("address", "00:02:c9:1a:2b:3d"), ("addr_assign_type", "0"), ("dev_port", "1")],
    );
    // What is none: a virtual function, one that stands for it, the BMC's, one within the machine, virtual ones.
    let other: &[(&str, &str)] = &[("type", "1"), ("address", "0a:00:00:00:00:01"), ("addr_assign_type", "0")];
    let tree = interface(tree, &pci("0000:41:00.2"), "eno1v0", "mlx5_core", other);
    let tree = tree.link(&format!("{}/physfn", pci("0000:41:00.2")), "../0000:41:00.0");
    let tree =
        interface(tree, &pci("0000:41:00.0"), "eth9", "mlx5_core", &[other, &[("phys_port_name", "pf0vf0")]].concat());
    let tree = interface(tree, &format!("{}/usb1/1-1:1.0", pci("0000:43:00.0")), "usb0", "cdc_ether", other);
    let inside = [("type", "1"), ("address", "fa:00:00:00:00:01"), ("addr_assign_type", "0")];
    let tree = interface(tree, &pci("0000:44:00.0"), "eno9", "tg3", &inside);
    tree.device("/sys/class/net", "/sys/devices/virtual/net/lo", &[("type", "772"), ("address", "00:00:00:00:00:00")])
        .device("/sys/class/net", "/sys/devices/virtual/net/bond0", &[("type", "1"), ("address", "b8:3f:d2:11:22:33")])
        .file("/sys/class/net/bonding_masters", "bond0\n")
}

/// The cards of the server, and what is none.
fn cards(tree: Tree) -> Tree {
    let slow = [("current_link_speed", "8.0 GT/s PCIe"), ("max_link_speed", "16.0 GT/s PCIe")];
    let width = [("current_link_width", "4"), ("max_link_width", "4"), ("numa_node", "0")];
    let numbers = [("vendor", "0x144d"), ("device", "0xa80a"), ("class", "0x010802"), ("revision", "0x00")];
    let card = [("subsystem_vendor", "0x144d"), ("subsystem_device", "0xaa8d")];
    let nvme = "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0";
    let tree = pci(tree, nvme, "nvme", &[&numbers[..], &card, &slow, &width].concat());
    let numbers = [("vendor", "0x15b3"), ("device", "0x101d"), ("class", "0x020000"), ("revision", "0x00")];
    let lanes = lanes("16.0 GT/s PCIe", "8", "16");
    let port = [&numbers[..], &lanes, &[("numa_node", "1")]].concat();
    let tree = (0..3).fold(tree, |tree, number| {
        let place = format!("/sys/devices/pci0000:40/0000:40:01.1/0000:41:00.{number}");
        pci(tree, &place, "mlx5_core", &port)
    });
    let within = |class| [("vendor", "0x1022"), ("device", "0x1483"), ("class", class), ("numa_node", "-1")];
    let tree = pci(tree, "/sys/devices/pci0000:00/0000:00:00.0", "", &within("0x060000"));
    let tree = pci(tree, "/sys/devices/pci0000:00/0000:00:00.1", "", &within("0x110100"));
    let tree = pci(tree, "/sys/devices/pci0000:00/0000:00:00.2", "", &within("0x050000"));
    // The display of the BMC, whose link the kernel does not know.
    let bmc = [("vendor", "0x1a03"), ("device", "0x2000"), ("class", "0x030000"), ("revision", "0x41")];
    let unknown = [("current_link_speed", "Unknown"), ("current_link_width", "0"), ("max_link_width", "255")];
    let zeros = [("subsystem_vendor", "0x0000"), ("subsystem_device", "0x0000")];
    pci(tree, "/sys/devices/pci0000:c0/0000:c3:00.0", "ast", &[&bmc[..], &unknown, &zeros].concat())
}
