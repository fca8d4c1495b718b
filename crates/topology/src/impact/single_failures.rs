//! Finds what single failures take of some machines: for each failure, the machines that are down or cut off by it
//! alone.
//!
//! The rules are those of impact, evaluated as for single points of failure (`single`). A machine inside a failed
//! object counts like any other, and so does one that fails itself. A machine that was down before does not.

use super::error::ImpactError;
use super::marks::{Marks, PerObject};
use super::nest::inside_out;
use super::network::Cuts;
use super::physical_state::{Moment, PhysicalState};
use super::propagate::Propagation;
use super::single::{Failing, MAX_SINGLE_POINT_STEPS, Nesting};
use crate::role::Roles;
use crate::steps::{Steps, StopFlag};
use underlay_inventory::{ObjectRef, Snapshot};

/// The parameters of a query for what failures take.
#[derive(Clone, Debug)]
pub struct TakenQuery<'a> {
    /// The objects that fail, each alone.
    pub failures: &'a [ObjectRef],
    /// The machines that forward traffic, so that the lines between them are known.
    pub network: &'a [ObjectRef],
    /// The machines that count.
    pub members: &'a [ObjectRef],
    /// The maximum number of steps; `None` for [`MAX_SINGLE_POINT_STEPS`].
    pub max_steps: Option<u64>,
    /// The flag that stops the query; `None` if nothing stops it.
    pub stop: Option<StopFlag>,
}

/// Returns the failures that take at least one of the machines, each with the positions of those that it takes, in the
/// order of the machines. The failures are in the order of their tables.
///
/// # Errors
/// Returns an error if the query takes too many steps.
pub fn taken(
    snapshot: &Snapshot,
    roles: &Roles,
    query: TakenQuery<'_>,
) -> Result<Vec<(ObjectRef, Vec<u32>)>, ImpactError> {
    let mut steps = Steps::new(query.max_steps.unwrap_or(MAX_SINGLE_POINT_STEPS), query.stop);
    let mut propagation = Propagation::new(PhysicalState { snapshot, roles, marks: Marks::of_many(snapshot) });
    // The position of each machine, counted from 1.
    let mut position = PerObject::<u32>::of(snapshot);
    for (at, member) in (1..).zip(query.members) {
        *position.get_mut(*member) = at;
    }
    let mut cuts = Cuts::around(query.network, &mut propagation, &mut steps)?;
    let order = inside_out(&propagation.physical_state, query.failures, &mut steps)?;
    let mut found = Vec::new();
    let failing = Failing { propagation: &mut propagation, cuts: &mut cuts, steps: &mut steps };
    failing.one_by_one(
        &order,
        Nesting::TakesOver,
        |_, affected| *position.get(affected.object) > 0,
        |physical_state, failure, gone| {
            // The failed object is not among the objects that go down because of it.
            if *position.get(failure) > 0 && !physical_state.is_down(failure, Moment::Before) {
                gone.push(failure);
            }
            let mut taken: Vec<u32> = gone.iter().filter_map(|object| position.get(*object).checked_sub(1)).collect();
            taken.sort_unstable();
            taken.dedup();
            if !taken.is_empty() {
                found.push((failure, taken));
            }
        },
    )?;
    found.sort_unstable_by_key(|(failure, _)| *failure);
    Ok(found)
}
