//! Chooses the hosts of a claim on one snapshot: those that wait the longest first, or spread over failures.

use underlay_entity::host::Model;
use uuid::Uuid;

use super::claim::{Claim, Selection};
use super::claimable::unclaimable_of;
use super::error::OrderError;
use super::role::HostRole;
use super::sharing::Machines;
use super::shortage::Shortage;
use super::spread::{Worst, pick};
use underlay_inventory::{ObjectRef, Snapshot, cast};
use underlay_topology::StopFlag;

/// The hosts that were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The hosts, in the order in which they were chosen.
    pub hosts: Vec<Uuid>,
    /// The worst single failure; `None` without a spread, or if no failure takes any of them.
    pub worst: Option<Worst>,
}

/// A host that can be acquired.
#[derive(Clone, Copy, Debug)]
struct Candidate<'a> {
    object: ObjectRef,
    host: &'a Model,
}

/// Chooses hosts for a claim.
///
/// # Errors
/// Returns an error if there are not enough of them, or they cannot be spread as the claim demands.
pub fn choose(
    role: &HostRole,
    snapshot: &Snapshot,
    claim: &Claim,
    stop: Option<StopFlag>,
) -> Result<Chosen, OrderError> {
    let mut candidates = enough(role, snapshot, claim)?;
    // The report that made a host AVAILABLE was the last one, unless its power or a condition changed since.
    let waiting = |it: &Candidate<'_>| it.host.observed_version;
    candidates.sort_unstable_by(|one, other| {
        waiting(one).cmp(&waiting(other)).then_with(|| one.host.name.cmp(&other.host.name))
    });
    let Some(spread) = claim.spread else {
        let hosts = candidates.iter().take(claim.count).map(|it| it.host.id).collect();
        return Ok(Chosen { hosts, worst: None });
    };
    let machines: Vec<Option<ObjectRef>> =
        candidates.iter().map(|it| snapshot.outgoing(it.object).first_by(role.machine)).collect();
    let picked = pick(role, snapshot, spread, &machines, claim.count, stop)?;
    let id = |at: &usize| candidates[*at].host.id;
    let worst = picked.worst.map(|(failure, takes)| Worst { failure, takes: takes.iter().map(id).collect() });
    match (claim.most, &worst) {
        (Some(most), Some(Worst { failure, takes })) if takes.len() > most => {
            let (failure, takes) = (snapshot.path(*failure), takes.len());
            Err(OrderError::Spread { failure, takes, count: claim.count, most })
        }
        _ => Ok(Chosen { hosts: picked.chosen.iter().map(id).collect(), worst }),
    }
}

/// Checks that there are enough hosts for a claim.
///
/// # Errors
/// Returns an error if there are not.
pub fn check_enough(role: &HostRole, snapshot: &Snapshot, claim: &Claim) -> Result<(), OrderError> {
    enough(role, snapshot, claim).map(drop)
}

/// Returns the hosts that can be acquired.
fn enough<'a>(role: &HostRole, snapshot: &'a Snapshot, claim: &Claim) -> Result<Vec<Candidate<'a>>, OrderError> {
    let mut shortage = Shortage::of(claim.count);
    let mut candidates = Vec::new();
    let machines = Machines::of(role, snapshot);
    for object in selected(role, snapshot, &claim.selection)? {
        let Some(row) = snapshot.row(object) else { continue };
        let host: &Model = cast(row.as_ref());
        if !fits(snapshot, object, host, &claim.selection) {
            continue;
        }
        match unclaimable_of(role, snapshot, &machines, object, claim.selection.chosen_by()) {
            None => candidates.push(Candidate { object, host }),
            Some(why) => shortage.add(host, why),
        }
    }
    shortage.found = candidates.len();
    match candidates.len() < claim.count {
        true => Err(OrderError::Short(shortage)),
        false => Ok(candidates),
    }
}

/// Returns the hosts that the narrowest part of a selection names.
fn selected(role: &HostRole, snapshot: &Snapshot, selection: &Selection) -> Result<Vec<ObjectRef>, OrderError> {
    let find =
        |field: &str, kind: &str, id: Uuid| snapshot.find(id).ok_or_else(|| OrderError::missing(field, kind, id));
    if let Some(within) = selection.within {
        find("within", "object", within)?;
    }
    let class = selection.class.map(|class| find("class", "host class", class)).transpose()?;
    if !selection.ids.is_empty() {
        let ids = selection.ids.iter().enumerate();
        let host = |(at, id): (usize, &Uuid)| {
            let found = snapshot.find(*id).filter(|object| object.kind == role.kind);
            found.ok_or_else(|| OrderError::missing(format!("ids[{at}]"), "host", *id))
        };
        return ids.map(host).collect();
    }
    Ok(match class {
        Some(class) => snapshot.incoming(class).by(role.class).collect(),
        None => {
            let rows = snapshot.table(role.kind).rows(0);
            rows.map(|(slot, _)| ObjectRef { kind: role.kind, slot }).collect()
        }
    })
}

/// Returns true if a host has everything that a selection demands.
fn fits(snapshot: &Snapshot, object: ObjectRef, host: &Model, selection: &Selection) -> bool {
    let has_class = selection.class.is_none_or(|class| host.class_id == Some(class));
    let has_labels = || selection.labels.0.iter().all(|(key, value)| host.labels.0.get(key) == Some(value));
    let is_within = || {
        let place = selection.within.map(|within| snapshot.find(within));
        place.is_none_or(|place| place.is_some_and(|place| snapshot.is_in_place(object, place, || true)))
    };
    has_class && has_labels() && is_within()
}
