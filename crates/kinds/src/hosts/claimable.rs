//! The hosts that can be acquired, and the reasons why others cannot.

use underlay_entity::host::{HostPower, HostState, Model};
use underlay_entity::lifecycle::Status;

use super::bond::{Bond, bond};
use super::facts::{is_at_work, tells_nothing};
use super::role::HostRole;
use super::settings::machine_settings;
use super::sharing::Machines;
use underlay_inventory::{ObjectRef, Snapshot, cast};

/// The reason why a host cannot be acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unclaimable {
    /// The host is not AVAILABLE.
    State(HostState),
    /// The host is in maintenance.
    Maintenance,
    /// Something of the host failed.
    Failure,
    /// An order is at work.
    AtWork,
    /// The host is about to be deleted.
    Deleting,
    /// The machine is neither ACTIVE nor STAGED.
    Machine(Status),
    /// The machine is that of another host too.
    Shared,
    /// The machine was last seen running, so somebody may use it.
    Runs,
    /// The machine is not free, whatever its host says.
    Bound(Bond),
    /// The machine tells nothing of itself, so the host is acquired by its name alone.
    TellsNothing,
}

/// Returns the reason why a host cannot be acquired; `None` if it can. It must be AVAILABLE and in no maintenance, not seen
/// running, its machine ACTIVE or STAGED and bound by nothing, without a failure, an order at work or a deletion. The machine of a host may be
/// unknown.
pub fn unclaimable(role: &HostRole, snapshot: &Snapshot, object: ObjectRef) -> Option<Unclaimable> {
    let Some(row) = snapshot.row(object) else { return Some(Unclaimable::Deleting) };
    let host: &Model = cast(row.as_ref());
    if host.state != HostState::Available {
        return Some(Unclaimable::State(host.state));
    }
    if !host.maintenance.0.is_empty() {
        return Some(Unclaimable::Maintenance);
    }
    if host.failure.is_some() {
        return Some(Unclaimable::Failure);
    }
    if host.deleting {
        return Some(Unclaimable::Deleting);
    }
    if is_at_work(host) {
        return Some(Unclaimable::AtWork);
    }
    if let Some(bond) = bond(role, snapshot, object, host) {
        return Some(Unclaimable::Bound(bond));
    }
    if host.power == HostPower::On {
        return Some(Unclaimable::Runs);
    }
    let machine = snapshot.outgoing(object).first_by(role.machine)?;
    let status = (role.status)(snapshot, machine)?;
    (!matches!(status, Status::Active | Status::Staged)).then_some(Unclaimable::Machine(status))
}

/// The way in which the hosts of a claim are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The claim names them.
    Name,
    /// By their class or labels.
    Kind,
}

/// Returns the reason why a host cannot be acquired, with that of hosts that are one machine, and of those that are acquired
/// by their names alone.
pub fn unclaimable_of(
    role: &HostRole,
    snapshot: &Snapshot,
    machines: &Machines<'_>,
    object: ObjectRef,
    chosen_by: ChosenBy,
) -> Option<Unclaimable> {
    unclaimable(role, snapshot, object).or_else(|| {
        let host: &Model = cast(snapshot.row(object)?.as_ref());
        let is_silent =
            chosen_by == ChosenBy::Kind && tells_nothing(host, &machine_settings(snapshot).ignored_identities);
        machines.other(host).map(|_| Unclaimable::Shared).or(is_silent.then_some(Unclaimable::TellsNothing))
    })
}
