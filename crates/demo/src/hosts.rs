//! Writes what hosts are made of: classes, profiles, and a simulated appliance that lists the accelerator servers. A
//! controller with simulated machines can discover, install and wipe them; the servers themselves do not exist.

use serde_json::json;

use super::catalogue::{ACCELERATOR, ACCELERATORS_IN_A_RACK, Class, NODE, STORE};
use super::item::Items;
use super::plan::{Plan, Profile, RackPlan};

/// The name of the simulated appliance, with which the names of its machines begin.
const APPLIANCE: &str = "gpu-lab";
/// The time that each act of a simulated machine takes.
const DELAY: &str = "1s";
/// The hardware that every simulated machine reports, beside eight flash disks. The reports of a discovery take
/// precedence over the inventory, so the classes must fit them too.
const SIMULATED_CORES: u32 = 64;
const SIMULATED_MEMORY_GIB: u64 = 256;
/// The size of a disk from which on it holds a data set.
const LARGE_DISK: u64 = 10_000_000_000_000;

/// Writes the classes, the profiles and the appliance of the demo.
pub(super) fn write(items: &mut Items, plan: &Plan) {
    write_classes(items);
    write_profiles(items);
    let racks = plan.sites.iter().flat_map(|site| &site.pods).flat_map(|pod| &pod.compute);
    let gpu_racks = racks.filter(|rack| rack.profile == Profile::Gpu).count();
    let machines = gpu_racks * ACCELERATORS_IN_A_RACK;
    items.add(
        "appliance",
        json!({
            "name": APPLIANCE,
            "type": "SIMULATED",
            "url": format!("simulated://{APPLIANCE}?machines={machines}&delay={DELAY}"),
            "interval": 60,
            "description": "Simulated machines behind the accelerator servers. Controllers without a simulation leave them alone.",
            "labels": {"env": "prod", "team": ACCELERATOR.model.team},
        }),
    );
}

fn write_classes(items: &mut Items) {
    let class = |class: &Class, disks: serde_json::Value| {
        json!({
            "cpuCores": class.cores.min(SIMULATED_CORES),
            "memoryBytes": class.memory_gib.min(SIMULATED_MEMORY_GIB) << 30,
            "disks": disks,
            "labels": {"role": class.stem},
        })
    };
    for (name, title, criteria) in [
        ("gpu-large", "Accelerator servers for training", class(&ACCELERATOR, json!([{"count": 8, "type": "NVME"}]))),
        ("general", "Servers for anything", class(&NODE, json!([]))),
        (
            "storage-dense",
            "Servers with many large disks",
            class(&STORE, json!([{"count": 12, "sizeBytes": LARGE_DISK, "type": "HDD"}])),
        ),
    ] {
        items.add("hostClass", json!({"name": name, "title": title, "match": criteria}));
    }
}

fn write_profiles(items: &mut Items) {
    items.add(
        "profile",
        json!({
            "name": "linux-image",
            "purpose": "INSTALL",
            "method": "DISK_IMAGE",
            "image": {
                "url": "https://images.example.net/linux-6.12.qcow2",
                "checksum": format!("sha256:{}", "5a".repeat(32)),
                "format": "QCOW2",
            },
            "description": "A disk image of a made-up Linux.",
        }),
    );
    items.add("profile", json!({"name": "wipe-disks", "purpose": "WIPE", "description": "Erases all disks."}));
}

/// Returns the serial number by which a simulated machine identifies itself: that of an accelerator server of the demo,
/// by its rack and its number in it, from 1. Each site of the demo has one rack of them.
pub(super) fn serial(rack: &RackPlan, number: usize) -> String {
    let before = rack.site_number() * ACCELERATORS_IN_A_RACK;
    format!("SIM-{}-{}", APPLIANCE.to_ascii_uppercase(), before + number)
}
