//! Finds the names that Milo uses for objects that others refer to.
//!
//! Some names depend on the referenced object itself: the role of a device decides if it is a Node or a NetworkDevice,
//! and a Port is named by its external reference. All items of an export are therefore indexed before any is written.

use std::collections::HashMap;

use serde_json::{Map, Value};
use underlay_kit::shown;

use super::table::{DEVICE_ROLES, SOURCE};

/// The devices and ports among the items.
#[derive(Default)]
pub(super) struct Names<'a> {
    devices: HashMap<&'a str, Vec<Device<'a>>>,
    ports: HashMap<DeviceRef<'a>, Vec<Port<'a>>>,
}

struct Device<'a> {
    site: Option<&'a str>,
    kind: Option<&'static str>,
}

/// The key of a port: `device` or `rack`, the name of that object, and the name of the port.
type DeviceRef<'a> = (&'static str, &'a str, &'a str);

struct Port<'a> {
    site: Option<&'a str>,
    family: &'static str,
    milo: Option<&'a str>,
}

impl<'a> Names<'a> {
    /// Indexes items, which are given as the member that names the kind and the fields.
    pub(super) fn of(items: impl Iterator<Item = (&'a str, &'a Map<String, Value>)>) -> Self {
        let mut names = Self::default();
        for (kind, fields) in items {
            match kind {
                "device" => names.add_device(fields),
                "port" => names.add_port(fields),
                _ => {}
            }
        }
        names
    }

    fn add_device(&mut self, fields: &'a Map<String, Value>) {
        let Some(name) = word(fields.get("name")) else { return };
        let site = fields.get("site").and_then(|site| word(site.get("site")));
        self.devices.entry(name).or_default().push(Device { site, kind: device_kind(fields) });
    }

    fn add_port(&mut self, fields: &'a Map<String, Value>) {
        let owner = ["device", "rack"].into_iter().find_map(|member| Some((member, fields.get(member)?.as_object()?)));
        let Some((member, owner)) = owner else { return };
        let (Some(called), Some(name)) = (word(owner.get(member)), word(fields.get("name"))) else { return };
        let family = word(fields.get("type")).map_or("", family);
        let port = Port { site: word(owner.get("site")), family, milo: milo_name(fields) };
        self.ports.entry((member, called, name)).or_default().push(port);
    }

    /// Returns `Node` or `NetworkDevice` for a reference to a device.
    pub(super) fn device_kind(&self, reference: &Value) -> Result<&'static str, String> {
        let name = called(reference, "device")?;
        let site = word(reference.get("site"));
        let found = self.devices.get(name).into_iter().flatten().filter(|device| agree(site, device.site));
        match found.collect::<Vec<_>>()[..] {
            [device] => device.kind.ok_or_else(|| format!("Milo has no kind for the device {}", shown(name))),
            [] => Err(format!(
                "the role of the device {} is not known: it must be written together with this",
                shown(name)
            )),
            _ => Err(format!("several devices are called {}", shown(name))),
        }
    }

    /// Returns the name of a Port for a reference to a port.
    pub(super) fn port(&self, reference: &Value) -> Result<String, String> {
        let member = |name| word(reference.get(name));
        if let (Some(SOURCE), Some(name)) = (member("source"), member("externalId")) {
            return Ok(name.to_owned());
        }
        let name = called(reference, "port")?;
        let owner = ["device", "rack"].into_iter().find_map(|owner| Some((owner, member(owner)?)));
        let (kind, owner) = owner.ok_or("says neither the device nor the rack of the port")?;
        let ports = self.ports.get(&(kind, owner, name)).into_iter().flatten();
        let meant = ports.filter(|port| {
            let family = member("family").is_none_or(|family| family.eq_ignore_ascii_case(port.family));
            family && agree(member("site"), port.site)
        });
        let port = format!("the port {} of {}", shown(name), shown(owner));
        match meant.map(|port| port.milo).collect::<Vec<_>>()[..] {
            [Some(milo)] => Ok(milo.to_owned()),
            [None] => Err(format!("{port} has no external reference of source {SOURCE}, which Milo knows it by")),
            [] => Err(format!("{port} is not known: it must be written together with this")),
            _ => Err(format!("several ports are {port}")),
        }
    }
}

/// Returns the name in a reference.
pub(super) fn called<'a>(reference: &'a Value, member: &str) -> Result<&'a str, String> {
    word(reference.get(member)).ok_or_else(|| format!("must refer by name ({{{member}: …}}): Milo knows nothing else"))
}

/// Returns Milo's kind for a device, if there is one.
pub(super) fn device_kind(fields: &Map<String, Value>) -> Option<&'static str> {
    match word(fields.get("role"))? {
        "SERVER" => Some("Node"),
        role => DEVICE_ROLES.iter().any(|(_, ours)| *ours == role).then_some("NetworkDevice"),
    }
}

/// Returns the external reference that is the object's name in Milo.
pub(super) fn milo_name(fields: &Map<String, Value>) -> Option<&str> {
    let references = fields.get("externalRefs")?.as_array()?;
    let milo = references.iter().find(|reference| word(reference.get("source")) == Some(SOURCE))?;
    word(milo.get("externalId"))
}

fn word(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

/// Returns true if both values are equal or one of them is missing.
pub(super) fn agree(left: Option<&str>, right: Option<&str>) -> bool {
    left.is_none() || right.is_none() || left == right
}

fn family(port_type: &str) -> &'static str {
    match port_type {
        "SERIAL" => "serial",
        "POWER_INLET" => "inlet",
        "POWER_OUTLET" => "outlet",
        "PATCH_FRONT" => "front",
        "PATCH_REAR" => "rear",
        _ => "data",
    }
}
