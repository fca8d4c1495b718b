//! Applies the service rules to pools, guests and associations. Nothing propagates from these back to the objects that
//! serve them. So each is checked once, after all other rules: first pools, then guests, then associations.

use super::error::ImpactError;
use super::findings::{Effect, Finding, Impact, Share};
use super::marks::{GONE_SINCE, Mark};
use super::physical_state::{Dependent, Moment, PhysicalState, each_by};
use super::pool;
use super::propagate::Propagation;
use crate::role::{Association, Part, Rule};
use crate::steps::Steps;
use underlay_inventory::{ObjectRef, ReferenceId};

/// The effects that the caller asks the service rules for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every effect, including lost redundancy.
    All,
    /// Only objects that are gone. Objects that merely lost redundancy are not found. Members of a pool are not counted
    /// if at least one of them is still up.
    Gone,
}

/// Applies the service rules.
pub(super) fn serve(
    propagation: &mut Propagation<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    // The dependents of objects that are down are in `waiting` already.
    for at in 0..impact.affected().len() {
        steps.take()?;
        let affected = impact.affected()[at];
        if affected.effect != Effect::Down {
            add_served(propagation, affected.object);
        }
    }
    match propagation.waiting.is_empty() {
        true => Ok(()),
        false => serve_waiting(propagation, impact, wanted, steps),
    }
}

fn serve_waiting(
    propagation: &mut Propagation<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    for pool in waiting(propagation, |part| matches!(part, Part::Pool(_))) {
        if let Some(found) = pool_found(propagation, pool, wanted, steps)? {
            impact.add(propagation, found);
            add_served(propagation, pool);
        }
    }
    let is_guest = |part: &Part| matches!(part, Part::Guest(_));
    let mut guests = waiting(propagation, is_guest);
    let mut at = 0;
    while let Some(guest) = guests.get(at).copied() {
        at += 1;
        if let Some(found) = guest_found(propagation, guest, steps)? {
            let is_down = found.effect == Effect::Down;
            impact.add(propagation, found);
            if is_down {
                propagate_to_parts(propagation, impact, guest, steps)?;
            }
            // A guest may itself have guests, which come later. Each object waits once, so the loop ends.
            let before = propagation.waiting.len();
            add_served(propagation, guest);
            let further = propagation.waiting[before..].iter().copied();
            guests.extend(further.filter(|object| is_guest(&propagation.physical_state.role(*object).part)));
        }
    }
    for object in waiting(propagation, |part| matches!(part, Part::Association(_))) {
        let Part::Association(association) = propagation.physical_state.role(object).part else { continue };
        if was_joined(propagation, object, &association, steps)?
            && let Some(found) = association_found(&propagation.physical_state, object, &association)
            && (wanted == Wanted::All || found.effect != Effect::Degraded)
        {
            impact.add(propagation, found);
        }
    }
    Ok(())
}

/// Adds the objects that an affected object serves to `waiting`.
fn add_served(propagation: &mut Propagation<'_>, object: ObjectRef) {
    let mut served = Vec::new();
    propagation.physical_state.each_dependent(object, &mut |dependent| match dependent {
        Dependent::Serves(object) => served.push(object),
        Dependent::GoesDown(_) => {}
    });
    served.into_iter().for_each(|object| propagation.wait(object));
}

/// Returns the waiting objects of some kinds, in the order of their tables.
fn waiting(propagation: &Propagation<'_>, wanted: impl Fn(&Part) -> bool) -> Vec<ObjectRef> {
    let mut found: Vec<ObjectRef> = propagation.waiting.clone();
    found.retain(|object| wanted(&propagation.physical_state.role(*object).part));
    found.sort_unstable();
    found
}

/// Returns the machines that a pool counts, that were up before and that are gone now.
fn lost(propagation: &mut Propagation<'_>, pool: ObjectRef, steps: &mut Steps) -> Result<Vec<ObjectRef>, ImpactError> {
    let mut found = Vec::new();
    for by in &propagation.physical_state.roles.pools {
        each_by(propagation.physical_state.snapshot.incoming(pool), *by, &mut |machine| {
            let is_counted = || propagation.physical_state.machine(machine).is_some_and(|(_, state)| state.counts);
            if propagation.physical_state.marks.has(machine, GONE_SINCE) && is_counted() {
                found.push(machine);
            }
        });
    }
    for machine in &found {
        steps.take()?;
        propagation.explore(*machine, steps)?;
    }
    found.retain(|machine| !propagation.physical_state.is_down(*machine, Moment::Before));
    Ok(found)
}

/// Returns true if a machine that the pool counts was up before and has none of these marks; `None` if the pool counts
/// no machine.
fn has_member(
    propagation: &mut Propagation<'_>,
    pool: ObjectRef,
    without: Option<Mark>,
    steps: &mut Steps,
) -> Result<Option<bool>, ImpactError> {
    let (snapshot, roles) = (propagation.physical_state.snapshot, propagation.physical_state.roles);
    let mut counted = None;
    for machine in roles.pools.iter().flat_map(|by| snapshot.incoming(pool).by(*by)) {
        steps.take()?;
        if propagation.physical_state.machine(machine).is_some_and(|(_, state)| state.counts) {
            counted = Some(false);
            propagation.explore(machine, steps)?;
            let fits = without.is_none_or(|mark| !propagation.physical_state.marks.has(machine, mark));
            if fits && !propagation.physical_state.is_down(machine, Moment::Before) {
                return Ok(Some(true));
            }
        }
    }
    Ok(counted)
}

/// Returns true if any machine of a pool is gone since the failure.
fn lost_any(physical_state: &PhysicalState<'_>, pool: ObjectRef) -> bool {
    let mut machines = physical_state.roles.pools.iter().flat_map(|by| physical_state.snapshot.incoming(pool).by(*by));
    machines.any(|machine| physical_state.marks.has(machine, GONE_SINCE))
}

/// Evaluates a pool. It is gone when all of its machines are: down if all are down, else cut off. It is degraded if
/// only some are gone.
fn pool_found(
    propagation: &mut Propagation<'_>,
    pool: ObjectRef,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<Option<Finding>, ImpactError> {
    let is_up = match wanted {
        Wanted::All => !lost_any(&propagation.physical_state, pool),
        Wanted::Gone => has_member(propagation, pool, Some(GONE_SINCE), steps)? == Some(true),
    };
    if is_up {
        return Ok(None);
    }
    let lost = lost(propagation, pool, steps)?;
    if lost.is_empty() {
        return Ok(None);
    }
    let of = match wanted {
        Wanted::All => pool::up_before(propagation, pool, steps)?,
        // No machine is left, so all that were up before are lost.
        Wanted::Gone => lost.len() as u32,
    };
    let effect = match lost.iter().all(|object| propagation.physical_state.went_down(*object)) {
        _ if (lost.len() as u32) < of => Effect::Degraded,
        true => Effect::Down,
        false => Effect::Isolated,
    };
    let share = Some(Share { lost: lost.len() as u32, of });
    Ok(Some(Finding { object: pool, effect, rule: Rule::Hosting, share, because: lost }))
}

/// Evaluates a guest: it has the same effect as its host.
fn guest_found(
    propagation: &mut Propagation<'_>,
    object: ObjectRef,
    steps: &mut Steps,
) -> Result<Option<Finding>, ImpactError> {
    steps.take()?;
    propagation.explore(object, steps)?;
    let Part::Guest(guest) = propagation.physical_state.role(object).part else { return Ok(None) };
    let Some(host) = guest.hosts.iter().find_map(|by| propagation.physical_state.follow(object, *by)) else {
        return Ok(None);
    };
    Ok(effect_on(&propagation.physical_state, host)
        .map(|effect| Finding::new(object, effect, Rule::Hosting, vec![host])))
}

/// Takes the parts of a guest down with it.
fn propagate_to_parts(
    propagation: &mut Propagation<'_>,
    impact: &mut Impact,
    guest: ObjectRef,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    let mut parts = Vec::new();
    propagation.physical_state.each_dependent(guest, &mut |dependent| match dependent {
        Dependent::GoesDown(object) => parts.push(object),
        Dependent::Serves(_) => {}
    });
    for part in parts {
        steps.take()?;
        propagation.explore(part, steps)?;
        // Waiting objects are the ones whose marks are cleared together with the failure.
        propagation.wait(part);
        impact.add(propagation, Finding::new(part, Effect::Down, Rule::Containment, vec![guest]));
    }
    Ok(())
}

/// Returns the strongest effect on an object.
fn effect_on(physical_state: &PhysicalState<'_>, object: ObjectRef) -> Option<Effect> {
    let all = [Effect::Down, Effect::Isolated, Effect::Degraded];
    all.into_iter().find(|effect| physical_state.marks.has(object, effect.mark()))
}

/// Returns true if an association was up before: both of its ends, and at least one object that realises it.
fn was_joined(
    propagation: &mut Propagation<'_>,
    object: ObjectRef,
    association: &Association,
    steps: &mut Steps,
) -> Result<bool, ImpactError> {
    steps.take()?;
    for end in targets(&propagation.physical_state, object, &association.ends) {
        let up = match propagation.physical_state.role(end).part {
            Part::Pool(_) => has_member(propagation, end, None, steps)?.unwrap_or(true),
            _ => {
                propagation.explore(end, steps)?;
                !propagation.physical_state.is_down(end, Moment::Before)
            }
        };
        if !up {
            return Ok(false);
        }
    }
    let carriers = targets(&propagation.physical_state, object, &[association.carriers]);
    let mut up = carriers.is_empty();
    for carrier in carriers {
        propagation.explore(carrier, steps)?;
        up |= !propagation.physical_state.is_down(carrier, Moment::Before);
    }
    Ok(up)
}

/// Evaluates an association. It is down if an end is down or if all objects that realise it are; it is degraded if some
/// are. If no object realises it, it has the effect of its ends.
fn association_found(
    physical_state: &PhysicalState<'_>,
    object: ObjectRef,
    association: &Association,
) -> Option<Finding> {
    let ends = targets(physical_state, object, &association.ends);
    let carriers = targets(physical_state, object, &[association.carriers]);
    let found = |effect, because| Some(Finding::new(object, effect, Rule::Association, because));
    let having = |effect: Effect| {
        let ends: Vec<ObjectRef> =
            ends.iter().copied().filter(|end| effect_on(physical_state, *end) == Some(effect)).collect();
        Some(ends).filter(|ends| !ends.is_empty())
    };
    if let Some(down) = having(Effect::Down) {
        return found(Effect::Down, down);
    }
    let down: Vec<ObjectRef> = carriers.iter().copied().filter(|carrier| physical_state.went_down(*carrier)).collect();
    match (carriers.is_empty(), down.is_empty()) {
        (true, _) => {
            let weaker = [Effect::Isolated, Effect::Degraded];
            weaker.into_iter().find_map(|effect| found(effect, having(effect)?))
        }
        (false, true) => None,
        (false, false) if carriers.iter().all(|carrier| physical_state.is_down(*carrier, Moment::After)) => {
            found(Effect::Down, down)
        }
        (false, false) => found(Effect::Degraded, down),
    }
}

/// Returns the objects that an object refers to by some references.
fn targets(physical_state: &PhysicalState<'_>, object: ObjectRef, by: &[ReferenceId]) -> Vec<ObjectRef> {
    let mut found = Vec::new();
    by.iter().for_each(|by| each_by(physical_state.snapshot.outgoing(object), *by, &mut |target| found.push(target)));
    found
}
