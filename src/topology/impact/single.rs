//! Single points of failure: the objects whose failure alone takes down, or cuts off, something else that is missed.
//!
//! The rules of impact are applied for one object after the other, up to what is gone; what was before, and the network,
//! are worked out once for all of them. So most objects cost next to nothing: nothing depends on them.

use std::collections::{BTreeSet, VecDeque};

use super::error::ImpactError;
use super::fall::Fall;
use super::findings::{Effect, Found, Impact};
use super::marks::Marks;
use super::network::Cuts;
use super::picture::{Picture, each};
use super::role::{Part, Roles, Rule};
use super::service::{self, Wanted};
use crate::inventory::{Place, Snapshot};
use crate::topology::line::Lines;
use crate::topology::steps::Steps;

/// How many steps the question may take. Everything is let fall once for each container that it is in.
pub const MOST_OF_POINTS: u64 = 500_000_000;

/// Whose single points of failure are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whose {
    /// Only objects anywhere beneath this one, and what joins them; `None`: all.
    pub within: Option<Place>,
    /// Only what is gone by this rule counts; `None`: by any.
    pub rule: Option<Rule>,
    /// How many steps it may take; `None`: [`MOST_OF_POINTS`].
    pub most_steps: Option<u64>,
}

/// An object whose failure alone takes something else away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinglePoint {
    /// The object.
    pub place: Place,
    /// How many others are down or cut off without it, besides what it contains and what is but a part of something.
    pub count: usize,
}

/// The single points of failure, those that take most away first.
///
/// # Errors
/// When it takes too many steps.
pub async fn single_points(
    snapshot: &Snapshot,
    roles: &Roles,
    lines: &Lines,
    whose: Whose,
) -> Result<Vec<SinglePoint>, ImpactError> {
    let mut steps = Steps::new(whose.most_steps.unwrap_or(MOST_OF_POINTS));
    let mut fall = Fall::new(Picture { snapshot, roles, marks: Marks::of(snapshot) });
    let objects = match whose.within {
        Some(place) => beneath(&fall.picture, place, &mut steps).await?,
        None => all(snapshot, &mut steps).await?,
    };
    let mut cuts = Cuts::around(&objects, &mut fall, lines, &mut steps).await?;
    let mut found = Vec::new();
    for place in objects {
        fall.give(place, &mut steps).await?;
        fall.settle(&mut steps).await?;
        let cut_off = cuts.cut_off(&mut fall, &mut steps).await?;
        let mut impact = Impact::of(&mut fall);
        for machine in cut_off {
            impact.add(&mut fall, Found::new(machine, Effect::Isolated, Rule::Network, vec![place]));
        }
        service::serve(&mut fall, &mut impact, Wanted::Gone, &mut steps).await?;
        let counts = |affected: &&super::Affected| {
            affected.effect != Effect::Degraded
                && whose.rule.is_none_or(|rule| rule == affected.rule)
                && fall.picture.role(affected.place).missed
                && !is_inside(&fall.picture, affected.place, place)
        };
        let count = impact.affected().iter().filter(counts).count();
        if count > 0 {
            found.push(SinglePoint { place, count });
        }
        fall.reset(impact.affected().iter().map(|affected| affected.place));
    }
    found.sort_by_cached_key(|point| {
        let id = snapshot.row(point.place).map(|row| row.common().id);
        (std::cmp::Reverse(point.count), point.place.kind, id)
    });
    Ok(found)
}

/// Whether an object is contained in another one, over any number of others.
fn is_inside(picture: &Picture<'_>, place: Place, container: Place) -> bool {
    let mut seen = BTreeSet::from([place]);
    let mut pending = vec![place];
    while let Some(at) = pending.pop() {
        if at == container {
            return true;
        }
        picture.each_container(at, &mut |outer| {
            if seen.insert(outer) {
                pending.push(outer);
            }
        });
    }
    false
}

/// All objects.
async fn all(snapshot: &Snapshot, steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
    let mut found = Vec::with_capacity(snapshot.len());
    for kind in snapshot.registry().kinds() {
        for (slot, _) in snapshot.table(kind.id).rows(0) {
            steps.take().await?;
            found.push(Place { kind: kind.id, slot });
        }
    }
    Ok(found)
}

/// An object with everything beneath it, and the joints and crossings that end at any of that.
async fn beneath(picture: &Picture<'_>, place: Place, steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
    let registry = picture.snapshot.registry();
    let mut seen = BTreeSet::from([place]);
    let mut pending = VecDeque::from([place]);
    while let Some(at) = pending.pop_front() {
        let mut found = Vec::new();
        each(picture.snapshot.incoming(at), &mut |by, other| {
            let inside = registry.field(by).reference.is_some_and(|reference| reference.within);
            if inside || picture.roles.sides.contains(&by) {
                found.push(other);
            }
        });
        each(picture.snapshot.outgoing(at), &mut |by, other| {
            let is_end = matches!(picture.role(other).part, Part::Crossing(crossing) if crossing.ends == by);
            found.extend(is_end.then_some(other));
        });
        for other in found {
            steps.take().await?;
            // What only ends here does not lead on: its other ends are elsewhere.
            if seen.insert(other) && !matches!(picture.role(other).part, Part::Joint(_) | Part::Crossing(_)) {
                pending.push_back(other);
            }
        }
    }
    Ok(seen.into_iter().collect())
}
