//! Lists the models of devices in the fleet, and the hardware of the classes of servers. All manufacturers are
//! invented.

use serde_json::{Value, json};

const GIB: u64 = 1 << 30;
/// The unit of disk sizes: manufacturers use powers of ten.
const GB: u64 = 1_000_000_000;

pub(super) const GIGABIT: u64 = 1_000_000_000;

/// A model of device: the properties that all devices of the model share.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) role: &'static str,
    pub(super) manufacturer: &'static str,
    pub(super) name: &'static str,
    /// The prefix of the manufacturer's serial numbers.
    pub(super) serial: &'static str,
    pub(super) units: f64,
    pub(super) full_depth: bool,
    pub(super) platform: Option<&'static str>,
    pub(super) plane: Option<&'static str>,
    /// An override of the role's default: load balancers stand beside the line and do not forward.
    pub(super) forwards: Option<bool>,
    /// The team that operates the device.
    pub(super) team: &'static str,
}

/// The defaults of all models.
const BOX: Model = Model {
    role: "OTHER",
    manufacturer: "Lumeron",
    name: "",
    serial: "LM",
    units: 1.0,
    full_depth: false,
    platform: None,
    plane: None,
    forwards: None,
    team: "network",
};

const NETWORK_OS: Option<&str> = Some("lnos-9.4");

pub(super) const SPINE: Model = Model { role: "SPINE", name: "S32C", full_depth: true, platform: NETWORK_OS, ..BOX };
pub(super) const LEAF: Model = Model { role: "LEAF", name: "L24Y8C", platform: NETWORK_OS, ..BOX };
/// A leaf with 32 fast ports, for use as a border leaf and for servers that need the speed.
pub(super) const WIDE_LEAF: Model = Model { name: "L32C", ..LEAF };
pub(super) const BORDER_LEAF: Model = WIDE_LEAF;
pub(super) const FLEET_SPINE: Model = Model { name: "S48C", ..SPINE };
pub(super) const FLEET_LEAF: Model = Model { name: "L48Y12C", ..LEAF };
pub(super) const FLEET_WIDE_LEAF: Model = Model { name: "L60C", ..LEAF };
pub(super) const FLEET_BORDER_LEAF: Model = Model { name: "L64C", ..LEAF };
pub(super) const EDGE_LEAF: Model = Model { name: "L12Y4C", ..LEAF };
pub(super) const MANAGEMENT_SWITCH: Model =
    Model { role: "SWITCH", name: "M24T2X", platform: Some("lnos-8.2"), plane: Some("MANAGEMENT"), ..BOX };
pub(super) const FLEET_MANAGEMENT_SWITCH: Model = Model { name: "M48T2X", ..MANAGEMENT_SWITCH };
pub(super) const MANAGEMENT_HUB: Model = Model { name: "M28X", ..MANAGEMENT_SWITCH };
pub(super) const BORDER_ROUTER: Model = Model {
    role: "BORDER_ROUTER",
    manufacturer: "Orvik",
    name: "BR-12Q",
    serial: "OV",
    units: 2.0,
    full_depth: true,
    platform: Some("orvos-22.3"),
    ..BOX
};
pub(super) const EDGE_ROUTER: Model = Model { name: "BR-4X", units: 1.0, ..BORDER_ROUTER };
/// A router with line cards of 36 ports, which connects the halls of a site.
pub(super) const CORE_ROUTER: Model = Model { role: "ROUTER", name: "CR-8S", units: 10.0, ..BORDER_ROUTER };
pub(super) const FIREWALL: Model = Model {
    role: "FIREWALL",
    manufacturer: "Bastide",
    name: "FX-400",
    serial: "BX",
    units: 2.0,
    full_depth: true,
    platform: Some("fxos-7.1"),
    team: "security",
    ..BOX
};
pub(super) const EDGE_FIREWALL: Model = Model { name: "FX-60", units: 1.0, ..FIREWALL };
pub(super) const LOAD_BALANCER: Model =
    Model { role: "LOAD_BALANCER", name: "LB-200", platform: Some("fxlb-3.0"), forwards: Some(false), ..FIREWALL };
pub(super) const CONSOLE_SERVER: Model =
    Model { role: "CONSOLE_SERVER", manufacturer: "Terminex", name: "TX-32", serial: "TX", ..BOX };
pub(super) const FLEET_CONSOLE_SERVER: Model = Model { name: "TX-96", units: 2.0, ..CONSOLE_SERVER };

const PANEL: Model = Model { role: "PATCH_PANEL", manufacturer: "Fasera", serial: "FS", ..BOX };
/// A panel with two MPO of four pairs each, broken out to eight LC.
pub(super) const RACK_PANEL: Model = Model { name: "MP-2x4", ..PANEL };
/// A panel with four MPO of four pairs each, for a row of racks.
pub(super) const ROW_PANEL: Model = Model { name: "MP-4x4", ..PANEL };
pub(super) const FLEET_RACK_PANEL: Model = Model { name: "MP-4x4", ..PANEL };
/// A panel with eight MPO of four pairs each, for a row of racks with two trunks each.
pub(super) const FLEET_ROW_PANEL: Model = Model { name: "MP-8x4", ..PANEL };
/// A panel with two MPO of twelve pairs each, for both meet-me rooms.
pub(super) const WAN_PANEL: Model = Model { name: "MP-2x12", ..PANEL };
/// A panel with one MPO of twelve pairs.
pub(super) const MEET_ME_PANEL: Model = Model { name: "MP-1x12", ..PANEL };
/// A panel of the smallest height, half a unit.
pub(super) const EDGE_PANEL: Model = Model { name: "MP-1x12-H", units: 0.5, ..PANEL };

pub(super) const PDU: Model = Model {
    role: "PDU",
    manufacturer: "Voltarn",
    name: "VP-24",
    serial: "VT",
    platform: Some("vpm-2.8"),
    plane: Some("MANAGEMENT"),
    team: "facilities",
    ..BOX
};
pub(super) const UPS: Model = Model { role: "UPS", name: "VU-200K", ..PDU };

const MACHINE: Model = Model {
    role: "SERVER",
    manufacturer: "Corvane",
    serial: "CV",
    full_depth: true,
    platform: Some("linux-6.12"),
    team: "platform",
    ..BOX
};
pub(super) const CHASSIS: Model =
    Model { role: "CHASSIS", name: "B10", units: 10.0, platform: Some("cmc-4.0"), ..MACHINE };

/// A class of servers: the model, the hardware and the use.
pub(super) struct Class {
    /// The part of the name after the rack: `node` in `ams1-a11-node-03`.
    pub(super) stem: &'static str,
    pub(super) model: Model,
    pub(super) cores: u32,
    pub(super) architecture: &'static str,
    pub(super) memory_gib: u64,
    /// The disks: prefix of their names, number, size in GB, type.
    pub(super) disks: &'static [(&'static str, usize, u64, &'static str)],
    /// The speed of each network port in Gbit/s.
    pub(super) gigabits: u64,
    /// The number of further pairs of network ports, if servers have the full equipment.
    pub(super) more_pairs: usize,
    pub(super) cluster: Option<&'static str>,
    pub(super) tenant: Option<&'static str>,
}

impl Class {
    /// Returns the `hardware` field of a device of the class.
    pub(super) fn hardware(&self) -> Value {
        let disks = self.disks.iter().flat_map(|(prefix, number, gigabytes, kind)| {
            (0..*number)
                .map(move |n| json!({"name": format!("{prefix}{n}"), "sizeBytes": gigabytes * GB, "type": kind}))
        });
        json!({
            "cpuCores": self.cores,
            "cpuArchitecture": self.architecture,
            "memoryBytes": self.memory_gib * GIB,
            "disks": disks.collect::<Vec<_>>(),
        })
    }
}

/// The name of the Kubernetes cluster.
pub(super) const KUBERNETES: &str = "prod-k8s";
/// The name of the hypervisor cluster.
pub(super) const HYPERVISORS: &str = "metro-hv";

pub(super) const NODE: Class = Class {
    stem: "node",
    model: Model { name: "R1-64", ..MACHINE },
    cores: 64,
    architecture: "AMD64",
    memory_gib: 384,
    disks: &[("nvme", 2, 3_840, "NVME")],
    gigabits: 25,
    more_pairs: 2,
    cluster: Some(KUBERNETES),
    tenant: None,
};
pub(super) const ARM_NODE: Class =
    Class { model: Model { name: "R1-96A", ..MACHINE }, cores: 96, architecture: "ARM64", memory_gib: 512, ..NODE };
pub(super) const BLADE: Class = Class {
    stem: "blade",
    model: Model { name: "B1-32", ..MACHINE },
    cores: 32,
    memory_gib: 256,
    more_pairs: 0,
    ..NODE
};
pub(super) const HYPERVISOR: Class = Class {
    stem: "hv",
    model: Model { name: "R2-128", units: 2.0, ..MACHINE },
    cores: 128,
    memory_gib: 1_024,
    disks: &[("nvme", 4, 7_680, "NVME")],
    cluster: Some(HYPERVISORS),
    ..NODE
};
pub(super) const DATABASE: Class = Class {
    stem: "db",
    model: Model { name: "R1-32D", team: "data", ..MACHINE },
    cores: 32,
    memory_gib: 768,
    disks: &[("ssd", 2, 480, "SSD"), ("nvme", 6, 3_840, "NVME")],
    cluster: None,
    tenant: Some("payments"),
    ..NODE
};
pub(super) const STORE: Class = Class {
    stem: "sto",
    model: Model { role: "STORAGE", name: "D2-24", units: 2.0, team: "storage", ..MACHINE },
    cores: 24,
    memory_gib: 192,
    disks: &[("nvme", 2, 1_920, "NVME"), ("sd", 12, 20_000, "HDD")],
    more_pairs: 1,
    cluster: Some(KUBERNETES),
    ..NODE
};
pub(super) const ACCELERATOR: Class = Class {
    stem: "gpu",
    model: Model { name: "G4-8", units: 4.0, team: "research", ..MACHINE },
    cores: 96,
    memory_gib: 2_048,
    disks: &[("nvme", 8, 7_680, "NVME")],
    gigabits: 100,
    more_pairs: 4,
    cluster: None,
    tenant: Some("research"),
    ..NODE
};
/// The number of accelerator servers in a rack.
pub(super) const ACCELERATORS_IN_A_RACK: usize = 6;
