//! Spreads hosts over failures: of all hosts that could be chosen it takes, one after the other, the one whose failures
//! take the fewest of those that were chosen before.
//!
//! A failure of everything that could be chosen does not count for the choice, because no choice avoids it. It counts for
//! what one failure may take at most.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::error::OrderError;
use super::role::{HostRole, Spread};
use super::single_failures::Taken;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::StopFlag;
use uuid::Uuid;

/// The single failure that takes the most of the hosts that were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The object that fails.
    pub failure: ObjectRef,
    /// The hosts that it takes.
    pub takes: Vec<Uuid>,
}

/// The hosts that were picked, by their positions among those that could be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// The positions, in the order in which they were picked.
    pub chosen: Vec<usize>,
    /// The worst failure of all, with what it takes.
    pub worst: Option<(ObjectRef, Vec<usize>)>,
}

/// A failure, with the positions of the hosts that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub failure: ObjectRef,
    pub members: Vec<usize>,
}

/// Picks hosts by their machines, which are in the order of preference.
///
/// # Errors
/// Returns an error if the failures cannot be found within the bounds of impact.
pub fn pick(
    role: &HostRole,
    snapshot: &Snapshot,
    spread: Spread,
    machines: &[Option<ObjectRef>],
    count: usize,
    stop: Option<StopFlag>,
) -> Result<Picked, OrderError> {
    let groups = groups(role, snapshot, spread, machines, stop)?;
    Ok(greedily(&groups, machines.len(), count))
}

/// Returns the worst failure of hosts that were chosen already, with the positions of those that it takes.
///
/// # Errors
/// Returns an error if the failures cannot be found within the bounds of impact.
pub fn worst_of(
    role: &HostRole,
    snapshot: &Snapshot,
    spread: Spread,
    machines: &[Option<ObjectRef>],
) -> Result<Option<(ObjectRef, Vec<usize>)>, OrderError> {
    Ok(worst(&groups(role, snapshot, spread, machines, None)?, |_| true))
}

/// Returns the failures that take at least one of the machines.
fn groups(
    role: &HostRole,
    snapshot: &Snapshot,
    spread: Spread,
    machines: &[Option<ObjectRef>],
    stop: Option<StopFlag>,
) -> Result<Vec<Group>, OrderError> {
    let known = machines.iter().enumerate().filter_map(|(at, machine)| Some((at, (*machine)?)));
    if spread == Spread::Enclosure {
        let mut enclosures: BTreeMap<ObjectRef, Vec<usize>> = BTreeMap::new();
        for (at, machine) in known {
            if let Some(enclosure) = (role.enclosure)(snapshot, machine) {
                enclosures.entry(enclosure).or_default().push(at);
            }
        }
        return Ok(enclosures.into_iter().map(|(failure, members)| Group { failure, members }).collect());
    }
    let taken = Taken::of_all(role, snapshot, spread, stop)?;
    let mut position: Vec<Option<usize>> = vec![None; taken.machines()];
    for (at, machine) in known {
        if let Some(index) = taken.position(machine) {
            position[index] = Some(at);
        }
    }
    let group = |(failure, taken): &(ObjectRef, Vec<u32>)| {
        let mut members: Vec<usize> = taken.iter().filter_map(|machine| position[*machine as usize]).collect();
        members.sort_unstable();
        (!members.is_empty()).then_some(Group { failure: *failure, members })
    };
    Ok(taken.failures.iter().filter_map(group).collect())
}

/// Picks `count` of `all` hosts. Hosts that the same failures take stand in for each other, so that of each such set
/// only the first one is looked at.
fn greedily(groups: &[Group], all: usize, count: usize) -> Picked {
    let mut failures_of: Vec<Vec<u32>> = vec![Vec::new(); all];
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.members.len() < all) {
        for member in &group.members {
            failures_of[*member].push(number as u32);
        }
    }
    let mut alike: HashMap<&[u32], VecDeque<usize>> = HashMap::new();
    for (at, failures) in failures_of.iter().enumerate() {
        alike.entry(failures).or_default().push_back(at);
    }
    let mut load = vec![0_usize; groups.len()];
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count {
        let cost = |(failures, left): (&&[u32], &VecDeque<usize>)| {
            let first = *left.front()?;
            let loads = failures.iter().map(|failure| load[*failure as usize]);
            let (most, sum) = loads.fold((0, 0), |(most, sum), load| (most.max(load + 1), sum + load));
            Some((most, sum, first))
        };
        let Some((_, _, best)) = alike.iter().filter_map(cost).min() else { break };
        for failure in &failures_of[best] {
            load[*failure as usize] += 1;
        }
        if let Some(left) = alike.get_mut(failures_of[best].as_slice()) {
            left.pop_front();
        }
        chosen.push(best);
    }
    let mut is_chosen = vec![false; all];
    chosen.iter().for_each(|at| is_chosen[*at] = true);
    Picked { worst: worst(groups, |at| is_chosen[at]), chosen }
}

/// Returns the failure that takes the most of some hosts; of several, the first.
fn worst(groups: &[Group], counts: impl Fn(usize) -> bool) -> Option<(ObjectRef, Vec<usize>)> {
    let takes = |group: &Group| -> Vec<usize> { group.members.iter().copied().filter(|at| counts(*at)).collect() };
    let mut worst: Option<(ObjectRef, Vec<usize>)> = None;
    for group in groups {
        let takes = takes(group);
        if !takes.is_empty() && worst.as_ref().is_none_or(|(_, others)| takes.len() > others.len()) {
            worst = Some((group.failure, takes));
        }
    }
    worst
}
