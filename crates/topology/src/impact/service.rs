//! Applies the service rules to pools, guests and associations. Nothing propagates from these back to the objects that
//! serve them. So each is checked once, after all other rules: first pools, then guests, then associations.

use super::error::ImpactError;
use super::fall::Fall;
use super::findings::{Effect, Found, Impact, Share};
use super::marks::{GONE_SINCE, Mark};
use super::picture::{Dependent, Moment, Picture, each_by};
use super::pool;
use super::role::{Association, Part, Rule};
use crate::steps::Steps;
use underlay_inventory::{Place, ReferenceId};

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
    fall: &mut Fall<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    // The dependents of objects that are down are in `waiting` already.
    for at in 0..impact.affected().len() {
        steps.take()?;
        let affected = impact.affected()[at];
        if affected.effect != Effect::Down {
            tell(fall, affected.place);
        }
    }
    match fall.waiting.is_empty() {
        true => Ok(()),
        false => serve_waiting(fall, impact, wanted, steps),
    }
}

fn serve_waiting(
    fall: &mut Fall<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    for pool in waiting(fall, |part| matches!(part, Part::Pool)) {
        if let Some(found) = pool_found(fall, pool, wanted, steps)? {
            impact.add(fall, found);
            tell(fall, pool);
        }
    }
    for guest in waiting(fall, |part| matches!(part, Part::Guest(_))) {
        if let Some(found) = guest_found(fall, guest, steps)? {
            let is_down = found.effect == Effect::Down;
            impact.add(fall, found);
            if is_down {
                parts_fall(fall, impact, guest, steps)?;
            }
        }
    }
    for place in waiting(fall, |part| matches!(part, Part::Association(_))) {
        let Part::Association(association) = fall.picture.role(place).part else { continue };
        if was_joined(fall, place, &association, steps)?
            && let Some(found) = association_found(&fall.picture, place, &association)
            && (wanted == Wanted::All || found.effect != Effect::Degraded)
        {
            impact.add(fall, found);
        }
    }
    Ok(())
}

/// Adds the objects that an affected object serves to `waiting`.
fn tell(fall: &mut Fall<'_>, place: Place) {
    let mut served = Vec::new();
    fall.picture.each_dependent(place, &mut |dependent| match dependent {
        Dependent::Serves(place) => served.push(place),
        Dependent::Falls(_) => {}
    });
    served.into_iter().for_each(|place| fall.wait(place));
}

/// Returns the waiting objects of some kinds, in the order of their places.
fn waiting(fall: &Fall<'_>, wanted: impl Fn(&Part) -> bool) -> Vec<Place> {
    let mut found: Vec<Place> = fall.waiting.clone();
    found.retain(|place| wanted(&fall.picture.role(*place).part));
    found.sort_unstable();
    found
}

/// Returns the machines that a pool counts, that were up before and that are gone now.
fn lost(fall: &mut Fall<'_>, pool: Place, steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
    let mut found = Vec::new();
    for by in &fall.picture.roles.pools {
        each_by(fall.picture.snapshot.incoming(pool), *by, &mut |machine| {
            let is_counted = || fall.picture.machine(machine).is_some_and(|(_, state)| state.counts);
            if fall.picture.marks.has(machine, GONE_SINCE) && is_counted() {
                found.push(machine);
            }
        });
    }
    for machine in &found {
        steps.take()?;
        fall.explore(*machine, steps)?;
    }
    found.retain(|machine| !fall.picture.is_down(*machine, Moment::Before));
    Ok(found)
}

/// Returns true if a machine that the pool counts was up before and has none of these marks; `None` if the pool counts
/// no machine.
fn has_member(
    fall: &mut Fall<'_>,
    pool: Place,
    without: Option<Mark>,
    steps: &mut Steps,
) -> Result<Option<bool>, ImpactError> {
    let (snapshot, roles) = (fall.picture.snapshot, fall.picture.roles);
    let mut counted = None;
    for machine in roles.pools.iter().flat_map(|by| snapshot.incoming(pool).by(*by)) {
        steps.take()?;
        if fall.picture.machine(machine).is_some_and(|(_, state)| state.counts) {
            counted = Some(false);
            fall.explore(machine, steps)?;
            let fits = without.is_none_or(|mark| !fall.picture.marks.has(machine, mark));
            if fits && !fall.picture.is_down(machine, Moment::Before) {
                return Ok(Some(true));
            }
        }
    }
    Ok(counted)
}

/// Returns true if any machine of a pool is gone since the failure.
fn lost_any(picture: &Picture<'_>, pool: Place) -> bool {
    let mut machines = picture.roles.pools.iter().flat_map(|by| picture.snapshot.incoming(pool).by(*by));
    machines.any(|machine| picture.marks.has(machine, GONE_SINCE))
}

/// Evaluates a pool. It is gone when all of its machines are: down if all are down, else cut off. It is degraded if
/// only some are gone.
fn pool_found(
    fall: &mut Fall<'_>,
    pool: Place,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<Option<Found>, ImpactError> {
    let stands = match wanted {
        Wanted::All => !lost_any(&fall.picture, pool),
        Wanted::Gone => has_member(fall, pool, Some(GONE_SINCE), steps)? == Some(true),
    };
    if stands {
        return Ok(None);
    }
    let lost = lost(fall, pool, steps)?;
    if lost.is_empty() {
        return Ok(None);
    }
    let of = match wanted {
        Wanted::All => pool::up_before(fall, pool, steps)?,
        // No machine is left, so all that were up before are lost.
        Wanted::Gone => lost.len() as u32,
    };
    let effect = match lost.iter().all(|place| fall.picture.fell(*place)) {
        _ if (lost.len() as u32) < of => Effect::Degraded,
        true => Effect::Down,
        false => Effect::Isolated,
    };
    let share = Some(Share { lost: lost.len() as u32, of });
    Ok(Some(Found { place: pool, effect, rule: Rule::Hosting, share, because: lost }))
}

/// Evaluates a guest: it has the same effect as its host.
fn guest_found(fall: &mut Fall<'_>, place: Place, steps: &mut Steps) -> Result<Option<Found>, ImpactError> {
    steps.take()?;
    fall.explore(place, steps)?;
    let Part::Guest(guest) = fall.picture.role(place).part else { return Ok(None) };
    let Some(host) = guest.hosts.iter().find_map(|by| fall.picture.follow(place, *by)) else { return Ok(None) };
    Ok(effect_on(&fall.picture, host).map(|effect| Found::new(place, effect, Rule::Hosting, vec![host])))
}

/// Takes the parts of a guest down with it.
fn parts_fall(fall: &mut Fall<'_>, impact: &mut Impact, guest: Place, steps: &mut Steps) -> Result<(), ImpactError> {
    let mut parts = Vec::new();
    fall.picture.each_dependent(guest, &mut |dependent| match dependent {
        Dependent::Falls(place) => parts.push(place),
        Dependent::Serves(_) => {}
    });
    for part in parts {
        steps.take()?;
        fall.explore(part, steps)?;
        // Waiting objects are the ones whose marks are cleared together with the failure.
        fall.wait(part);
        impact.add(fall, Found::new(part, Effect::Down, Rule::Containment, vec![guest]));
    }
    Ok(())
}

/// Returns the strongest effect on an object.
fn effect_on(picture: &Picture<'_>, place: Place) -> Option<Effect> {
    let all = [Effect::Down, Effect::Isolated, Effect::Degraded];
    all.into_iter().find(|effect| picture.marks.has(place, effect.mark()))
}

/// Returns true if an association was up before: both of its ends, and at least one object that realises it.
fn was_joined(
    fall: &mut Fall<'_>,
    place: Place,
    association: &Association,
    steps: &mut Steps,
) -> Result<bool, ImpactError> {
    steps.take()?;
    for end in targets(&fall.picture, place, &association.ends) {
        let up = match fall.picture.role(end).part {
            Part::Pool => has_member(fall, end, None, steps)?.unwrap_or(true),
            _ => {
                fall.explore(end, steps)?;
                !fall.picture.is_down(end, Moment::Before)
            }
        };
        if !up {
            return Ok(false);
        }
    }
    let carriers = targets(&fall.picture, place, &[association.carriers]);
    let mut up = carriers.is_empty();
    for carrier in carriers {
        fall.explore(carrier, steps)?;
        up |= !fall.picture.is_down(carrier, Moment::Before);
    }
    Ok(up)
}

/// Evaluates an association. It is down if an end is down or if all objects that realise it are; it is degraded if some
/// are. If no object realises it, it has the effect of its ends.
fn association_found(picture: &Picture<'_>, place: Place, association: &Association) -> Option<Found> {
    let ends = targets(picture, place, &association.ends);
    let carriers = targets(picture, place, &[association.carriers]);
    let found = |effect, because| Some(Found::new(place, effect, Rule::Association, because));
    let having = |effect: Effect| {
        let ends: Vec<Place> = ends.iter().copied().filter(|end| effect_on(picture, *end) == Some(effect)).collect();
        Some(ends).filter(|ends| !ends.is_empty())
    };
    if let Some(down) = having(Effect::Down) {
        return found(Effect::Down, down);
    }
    let fallen: Vec<Place> = carriers.iter().copied().filter(|carrier| picture.fell(*carrier)).collect();
    match (carriers.is_empty(), fallen.is_empty()) {
        (true, _) => {
            let weaker = [Effect::Isolated, Effect::Degraded];
            weaker.into_iter().find_map(|effect| found(effect, having(effect)?))
        }
        (false, true) => None,
        (false, false) if carriers.iter().all(|carrier| picture.is_down(*carrier, Moment::After)) => {
            found(Effect::Down, fallen)
        }
        (false, false) => found(Effect::Degraded, fallen),
    }
}

/// Returns the objects that an object refers to by some references.
fn targets(picture: &Picture<'_>, place: Place, by: &[ReferenceId]) -> Vec<Place> {
    let mut found = Vec::new();
    by.iter().for_each(|by| each_by(picture.snapshot.outgoing(place), *by, &mut |target| found.push(target)));
    found
}
