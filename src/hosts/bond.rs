//! What is known of the machine of a host from elsewhere in the inventory, and says that it is not free whatever the state of
//! the host is: it carries virtual machines or an appliance, or it is recorded as another machine than the one that was
//! seen.

use underlay_address::{is_junk, uuid_key};
use underlay_entity::host::Model;

use super::role::{HostRole, Names};
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
    let Names { serial, uuid } = (role.names)(snapshot, machine);
    let differs = match (uuid.and_then(uuid_key), seen.uuid.as_deref().and_then(uuid_key)) {
        (Some(recorded), Some(seen)) => recorded != seen,
        _ => match (serial.and_then(folded), seen.serial.as_deref().and_then(folded)) {
            (Some(recorded), Some(seen)) => recorded != seen,
            _ => false,
        },
    };
    differs.then_some(Bond::SeenAsAnother)
}

fn folded(serial: &str) -> Option<String> {
    Some(serial.trim().to_lowercase()).filter(|serial| !is_junk(serial))
}
