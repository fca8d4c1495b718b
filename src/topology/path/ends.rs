//! What the ends of a question stand for: the machines, networks and groups that paths begin and end at.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::error::{PathError, Side};
use super::role::{Ends, Part, Plane, Toward};
use super::{Question, View};
use crate::inventory::Place;
use crate::topology::line::{Outcome, Through, Tracer};
use crate::topology::steps::Steps;

/// How many kinds lie between what is given and what it stands for, at most.
const DEEPEST: usize = 8;

/// What both ends of a question stand for.
pub(super) async fn both(
    view: View<'_>,
    question: &Question,
    steps: &mut Steps,
) -> Result<HashMap<Place, Side>, PathError> {
    let from = one(view, question, Side::From, question.from, steps).await?;
    let to = one(view, question, Side::To, question.to, steps).await?;
    let common = from.intersection(&to).min_by_key(|place| view.snapshot.row(**place).map(|row| row.common().id));
    if let Some(common) = common {
        return Err(PathError::Same { what: view.snapshot.path(*common) });
    }
    let of = |side| move |place| (place, side);
    Ok(from.into_iter().map(of(Side::From)).chain(to.into_iter().map(of(Side::To))).collect())
}

async fn one(
    view: View<'_>,
    question: &Question,
    side: Side,
    place: Place,
    steps: &mut Steps,
) -> Result<BTreeSet<Place>, PathError> {
    if matches!(view.roles.of(place.kind).ends, Ends::Nothing) {
        let registry = view.snapshot.registry();
        let allowed = view.roles.ends(registry).join(", ");
        return Err(PathError::NoEnd { side, kind: registry.get(place.kind).name, allowed });
    }
    let mut found = BTreeSet::new();
    let mut pending = vec![(place, 0)];
    while let Some((at, depth)) = pending.pop().filter(|(_, depth)| *depth < DEEPEST) {
        steps.take().await?;
        let nearer = |place: Place| (place, depth + 1);
        match view.roles.of(at.kind).ends {
            Ends::Nothing => {}
            Ends::Itself => drop(found.insert(at)),
            Ends::FirstOf(toward) => {
                let first = toward.iter().map(|toward| follow(view, at, *toward)).find(|found| !found.is_empty());
                pending.extend(first.into_iter().flatten().map(nearer));
            }
            Ends::OfItsLine => pending.extend(ends_of_line(view, at).into_iter().map(nearer)),
        }
        if question.include_logical && matches!(view.roles.of(at.kind).part, Part::Group(_)) {
            found.insert(at);
        }
    }
    found.retain(|place| is_in(view, *place, question.plane));
    match found.is_empty() {
        true => Err(PathError::Nobody { side, what: view.snapshot.path(place), plane: question.plane }),
        false => Ok(found),
    }
}

fn follow(view: View<'_>, place: Place, toward: Toward) -> Vec<Place> {
    match toward {
        Toward::To(by) => view.snapshot.outgoing(place).by(by).collect(),
        Toward::From(by) => view.snapshot.incoming(place).by(by).collect(),
    }
}

/// What the lines of an end lead to.
fn ends_of_line(view: View<'_>, end: Place) -> Vec<Place> {
    let branches = Tracer::strand_by_strand(view.snapshot, view.lines).trace(end, None, Through::Stop);
    let branches = branches.map(|trace| trace.branches).unwrap_or_default();
    branches.iter().filter(|branch| branch.outcome == Outcome::Complete).filter_map(|branch| branch.end).collect()
}

/// Whether something can be reached over a network. What is managed is reached over that of management.
fn is_in(view: View<'_>, place: Place, plane: Plane) -> bool {
    match (&view.roles.of(place.kind).part, view.snapshot.row(place)) {
        (Part::Machine(machine), Some(row)) => {
            plane == Plane::Management || (machine.state)(row.as_ref()).plane == plane
        }
        (_, row) => row.is_some(),
    }
}
