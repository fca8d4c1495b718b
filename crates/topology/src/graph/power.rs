//! The power layer: the supply of power from sources to consumers, over cords and over the references by which an end
//! says what feeds it.
//!
//! A source is an end that passes on the power that it gets: an outlet, or an end that is no port. Ends that belong to
//! no node, such as outlets of a rack in a graph of machines, are passed: what feeds them feeds their consumers.

use foldhash::{HashSet, HashSetExt as _};

use super::answer::{ConnectionState, Layer};
use super::connection::LayerConnection;
use super::grouping::Grouping;
use super::lines::LineFinder;
use crate::path::View;
use crate::role::{EndState, Onward, Part, Purpose};
use crate::steps::{Ended, Steps};
use underlay_inventory::{ObjectRef, ReferenceId};

/// A direction in which power is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PowerDirection {
    Sources,
    Consumers,
}

/// The references by which ends say what feeds them.
#[derive(Clone, Debug)]
pub(super) struct Power(Vec<ReferenceId>);

impl Power {
    pub fn new(view: View<'_>) -> Self {
        let kinds = view.snapshot.registry().kinds();
        Self(kinds.filter_map(|kind| view.roles.end(kind.id)?.fed_by).collect())
    }

    /// Adds what feeds a part of a node, and what it feeds.
    pub fn connections(
        &self,
        (view, grouping): (View<'_>, &Grouping<'_>),
        lines: &mut LineFinder<'_>,
        (node, part): (ObjectRef, ObjectRef),
        found: &mut Vec<LayerConnection>,
        steps: &mut Steps,
    ) -> Result<(), Ended> {
        if !takes_part(view, part) {
            return Ok(());
        }
        for toward in [PowerDirection::Sources, PowerDirection::Consumers] {
            let mut seen = HashSet::new();
            let mut pending = vec![(part, true)];
            while let Some((at, works)) = pending.pop() {
                for (next, active) in self.next(view, lines, at, toward, steps)? {
                    steps.take()?;
                    if !seen.insert(next) {
                        continue;
                    }
                    let works = works && active;
                    let Some(other) = grouping.node_of(next) else {
                        pending.push((next, works));
                        continue;
                    };
                    if other == node {
                        continue;
                    }
                    let nodes = if toward == PowerDirection::Sources { [other, node] } else { [node, other] };
                    let state = ConnectionState::of(works && lines.runs(part) && lines.runs(next));
                    found.push(LayerConnection::new(Layer::Power, nodes, [part, next], Some(state)));
                }
            }
        }
        Ok(())
    }

    /// Returns the ends that directly feed an end, or that it feeds, with true if the supply is active.
    fn next(
        &self,
        view: View<'_>,
        lines: &mut LineFinder<'_>,
        end: ObjectRef,
        toward: PowerDirection,
        steps: &mut Steps,
    ) -> Result<Vec<(ObjectRef, bool)>, Ended> {
        let source = is_source(view, end);
        let mut found = Vec::new();
        // A cord leads from a source to a consumer.
        if source == (toward == PowerDirection::Consumers) {
            let cords = lines.far_ends(end, steps)?;
            let fits =
                |(far, _): &(ObjectRef, ConnectionState)| takes_part(view, *far) && is_source(view, *far) != source;
            found.extend(cords.into_iter().filter(fits).map(|(far, state)| (far, state == ConnectionState::Up)));
        }
        let fed_by = view.roles.end(end.kind).and_then(|end| end.fed_by);
        match (toward, fed_by) {
            (PowerDirection::Sources, Some(by)) => {
                found.extend(view.snapshot.outgoing(end).by(by).map(|it| (it, true)))
            }
            (PowerDirection::Sources, None) => {}
            (PowerDirection::Consumers, _) => {
                let fed = self.0.iter().flat_map(|by| view.snapshot.incoming(end).by(*by));
                found.extend(fed.map(|it| (it, true)));
            }
        }
        let own = is_active(view, end);
        found.iter_mut().for_each(|(other, active)| *active &= own && is_active(view, *other));
        Ok(found)
    }
}

/// Returns true if an end supplies or takes power.
fn takes_part(view: View<'_>, object: ObjectRef) -> bool {
    is_source(view, object) || is_inlet(view, object)
}

fn is_source(view: View<'_>, object: ObjectRef) -> bool {
    state(view, object).is_some_and(|state| state.onward == Onward::Fed)
}

fn is_active(view: View<'_>, object: ObjectRef) -> bool {
    let status = view.roles.of(object.kind).status;
    view.snapshot.row(object).is_some_and(|row| status(row.as_ref()).is_active())
}

fn is_inlet(view: View<'_>, object: ObjectRef) -> bool {
    match (view.roles.of(object.kind).part, view.snapshot.row(object)) {
        (Part::Connector(connector), Some(row)) => (connector.purpose)(row.as_ref()) == Purpose::Inlet,
        _ => false,
    }
}

fn state(view: View<'_>, object: ObjectRef) -> Option<EndState> {
    Some((view.roles.end(object.kind)?.state)(view.snapshot.row(object)?.as_ref()))
}
