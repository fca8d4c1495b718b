//! Single points of failure: the objects whose failure alone takes down, or cuts off, something else that is missed.
//!
//! The rules of impact are applied for one object after the other, up to what is gone; what was before, and the network,
//! are worked out once for all of them. Objects fail from the inside outwards (`nest`), and the failure of a container
//! takes over all that those inside do: it begins with what that left standing, and goes on from what is new. What is
//! gone does not depend on the order in which it fell, so that this is what the failure of the container alone does. By
//! which rule an object fell does depend on it: where that is asked for, every object fails by itself.

use super::error::ImpactError;
use super::fall::Fall;
use super::findings::{Affected, Effect, Found, Impact};
use super::marks::{ByPlace, DOWN, Marks};
use super::nest::{apart, inside_out};
use super::network::{Cuts, NodeId};
use super::picture::{Picture, each};
use super::role::{Part, Roles, Rule};
use super::service::{self, Wanted};
use crate::inventory::{Place, Snapshot};
use crate::topology::line::Lines;
use crate::topology::steps::Steps;

/// How many steps the question may take. Where a rule is asked for, everything is let fall once for each container that
/// it is in.
pub const MOST_OF_POINTS: u64 = 500_000_000;

/// Whose single points of failure are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whose<'a> {
    /// Only objects anywhere beneath this one, and what joins them; `None`: all.
    pub within: Option<Place>,
    /// Only what is gone by this rule counts; `None`: by any.
    pub rule: Option<Rule>,
    /// Only what is in this part of the snapshot counts, and is told of; `None`: everything.
    pub seen: Option<&'a Snapshot>,
    /// How many steps it may take; `None`: [`MOST_OF_POINTS`].
    pub most_steps: Option<u64>,
}

impl Whose<'_> {
    /// Whether an object of the snapshot is told of.
    fn sees(&self, snapshot: &Snapshot, place: Place) -> bool {
        self.seen.is_none_or(|seen| snapshot.row(place).is_some_and(|row| seen.find(row.common().id).is_some()))
    }
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
    whose: Whose<'_>,
) -> Result<Vec<SinglePoint>, ImpactError> {
    let mut steps = Steps::new(whose.most_steps.unwrap_or(MOST_OF_POINTS));
    let mut fall = Fall::new(Picture { snapshot, roles, marks: Marks::of_many(snapshot) });
    let objects = match whose.within {
        Some(place) => beneath(&fall.picture, place, &mut steps).await?,
        None => all(snapshot, &mut steps).await?,
    };
    let mut cuts = Cuts::around(&objects, &mut fall, lines, &mut steps).await?;
    let order = match whose.rule {
        None => inside_out(&fall.picture, &objects, &mut steps).await?,
        Some(_) => apart(&objects),
    };
    let mut found = Vec::new();
    // What the objects inside of one that is yet to come did: of that at each depth.
    let mut of_inside: Vec<Done> = Vec::new();
    for (number, nested) in (1..).zip(&order) {
        let depth = nested.depth;
        of_inside.resize_with(of_inside.len().max(depth + 2), Done::default);
        let mut done = std::mem::take(&mut of_inside[depth + 1]);
        fall.picture.marks.go_on(number, nested.first);
        done.with(nested.object, whose, &mut fall, &mut cuts, &mut steps).await?;
        if !done.gone.is_empty() && whose.sees(snapshot, nested.object) {
            found.push(SinglePoint { place: nested.object, count: done.gone.len() });
        }
        if whose.rule.is_none() {
            of_inside[depth].add(done);
        }
    }
    found.sort_by_cached_key(|point| {
        let id = snapshot.row(point.place).map(|row| row.common().id);
        (std::cmp::Reverse(point.count), point.place.kind, id)
    });
    Ok(found)
}

/// What failures did, as far as a failure of what contains them goes on from there.
#[derive(Debug, Default)]
struct Done {
    /// What is gone outside of what failed, and missed.
    gone: Vec<Place>,
    /// What stands, but depends on something that fell.
    touched: Vec<Place>,
    /// What is served by something that is gone.
    waiting: Vec<Place>,
    /// Nodes that stand, but may have lost a way.
    beside: Vec<NodeId>,
}

impl Done {
    fn add(&mut self, other: Self) {
        self.gone.extend(other.gone);
        self.touched.extend(other.touched);
        self.waiting.extend(other.waiting);
        self.beside.extend(other.beside);
    }

    /// Goes on from what the objects in a container did to what the failure of this container does.
    async fn with<'a>(
        &mut self,
        place: Place,
        whose: Whose<'_>,
        fall: &mut Fall<'a>,
        cuts: &mut Cuts<'a>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        fall.go_on(distinct(&mut self.touched), distinct(&mut self.waiting));
        fall.give(place, steps).await?;
        fall.look_again(steps).await?;
        fall.settle(steps).await?;
        let cut_off = cuts.cut_off(fall, &mut self.beside, steps).await?;
        let mut impact = Impact::of(fall);
        for machine in cut_off {
            impact.add(fall, Found::new(machine, Effect::Isolated, Rule::Network, vec![place]));
        }
        service::serve(fall, &mut impact, Wanted::Gone, steps).await?;
        let counts = |affected: &&Affected| {
            whose.rule.is_none_or(|rule| rule == affected.rule)
                && fall.picture.role(affected.place).missed
                && whose.sees(fall.picture.snapshot, affected.place)
        };
        self.gone.extend(impact.affected().iter().filter(counts).map(|affected| affected.place));
        let mut gone = distinct(&mut self.gone);
        gone.retain(|gone| !is_inside(&fall.picture, *gone, place));
        let stands = |place: &Place| !fall.picture.marks.has(*place, DOWN);
        self.gone = gone;
        self.touched = std::mem::take(&mut fall.touched);
        self.touched.retain(stands);
        self.waiting = std::mem::take(&mut fall.waiting);
        self.waiting.retain(stands);
        Ok(())
    }
}

/// Each of these once.
fn distinct(places: &mut Vec<Place>) -> Vec<Place> {
    let mut places = std::mem::take(places);
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether an object is contained in another one, over any number of others.
fn is_inside(picture: &Picture<'_>, place: Place, container: Place) -> bool {
    // What contains an object are a few.
    let mut containers = vec![place];
    let mut next = 0;
    while let Some(at) = containers.get(next).copied() {
        if at == container {
            return true;
        }
        next += 1;
        picture.each_container(at, &mut |outer| {
            if !containers.contains(&outer) {
                containers.push(outer);
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
    let mut seen = ByPlace::<bool>::of(picture.snapshot);
    *seen.get_mut(place) = true;
    let (mut all, mut pending, mut found) = (vec![place], vec![place], Vec::new());
    while let Some(at) = pending.pop() {
        each(picture.snapshot.incoming(at), &mut |by, other| {
            let reference = registry.field(by).reference.filter(|reference| reference.within);
            let row = picture.snapshot.row(other);
            let inside = reference.zip(row).is_some_and(|(reference, row)| !reference.is_apart(row.as_ref()));
            if inside || picture.roles.sides.contains(&by) {
                found.push(other);
            }
        });
        each(picture.snapshot.outgoing(at), &mut |by, other| {
            let is_end = matches!(picture.role(other).part, Part::Crossing(crossing) if crossing.ends == by);
            found.extend(is_end.then_some(other));
        });
        for other in found.drain(..) {
            steps.take().await?;
            if std::mem::replace(seen.get_mut(other), true) {
                continue;
            }
            all.push(other);
            // What only ends here does not lead on: its other ends are elsewhere.
            if !matches!(picture.role(other).part, Part::Joint(_) | Part::Crossing(_)) {
                pending.push(other);
            }
        }
    }
    all.sort_unstable();
    Ok(all)
}
