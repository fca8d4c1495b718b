//! The logical layer: objects that say that two others are connected.

use super::answer::{ConnectionState, Layer};
use super::connection::LayerConnection;
use super::grouping::Grouping;
use super::lines::runs;
use crate::path::View;
use crate::role::{Association, Part};
use crate::steps::{Ended, Steps};
use underlay_inventory::{ObjectRef, ReferenceId};

/// The references of all associations to their ends: each with the reference to the other end.
#[derive(Clone, Debug)]
pub(super) struct Associations(Vec<[ReferenceId; 2]>);

impl Associations {
    pub fn new(view: View<'_>) -> Self {
        let mut ends = Vec::new();
        for kind in view.snapshot.registry().kinds() {
            if let Part::Association(Association { ends: [a, b], .. }) = view.roles.of(kind.id).part {
                ends.extend([[a, b], [b, a]]);
            }
        }
        Self(ends)
    }

    /// Adds the associations of a part of a node.
    pub fn connections(
        &self,
        view: View<'_>,
        grouping: &Grouping<'_>,
        (node, part): (ObjectRef, ObjectRef),
        found: &mut Vec<LayerConnection>,
        steps: &mut Steps,
    ) -> Result<(), Ended> {
        for [here, there] in &self.0 {
            for association in view.snapshot.incoming(part).by(*here) {
                steps.take()?;
                let Part::Association(role) = view.roles.of(association.kind).part else { continue };
                let Some(end) = view.snapshot.outgoing(association).first_by(*there) else { continue };
                let Some(other) = grouping.node_of(end).filter(|other| *other != node) else { continue };
                let state = Some(state(view, association, &role, [part, end]));
                let connection = LayerConnection::new(Layer::Logical, [node, other], [association; 2], state);
                let row = view.snapshot.row(association);
                let speed_bps = row.and_then(|row| (role.bandwidth_bps)(row.as_ref()));
                found.push(connection.with_speed(speed_bps));
            }
        }
        Ok(())
    }
}

/// Returns the state of an association: that of the objects that realise it, and down if an end does not run.
fn state(view: View<'_>, association: ObjectRef, role: &Association, ends: [ObjectRef; 2]) -> ConnectionState {
    if !ends.into_iter().chain([association]).all(|object| runs(view, object)) {
        return ConnectionState::Down;
    }
    let carriers = view.snapshot.outgoing(association).by(role.carriers);
    carriers
        .map(|carrier| ConnectionState::of(runs(view, carrier)))
        .reduce(ConnectionState::and)
        .unwrap_or(ConnectionState::Up)
}
