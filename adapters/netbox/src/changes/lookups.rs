//! What a change in the log asks for: the objects whose items can differ afterwards.

use std::collections::BTreeSet;

use serde_json::Value;
use underlay_kit::sync::{AdapterError, ExternalId, Hint};

use crate::object::Object;
use crate::types::{self, Type, named};

/// Types that others name, with no object of their own here. If one changes or is gone, any other object can differ.
const NAMED_BY_OTHERS: &[&str] = &[
    "circuits.circuittype",
    "circuits.provideraccount",
    "dcim.cablebundle",
    "dcim.devicerole",
    "dcim.devicetype",
    "dcim.manufacturer",
    "dcim.platform",
    "dcim.rackgroup",
    "dcim.rackrole",
    "dcim.racktype",
    "dcim.sitegroup",
    "dcim.virtualchassis",
    "extras.customfield",
    "extras.tag",
    "ipam.asn",
    "tenancy.tenant",
    "users.owner",
    "virtualization.clustergroup",
    "virtualization.clustertype",
    "virtualization.virtualmachinetype",
];

/// Members of objects on which the items of many others depend, or with which NetBox changes other objects without a
/// word in the log. A region, a site and a location are named by what is in them, a module bay by the ports of the
/// module in it.
const SHARED: &[(&str, &[&str])] = &[
    ("dcim.location", &["site", "slug"]),
    ("dcim.module", &["module_bay"]),
    ("dcim.modulebay", &["name"]),
    ("dcim.powerpanel", &["site"]),
    ("dcim.rack", &["desc_units", "location", "site", "starting_unit", "u_height"]),
    ("dcim.region", &["slug"]),
    ("dcim.site", &["slug"]),
    ("virtualization.virtualmachine", &["cluster", "device"]),
];

/// Members that decide what a device of a virtual chassis is in, and with it the others of the chassis, and their LAGs.
/// Of the rack it counts whether there is one.
const STACKING: [&str; 3] = ["role", "site", "virtual_chassis"];

/// Types whose objects are named by interfaces, which can be found: the types of these interfaces, and their member.
const NAMED_BY_INTERFACES: &[(&str, &[Type], &str)] = &[
    ("dcim.interface", &[types::INTERFACE], "bridge"),
    ("ipam.vrf", &[types::INTERFACE, types::VM_INTERFACE], "vrf"),
    ("virtualization.vminterface", &[types::VM_INTERFACE], "bridge"),
];

/// Something that a change asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It is known what differs.
    Hint(Hint),
    /// An interface has, or had, an address. The log does not say whether it is one of a device or of a machine.
    Interface(u64),
    /// An address is, or was, the one inside of another one, for which NAT puts that one. A device has the outer one as
    /// its primary address if it has the inner one.
    Inside(u64),
    /// A device was put into a bay, or taken out. If it is one of a virtual chassis, its LAGs can differ.
    Installed(u64),
    /// A device of virtual chassis was changed so that the others can be in something else, and LAGs across them differ.
    Stack {
        /// The device.
        device: u64,
        /// The virtual chassis that it was in, and is in.
        chassis: BTreeSet<u64>,
    },
    /// Interfaces name an object in a member.
    Naming {
        /// The type of the interfaces.
        of: Type,
        /// Their member.
        member: &'static str,
        /// The object.
        id: u64,
    },
}

/// Returns what a change asks for.
///
/// # Errors
/// Returns an error if the change breaks the contract of the API.
pub fn lookups(change: &Object) -> Result<Vec<Lookup>, AdapterError> {
    let id = object_id(change)?;
    let change = Change { change, name: change.required_text("changed_object_type")?, id, action: action(change)? };
    let mut found = change.own();
    if change.is_shared() {
        found.push(Lookup::Hint(Hint::Everything));
    }
    found.extend(change.stack());
    found.extend(change.naming());
    found.extend(change.owner());
    Ok(found)
}

/// Returns the object that a change is about, and what became of it; `None` if it has no kind.
///
/// # Errors
/// Returns an error if the change breaks the contract of the API.
pub fn fate(change: &Object) -> Result<Option<(ExternalId, Action)>, AdapterError> {
    let Some(of) = named(change.required_text("changed_object_type")?) else { return Ok(None) };
    Ok(Some((of.external(object_id(change)?), action(change)?)))
}

/// Returns the id of the object that a change is about.
fn object_id(change: &Object) -> Result<u64, AdapterError> {
    let id = change.whole_number("changed_object_id")?.and_then(|id| u64::try_from(id).ok());
    id.ok_or_else(|| change.wrong("changed_object_id", "an id", &Value::Null))
}

/// The act of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Create,
    Update,
    Delete,
}

/// Returns the act of a change.
fn action(change: &Object) -> Result<Action, AdapterError> {
    match change.choice("action")? {
        Some("create") => Ok(Action::Create),
        Some("update") => Ok(Action::Update),
        Some("delete") => Ok(Action::Delete),
        _ => {
            let found = change.value("action").unwrap_or(&Value::Null);
            Err(change.wrong("action", "create, update or delete", found))
        }
    }
}

/// A change of an object.
struct Change<'a> {
    change: &'a Object,
    /// The type of the object.
    name: &'a str,
    id: u64,
    action: Action,
}

impl Change<'_> {
    fn before(&self, member: &str) -> Option<&Value> {
        self.change.value("prechange_data")?.get(member)
    }

    fn after(&self, member: &str) -> Option<&Value> {
        self.change.value("postchange_data")?.get(member)
    }

    /// Returns the ids in a member before and after. The data of a change holds the ids of what an object refers to.
    fn ids(&self, member: &str) -> BTreeSet<u64> {
        [self.before(member), self.after(member)].into_iter().filter_map(|it| it?.as_u64()).collect()
    }

    fn has_changed(&self, member: &str) -> bool {
        self.action == Action::Update && self.before(member) != self.after(member)
    }

    /// Returns the object itself, or those that say what it says.
    fn own(&self) -> Vec<Lookup> {
        if let Some(of) = named(self.name) {
            return vec![changed(of, self.id)];
        }
        let all = |of: Type, member: &str| self.ids(member).into_iter().map(|id| changed(of, id)).collect();
        match self.name {
            "ipam.ipaddress" => {
                let interfaces = self.ids("assigned_object_id").into_iter().map(Lookup::Interface);
                interfaces.chain(self.ids("nat_inside").into_iter().map(Lookup::Inside)).collect()
            }
            "dcim.macaddress" => self.ids("assigned_object_id").into_iter().map(Lookup::Interface).collect(),
            "dcim.devicebay" => {
                let devices = self.ids("installed_device").into_iter();
                devices.flat_map(|id| [changed(types::DEVICE, id), Lookup::Installed(id)]).collect()
            }
            "dcim.cabletermination" => all(types::CABLE, "cable"),
            "dcim.portmapping" => all(types::FRONT_PORT, "front_port"),
            name if NAMED_BY_OTHERS.contains(&name) && self.action != Action::Create => {
                vec![Lookup::Hint(Hint::Everything)]
            }
            _ => Vec::new(),
        }
    }

    /// Returns true if many other objects can differ.
    fn is_shared(&self) -> bool {
        let members = SHARED.iter().find(|(name, _)| *name == self.name).map(|(_, members)| *members);
        members.unwrap_or_default().iter().any(|member| self.has_changed(member))
    }

    /// Returns the virtual chassis whose other devices can differ, or the LAGs across them.
    fn stack(&self) -> Option<Lookup> {
        let racks = [self.before("rack"), self.after("rack")].map(|rack| rack.is_none_or(Value::is_null));
        let is_stacked_anew = STACKING.iter().any(|member| self.has_changed(member)) || racks[0] != racks[1];
        let is_changed = self.name == types::DEVICE.name && self.action == Action::Update && is_stacked_anew;
        let chassis = self.ids("virtual_chassis");
        (is_changed && !chassis.is_empty()).then_some(Lookup::Stack { device: self.id, chassis })
    }

    /// Returns the search for interfaces that name the object. When it is gone, nothing can be found by its id, and
    /// NetBox does not log that they lost it.
    fn naming(&self) -> Vec<Lookup> {
        let Some((_, by, member)) = NAMED_BY_INTERFACES.iter().find(|(name, _, _)| *name == self.name) else {
            return Vec::new();
        };
        let is_bridge = self.before("type").and_then(Value::as_str) == Some("bridge");
        let all = by.iter().map(|of| Lookup::Naming { of: *of, member, id: self.id });
        match self.action {
            Action::Update if self.has_changed("name") => all.collect(),
            Action::Delete if named(self.name).is_none() || is_bridge => vec![Lookup::Hint(Hint::Everything)],
            _ => Vec::new(),
        }
    }

    /// Returns the device or machine that loses its primary address with its interface. NetBox does not log that.
    fn owner(&self) -> Vec<Lookup> {
        let (of, member) = match named(self.name) {
            Some(types::INTERFACE) => (types::DEVICE, "device"),
            Some(types::VM_INTERFACE) => (types::VIRTUAL_MACHINE, "virtual_machine"),
            _ => return Vec::new(),
        };
        let owners = if self.action == Action::Delete { self.ids(member) } else { BTreeSet::new() };
        owners.into_iter().map(|id| changed(of, id)).collect()
    }
}

fn changed(of: Type, id: u64) -> Lookup {
    Lookup::Hint(Hint::Changed(of.external(id)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn of(kind: &str, action: &str, before: &str, after: &str) -> Vec<Lookup> {
        let text = format!(
            r#"{{"id": 1, "action": {{"value": "{action}", "label": "x"}}, "changed_object_type": "{kind}",
                "changed_object_id": 7, "prechange_data": {before}, "postchange_data": {after}}}"#
        );
        let change = Object::read(&text, &Arc::from("GET /"), String::new()).expect("a change");
        lookups(&change).expect("a change")
    }

    #[test]
    fn a_change_asks_for_what_depends_on_it() {
        let changed = |kind, id: &str| Lookup::Hint(Hint::Changed(ExternalId::new(kind, id)));
        let everything = Lookup::Hint(Hint::Everything);
        let stack = Lookup::Stack { device: 7, chassis: BTreeSet::from([4]) };
        let naming = |of, member| Lookup::Naming { of, member, id: 7 };
        for (kind, action, before, after, expected) in [
            ("dcim.device", "update", "{}", "{}", vec![changed("device", "dcim.device:7")]),
            ("dcim.cable", "delete", "{}", "null", vec![changed("cable", "dcim.cable:7")]),
            ("dcim.rack", "delete", r#"{"site": 1}"#, "null", vec![changed("rack", "dcim.rack:7")]),
            ("ipam.vlan", "update", "{}", "{}", vec![]),
            ("dcim.devicetype", "update", "{}", "{}", vec![everything.clone()]),
            ("extras.tag", "create", "null", "{}", vec![]),
            (
                "ipam.ipaddress",
                "update",
                r#"{"assigned_object_id": 3, "nat_inside": null}"#,
                r#"{"assigned_object_id": 4, "nat_inside": 5}"#,
                vec![Lookup::Interface(3), Lookup::Interface(4), Lookup::Inside(5)],
            ),
            (
                "dcim.interface",
                "delete",
                r#"{"device": 3, "type": "virtual"}"#,
                "null",
                vec![changed("port", "dcim.interface:7"), changed("device", "dcim.device:3")],
            ),
            (
                "dcim.interface",
                "update",
                r#"{"device": 3, "name": "br0"}"#,
                r#"{"device": 3, "name": "br1"}"#,
                vec![changed("port", "dcim.interface:7"), naming(types::INTERFACE, "bridge")],
            ),
            (
                "virtualization.vminterface",
                "update",
                r#"{"name": "br0"}"#,
                r#"{"name": "br1"}"#,
                vec![changed("port", "virtualization.vminterface:7"), naming(types::VM_INTERFACE, "bridge")],
            ),
            (
                "ipam.vrf",
                "update",
                r#"{"name": "red"}"#,
                r#"{"name": "blue"}"#,
                vec![naming(types::INTERFACE, "vrf"), naming(types::VM_INTERFACE, "vrf")],
            ),
            ("ipam.vrf", "update", r#"{"name": "red", "rd": "1"}"#, r#"{"name": "red", "rd": "2"}"#, vec![]),
            ("ipam.vrf", "delete", r#"{"name": "red"}"#, "null", vec![everything.clone()]),
            ("dcim.modulebay", "update", r#"{"name": "a"}"#, r#"{"name": "b"}"#, vec![everything.clone()]),
            (
                "dcim.site",
                "update",
                r#"{"slug": "a"}"#,
                r#"{"slug": "b"}"#,
                vec![changed("site", "dcim.site:7"), everything.clone()],
            ),
            (
                "dcim.devicebay",
                "update",
                r#"{"installed_device": 3}"#,
                r#"{"installed_device": null}"#,
                vec![changed("device", "dcim.device:3"), Lookup::Installed(3)],
            ),
            (
                "dcim.device",
                "update",
                r#"{"site": 1, "rack": 2, "virtual_chassis": 4}"#,
                r#"{"site": 2, "rack": 3, "virtual_chassis": 4}"#,
                vec![changed("device", "dcim.device:7"), stack.clone()],
            ),
            (
                "dcim.device",
                "update",
                r#"{"site": 1, "rack": 2, "virtual_chassis": 4}"#,
                r#"{"site": 1, "rack": null, "virtual_chassis": 4}"#,
                vec![changed("device", "dcim.device:7"), stack.clone()],
            ),
            (
                "dcim.device",
                "update",
                r#"{"site": 1, "virtual_chassis": null}"#,
                r#"{"site": 1, "virtual_chassis": 4}"#,
                vec![changed("device", "dcim.device:7"), stack.clone()],
            ),
            (
                "dcim.device",
                "update",
                r#"{"site": 1, "rack": 2, "name": "a", "virtual_chassis": 4}"#,
                r#"{"site": 1, "rack": 3, "name": "b", "virtual_chassis": 4}"#,
                vec![changed("device", "dcim.device:7")],
            ),
            (
                "dcim.device",
                "update",
                r#"{"site": 1, "role": 2, "virtual_chassis": null}"#,
                r#"{"site": 2, "role": 3, "virtual_chassis": null}"#,
                vec![changed("device", "dcim.device:7")],
            ),
            (
                "dcim.rack",
                "update",
                r#"{"starting_unit": 1}"#,
                r#"{"starting_unit": 2}"#,
                vec![changed("rack", "dcim.rack:7"), everything.clone()],
            ),
            (
                "dcim.rack",
                "update",
                r#"{"site": 1, "location": null}"#,
                r#"{"site": 2, "location": null}"#,
                vec![changed("rack", "dcim.rack:7"), everything],
            ),
            ("dcim.rack", "update", r#"{"name": "a"}"#, r#"{"name": "b"}"#, vec![changed("rack", "dcim.rack:7")]),
        ] {
            assert_eq!(of(kind, action, before, after), expected, "{kind} {action}");
        }
    }
}
