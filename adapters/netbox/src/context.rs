//! The context of a mapping: the settings, and the facts about other objects that were read before.
//!
//! Guarantee: of other objects only numbers and short texts are held, a few dozen bytes for each.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use serde_json::Value;
use underlay_kit::sync::AdapterError;

use crate::map::cables::Profiles;
use crate::object::Object;
use crate::settings::{Settings, Tenants};
use crate::types::{INTERFACE, Type, VM_INTERFACE};
use crate::words::Words;

/// The maximum number of roles above a role.
const MAX_ROLE_LEVELS: usize = 32;

/// The settings and the facts about other objects that mappings use.
#[derive(Clone, Debug)]
pub struct Context {
    /// The name of the source.
    pub source: String,
    /// The address of NetBox, which ends with a slash.
    pub base: String,
    /// The use of tenants.
    pub tenants: Tenants,
    /// The word lists.
    pub words: Words,
    /// The types of devices that were read, by their ids.
    pub device_types: HashMap<u64, DeviceType>,
    /// The roles of devices.
    pub roles: HashMap<u64, Role>,
    /// The site of each rack.
    pub racks: HashMap<u64, u64>,
    /// The racks whose units do not begin at 1 at the bottom.
    pub units: HashMap<u64, Units>,
    /// The site of each location.
    pub locations: HashMap<u64, u64>,
    /// The site of each power panel.
    pub panels: HashMap<u64, u64>,
    /// The devices that are masters of virtual chassis.
    pub masters: HashMap<u64, Master>,
    /// The device that each device in another one, or in a virtual chassis, is in.
    pub parents: HashMap<u64, u64>,
    /// The virtual machines that cannot become items.
    pub homeless: BTreeSet<u64>,
    /// The addresses of interfaces.
    pub addresses: Addresses,
    /// The cables with a profile.
    pub profiles: Profiles,
}

impl Context {
    /// Returns a context without any facts about objects.
    pub fn new(settings: &Settings, base: &str) -> Self {
        Self {
            source: settings.source.clone(),
            base: base.to_owned(),
            tenants: settings.tenants,
            words: settings.words.clone(),
            device_types: HashMap::new(),
            roles: HashMap::new(),
            racks: HashMap::new(),
            units: HashMap::new(),
            locations: HashMap::new(),
            panels: HashMap::new(),
            masters: HashMap::new(),
            parents: HashMap::new(),
            homeless: BTreeSet::new(),
            addresses: Addresses::default(),
            profiles: Profiles::default(),
        }
    }

    /// Returns the slugs of a role and of those above it, from the bottom.
    pub fn roles(&self, id: u64) -> impl Iterator<Item = &str> {
        let roles = std::iter::successors(self.roles.get(&id), |role| self.roles.get(&role.parent?));
        // NetBox has no cycle of roles. The bound is for an answer that has one.
        roles.take(MAX_ROLE_LEVELS).map(|role| role.slug.as_str())
    }

    /// Returns the device at the top of what a device is in.
    pub fn top(&self, device: u64) -> u64 {
        let tops = std::iter::successors(Some(device), |device| self.parents.get(device).copied());
        tops.take(MAX_ROLE_LEVELS).last().unwrap_or(device)
    }
}

/// A type of devices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceType {
    /// The height in units.
    pub height: f64,
    /// True if a device takes both faces of a rack.
    pub is_full_depth: bool,
}

impl DeviceType {
    /// Reads a type.
    ///
    /// # Errors
    /// Returns an error if it breaks the contract of the API.
    pub fn read(object: &Object) -> Result<Self, AdapterError> {
        let height = object.number("u_height")?.ok_or_else(|| object.wrong("u_height", "a number", &Value::Null))?;
        Ok(Self { height, is_full_depth: object.flag("is_full_depth")?.unwrap_or_default() })
    }
}

/// The master of a virtual chassis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Master {
    /// The id of its site in NetBox.
    pub site: u64,
    /// True if the role is that of a chassis. What is in a chassis has no placement of its own.
    pub is_chassis: bool,
}

/// A role of devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    slug: String,
    parent: Option<u64>,
}

impl Role {
    /// Reads a role.
    ///
    /// # Errors
    /// Returns an error if it breaks the contract of the API.
    pub fn read(object: &Object) -> Result<Self, AdapterError> {
        Ok(Self { slug: object.required_text("slug")?.to_owned(), parent: object.reference("parent")? })
    }
}

/// The numbers of the units of a rack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    height: f64,
    first: f64,
    is_descending: bool,
}

impl Units {
    /// Reads the units of a rack, `None` if they begin at 1 at the bottom.
    ///
    /// # Errors
    /// Returns an error if the rack breaks the contract of the API.
    pub fn read(rack: &Object) -> Result<Option<Self>, AdapterError> {
        let first = rack.number("starting_unit")?.unwrap_or(1.0);
        let is_descending = rack.flag("desc_units")?.unwrap_or_default();
        let height = rack.number("u_height")?.ok_or_else(|| rack.wrong("u_height", "a number", &Value::Null))?;
        let is_usual = !is_descending && (first - 1.0).abs() < f64::EPSILON;
        Ok((!is_usual).then_some(Self { height, first, is_descending }))
    }

    /// Returns the lowest unit of a device, counted from 1 at the bottom. NetBox names the unit with the lowest number.
    pub fn lowest(self, position: f64, height: f64) -> f64 {
        let above_first = position - self.first;
        if self.is_descending { self.height - above_first - height + 1.0 } else { above_first + 1.0 }
    }
}

/// The IP addresses of interfaces.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    all: HashMap<(bool, u64), Vec<(IpAddr, u8)>>,
}

/// The use of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assigned {
    /// It is an address of an interface.
    Interface,
    /// It is assigned to something without a kind, or to nothing.
    Elsewhere,
}

impl Addresses {
    /// Adds an address, if an interface has it.
    ///
    /// # Errors
    /// Returns an error if it breaks the contract of the API.
    pub fn learn(&mut self, object: &Object) -> Result<Assigned, AdapterError> {
        let is_vm = match object.text("assigned_object_type")? {
            Some(name) if name == INTERFACE.name => false,
            Some(name) if name == VM_INTERFACE.name => true,
            _ => return Ok(Assigned::Elsewhere),
        };
        let wrong =
            |name: &str, expected: &str| object.wrong(name, expected, object.value(name).unwrap_or(&Value::Null));
        let interface = object.whole_number("assigned_object_id")?.and_then(|id| u64::try_from(id).ok());
        let interface = interface.ok_or_else(|| wrong("assigned_object_id", "the id of an interface"))?;
        let text = object.required_text("address")?;
        let parsed = text.split_once('/').and_then(|(ip, length)| Some((ip.parse().ok()?, length.parse().ok()?)));
        let address = parsed.ok_or_else(|| wrong("address", "an IP address with its prefix length"))?;
        let addresses = self.all.entry((is_vm, interface)).or_default();
        // One address can be there once for each VRF.
        if !addresses.contains(&address) {
            addresses.push(address);
        }
        Ok(Assigned::Interface)
    }

    /// Returns the addresses of an interface, in the order in which NetBox got them.
    pub fn of(&self, of: Type, id: u64) -> Vec<Value> {
        let addresses = self.all.get(&(of == VM_INTERFACE, id));
        let text = |(ip, length): &(IpAddr, u8)| Value::from(format!("{ip}/{length}"));
        addresses.into_iter().flatten().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_from_the_bottom() {
        let units = |first, is_descending| Units { height: 42.0, first, is_descending };
        assert_eq!(units(10.0, false).lowest(10.0, 2.0).to_string(), "1");
        assert_eq!(units(1.0, true).lowest(1.0, 2.0).to_string(), "41");
        assert_eq!(units(1.0, true).lowest(42.0, 1.0).to_string(), "1");
        assert_eq!(units(5.0, true).lowest(5.0, 1.0).to_string(), "42");
    }
}
