//! Derives the identity, the machine and the class of a host from facts that a discovery found.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use underlay_entity::common::Labels;
use underlay_entity::host::{ConditionStatus, HostMachine, HostState, Model};
use underlay_entity::machine::{Disk, Hardware};
use uuid::Uuid;

use super::input::{HostConditionInput, HostFactsInput};
use crate::device::Device;
use crate::host::{Host, Linked, ROLE, machine_of};
use crate::host_class::{Classified, HostClass, class_for};
use crate::hosts::{Machines, machine_settings};
use underlay_inventory::{Kind, Snapshot, cast};

/// The type of the condition of a host that several classes fit.
const CLASS_AMBIGUOUS: &str = "ClassAmbiguous";
/// The number of classes that the sentence of this condition names.
const MAX_NAMED_CLASSES: usize = 5;
/// Hardware of which nothing is known.
const NO_HARDWARE: Hardware =
    Hardware { cpu_cores: None, cpu_architecture: None, memory_bytes: None, disks: Vec::new() };

/// The fields of a host that follow from facts.
#[derive(Debug, Default)]
pub struct FoundMachine {
    /// The fields by their names, in the form of an item.
    pub fields: Vec<(&'static str, Json)>,
    /// True if the class of the host was looked for.
    is_classified: bool,
    /// The condition that says that several classes fit.
    condition: Option<HostConditionInput>,
}

/// Returns what follows from facts about a host. What the host has already stays; a class is given only at a discovery.
pub fn found(snapshot: &Snapshot, host: &Model, facts: &HostFactsInput) -> FoundMachine {
    let mut found = FoundMachine::default();
    let ignored = &machine_settings(snapshot).ignored_identities;
    let identities = facts.identities.iter().map(|text| text.trim()).filter(|text| !ignored.has(text));
    let identities: Vec<&str> = identities.collect();
    if let (None, Some(first)) = (&host.uid, identities.first()) {
        found.fields.push(("uid", (*first).into()));
    }
    let uid = host.uid.as_deref().or(identities.first().copied());
    let serial = identities.iter().copied().find(|text| Some(*text) != uid && text.parse::<Uuid>().is_err());
    if let (None, Some(serial)) = (&host.serial, serial) {
        found.fields.push(("serial", serial.into()));
    }
    if let (None, Some(mac)) = (&host.boot_mac, &facts.boot_mac) {
        found.fields.push(("bootMac", mac.as_str().into()));
    }
    let hardware = hardware(facts);
    if let Some(hardware) = &hardware {
        found.fields.push(("hardware", json!(hardware)));
    }
    if is_of_another(snapshot, host, &found.fields) {
        // The facts came from the machine of another host. With its identity, this host would be it too.
        found.fields.clear();
    }
    let linked = match host.machine {
        Some(HostMachine::Device(device)) => Some(device),
        Some(HostMachine::VirtualMachine(_)) => None,
        None => match machine_of(snapshot, host, &identities, Host::MACHINE) {
            Linked::One(device) => {
                found.fields.push(("machine", json!({"device": {"id": device.to_string()}})));
                Some(device)
            }
            Linked::None | Linked::Suggested(_) => None,
        },
    };
    if host.class_id.is_none() && host.state == HostState::Discovering {
        let device = linked.and_then(|device| snapshot.get::<Device>(device));
        found.is_classified = true;
        classify(snapshot, host, hardware, device, &mut found);
    }
    found
}

/// Returns the hardware that was found; `None` if nothing of it was. Values that mean nothing and disks without a name of
/// their own are left out, because the report is about more than these.
fn hardware(facts: &HostFactsInput) -> Option<Hardware> {
    let HostFactsInput { cpu_cores, cpu_architecture, memory_bytes, disks, .. } = facts;
    let mut known: Vec<Disk> = Vec::new();
    for disk in disks.iter().flatten() {
        let is_named = !disk.name.is_empty() && known.iter().all(|other| other.name != disk.name);
        if is_named && disk.size_bytes.0 > 0 {
            known.push(disk.clone());
        }
    }
    let found = Hardware {
        cpu_cores: cpu_cores.filter(|cores| *cores > 0),
        cpu_architecture: *cpu_architecture,
        memory_bytes: memory_bytes.filter(|bytes| bytes.0 > 0),
        disks: known,
    };
    (found != NO_HARDWARE).then_some(found)
}

/// Returns true if a host with these fields is the machine of another host.
fn is_of_another(snapshot: &Snapshot, host: &Model, fields: &[(&'static str, Json)]) -> bool {
    let mut named = host.clone();
    for (name, value) in fields {
        let text = value.as_str().map(str::to_owned);
        match *name {
            "uid" => named.uid = text,
            "serial" => named.serial = text,
            "bootMac" => named.boot_mac = text,
            _ => {}
        }
    }
    named != *host && Machines::of(&ROLE, snapshot).other(&named).is_some()
}

fn classify(
    snapshot: &Snapshot,
    host: &Model,
    hardware: Option<Hardware>,
    device: Option<&underlay_entity::device::Model>,
    found: &mut FoundMachine,
) {
    let known = device.and_then(|device| device.hardware.clone()).unwrap_or(NO_HARDWARE);
    let seen = hardware.unwrap_or(NO_HARDWARE);
    let hardware = Hardware {
        cpu_cores: seen.cpu_cores.or(known.cpu_cores),
        cpu_architecture: seen.cpu_architecture.or(known.cpu_architecture),
        memory_bytes: seen.memory_bytes.or(known.memory_bytes),
        disks: if seen.disks.is_empty() { known.disks } else { seen.disks },
    };
    let mut labels = device.map(|device| (*device.labels.0).clone()).unwrap_or_default();
    labels.extend(host.labels.0.iter().map(|(key, value)| (key.clone(), value.clone())));
    let labels = Labels(Arc::new(labels));
    let classes = snapshot.table(HostClass::ID).rows(0).map(|(_, row)| cast(row.as_ref()));
    match class_for(classes, &hardware, &labels) {
        Classified::None => {}
        Classified::One(class) => found.fields.push(("class", json!({"id": class.to_string()}))),
        Classified::Ambiguous(classes) => {
            let names = classes.iter().filter_map(|id| Some(snapshot.get::<HostClass>(*id)?.name.as_str()));
            let mut names: Vec<&str> = names.collect();
            names.sort_unstable();
            names.truncate(MAX_NAMED_CLASSES);
            let message = format!("{} classes fit, such as {}: set one of them", classes.len(), names.join(", "));
            found.condition = Some(HostConditionInput {
                r#type: CLASS_AMBIGUOUS.to_owned(),
                status: ConditionStatus::True,
                reason: "SeveralClassesFit".to_owned(),
                message: Some(message),
                message_for_tenants: None,
            });
        }
    }
}

/// Returns the conditions of a report, of which the one about classes follows from its facts.
pub fn with_condition(mut conditions: Vec<HostConditionInput>, found: &FoundMachine) -> Vec<HostConditionInput> {
    if found.is_classified {
        conditions.retain(|it| it.r#type != CLASS_AMBIGUOUS);
        conditions.extend(found.condition.clone());
    }
    conditions
}
