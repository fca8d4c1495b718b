//! What is served by machines and lines: pools, guests, associations. Nothing goes on from them to what serves them, so
//! they are looked at once, after all else is settled: first pools, then guests, then associations.

use super::error::ImpactError;
use super::fall::Fall;
use super::findings::{Effect, Found, Impact, Share};
use super::marks::{GONE_SINCE, Mark};
use super::picture::{Dependent, Moment, Picture, each_by};
use super::pool;
use super::role::{Association, Part, Rule};
use crate::inventory::{Place, ReferenceId};
use crate::topology::steps::Steps;

/// Which effects on what is served are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of them.
    All,
    /// Only what is gone: it need not be known of a pool how much of it stands, if some does, and nothing is found that
    /// only lost a part.
    Gone,
}

/// Applies the rules for what is served.
pub(super) async fn serve(
    fall: &mut Fall<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    // What fell has told its dependents already.
    for at in 0..impact.affected().len() {
        steps.take().await?;
        let affected = impact.affected()[at];
        if affected.effect != Effect::Down {
            tell(fall, affected.place);
        }
    }
    match fall.waiting.is_empty() {
        true => Ok(()),
        // Most failures leave nothing waiting, and the future of looking is large.
        false => Box::pin(serve_waiting(fall, impact, wanted, steps)).await,
    }
}

async fn serve_waiting(
    fall: &mut Fall<'_>,
    impact: &mut Impact,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    for pool in waiting(fall, |part| matches!(part, Part::Pool)) {
        if let Some(found) = pool_found(fall, pool, wanted, steps).await? {
            impact.add(fall, found);
            tell(fall, pool);
        }
    }
    for guest in waiting(fall, |part| matches!(part, Part::Guest(_))) {
        if let Some(found) = guest_found(fall, guest, steps).await? {
            let is_down = found.effect == Effect::Down;
            impact.add(fall, found);
            if is_down {
                parts_fall(fall, impact, guest, steps).await?;
            }
        }
    }
    for place in waiting(fall, |part| matches!(part, Part::Association(_))) {
        let Part::Association(association) = fall.picture.role(place).part else { continue };
        if was_joined(fall, place, &association, steps).await?
            && let Some(found) = association_found(&fall.picture, place, &association)
            && (wanted == Wanted::All || found.effect != Effect::Degraded)
        {
            impact.add(fall, found);
        }
    }
    Ok(())
}

/// Lets wait what is served by an object that is affected.
fn tell(fall: &mut Fall<'_>, place: Place) {
    let mut served = Vec::new();
    fall.picture.each_dependent(place, &mut |dependent| match dependent {
        Dependent::Serves(place) => served.push(place),
        Dependent::Falls(_) => {}
    });
    served.into_iter().for_each(|place| fall.wait(place));
}

/// What waits, of some kinds, in the order of its places.
fn waiting(fall: &Fall<'_>, wanted: impl Fn(&Part) -> bool) -> Vec<Place> {
    let mut found: Vec<Place> = fall.waiting.clone();
    found.retain(|place| wanted(&fall.picture.role(*place).part));
    found.sort_unstable();
    found
}

/// The machines that a pool counts which were up before and are gone.
async fn lost(fall: &mut Fall<'_>, pool: Place, steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
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
        steps.take().await?;
        fall.explore(*machine, steps).await?;
    }
    found.retain(|machine| !fall.picture.is_down(*machine, Moment::Before));
    Ok(found)
}

/// Whether one of the machines that a pool counts was up before and has none of these marks; `None`: it counts none.
async fn has_member(
    fall: &mut Fall<'_>,
    pool: Place,
    without: Option<Mark>,
    steps: &mut Steps,
) -> Result<Option<bool>, ImpactError> {
    let (snapshot, roles) = (fall.picture.snapshot, fall.picture.roles);
    let mut counted = None;
    for machine in roles.pools.iter().flat_map(|by| snapshot.incoming(pool).by(*by)) {
        steps.take().await?;
        if fall.picture.machine(machine).is_some_and(|(_, state)| state.counts) {
            counted = Some(false);
            fall.explore(machine, steps).await?;
            let fits = without.is_none_or(|mark| !fall.picture.marks.has(machine, mark));
            if fits && !fall.picture.is_down(machine, Moment::Before) {
                return Ok(Some(true));
            }
        }
    }
    Ok(counted)
}

/// Whether any of the machines of a pool is gone since.
fn lost_any(picture: &Picture<'_>, pool: Place) -> bool {
    let mut machines = picture.roles.pools.iter().flat_map(|by| picture.snapshot.incoming(pool).by(*by));
    machines.any(|machine| picture.marks.has(machine, GONE_SINCE))
}

/// A pool is gone with all of its machines: down when all are down, else cut off. It is degraded without some.
async fn pool_found(
    fall: &mut Fall<'_>,
    pool: Place,
    wanted: Wanted,
    steps: &mut Steps,
) -> Result<Option<Found>, ImpactError> {
    let stands = match wanted {
        Wanted::All => !lost_any(&fall.picture, pool),
        Wanted::Gone => has_member(fall, pool, Some(GONE_SINCE), steps).await? == Some(true),
    };
    if stands {
        return Ok(None);
    }
    let lost = lost(fall, pool, steps).await?;
    if lost.is_empty() {
        return Ok(None);
    }
    let of = match wanted {
        Wanted::All => pool::up_before(fall, pool, steps).await?,
        // It does not stand, so there were no others.
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

/// A guest follows what it runs on.
async fn guest_found(fall: &mut Fall<'_>, place: Place, steps: &mut Steps) -> Result<Option<Found>, ImpactError> {
    steps.take().await?;
    fall.explore(place, steps).await?;
    let Part::Guest(guest) = fall.picture.role(place).part else { return Ok(None) };
    let Some(host) = guest.hosts.iter().find_map(|by| fall.picture.follow(place, *by)) else { return Ok(None) };
    Ok(effect_on(&fall.picture, host).map(|effect| Found::new(place, effect, Rule::Hosting, vec![host])))
}

/// The parts of a guest go down with it.
async fn parts_fall(
    fall: &mut Fall<'_>,
    impact: &mut Impact,
    guest: Place,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    let mut parts = Vec::new();
    fall.picture.each_dependent(guest, &mut |dependent| match dependent {
        Dependent::Falls(place) => parts.push(place),
        Dependent::Serves(_) => {}
    });
    for part in parts {
        steps.take().await?;
        fall.explore(part, steps).await?;
        // What waits is forgotten together with the failure.
        fall.wait(part);
        impact.add(fall, Found::new(part, Effect::Down, Rule::Containment, vec![guest]));
    }
    Ok(())
}

/// How an object is affected.
fn effect_on(picture: &Picture<'_>, place: Place) -> Option<Effect> {
    let all = [Effect::Down, Effect::Isolated, Effect::Degraded];
    all.into_iter().find(|effect| picture.marks.has(place, effect.mark()))
}

/// Whether what an association stands for was there before: both ends, and one of what realises it.
async fn was_joined(
    fall: &mut Fall<'_>,
    place: Place,
    association: &Association,
    steps: &mut Steps,
) -> Result<bool, ImpactError> {
    steps.take().await?;
    for end in targets(&fall.picture, place, &association.ends) {
        let up = match fall.picture.role(end).part {
            Part::Pool => has_member(fall, end, None, steps).await?.unwrap_or(true),
            _ => {
                fall.explore(end, steps).await?;
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
        fall.explore(carrier, steps).await?;
        up |= !fall.picture.is_down(carrier, Moment::Before);
    }
    Ok(up)
}

/// An association is down with an end or with all that realises it, degraded without some of that. Where nothing
/// realises it, it follows its ends.
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

/// What an object refers to by some references.
fn targets(picture: &Picture<'_>, place: Place, by: &[ReferenceId]) -> Vec<Place> {
    let mut found = Vec::new();
    by.iter().for_each(|by| each_by(picture.snapshot.outgoing(place), *by, &mut |target| found.push(target)));
    found
}
