//! Derives the identity, the machine and the class of a host from facts that a discovery found.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use underlay_address::is_junk;
use underlay_entity::common::Labels;
use underlay_entity::host::{ConditionStatus, HostMachine, HostState, Model};
use underlay_entity::machine::Hardware;
use uuid::Uuid;

use super::input::{HostConditionInput, HostFactsInput};
use crate::hosts::Machines;
use crate::kinds::device::Device;
use crate::kinds::host::{Host, Linked, ROLE, machine_of};
use crate::kinds::host_class::{Classified, HostClass, class_for};
use underlay_inventory::{Kind, Snapshot, cast};

/// The type of the condition of a host that several classes fit.
const CLASS_AMBIGUOUS: &str = "ClassAmbiguous";
/// The number of classes that the sentence of this condition names.
const MAX_NAMED_CLASSES: usize = 5;

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
    let identities: Vec<&str> = facts.identities.iter().map(|text| text.trim()).filter(|text| !is_junk(text)).collect();
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
        classify(snapshot, host, facts, device, &mut found);
    }
    found
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
    facts: &HostFactsInput,
    device: Option<&underlay_entity::device::Model>,
    found: &mut FoundMachine,
) {
    let known = device.and_then(|device| device.hardware.clone());
    let known =
        known.unwrap_or(Hardware { cpu_cores: None, cpu_architecture: None, memory_bytes: None, disks: vec![] });
    let hardware = Hardware {
        cpu_cores: facts.cpu_cores.or(known.cpu_cores),
        cpu_architecture: known.cpu_architecture,
        memory_bytes: facts.memory_bytes.or(known.memory_bytes),
        disks: facts.disks.clone().unwrap_or(known.disks),
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
