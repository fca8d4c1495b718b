//! Resolves the ends of a query into the machines, networks and groups at which paths begin and end.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::error::{PathError, Side};
use super::{PathQuery, View};
use crate::line::{Outcome, Through, Tracer};
use crate::role::{Part, Plane, StandsFor, Toward};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// The maximum number of references between a given object and an object that it stands for.
const MAX_REFERENCES: usize = 8;

/// Returns the objects that both ends of a query stand for.
pub(super) fn both(
    view: View<'_>,
    question: &PathQuery,
    steps: &mut Steps,
) -> Result<HashMap<ObjectRef, Side>, PathError> {
    let from = one(view, question, Side::From, question.from, steps)?;
    let to = one(view, question, Side::To, question.to, steps)?;
    let common = from.intersection(&to).min_by_key(|object| view.snapshot.row(**object).map(|row| row.common().id));
    if let Some(common) = common {
        return Err(PathError::Same { what: view.snapshot.path(*common) });
    }
    let of = |side| move |object| (object, side);
    Ok(from.into_iter().map(of(Side::From)).chain(to.into_iter().map(of(Side::To))).collect())
}

fn one(
    view: View<'_>,
    question: &PathQuery,
    side: Side,
    object: ObjectRef,
    steps: &mut Steps,
) -> Result<BTreeSet<ObjectRef>, PathError> {
    if matches!(view.roles.stands_for(object.kind), StandsFor::Nothing) {
        let registry = view.snapshot.registry();
        let allowed = view.roles.ends_of_paths(registry).join(", ");
        return Err(PathError::NoEnd { side, kind: registry.get(object.kind).name, allowed });
    }
    let mut found = BTreeSet::new();
    let mut pending = vec![(object, 0)];
    while let Some((at, depth)) = pending.pop().filter(|(_, depth)| *depth < MAX_REFERENCES) {
        steps.take()?;
        let nearer = |object: ObjectRef| (object, depth + 1);
        match view.roles.stands_for(at.kind) {
            StandsFor::Nothing => {}
            StandsFor::Itself => drop(found.insert(at)),
            StandsFor::FirstOf(toward) => {
                let first = toward.iter().map(|toward| follow(view, at, *toward)).find(|found| !found.is_empty());
                pending.extend(first.into_iter().flatten().map(nearer));
            }
            StandsFor::EndsOfItsLine => pending.extend(ends_of_line(view, at).into_iter().map(nearer)),
        }
        if question.include_logical && view.roles.of(at.kind).group().is_some() {
            found.insert(at);
        }
    }
    found.retain(|object| is_in(view, *object, question.plane));
    match found.is_empty() {
        true => Err(PathError::NoNode { side, what: view.snapshot.path(object), plane: question.plane }),
        false => Ok(found),
    }
}

fn follow(view: View<'_>, object: ObjectRef, toward: Toward) -> Vec<ObjectRef> {
    match toward {
        Toward::To(by) => view.snapshot.outgoing(object).by(by).collect(),
        Toward::From(by) => view.snapshot.incoming(object).by(by).collect(),
    }
}

/// Returns the objects at which the lines of an end are complete.
fn ends_of_line(view: View<'_>, end: ObjectRef) -> Vec<ObjectRef> {
    let branches = Tracer::strand_by_strand(view.snapshot, view.roles).trace(end, None, Through::Stop);
    let branches = branches.map(|trace| trace.branches).unwrap_or_default();
    branches.iter().filter(|branch| branch.outcome == Outcome::Complete).filter_map(|branch| branch.end).collect()
}

/// Returns true if paths of a network can reach the object. Every machine can be reached over the management network.
fn is_in(view: View<'_>, object: ObjectRef, plane: Plane) -> bool {
    match &view.roles.of(object.kind).part {
        Part::Machine(machine) => machine
            .state_at(view.snapshot, object)
            .is_some_and(|state| plane == Plane::Management || state.plane == plane),
        _ => view.snapshot.row(object).is_some(),
    }
}
