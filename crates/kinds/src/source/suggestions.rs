//! Machines that a source may have in common with other sources: devices and hosts of the source that share a serial
//! number, a UUID, the address of a BMC or a boot MAC with an object that the source does not have.
//!
//! Nothing is joined by itself, because serial numbers are not always unique, and a wrong join would give two machines
//! one life. The list is computed when it is read.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Enum, SimpleObject, Union};

use crate::device::{Device, UUID_ATTRIBUTE};
use crate::host::Host;
use crate::hosts::machine_settings;
use underlay_entity::source_run::{RunErrorEntry, SameMachine};
use underlay_inventory::{Kind, ObjectRef, Snapshot, cast};

/// An identity by which two objects can be one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum MachineIdentity {
    /// The serial number or UUID in the firmware.
    Uid,
    /// The address of the BMC, without its scheme.
    BmcUrl,
    /// The MAC address that the machine boots from.
    BootMac,
}

/// An object that can be the same machine as another one.
#[derive(Clone, Debug, Union)]
pub enum SuggestedMachine {
    /// A device.
    Device(Device),
    /// A host.
    Host(Host),
}

impl SuggestedMachine {
    fn at(snapshot: &Arc<Snapshot>, object_ref: ObjectRef) -> Option<Self> {
        match object_ref.kind {
            Device::ID => snapshot.hold(object_ref).map(Device).map(Self::Device),
            Host::ID => snapshot.hold(object_ref).map(Host).map(Self::Host),
            _ => None,
        }
    }
}

/// Two objects that may be one machine. Nothing is joined by itself.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceSuggestion {
    /// The object of the source. Null if the source lists one that was not written, because the other one is its machine.
    pub object: Option<SuggestedMachine>,
    /// The path of the object of the source, such as `device/ams1/n1`; if it was not written, its id in the source.
    pub path: String,
    /// The object that may be the same machine, which the source does not have.
    pub other: SuggestedMachine,
    /// The path of the other object.
    pub other_path: String,
    /// The identity that both have.
    pub by: MachineIdentity,
    /// The value of this identity.
    pub value: String,
}

/// An object of a source, another object, and the identity that both have.
type Pair = (ObjectRef, ObjectRef, MachineIdentity, String);

/// Finds at most `most` pairs of an object of a source and another one that may be the same machine.
pub fn suggestions(snapshot: &Arc<Snapshot>, source: &str, most: usize) -> Vec<SourceSuggestion> {
    let (own, others): (Vec<ObjectRef>, Vec<ObjectRef>) =
        machines(snapshot).partition(|object_ref| has_reference(snapshot, *object_ref, source));
    let mut known: HashMap<(MachineIdentity, String), Vec<ObjectRef>> = HashMap::new();
    for object_ref in own {
        each_identity(snapshot, object_ref, |by, value| known.entry((by, value)).or_default().push(object_ref));
    }
    let mut found: Vec<Pair> = Vec::new();
    for other in others.into_iter().filter(|_| !known.is_empty()) {
        let mut of_other: Vec<Pair> = Vec::new();
        each_identity(snapshot, other, |by, value| {
            for object_ref in known.get(&(by, value.clone())).into_iter().flatten() {
                let is_new = !of_other.iter().any(|(known, ..)| known == object_ref);
                if is_new && of_other.len() < most && !is_joined(snapshot, *object_ref, other) {
                    of_other.push((*object_ref, other, by, value.clone()));
                }
            }
        });
        found.extend(of_other);
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    let mut shown: Vec<SourceSuggestion> = found.into_iter().filter_map(|pair| shown(snapshot, pair)).collect();
    shown.sort_by(|one, other| (&one.path, &one.other_path).cmp(&(&other.path, &other.other_path)));
    shown
}

/// Returns what a run could not write because another host is its machine.
pub fn refused(snapshot: &Arc<Snapshot>, source: &str, errors: &[RunErrorEntry]) -> Vec<SourceSuggestion> {
    let suggestion = |error: &RunErrorEntry| {
        let SameMachine { object: other, by } = error.same_machine.as_ref()?;
        let (other_ref, external_id) = (snapshot.find(*other)?, error.external_id.clone()?);
        let host: &<Host as Kind>::Row = cast(snapshot.row(other_ref)?.as_ref());
        let (by, value) = match by.as_str() {
            "bmcUrl" => (MachineIdentity::BmcUrl, &host.bmc_url),
            "bootMac" => (MachineIdentity::BootMac, &host.boot_mac),
            "serial" => (MachineIdentity::Uid, &host.serial),
            _ => (MachineIdentity::Uid, &host.uid),
        };
        let own = snapshot.table(Host::ID).by_external(source, &external_id);
        let own = own.map(|slot| ObjectRef { kind: Host::ID, slot });
        Some(SourceSuggestion {
            object: own.and_then(|own| SuggestedMachine::at(snapshot, own)),
            path: own.map_or(external_id, |own| snapshot.path(own)),
            other: SuggestedMachine::at(snapshot, other_ref)?,
            other_path: snapshot.path(other_ref),
            by,
            value: value.clone().unwrap_or_default(),
        })
    };
    errors.iter().filter_map(suggestion).collect()
}

fn shown(snapshot: &Arc<Snapshot>, (object_ref, other, by, value): Pair) -> Option<SourceSuggestion> {
    Some(SourceSuggestion {
        object: Some(SuggestedMachine::at(snapshot, object_ref)?),
        path: snapshot.path(object_ref),
        other: SuggestedMachine::at(snapshot, other)?,
        other_path: snapshot.path(other),
        by,
        value,
    })
}

/// Returns the devices and hosts.
fn machines(snapshot: &Snapshot) -> impl Iterator<Item = ObjectRef> {
    [Device::ID, Host::ID]
        .into_iter()
        .flat_map(|kind| snapshot.table(kind).rows(0).map(move |(slot, _)| ObjectRef { kind, slot }))
}

fn has_reference(snapshot: &Snapshot, object_ref: ObjectRef, source: &str) -> bool {
    snapshot.row(object_ref).is_some_and(|row| row.common().external_refs.0.iter().any(|it| it.source == source))
}

/// Returns true if one is a host and the other one its machine.
fn is_joined(snapshot: &Snapshot, one: ObjectRef, other: ObjectRef) -> bool {
    let machine = |host: ObjectRef| snapshot.outgoing(host).first_by(Host::MACHINE);
    (one.kind == Host::ID && machine(one) == Some(other)) || (other.kind == Host::ID && machine(other) == Some(one))
}

/// Calls `visit` for each identity of a device or host, in the form in which identities are compared.
fn each_identity(snapshot: &Snapshot, object_ref: ObjectRef, mut visit: impl FnMut(MachineIdentity, String)) {
    let Some(row) = snapshot.row(object_ref) else { return };
    let ignored = &machine_settings(snapshot).ignored_identities;
    let mut uid = |text: Option<&str>| {
        if let Some(text) = ignored.meaning(text.map(str::trim)) {
            visit(MachineIdentity::Uid, text.to_lowercase());
        }
    };
    if object_ref.kind == Device::ID {
        let device: &<Device as Kind>::Row = cast(row.as_ref());
        uid(device.serial.as_deref());
        uid(device.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str()));
        return;
    }
    let host: &<Host as Kind>::Row = cast(row.as_ref());
    uid(host.uid.as_deref());
    uid(host.serial.as_deref());
    if let Some((_, address)) = host.bmc_url.as_deref().and_then(|url| url.split_once("://")) {
        visit(MachineIdentity::BmcUrl, address.trim_end_matches('/').to_lowercase());
    }
    if let Some(mac) = &host.boot_mac {
        visit(MachineIdentity::BootMac, mac.to_lowercase());
    }
}
