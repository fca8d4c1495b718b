//! A machine with Arm processors, a virtual machine, and a broken one.

use super::{interface, pci};
use crate::tree::{Dimm, Tree, table};

/// The words about one neighbour, which is in no list.
const NEIGHBOUR: &str = r#"{"lldp": {"interface": {"enp0s2": {"via": "LLDP",
    "chassis": {"hypervisor-3": {"id": {"type": "local", "value": "hv3"}, "mgmt-ip": "10.0.0.3",
        "capability": {"type": "Station", "enabled": true}}},
    "port": {"id": {"type": "ifalias", "value": "tap 17"}, "ttl": "120"}}}}}"#;

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
