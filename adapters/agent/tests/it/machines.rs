//! The machines.

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

/// All machines, by name.
pub fn all() -> Vec<(&'static str, Tree)> {
    vec![
        ("server", server()),
        ("server with GPUs", gpu_server()),
        ("arm", arm()),
        ("virtual machine", virtual_machine()),
        ("broken", broken()),
        ("empty", Tree::new()),
    ]
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
    health(cards(interfaces(disks(processors(tree))))).file("/programs/lldpctl", NEIGHBOURS)
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
/// The words about one neighbour, which is in no list.
const NEIGHBOUR: &str = r#"{"lldp": {"interface": {"enp0s2": {"via": "LLDP",
    "chassis": {"hypervisor-3": {"id": {"type": "local", "value": "hv3"}, "mgmt-ip": "10.0.0.3",
        "capability": {"type": "Station", "enabled": true}}},
    "port": {"id": {"type": "ifalias", "value": "tap 17"}, "ttl": "120"}}}}}"#;

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
fn processors(tree: Tree) -> Tree {
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

/// An interface, its PCI device and its driver.
fn interface(tree: Tree, device: &str, name: &str, driver: &str, files: &[(&str, &str)]) -> Tree {
    let real = format!("{device}/net/{name}");
    let has_driver = tree.path().join(format!("{device}/driver").trim_start_matches('/')).is_symlink();
    let up = "../".repeat(device.matches('/').count() - 1);
    let last = device.rsplit('/').next().expect("a name");
    let tree = tree.folder(device).device("/sys/class/net", &real, files);
    let tree = tree.link(&format!("{real}/device"), &format!("../../../{last}"));
    let tree = tree.folder(&format!("/sys/bus/drivers/{driver}"));
    if has_driver { tree } else { tree.link(&format!("{device}/driver"), &format!("{up}bus/drivers/{driver}")) }
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

/// A device at PCI, and its driver unless it has one already.
fn pci(tree: Tree, device: &str, driver: &str, files: &[(&str, &str)]) -> Tree {
    let has_driver = tree.path().join(format!("{device}/driver").trim_start_matches('/')).is_symlink();
    let up = "../".repeat(device.matches('/').count() - 1);
    let tree = tree.device("/sys/bus/pci/devices", device, files);
    if has_driver || driver.is_empty() {
        return tree;
    }
    tree.folder(&format!("/sys/bus/drivers/{driver}"))
        .link(&format!("{device}/driver"), &format!("{up}bus/drivers/{driver}"))
}

/// The link of a device: its speed and width at present, and the highest ones.
fn lanes<'a>(speed: &'a str, width: &'a str, most: &'a str) -> [(&'a str, &'a str); 4] {
    [("current_link_speed", speed), ("current_link_width", width), ("max_link_speed", speed), ("max_link_width", most)]
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

/// A server with GPUs, one of which fell off the bus while another one sleeps. Little else is there.
pub fn gpu_server() -> Tree {
    let tree = Tree::new()
        .files("/sys/class/dmi/id", &[("sys_vendor", "Supermicro"), ("product_name", "SYS-821GE-TNHR")])
        .folder("/sys/firmware/efi")
        .folder("/sys/block")
        .folder("/sys/class/net")
        .file("/sys/firmware/dmi/tables/DMI", table(&[]));
    let h100 = [("vendor", "0x10de"), ("device", "0x2330"), ("class", "0x030200"), ("revision", "0xa1")];
    let asleep = [("power/runtime_status", "suspended")];
    let gpu = |tree: Tree, bus: &str, width: &str, files: &[(&str, &str)], config: [u8; 4]| {
        let place = format!("/sys/devices/pci0000:{bus}/0000:{bus}:00.0");
        let lanes = lanes("32.0 GT/s PCIe", width, "16");
        let files = [&h100[..], &lanes, &[("numa_node", "0")], files].concat();
        // A whole configuration space has a serial number in its further parts.
        let config = [&config[..], b"SERIAL-IN-CONFIG"].concat();
        pci(tree.folder(&format!("{place}/power")), &place, "nvidia", &files).file(&format!("{place}/config"), config)
    };
    let [answers, is_silent] = [[0xde, 0x10, 0x30, 0x23], [0xff; 4]];
    let tree = gpu(tree, "19", "16", &[], answers);
    let tree = gpu(tree, "3b", "8", &[], is_silent);
    let tree = gpu(tree, "4c", "16", &asleep, is_silent);
    // An accelerator of AMD, which has no display, and nothing that says more of it.
    let amd = [("vendor", "0x1002"), ("device", "0x74a1"), ("class", "0x120000")];
    let tree = pci(tree, "/sys/devices/pci0000:5d/0000:5d:00.0", "amdgpu", &amd);
    let said = "00000000:19:00.0, NVIDIA H100 80GB HBM3, 1652923033871, GPU-8a3c5e1f-9d2b-4f60-a1c7-3e5d7f9b1a2c, 81559, \
                96.00.74.00.1A, 550.90.07\n00000000:4C:00.0, NVIDIA H100 80GB HBM3, [N/A], \
                GPU-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0, [Unknown Error], N/A, 550.90.07\n";
    // Adapters that keep LLDP to themselves: one with a link, one that is off, and another maker's.
    let port = |tree: Tree, name: &str, driver: &str, carrier: &str| {
        let place = format!("/sys/devices/pci0000:80/0000:80:01.0/{name}");
        let files = [("type", "1"), ("address", "02:00:00:00:00:01"), ("carrier", carrier)];
        interface(tree, &place, name, driver, if carrier.is_empty() { &files[..2] } else { &files })
    };
    let tree = port(port(tree, "ens1f0", "ice", "1"), "ens1f1", "ice", "");
    let tree = port(port(tree, "ens2f0", "i40e", "1"), "ens3f0", "bnxt_en", "1");
    processors(tree).file("/programs/nvidia-smi", said).file("/programs/lldpctl", "{\n  \"lldp\": {}\n}\n")
}

/// A machine with Arm processors and a device tree, without tables of firmware.
pub fn arm() -> Tree {
    let block = |number: u32| {
        format!("processor\t: {number}\nBogoMIPS\t: 108.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n")
    };
    let list = (0..4).map(block).collect::<String>() + "Serial\t\t: 10000000a1b2c3d4\nModel\t\t: Raspberry Pi 4\n";
    let tree = Tree::new()
        .folder("/sys/bus/platform")
        .file("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        .file("/proc/device-tree/compatible", "raspberrypi,4-model-b\0brcm,bcm2711\0")
        .file("/proc/device-tree/serial-number", "10000000a1b2c3d4\0")
        .file("/proc/cpuinfo", list)
        .device(
            "/sys/block",
            "/sys/devices/platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0",
            &[("size", "62333952"), ("removable", "0")],
        )
        .files(
            "/sys/devices/platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:0001",
            &[("name", "SD32G"), ("serial", "0x2f8a1b3c")],
        )
        .link(
            "/sys/devices/platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0/device",
            "../../../mmc0:0001",
        )
        .device("/sys/block", "/sys/devices/platform/mmc/mmcblk0boot0", &[("size", "8192")]);
    let tree = (0..4).fold(tree, |tree, number| {
        tree.files(
            &format!("/sys/devices/system/cpu/cpu{number}/topology"),
            &[("physical_package_id", "-1"), ("core_id", &number.to_string())],
        )
    });
    interface(
        tree,
        "/sys/devices/platform/scb/fd580000.ethernet",
        "end0",
        "bcmgenet",
        &[
            ("type", "1"),
            ("address", "dc:a6:32:aa:bb:cc"),
            ("addr_assign_type", "0"),
            ("carrier", "1"),
            ("carrier_changes", "1"),
            ("speed", "1000"),
        ],
    )
}

/// A virtual machine.
pub fn virtual_machine() -> Tree {
    let dimm = Dimm {
        bank: "",
        locator: "DIMM 0",
        size: 4096,
        extended: 0,
        kind: 0x07,
        speed: 0,
        maker: "QEMU",
        serial: "Not Specified",
        part: "Not Specified",
    };
    let tree = Tree::new()
        .files(
            "/sys/class/dmi/id",
            &[
                ("product_uuid", "9c1e6c8e-2f7b-4a53-8d1c-3f5b0a7e6d21"),
                ("sys_vendor", "QEMU"),
                ("product_name", "Standard PC (Q35 + ICH9, 2009)"),
                ("product_serial", ""),
                ("bios_vendor", "SeaBIOS"),
                ("bios_version", "1.16.2"),
            ],
        )
        .file("/sys/firmware/dmi/tables/DMI", table(&[dimm]))
        .file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: QEMU Virtual CPU version 2.5+\nmicrocode\t: 0x1\n\n")
        .device(
            "/sys/block",
            "/sys/devices/pci0000:00/0000:00:03.0/virtio1/block/vda",
            &[("size", "41943040"), ("removable", "0"), ("serial", "")],
        )
        .files("/sys/devices/pci0000:00/0000:00:03.0/virtio1", &[("vendor", "0x1af4")])
        .link("/sys/devices/pci0000:00/0000:00:03.0/virtio1/block/vda/device", "../../../virtio1");
    let display = [("vendor", "0x1234"), ("device", "0x1111"), ("class", "0x030000"), ("revision", "0x02")];
    let tree = pci(tree, "/sys/devices/pci0000:00/0000:00:01.0", "bochs-drm", &display);
    let disk = [("vendor", "0x1af4"), ("device", "0x1042"), ("class", "0x010000"), ("numa_node", "-1")];
    let tree = pci(tree, "/sys/devices/pci0000:00/0000:00:03.0", "virtio-pci", &disk);
    interface(
        tree,
        "/sys/devices/pci0000:00/0000:00:02.0/virtio0",
        "enp0s2",
        "virtio_net",
        &[
            ("type", "1"),
            ("address", "fa:16:3e:12:34:56"),
            ("addr_assign_type", "0"),
            ("dev_port", "0"),
            ("carrier", "1"),
            ("carrier_changes", "2"),
            ("speed", "-1"),
        ],
    )
    .file("/programs/lldpctl", NEIGHBOUR)
}

/// A machine whose maker filled in nothing, whose table is cut off, and some of whose files cannot be read.
pub fn broken() -> Tree {
    let dimm = |locator, serial| Dimm {
        bank: "BANK 0",
        locator,
        size: 8192,
        extended: 0,
        kind: 0x18,
        speed: 1600,
        maker: "Undefined",
        serial,
        part: "",
    };
    let whole = table(&[dimm("DIMM_A", "FFFFFFFF"), dimm("DIMM_B", "D1MM5ER2")]);
    Tree::new()
        .files(
            "/sys/class/dmi/id",
            &[
                ("product_uuid", "03000200-0400-0500-0006-000700080009"),
                ("sys_vendor", "To be filled by O.E.M."),
                ("product_serial", "System Serial Number"),
                ("board_serial", "0123456789"),
                ("chassis_serial", "Default string"),
                ("bios_version", "P1.30"),
            ],
        )
        .folder("/sys/class/dmi/id/product_name")
        .file("/sys/firmware/dmi/tables/DMI", &whole[..whole.len() - 30])
        .file("/proc/cpuinfo", "nonsense\n")
        .device("/sys/block", "/sys/devices/pci0000:00/0000:00:1f.2/block/sda", &[("size", "many")])
        .device("/sys/block", "/sys/devices/pci0000:00/0000:00:1f.2/block/sdb", &[("size", "1000000")])
        .folder("/sys/bus/pci/devices")
        .link("/sys/bus/pci/devices/0000:00:02.0", "../../../devices/pci0000:00/0000:00:02.0")
        .files("/sys/devices/pci0000:00/0000:00:02.0", &[("vendor", "intel"), ("class", "0x030000")])
        .file("/programs/smartctl/sdb", "smartctl 6.2: invalid option -- 'j'\n")
        .file("/sys/class/net", "no folder\n")
        .file("/programs/lldpctl", "lldpctl: no such option -f\n")
}
