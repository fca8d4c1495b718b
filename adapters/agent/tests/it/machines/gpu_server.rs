//! A server with GPUs.

use super::server::processors;
use super::{interface, lanes, pci};
use crate::tree::{Tree, table};

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
