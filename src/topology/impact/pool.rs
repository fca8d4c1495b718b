//! How many of the machines of a pool were up before anything failed: kept with the value, for stretches of the table of
//! machines.
//!
//! A failure takes a few machines of a pool away, and a pool can have those of a whole fleet. Whether each of them was up
//! follows from all that it stands in and draws power from, so to look at all of them costs far more than the failure
//! itself. What is known of a stretch stays known until something changes that one of its machines depends on.

use std::sync::Arc;

use foldhash::HashSet;

use super::error::ImpactError;
use super::fall::Fall;
use super::picture::{Moment, Picture};
use super::role::{Dependency, Part};
use crate::inventory::{Grounds, Place};
use crate::topology::steps::Steps;

/// How many slots of a table a stretch has. A change of a machine costs another look at its stretch.
const STRETCH: u32 = 64;

/// The pools of the machines in a stretch, each with how many of the machines that it counts were up.
#[derive(Debug, Default)]
struct UpBefore(Vec<(Place, u32)>);

/// How many of the machines that a pool counts were up before.
pub(super) async fn up_before(fall: &mut Fall<'_>, pool: Place, steps: &mut Steps) -> Result<u32, ImpactError> {
    let (snapshot, roles) = (fall.picture.snapshot, fall.picture.roles);
    let (mut count, mut last) = (0, None);
    // Those of a kind come in the order of their slots.
    for machine in roles.pools.iter().flat_map(|by| snapshot.incoming(pool).by(*by)) {
        let stretch = Place { slot: machine.slot - machine.slot % STRETCH, ..machine };
        if last.replace(stretch) == Some(stretch) {
            continue;
        }
        steps.take().await?;
        let known = match snapshot.learnt::<UpBefore>(stretch) {
            Some(known) => known,
            None => Box::pin(learn(fall, stretch, steps)).await?,
        };
        count += known.0.iter().filter(|(of, _)| *of == pool).map(|(_, count)| count).sum::<u32>();
    }
    Ok(count)
}

/// Looks at the machines in a stretch.
async fn learn(fall: &mut Fall<'_>, stretch: Place, steps: &mut Steps) -> Result<Arc<UpBefore>, ImpactError> {
    let (mut found, mut grounds) = (UpBefore::default(), Grounds::default());
    let mut seen = HashSet::default();
    for slot in stretch.slot..stretch.slot.saturating_add(STRETCH) {
        let machine = Place { slot, ..stretch };
        // What is not there yet may come.
        grounds.row(machine);
        let Some(pool) = pool_of(&fall.picture, machine) else { continue };
        steps.take().await?;
        fall.explore(machine, steps).await?;
        add_grounds(&fall.picture, machine, &mut seen, &mut grounds, steps).await?;
        if fall.picture.is_down(machine, Moment::Before) {
            continue;
        }
        match found.0.iter_mut().find(|(of, _)| *of == pool) {
            Some((_, count)) => *count += 1,
            None => found.0.push((pool, 1)),
        }
    }
    let found = Arc::new(found);
    fall.picture.snapshot.learn(stretch, Arc::clone(&found), grounds);
    Ok(found)
}

/// The pool that counts a machine.
fn pool_of(picture: &Picture<'_>, machine: Place) -> Option<Place> {
    let (role, _) = picture.machine(machine).filter(|(_, state)| state.counts)?;
    picture.follow(machine, role.pool)
}

/// Adds all that the physical rules look at for a machine.
async fn add_grounds(
    picture: &Picture<'_>,
    machine: Place,
    seen: &mut HashSet<Place>,
    grounds: &mut Grounds,
    steps: &mut Steps,
) -> Result<(), ImpactError> {
    let mut pending = vec![machine];
    while let Some(place) = pending.pop() {
        if !seen.insert(place) {
            continue;
        }
        steps.take().await?;
        grounds.row(place);
        if looks_at_referrers(picture, place) {
            grounds.referrers(place);
        }
        picture.each_needed(place, &mut |needed| pending.push(needed));
    }
    Ok(())
}

/// Whether the rules look at what refers to an object: the inlets of a machine, the joint on a plug, parts. A machine
/// that runs on a battery is no exception.
fn looks_at_referrers(picture: &Picture<'_>, place: Place) -> bool {
    let role = picture.role(place);
    let by_parts = |dependency: &Dependency| dependency.part_of.is_some();
    matches!(role.part, Part::Machine(_) | Part::Plug(_)) || role.with.iter().any(by_parts)
}
