//! The facts that an inspection found: from the inventory, and from the properties of the node where there is none.

use serde_json::Value;
use underlay_hosts::host::Facts;

use crate::client::{Inventory, Node};
use crate::map::hardware::{architecture, disks};

/// Returns the facts of a node.
pub fn facts(node: &Node, inventory: Option<&Inventory>) -> Facts {
    let number = |name: &str| match node.properties.get(name) {
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
        None => None,
    };
    let found = inventory.cloned().unwrap_or_default();
    let cores = found.cpu_count.or_else(|| number("cpus"));
    let memory = found.memory_bytes.or_else(|| number("memory_mb").and_then(|mib| mib.checked_mul(1 << 20)));
    let is_given = |value: &u64| *value > 0;
    let boot_mac = found.boot_mac.or_else(|| {
        // Which one of several it boots from is not known.
        let interfaces = found.interfaces.unwrap_or_default();
        let [only] = interfaces.as_slice() else { return None };
        only.mac.clone()
    });
    Facts {
        serial: found.serial,
        uuid: found.system_uuid,
        boot_mac,
        cpu_cores: cores.filter(is_given).and_then(|cores| cores.try_into().ok()),
        cpu_architecture: architecture(node, inventory),
        memory_bytes: memory.filter(is_given),
        disks: inventory.and_then(disks),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::client::Interface;

    #[test]
    fn facts_come_from_the_inventory_and_else_from_the_properties() {
        let properties = json!({"cpus": "64", "memory_mb": 1024, "local_gb": 10});
        let node = Node { properties: properties.as_object().cloned().unwrap_or_default(), ..Node::default() };
        let found = facts(&node, None);
        assert_eq!((found.cpu_cores, found.memory_bytes, found.serial), (Some(64), Some(1 << 30), None));
        let interface = Interface { mac: Some("52:54:00:aa:bb:01".into()), ..Interface::default() };
        let inventory = Inventory {
            serial: Some("CZJ1".into()),
            cpu_count: Some(8),
            memory_bytes: Some(0),
            interfaces: Some(vec![interface.clone()]),
            ..Inventory::default()
        };
        let found = facts(&node, Some(&inventory));
        assert_eq!((found.cpu_cores, found.memory_bytes, found.serial.as_deref()), (Some(8), None, Some("CZJ1")));
        assert_eq!(found.boot_mac.as_deref(), Some("52:54:00:aa:bb:01"));
        let two = Inventory { interfaces: Some(vec![interface.clone(), interface]), ..inventory };
        assert_eq!(facts(&node, Some(&two)).boot_mac, None);
        assert_eq!(facts(&Node::default(), None), Facts::default());
    }
}
