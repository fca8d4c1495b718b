//! The machine of a host: the only device with the serial number or the UUID by which the host identifies itself.

use underlay_entity::device::Model;
use uuid::Uuid;

use crate::kinds::device::{Device, UUID_ATTRIBUTE};
use underlay_inventory::{Kind, ObjectRef, ReferenceId, Snapshot, cast, fold};

/// The maximum number of devices that are suggested.
const MOST_SUGGESTIONS: usize = 10;
/// Texts that firmware has where nobody entered a serial number or UUID, without their punctuation and in lower case.
const JUNK: [&str; 26] = [
    "tobefilled",
    "tobefilledbyoem",
    "none",
    "null",
    "nil",
    "na",
    "notavailable",
    "notapplicable",
    "notspecified",
    "notprovided",
    "notset",
    "default",
    "defaultstring",
    "unknown",
    "invalid",
    "empty",
    "oem",
    "serial",
    "serialnumber",
    "systemserialnumber",
    "chassisserialnumber",
    "sernum",
    "0123456789",
    "123456789",
    "1234567890",
    // The UUID of many boards whose maker set none.
    "03000200040005000006000700080009",
];

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

/// Returns true if a text means nothing as a serial number or UUID: it is empty, one character repeated, or one of the
/// texts that firmware has where nobody entered any.
pub fn is_junk(text: &str) -> bool {
    let plain: String = text.chars().filter(|each| each.is_alphanumeric()).collect::<String>().to_lowercase();
    let mut characters = plain.chars();
    let first = characters.next();
    characters.all(|each| Some(each) == first) || JUNK.contains(&plain.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_mean_nothing_are_junk() {
        for text in [
            "",
            " ",
            "0",
            "0000000",
            "00000000-0000-0000-0000-000000000000",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "To Be Filled",
            "To Be Filled By O.E.M.",
            "to be filled by o.e.m",
            "None",
            "N/A",
            "Not Specified",
            "Default string",
            "System Serial Number",
            "xxxxxxxx",
            "........",
            "1234567890",
            "03000200-0400-0500-0006-000700080009",
        ] {
            assert!(is_junk(text), "{text}");
        }
        for text in ["CZJ1234567", "7", "A1", "4c4c4544-0042-3510-8056-b2c04f513432", "NONE-17"] {
            assert_eq!(is_junk(text), text.len() == 1, "{text}");
        }
    }
}
