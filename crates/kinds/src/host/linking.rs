//! The machine of a host: the only device with the serial number or the UUID by which the host identifies itself.
//!
//! Guarantee: a device is linked only where nothing else fits. A serial number that several devices or several hosts have
//! leads to suggestions, because the nodes of a chassis often have one in common.

use underlay_entity::device::Model as DeviceRow;
use underlay_entity::host::Model;
use underlay_entity::row::Row;
use uuid::Uuid;

use crate::device::{Device, UUID_ATTRIBUTE};
use crate::hosts::machine_settings;
use crate::ids;
use underlay_inventory::{Kind, KindId, ObjectRef, ReferenceId, Snapshot, cast, fold};

/// The maximum number of devices that are suggested.
const MAX_SUGGESTIONS: usize = 10;

/// The devices that a serial number or UUID leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// No device has it.
    None,
    /// This device alone has it, it is the machine of no host, and no other host without a machine has the same identity.
    One(Uuid),
    /// Several devices have it, the only one is the machine of another host, or another host without a machine has the same
    /// identity. At most ten devices are listed.
    Suggested(Vec<Uuid>),
}

/// Finds the device that has the UUID or serial number of a host, or one of the others that are given. Case and spaces at
/// the ends do not matter, and texts that mean nothing are ignored. `machine` is the reference of hosts to their machines.
pub fn machine_of(snapshot: &Snapshot, host: &Model, others: &[&str], machine: ReferenceId) -> Linked {
    let own = of_host(host).into_iter().flatten().chain(others.iter().copied());
    let mut found: Vec<ObjectRef> = Vec::new();
    let mut is_shared = false;
    let ignored = &machine_settings(snapshot).ignored_identities;
    for identity in own.map(str::trim).filter(|text| !ignored.has(text)) {
        let devices = places_with(snapshot, Device::ID, identity, of_device);
        // A host that has a machine is not meant by another device.
        let waits = |object: &ObjectRef| snapshot.outgoing(*object).first_by(machine).is_none();
        let is_other = |object: ObjectRef| snapshot.row(object).is_some_and(|row| row.common().id != host.id);
        let mut hosts = places_with(snapshot, ids::HOST, identity, of_host).filter(waits);
        for device in devices {
            is_shared = is_shared || hosts.any(is_other);
            if found.len() <= MAX_SUGGESTIONS && !found.contains(&device) {
                found.push(device);
            }
        }
    }
    let id = |object: &ObjectRef| snapshot.row(*object).map(|row| row.common().id);
    let is_free = |object: &ObjectRef| snapshot.incoming(*object).first_by(machine).is_none();
    match found.as_slice() {
        [] => Linked::None,
        [only] if is_free(only) && !is_shared => id(only).map_or(Linked::None, Linked::One),
        several => Linked::Suggested(several.iter().filter_map(id).take(MAX_SUGGESTIONS).collect()),
    }
}

/// Returns the objects of a kind that identify themselves by this text.
fn places_with<'a, M: Row>(
    snapshot: &'a Snapshot,
    kind: KindId,
    identity: &'a str,
    identities: fn(&M) -> [Option<&str>; 2],
) -> impl Iterator<Item = ObjectRef> + use<'a, M> {
    let folded = identity.to_lowercase();
    let slots = snapshot.table(kind).texts().get(&fold(identity)).into_iter().flat_map(|slots| slots.iter());
    slots.map(move |slot| ObjectRef { kind, slot }).filter(move |object| {
        let has = |own: &str| own.trim().to_lowercase() == folded;
        snapshot.row(*object).is_some_and(|row| identities(cast(row.as_ref())).into_iter().flatten().any(has))
    })
}

/// Returns the serial number and the UUID of a device.
fn of_device(device: &DeviceRow) -> [Option<&str>; 2] {
    [device.serial.as_deref(), device.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str())]
}

/// Returns what a host identifies itself by.
fn of_host(host: &Model) -> [Option<&str>; 2] {
    [host.uid.as_deref(), host.serial.as_deref()]
}
