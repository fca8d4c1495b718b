//! The objects of a simulator.

use serde_json::{Value, json};

/// The number of nodes in a rack.
const NODES_PER_RACK: usize = 16;
/// The height of a node in units.
const NODE_UNITS: usize = 2;
/// The names of the interfaces of BMCs, one after the other over the nodes.
const BMCS: [&str; 4] = ["rf0", "rf0", "drac0", "ipmi0"];

/// The objects of a simulator, as the API of BCM has them.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    /// The devices of all types.
    pub devices: Vec<Value>,
    /// The categories that devices belong to.
    pub categories: Vec<Value>,
    /// The racks that devices stand in.
    pub racks: Vec<Value>,
}

impl Fleet {
    /// Returns a fleet with a head node, a node that BCM installs, and a number of lite nodes.
    pub fn of(nodes: usize) -> Self {
        let mut fleet = Self {
            categories: vec![
                category(0, "gpu", "---\nhost_class: gpu-large\n---\n# Large GPU nodes\n\nEight GPUs each.\n"),
                category(1, "cpu", ""),
            ],
            ..Self::default()
        };
        fleet.racks = (0..nodes.div_ceil(NODES_PER_RACK)).map(rack).collect();
        fleet.devices = vec![other(0, "HeadNode", "head"), other(1, "PhysicalNode", "compute-001")];
        fleet.devices.extend((0..nodes).map(node));
        fleet
    }

    /// Removes the device with a host name.
    pub fn remove(&mut self, hostname: &str) {
        self.devices.retain(|device| device["hostname"] != hostname);
    }

    /// Returns the device with a host name.
    pub fn device(&mut self, hostname: &str) -> Option<&mut Value> {
        self.devices.iter_mut().find(|device| device["hostname"] == hostname)
    }
}

/// Returns an id. The first number is that of the type.
fn uuid(of: u32, number: usize) -> String {
    format!("{of:08x}-0000-4000-8000-{number:012x}")
}

fn category(number: usize, name: &str, notes: &str) -> Value {
    json!({"baseType": "Category", "childType": "", "uuid": uuid(1, number), "name": name, "notes": notes,
        "extra_values": null})
}

fn rack(number: usize) -> Value {
    json!({"baseType": "Rack", "childType": "", "uuid": uuid(2, number), "name": format!("A{:02}", number + 1)})
}

fn other(number: usize, of: &str, hostname: &str) -> Value {
    json!({"baseType": "Device", "childType": of, "uuid": uuid(4, number), "hostname": hostname,
        "mac": "00:00:00:00:00:00", "notes": "", "interfaces": [], "bmcSettings": null, "rackPosition": null,
        "extra_values": null})
}

fn node(number: usize) -> Value {
    let (high, low) = ((number + 1) / 250, (number + 1) % 250);
    let interface = |of: &str, name: &str, ip: String| {
        json!({"baseType": "NetworkInterface", "childType": of, "uuid": uuid(5, number), "name": name, "ip": ip,
            "mac": "00:00:00:00:00:00", "network": uuid(6, 0), "dhcp": false})
    };
    let notes = match number % 3 {
        0 => format!("# GPU node {}\n\nRow {}.\n", number + 1, number / NODES_PER_RACK + 1),
        1 => format!("resource_class=cpu\nserial=SN{number:06}\nowner=team-{}\n", number % 5),
        _ => String::new(),
    };
    json!({
        "baseType": "Device", "childType": "LiteNode", "uuid": uuid(3, number),
        "hostname": format!("gpu-{:03}", number + 1),
        "mac": format!("52:54:00:AB:{high:02X}:{low:02X}"),
        "category": uuid(1, 0), "partition": uuid(7, 0), "powerControl": "none", "notes": notes,
        "bmcSettings": {"baseType": "BMCSettings", "childType": "", "uuid": uuid(8, number), "userName": "admin",
            "password": format!("simulated-{number}"), "userID": 2},
        "rackPosition": {"baseType": "RackPosition", "childType": "", "uuid": uuid(9, number),
            "rack": uuid(2, number / NODES_PER_RACK), "position": number % NODES_PER_RACK * NODE_UNITS + 1,
            "height": NODE_UNITS},
        "interfaces": [
            interface("NetworkPhysicalInterface", "BOOTIF", format!("10.141.{high}.{low}")),
            interface("NetworkBmcInterface", BMCS[number % BMCS.len()], format!("10.142.{high}.{low}")),
        ],
        "extra_values": {"zone": format!("z{}", number % 2)},
    })
}
