//! The inventory of a node: what an inspection found.
//!
//! An inspection by the agent in the machine finds much, one over Redfish little, and a fake one nothing, so every part can
//! be missing. A part of a wrong type counts as missing, and is listed as a fault.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::{Fault, Fields};

/// The types of the TLVs of LLDP that are read (IEEE 802.1AB, 8.4).
const CHASSIS: u64 = 1;
const PORT: u64 = 2;
const SYSTEM_NAME: u64 = 5;
/// The subtypes of an id that is a MAC address: that of a chassis, and that of a port.
const MAC_OF_CHASSIS: u8 = 4;
const MAC_OF_PORT: u8 = 3;
/// The subtypes of an id that is a network address: that of a chassis, and that of a port.
const ADDRESS_OF_CHASSIS: u8 = 5;
const ADDRESS_OF_PORT: u8 = 4;

/// The inventory of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// The manufacturer of the machine.
    pub manufacturer: Option<String>,
    /// The name of the product.
    pub product: Option<String>,
    /// The serial number of the machine.
    pub serial: Option<String>,
    /// The UUID of the machine.
    pub system_uuid: Option<String>,
    /// The version of the firmware.
    pub firmware: Option<String>,
    /// The name of the model of the processors.
    pub cpu_model: Option<String>,
    /// The number of logical processors.
    pub cpu_count: Option<u64>,
    /// The number of sockets with a processor.
    pub cpu_sockets: Option<u64>,
    /// The architecture, such as `x86_64`.
    pub architecture: Option<String>,
    pub memory_bytes: Option<u64>,
    /// The disks; `None` if the inspection did not look for them.
    pub disks: Option<Vec<Disk>>,
    /// The network interfaces; `None` if the inspection did not look for them.
    pub interfaces: Option<Vec<Interface>>,
    /// The address of the BMC, of IPv4 if it has both.
    pub bmc_address: Option<String>,
    /// The firmware that the machine was booted with: `uefi` or `bios`.
    pub boot_mode: Option<String>,
    /// The MAC address that the machine was booted from.
    pub boot_mac: Option<String>,
    /// The host name.
    pub hostname: Option<String>,
    /// The parts that have a wrong type.
    pub faults: Vec<Fault>,
}

/// A disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disk {
    /// The name, such as `/dev/sda`; over Redfish, that of the drive.
    pub name: Option<String>,
    pub model: Option<String>,
    /// The manufacturer.
    pub vendor: Option<String>,
    /// The serial number.
    pub serial: Option<String>,
    /// The World Wide Name.
    pub wwn: Option<String>,
    /// The size in bytes.
    pub size: Option<u64>,
    /// True if it is a hard disk drive, false if it is a solid-state drive.
    pub rotational: Option<bool>,
}

/// A network interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The name in the system that inspected, such as `eno1`; over Redfish, the MAC address.
    pub name: Option<String>,
    /// The MAC address.
    pub mac: Option<String>,
    /// The speed in Mbit/s.
    pub speed: Option<u64>,
    /// True if it had a link.
    pub has_carrier: Option<bool>,
    /// The address on the PCI bus.
    pub pci_address: Option<String>,
    /// The other end of its cable, as LLDP reports.
    pub neighbor: Option<Neighbor>,
}

/// The other end of a cable, as LLDP reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbor {
    /// The id of the switch, usually its MAC address.
    pub chassis: Option<String>,
    /// The id of the port, usually its name.
    pub port: Option<String>,
    /// The name of the switch.
    pub system: Option<String>,
}

impl Inventory {
    /// Reads the answer about the inventory of a node.
    pub fn read(answer: &Map<String, Value>) -> Self {
        let answer = Fields::new(String::new(), answer);
        let mut found = Self::default();
        let inventory = found.take(answer.object("inventory")).flatten();
        let plugins = found.take(answer.object("plugin_data")).flatten();
        if let Some(inventory) = inventory {
            found.machine(&inventory);
            found.parts(&inventory, plugins.as_ref());
        }
        found
    }

    fn machine(&mut self, inventory: &Fields<'_>) {
        if let Some(vendor) = self.take(inventory.object("system_vendor")).flatten() {
            self.manufacturer = self.take(vendor.text("manufacturer")).flatten();
            self.product = self.take(vendor.text("product_name")).flatten();
            self.serial = self.take(vendor.text("serial_number")).flatten();
            self.system_uuid = self.take(vendor.text("system_uuid")).flatten();
            if let Some(firmware) = self.take(vendor.object("firmware")).flatten() {
                self.firmware = self.take(firmware.text("version")).flatten();
            }
        }
        if let Some(cpu) = self.take(inventory.object("cpu")).flatten() {
            self.cpu_model = self.take(cpu.text("model_name")).flatten();
            self.cpu_count = self.take(cpu.count("count")).flatten();
            self.cpu_sockets = self.take(cpu.count("socket_count")).flatten();
            self.architecture = self.take(cpu.text("architecture")).flatten();
        }
        if let Some(memory) = self.take(inventory.object("memory")).flatten() {
            // The total is what the kernel can use; the modules hold more.
            let modules = self.take(memory.count("physical_mb")).flatten().filter(|mib| *mib > 0);
            let total = self.take(memory.count("total")).flatten();
            self.memory_bytes = modules.and_then(|mib| mib.checked_mul(1 << 20)).or(total);
        }
        if let Some(boot) = self.take(inventory.object("boot")).flatten() {
            self.boot_mode = self.take(boot.text("current_boot_mode")).flatten();
            self.boot_mac = self.take(boot.text("pxe_interface")).flatten();
        }
        let v4 = self.take(inventory.text("bmc_address")).flatten();
        let v6 = self.take(inventory.text("bmc_v6address")).flatten();
        let is_some = |address: &String| !matches!(address.as_str(), "0.0.0.0" | "::/0" | "::");
        self.bmc_address = v4.filter(is_some).or_else(|| v6.filter(is_some));
        self.hostname = self.take(inventory.text("hostname")).flatten();
    }

    fn parts(&mut self, inventory: &Fields<'_>, plugins: Option<&Fields<'_>>) {
        if inventory.members().get("disks").is_some_and(|disks| !disks.is_null()) {
            let disks = self.take(inventory.objects("disks"));
            self.disks = disks.map(|disks| disks.iter().map(|disk| self.disk(disk)).collect());
        }
        if inventory.members().get("interfaces").is_some_and(|interfaces| !interfaces.is_null()) {
            let neighbors = plugins.map(|plugins| self.neighbors(plugins)).unwrap_or_default();
            let interfaces = self.take(inventory.objects("interfaces"));
            self.interfaces =
                interfaces.map(|list| list.iter().map(|interface| self.interface(interface, &neighbors)).collect());
        }
    }

    fn disk(&mut self, disk: &Fields<'_>) -> Disk {
        Disk {
            name: self.take(disk.text("name")).flatten(),
            model: self.take(disk.text("model")).flatten(),
            vendor: self.take(disk.text("vendor")).flatten(),
            serial: self.take(disk.text("serial")).flatten(),
            wwn: self.take(disk.text("wwn")).flatten(),
            size: self.take(disk.count("size")).flatten(),
            rotational: self.take(disk.flag("rotational")).flatten(),
        }
    }

    fn interface(&mut self, interface: &Fields<'_>, neighbors: &BTreeMap<String, Neighbor>) -> Interface {
        let name = self.take(interface.text("name")).flatten();
        let parsed = name.as_ref().and_then(|name| neighbors.get(name)).cloned();
        let raw = self.take(interface.list("lldp")).and_then(neighbor);
        Interface {
            mac: self.take(interface.text("mac_address")).flatten(),
            speed: self.take(interface.count("speed_mbps")).flatten(),
            has_carrier: self.take(interface.flag("has_carrier")).flatten(),
            pci_address: self.take(interface.text("pci_address")).flatten(),
            neighbor: parsed.or(raw),
            name,
        }
    }

    /// Returns the neighbours that hooks of Ironic keep, by the names of the interfaces.
    fn neighbors(&mut self, plugins: &Fields<'_>) -> BTreeMap<String, Neighbor> {
        let mut found = BTreeMap::new();
        if let Some(raw) = self.take(plugins.object("lldp_raw")).flatten() {
            for name in raw.members().keys() {
                if let Some(neighbor) = self.take(raw.list(name)).and_then(neighbor) {
                    found.insert(name.clone(), neighbor);
                }
            }
        }
        if let Some(parsed) = self.take(plugins.object("parsed_lldp")).flatten() {
            for name in parsed.members().keys() {
                if let Some(one) = self.take(parsed.object(name)).flatten() {
                    let neighbor = Neighbor {
                        chassis: self.take(one.text("switch_chassis_id")).flatten(),
                        port: self.take(one.text("switch_port_id")).flatten(),
                        system: self.take(one.text("switch_system_name")).flatten(),
                    };
                    if neighbor != Neighbor::default() {
                        found.insert(name.clone(), neighbor);
                    }
                }
            }
        }
        found
    }

    /// Returns a value, or notes why there is none.
    fn take<T>(&mut self, value: Result<T, Fault>) -> Option<T> {
        value.map_err(|fault| self.faults.push(fault)).ok()
    }
}

/// Reads what LLDP reports: a list of pairs of a type and a value in hexadecimal. What is no such pair is passed over,
/// as switches send it.
fn neighbor(tlvs: &[Value]) -> Option<Neighbor> {
    let mut found = Neighbor::default();
    for tlv in tlvs {
        let Some([of, value]) = tlv.as_array().map(Vec::as_slice) else { continue };
        let (Some(of), Some(value)) = (of.as_u64(), value.as_str().and_then(bytes)) else { continue };
        match of {
            CHASSIS => found.chassis = identity(&value, MAC_OF_CHASSIS, ADDRESS_OF_CHASSIS),
            PORT => found.port = identity(&value, MAC_OF_PORT, ADDRESS_OF_PORT),
            SYSTEM_NAME => found.system = plain(&value),
            _ => {}
        }
    }
    (found != Neighbor::default()).then_some(found)
}

/// Reads an id: its first byte is the subtype.
fn identity(value: &[u8], mac: u8, address: u8) -> Option<String> {
    let (&subtype, id) = value.split_first()?;
    if subtype == mac && id.len() == 6 {
        let pairs: Vec<String> = id.iter().map(|byte| format!("{byte:02x}")).collect();
        return Some(pairs.join(":"));
    }
    if subtype == address {
        // The first byte of an address is its family: 1 is IPv4, and 2 is IPv6.
        return match id {
            [1, octets @ ..] => <[u8; 4]>::try_from(octets).ok().map(|it| std::net::Ipv4Addr::from(it).to_string()),
            [2, octets @ ..] => <[u8; 16]>::try_from(octets).ok().map(|it| std::net::Ipv6Addr::from(it).to_string()),
            _ => None,
        };
    }
    plain(id)
}

fn plain(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?.trim_matches(['\0', ' ']);
    (!text.is_empty() && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(pair).collect()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> Inventory {
        Inventory::read(answer.as_object().expect("an object"))
    }

    #[test]
    fn an_inventory_of_the_agent_is_read_with_its_neighbors() {
        let found = read(&json!({
            "inventory": {
                "system_vendor": {"manufacturer": "ACME", "product_name": "R1", "serial_number": "S7", "firmware": {"version": "2.1"}},
                "cpu": {"model_name": "Fast", "count": 64, "socket_count": 2, "architecture": "x86_64", "frequency": ""},
                "memory": {"total": 270_000_000_000_u64, "physical_mb": 262_144},
                "disks": [{"name": "/dev/sda", "size": 480_000_000_000_u64, "rotational": false, "wwn": "0x5"}],
                "interfaces": [
                    {"name": "eno1", "mac_address": "52:54:00:00:00:01", "speed_mbps": 25000, "lldp": [[1, "0452540000aa01"], [2, "0545746831"], [5, "6c6561662d31"], [9], [0, ""]]},
                    {"name": "eno2", "mac_address": "52:54:00:00:00:02", "lldp": null}
                ],
                "bmc_address": "0.0.0.0", "bmc_v6address": "fd00::7",
                "boot": {"current_boot_mode": "uefi", "pxe_interface": "52:54:00:00:00:01"}, "hostname": "n7"
            },
            "plugin_data": {"parsed_lldp": {"eno2": {"switch_chassis_id": "52:54:00:00:aa:02", "switch_port_id": "Eth2"}}}
        }));
        assert_eq!(found.faults, []);
        assert_eq!(found.memory_bytes, Some(262_144 << 20));
        assert_eq!(found.bmc_address.as_deref(), Some("fd00::7"));
        let interfaces = found.interfaces.expect("interfaces");
        let neighbor = |at: usize| interfaces[at].neighbor.clone().map(|it| (it.chassis, it.port, it.system));
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(neighbor(0), Some((text("52:54:00:00:aa:01"), text("Eth1"), text("leaf-1"))));
        assert_eq!(neighbor(1), Some((text("52:54:00:00:aa:02"), text("Eth2"), None)));
    }

    #[test]
    fn every_part_can_be_missing() {
        for answer in [json!({}), json!({"inventory": {}, "plugin_data": {}}), json!({"inventory": null})] {
            assert_eq!(read(&answer), Inventory::default());
        }
        let sparse = read(&json!({"inventory": {"memory": {"physical_mb": 1024}, "disks": []}}));
        assert_eq!((sparse.memory_bytes, sparse.disks, sparse.interfaces), (Some(1 << 30), Some(Vec::new()), None));
    }

    #[test]
    fn a_part_of_a_wrong_type_is_missing_and_a_fault() {
        let found = read(&json!({"inventory": {"cpu": {"count": "many", "architecture": "x86_64"}, "disks": 5}}));
        assert_eq!((found.cpu_count, found.architecture.as_deref(), found.disks), (None, Some("x86_64"), None));
        let faults: Vec<String> = found.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(
            faults[0].starts_with("inventory.cpu.count must be") && faults[1].starts_with("inventory.disks must be")
        );
    }

    #[test]
    fn no_tlv_panics() {
        let tlvs =
            json!([[1, ""], [2, "0"], [1, "zz"], [2, "04"], [1, "0501"], [5, "ff"], ["a", 1], 7, null, [1, "é"]]);
        assert_eq!(neighbor(tlvs.as_array().expect("a list")), None);
    }
}
