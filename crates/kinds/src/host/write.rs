//! The changes of a host that follow from others: the credential goes with the connection to the BMC, the machine is found
//! by what identifies it, each order gets an id, an installation is remembered, another machine is looked at anew, and a lost
//! object leaves no reference.

use std::sync::Arc;

use underlay_entity::host::{HostMachine, HostState, Model};
use underlay_entity::row::Row;
use uuid::Uuid;

use super::kind::Host;
use super::linking::{Linked, machine_of};
use crate::credential::User;
use underlay_inventory::{Loss, Refusal, Rewrite, cast};

/// Clears the credential when a write changes the connection to the BMC and its writer must not keep it, clears the purpose
/// of a host that belongs to nobody any more, forgets what a machine said of itself that was exchanged, gives a new order its
/// id, and links the machine when the write says what identifies it.
pub fn on_write(write: &Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal> {
    let (before, after) = (write.before.map(cast::<Model>), cast::<Model>(write.after));
    let mut next = after.clone();
    if before.is_some_and(|before| User::from(after).loses_credential(&before.into(), write)) {
        next.bmc_credential_id = None;
    }
    if matches!(after.state, HostState::Registered | HostState::Available) {
        next.acquired_for = None;
    }
    let old_machine = before.and_then(|before| before.machine);
    if old_machine.is_some() && after.machine.is_some() && old_machine != after.machine {
        (next.seen_identity, next.hardware) = (None, None);
    }
    identify_order(before, &mut next);
    next.was_installed = was_installed(&next);
    let is_identified = before.is_none_or(|before| before.uid != after.uid || before.serial != after.serial);
    if is_identified
        && after.machine.is_none()
        && !(write.gives)("machine")
        && let Linked::One(device) = machine_of(write.snapshot, after, &[], Host::MACHINE)
    {
        next.machine = Some(HostMachine::Device(device));
    }
    Ok((next != *after).then(|| Arc::new(next) as Arc<dyn Row>))
}

/// Returns true if the host was INSTALLED since it was acquired, and its system was not switched off since by a release.
fn was_installed(host: &Model) -> bool {
    match host.state {
        HostState::Installed => true,
        HostState::Registered | HostState::Discovering | HostState::Available | HostState::Wiping => false,
        // What runs from here on is not what was installed.
        HostState::Releasing if host.step.as_ref().is_some_and(|step| step.name == "detach") => false,
        HostState::Acquired | HostState::Installing | HostState::Releasing | HostState::Failed => host.was_installed,
    }
}

/// Gives a new order an id. Its number comes again after a restore, for another order; its id never does.
fn identify_order(before: Option<&Model>, host: &mut Model) {
    let last = before.map_or(0, |before| before.generation);
    let last_id = before.and_then(|before| before.wanted.as_ref()).and_then(|wanted| wanted.id);
    if let Some(wanted) = host.wanted.as_mut().filter(|wanted| wanted.id.is_none() || wanted.id == last_id)
        && host.generation > last
    {
        wanted.id = Some(Uuid::new_v4());
    }
}

/// Keeps a host without the objects that are deleted. A host that belongs to somebody prevents the delete of its cluster,
/// and an order at work that of its profile.
pub fn on_loss(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss {
    let host = cast::<Model>(row);
    let profile = host.wanted.as_ref().and_then(|wanted| wanted.profile);
    let is_at_work = host.generation > host.generation_done;
    if host.state.is_taken() && host.cluster_id.is_some_and(lost) || is_at_work && profile.is_some_and(lost) {
        return Loss::Restrict;
    }
    let mut host = host.clone();
    let references = [&mut host.class_id, &mut host.appliance_id, &mut host.bmc_credential_id, &mut host.cluster_id];
    for id in references {
        *id = id.filter(|id| !lost(*id));
    }
    host.machine = host.machine.filter(|machine| !lost(machine.id()));
    if let Some(wanted) = &mut host.wanted {
        wanted.profile = wanted.profile.filter(|id| !lost(*id));
    }
    Loss::SetNull(Arc::new(host))
}
