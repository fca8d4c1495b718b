//! Counts the machines of a pool that were up before anything failed. The snapshot memoizes the counts for ranges of
//! slots of the machine table.
//!
//! A failure removes a few machines from a pool, but a pool can contain the machines of a whole fleet. Whether a
//! machine was up depends on every object that contains it or powers it. Checking all machines would cost far more than
//! the failure itself. The count of a range stays valid until an object changes that one of its machines depends on.

use std::sync::Arc;

use foldhash::HashSet;

use super::error::ImpactError;
use super::physical_state::{Moment, PhysicalState};
use super::propagate::Propagation;
use crate::role::{Dependency, Part};
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The number of slots in a range. When a machine changes, its range is counted again.
const SLOTS_PER_RANGE: u32 = 64;

/// The pools of the machines in a range, each with the number of its counted machines that were up.
#[derive(Debug, Default)]
struct UpBefore(Vec<(ObjectRef, u32)>);

/// Returns the number of machines that a pool counts and that were up before.
pub(super) fn up_before(
    propagation: &mut Propagation<'_>,
    pool: ObjectRef,
    steps: &mut Steps,
) -> Result<u32, ImpactError> {
    let (snapshot, roles) = (propagation.physical_state.snapshot, propagation.physical_state.roles);
    let (mut count, mut last) = (0, None);
    // The machines of a kind are listed in the order of their slots.
    for machine in roles.pools.iter().flat_map(|by| snapshot.incoming(pool).by(*by)) {
        let stretch = ObjectRef { slot: machine.slot - machine.slot % SLOTS_PER_RANGE, ..machine };
        if last.replace(stretch) == Some(stretch) {
            continue;
        }
        steps.take()?;
        let known = match snapshot.memo::<UpBefore>(stretch) {
            Some(known) => known,
            None => memoize(propagation, stretch, steps)?,
        };
        count += known.0.iter().filter(|(of, _)| *of == pool).map(|(_, count)| count).sum::<u32>();
    }
    Ok(count)
}

/// Counts the machines in a range and memoizes the result.
fn memoize(
    propagation: &mut Propagation<'_>,
    stretch: ObjectRef,
    steps: &mut Steps,
) -> Result<Arc<UpBefore>, ImpactError> {
    let (mut found, mut dependencies) = (UpBefore::default(), Dependencies::default());
    let mut seen = HashSet::default();
    for slot in stretch.slot..stretch.slot.saturating_add(SLOTS_PER_RANGE) {
        let machine = ObjectRef { slot, ..stretch };
        // A free slot is a dependency too: a machine may be created in it.
        dependencies.row(machine);
        let Some(pool) = pool_of(&propagation.physical_state, machine) else { continue };
        steps.take()?;
        propagation.explore(machine, steps)?;
        add_dependencies(&propagation.physical_state, machine, &mut seen, &mut dependencies, steps)?;
        if propagation.physical_state.is_down(machine, Moment::Before) {
            continue;
        }
        match found.0.iter_mut().find(|(of, _)| *of == pool) {
            Some((_, count)) => *count += 1,
            None => found.0.push((pool, 1)),
        }
    }
    let found = Arc::new(found);
    propagation.physical_state.snapshot.memoize(stretch, Arc::clone(&found), dependencies);
    Ok(found)
}

/// Returns the pool that counts a machine.
fn pool_of(physical_state: &PhysicalState<'_>, machine: ObjectRef) -> Option<ObjectRef> {
    physical_state.machine(machine).filter(|(_, state)| state.counts)?;
    physical_state.pool_of(machine)
}

/// Adds every object that the physical rules read for a machine to the dependencies.
fn add_dependencies(
    physical_state: &PhysicalState<'_>,
    machine: ObjectRef,
    seen: &mut HashSet<ObjectRef>,
    dependencies: &mut Dependencies,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    let mut pending = vec![machine];
    while let Some(object) = pending.pop() {
        if !seen.insert(object) {
            continue;
        }
        steps.take()?;
        dependencies.row(object);
        if looks_at_referrers(physical_state, object) {
            dependencies.referrers(object);
        }
        physical_state.each_needed(object, &mut |needed| pending.push(needed));
    }
    Ok(())
}

/// Returns true if the rules read the referrers of an object: the inlets of a machine, the cable on a port, or parts.
/// This includes machines with a battery.
fn looks_at_referrers(physical_state: &PhysicalState<'_>, object: ObjectRef) -> bool {
    let role = physical_state.role(object);
    let by_parts = |dependency: &Dependency| dependency.part_of.is_some();
    matches!(role.part, Part::Machine(_) | Part::Connector(_))
        || physical_state.roles.dependencies(object.kind).iter().any(by_parts)
}
