//! The machine of a host: the only device with the serial number or the UUID by which the host identifies itself.

use underlay_address::is_junk;
use underlay_entity::device::Model;
use uuid::Uuid;

use crate::kinds::device::{Device, UUID_ATTRIBUTE};
use underlay_inventory::{Kind, ObjectRef, ReferenceId, Snapshot, cast, fold};

/// The maximum number of devices that are suggested.
const MOST_SUGGESTIONS: usize = 10;
/// The devices that a serial number or UUID leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// No device has it.
    None,
    /// This device alone has it, and it is the machine of no host.
    One(Uuid),
    /// Several devices have it, or the only one is the machine of another host. At most ten are listed.
    Suggested(Vec<Uuid>),
}

/// Finds the device that has one of these serial numbers or UUIDs. Case and spaces at the ends do not matter, and texts
/// that mean nothing are ignored. `machine` is the reference of hosts to their machines.
pub fn machines_with(snapshot: &Snapshot, identities: &[&str], machine: ReferenceId) -> Linked {
    let mut found: Vec<ObjectRef> = Vec::new();
    for identity in identities.iter().map(|text| text.trim()).filter(|text| !is_junk(text)) {
        let table = snapshot.table(Device::ID);
        let slots = table.texts().get(&fold(identity)).into_iter().flat_map(|slots| slots.iter());
        let places = slots.map(|slot| ObjectRef { kind: Device::ID, slot });
        let has = |place: &ObjectRef| snapshot.row(*place).is_some_and(|row| is_of(cast(row.as_ref()), identity));
        for place in places.filter(has) {
            if found.len() <= MOST_SUGGESTIONS && !found.contains(&place) {
                found.push(place);
            }
        }
    }
    let id = |place: &ObjectRef| snapshot.row(*place).map(|row| row.common().id);
    let free = |place: &ObjectRef| snapshot.incoming(*place).first_by(machine).is_none();
    match found.as_slice() {
        [] => Linked::None,
        [only] if free(only) => id(only).map_or(Linked::None, Linked::One),
        several => Linked::Suggested(several.iter().filter_map(id).take(MOST_SUGGESTIONS).collect()),
    }
}

/// Returns true if a device has this serial number or UUID.
fn is_of(device: &Model, identity: &str) -> bool {
    let uuid = device.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str());
    let mut own = device.serial.as_deref().into_iter().chain(uuid);
    own.any(|own| own.trim().to_lowercase() == identity.to_lowercase())
}
