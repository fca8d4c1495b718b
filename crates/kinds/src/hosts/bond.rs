//! What is known of the machine of a host from elsewhere in the inventory, and says that it is not free whatever the state of
//! the host is: it carries virtual machines or an appliance, or it is recorded as another machine than the one that was
//! seen.

use underlay_address::{IgnoredIdentities, uuid_key};
use underlay_entity::host::Model;

use super::role::{HostRole, Names};
use super::settings::machine_settings;
use underlay_inventory::{ObjectRef, Snapshot};

/// The reason why a machine is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bond {
    /// It carries virtual machines or an appliance.
    Carries,
    /// The serial number or UUID of its device is another one than that which the machine said of itself.
    SeenAsAnother,
}

/// Returns what binds the machine of a host; `None` if nothing does, or if its machine is not known.
pub fn bond(role: &HostRole, snapshot: &Snapshot, object: ObjectRef, host: &Model) -> Option<Bond> {
    let machine = snapshot.outgoing(object).first_by(role.machine)?;
    if (role.carries)(snapshot, machine) {
        return Some(Bond::Carries);
    }
    let seen = host.seen_identity.as_ref()?;
    let ignored = &machine_settings(snapshot).ignored_identities;
    let Names { serial, uuid } = (role.names)(snapshot, machine);
    let uuid_of = |uuid: Option<&str>| ignored.meaning(uuid).and_then(uuid_key);
    let serial_of = |serial: Option<&str>| folded(ignored, serial);
    let differs = match (uuid_of(uuid), uuid_of(seen.uuid.as_deref())) {
        (Some(recorded), Some(seen)) => recorded != seen,
        _ => match (serial_of(serial), serial_of(seen.serial.as_deref())) {
            (Some(recorded), Some(seen)) => recorded != seen,
            _ => false,
        },
    };
    differs.then_some(Bond::SeenAsAnother)
}

fn folded(ignored: &IgnoredIdentities, serial: Option<&str>) -> Option<String> {
    ignored.meaning(serial).map(|serial| serial.trim().to_lowercase())
}
