//! The hosts that can be acquired, and those that are one machine.

use super::kind::Host;
use super::role::ROLE;
use crate::hosts::{Machines, SHARES_MACHINE, machine_settings, tells_nothing, unclaimable};
use underlay_entity::host::Model;
use underlay_inventory::{Held, Kind, Snapshot, cast};

/// Returns true if a host can be acquired by its class: it is AVAILABLE and in no maintenance, its machine is ACTIVE or
/// STAGED, says which one it is and is that of no other host, it is not about to be deleted, no order is at work, and nothing
/// failed. The machine of a host may be unknown.
pub fn is_claimable(host: &Held<Host>) -> bool {
    let is_shared = host.row.conditions.0.iter().any(|condition| condition.r#type == SHARES_MACHINE);
    let ignored = &machine_settings(&host.snapshot).ignored_identities;
    !is_shared && !tells_nothing(&host.row, ignored) && unclaimable(&ROLE, &host.snapshot, host.object_ref()).is_none()
}

/// A host whose machine is that of another host too.
#[derive(Clone, Copy, Debug)]
pub struct SharedMachine<'a> {
    /// The name of the host.
    pub host: &'a str,
    /// The name of the other host.
    pub other: &'a str,
    /// The field by which they are one machine.
    pub by: &'static str,
}

/// Returns the hosts whose machines are those of other hosts too, as an older server let them be.
pub fn shared_machines(snapshot: &Snapshot) -> Vec<SharedMachine<'_>> {
    let machines = Machines::of(&ROLE, snapshot);
    let hosts = snapshot.table(Host::ID).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()));
    let shared = hosts.filter_map(|host| {
        let (other, by) = machines.other(host)?;
        Some(SharedMachine { host: &host.name, other: &other.name, by: by.field(host).0 })
    });
    shared.collect()
}
