//! Finds single points of failure: objects whose failure alone takes down or cuts off another object that counts as a
//! loss.
//!
//! The impact rules are applied to one object after the other, but only to find what is gone. The state before the
//! failure and the network are computed once for all objects.
//!
//! Objects fail from the inside outwards (`nest`). The failure of a container takes over the results of the failures
//! inside it. It starts with the objects that these left up, and continues with the new failures. The set of objects
//! that are gone does not depend on the order in which they go down. So the result is the same as if the container
//! failed alone. The rule by which an object goes down does depend on the order. So if the query asks for a rule, every
//! object fails separately.

use super::error::ImpactError;
use super::findings::{Affected, Effect, Finding, Impact};
use super::marks::{DOWN, Marks, PerObject};
use super::nest::{Nested, apart, inside_out};
use super::network::{Cuts, NodeId};
use super::physical_state::{PhysicalState, each};
use super::propagate::Propagation;
use super::service::{self, Wanted};
use crate::role::{Part, Roles, Rule};
use crate::steps::{Steps, StopFlag};
use underlay_inventory::{ObjectRef, Snapshot};

/// The maximum number of steps of the query. If the query asks for a rule, an object is taken down again for each
/// container that it is in.
pub const MAX_SINGLE_POINT_STEPS: u64 = 500_000_000;

/// The parameters of a query for single points of failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinglePointQuery<'a> {
    /// The object to which the query is limited, with the objects anywhere beneath it and the cables and circuits that
    /// end at any of them; `None` for all objects.
    pub within: Option<ObjectRef>,
    /// The rule by which objects must be gone to count; `None` for any rule.
    pub rule: Option<Rule>,
    /// The part of the snapshot whose objects count and are returned; `None` for all of it.
    pub seen: Option<&'a Snapshot>,
    /// The maximum number of steps; `None` for [`MAX_SINGLE_POINT_STEPS`].
    pub max_steps: Option<u64>,
    /// The flag that stops the query; `None` if nothing stops it.
    pub stop: Option<&'a StopFlag>,
}

impl SinglePointQuery<'_> {
    /// Returns true if the caller can see an object of the snapshot.
    fn sees(&self, snapshot: &Snapshot, object: ObjectRef) -> bool {
        self.seen.is_none_or(|seen| snapshot.row(object).is_some_and(|row| seen.find(row.common().id).is_some()))
    }
}

/// An object whose failure alone takes down or cuts off other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinglePoint {
    /// The object that is a single point of failure.
    pub object: ObjectRef,
    /// The number of other objects that are down or cut off without it. Objects that it contains do not count, nor do
    /// objects that are only parts of others.
    pub count: usize,
}

/// Returns the single points of failure, sorted by the number of objects lost, largest first.
///
/// # Errors
/// Returns an error if the query takes too many steps.
pub fn single_points(
    snapshot: &Snapshot,
    roles: &Roles,
    query: SinglePointQuery<'_>,
) -> Result<Vec<SinglePoint>, ImpactError> {
    let mut steps = Steps::new(query.max_steps.unwrap_or(MAX_SINGLE_POINT_STEPS), query.stop.cloned());
    let mut propagation = Propagation::new(PhysicalState { snapshot, roles, marks: Marks::of_many(snapshot) });
    let objects = match query.within {
        Some(object) => beneath(&propagation.physical_state, object, &mut steps)?,
        None => all(snapshot, &mut steps)?,
    };
    let mut cuts = Cuts::around(&objects, &mut propagation, &mut steps)?;
    let order = match query.rule {
        None => inside_out(&propagation.physical_state, &objects, &mut steps)?,
        Some(_) => apart(&objects),
    };
    let mut found = Vec::new();
    let counts = |physical_state: &PhysicalState<'_>, affected: &Affected| {
        query.rule.is_none_or(|rule| rule == affected.rule)
            && physical_state.role(affected.object).reported.is_loss()
            && query.sees(snapshot, affected.object)
    };
    let nesting = if query.rule.is_none() { Nesting::TakesOver } else { Nesting::Apart };
    let failing = Failing { propagation: &mut propagation, cuts: &mut cuts, steps: &mut steps };
    failing.one_by_one(&order, nesting, counts, |physical_state, object, gone| {
        gone.retain(|gone| !is_inside(physical_state, *gone, object));
        if !gone.is_empty() && query.sees(snapshot, object) {
            found.push(SinglePoint { object, count: gone.len() });
        }
    })?;
    found.sort_by_cached_key(|point| {
        let id = snapshot.row(point.object).map(|row| row.common().id);
        (std::cmp::Reverse(point.count), point.object.kind, id)
    });
    Ok(found)
}

/// The way in which the failures of containers and of the objects in them are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    /// Each object fails separately.
    Apart,
    /// The failure of a container takes over the results of the failures inside it.
    TakesOver,
}

/// Evaluates the failures of many objects, one after the other.
pub(super) struct Failing<'f, 'a> {
    pub propagation: &'f mut Propagation<'a>,
    pub cuts: &'f mut Cuts<'a>,
    pub steps: &'f mut Steps,
}

impl Failing<'_, '_> {
    /// Lets each object fail. Calls `visit` with the object and with the objects that are gone without it and count,
    /// from which `visit` may remove some; a container does not take over those.
    pub fn one_by_one(
        self,
        order: &[Nested],
        nesting: Nesting,
        counts: impl Fn(&PhysicalState<'_>, &Affected) -> bool,
        mut visit: impl FnMut(&PhysicalState<'_>, ObjectRef, &mut Vec<ObjectRef>),
    ) -> Result<(), ImpactError> {
        let Self { propagation, cuts, steps } = self;
        // At each depth, the results of the objects inside a container that is still to come.
        let mut of_inside: Vec<Done> = Vec::new();
        for (number, nested) in (1..).zip(order) {
            let depth = nested.depth;
            of_inside.resize_with(of_inside.len().max(depth + 2), Done::default);
            let mut done = std::mem::take(&mut of_inside[depth + 1]);
            propagation.physical_state.marks.go_on(number, nested.first);
            done.with(nested.object, &counts, propagation, cuts, steps)?;
            visit(&propagation.physical_state, nested.object, &mut done.gone);
            if nesting == Nesting::TakesOver {
                of_inside[depth].add(done);
            }
        }
        Ok(())
    }
}

/// The results of failures from which the failure of their container continues.
#[derive(Debug, Default)]
struct Done {
    /// Objects that are gone and count.
    gone: Vec<ObjectRef>,
    /// Objects that are up, but depend on an object that went down.
    touched: Vec<ObjectRef>,
    /// Objects that are served by an object that is gone.
    waiting: Vec<ObjectRef>,
    /// Nodes that are up, but may have lost a path.
    adjacent: Vec<NodeId>,
}

impl Done {
    fn add(&mut self, other: Self) {
        self.gone.extend(other.gone);
        self.touched.extend(other.touched);
        self.waiting.extend(other.waiting);
        self.adjacent.extend(other.adjacent);
    }

    /// Extends the results of the objects in a container to the results of the failure of the container.
    fn with<'a>(
        &mut self,
        object: ObjectRef,
        counts: &impl Fn(&PhysicalState<'_>, &Affected) -> bool,
        propagation: &mut Propagation<'a>,
        cuts: &mut Cuts<'a>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        propagation.go_on(distinct(&mut self.touched), distinct(&mut self.waiting));
        propagation.give(object, steps)?;
        propagation.look_again(steps)?;
        propagation.settle(steps)?;
        let cut_off = cuts.cut_off(propagation, &mut self.adjacent, steps)?;
        let mut impact = Impact::of(propagation);
        for machine in cut_off {
            impact.add(propagation, Finding::new(machine, Effect::Isolated, Rule::Network, vec![object]));
        }
        service::serve(propagation, &mut impact, Wanted::Gone, steps)?;
        let counted = impact.affected().iter().filter(|affected| counts(&propagation.physical_state, affected));
        self.gone.extend(counted.map(|affected| affected.object));
        self.gone = distinct(&mut self.gone);
        let is_up = |object: &ObjectRef| !propagation.physical_state.marks.has(*object, DOWN);
        self.touched = std::mem::take(&mut propagation.touched);
        self.touched.retain(is_up);
        self.waiting = std::mem::take(&mut propagation.waiting);
        self.waiting.retain(is_up);
        Ok(())
    }
}

/// Takes the objects out of a list and returns each of them once, sorted.
fn distinct(objects: &mut Vec<ObjectRef>) -> Vec<ObjectRef> {
    let mut objects = std::mem::take(objects);
    objects.sort_unstable();
    objects.dedup();
    objects
}

/// Returns true if an object is inside another one, directly or through other containers.
fn is_inside(physical_state: &PhysicalState<'_>, object: ObjectRef, container: ObjectRef) -> bool {
    // An object has only a few containers.
    let mut containers = vec![object];
    let mut next = 0;
    while let Some(at) = containers.get(next).copied() {
        if at == container {
            return true;
        }
        next += 1;
        physical_state.each_container(at, &mut |outer| {
            if !containers.contains(&outer) {
                containers.push(outer);
            }
        });
    }
    false
}

/// Returns all objects of a snapshot.
fn all(snapshot: &Snapshot, steps: &mut Steps) -> Result<Vec<ObjectRef>, ImpactError> {
    let mut found = Vec::with_capacity(snapshot.len());
    for kind in snapshot.registry().kinds() {
        for (slot, _) in snapshot.table(kind.id).rows(0) {
            steps.take()?;
            found.push(ObjectRef { kind: kind.id, slot });
        }
    }
    Ok(found)
}

/// Returns an object with everything beneath it, and the cables and circuits that end at any of these.
fn beneath(
    physical_state: &PhysicalState<'_>,
    object: ObjectRef,
    steps: &mut Steps,
) -> Result<Vec<ObjectRef>, ImpactError> {
    let registry = physical_state.snapshot.registry();
    let mut seen = PerObject::<bool>::of(physical_state.snapshot);
    *seen.get_mut(object) = true;
    let (mut all, mut pending, mut found) = (vec![object], vec![object], Vec::new());
    while let Some(at) = pending.pop() {
        each(physical_state.snapshot.incoming(at), &mut |by, other| {
            let reference = registry.field(by).reference.filter(|reference| reference.within);
            let row = physical_state.snapshot.row(other);
            let inside = reference.zip(row).is_some_and(|(reference, row)| !reference.is_apart(row.as_ref()));
            if inside || physical_state.roles.sides.iter().any(|side| side.own == by) {
                found.push(other);
            }
        });
        each(physical_state.snapshot.outgoing(at), &mut |by, other| {
            let is_end =
                matches!(physical_state.role(other).part, Part::OpaqueSpan(opaque_span) if opaque_span.ends == by);
            found.extend(is_end.then_some(other));
        });
        for other in found.drain(..) {
            steps.take()?;
            if std::mem::replace(seen.get_mut(other), true) {
                continue;
            }
            all.push(other);
            // A line that only ends here does not lead on: its other ends are elsewhere.
            if !matches!(physical_state.role(other).part, Part::Span(_) | Part::OpaqueSpan(_)) {
                pending.push(other);
            }
        }
    }
    all.sort_unstable();
    Ok(all)
}
