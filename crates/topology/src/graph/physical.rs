//! The physical layer: lines of cables, panels and circuits between ports that carry traffic, and from these ports to
//! networks of other operators.

use super::answer::{ConnectionState, Layer};
use super::connection::LayerConnection;
use super::grouping::Grouping;
use super::lines::{Far, LineFinder};
use crate::path::View;
use crate::role::{Outside, Part, Purpose};
use crate::steps::{Ended, Steps};
use underlay_inventory::ObjectRef;

/// Adds the lines of a part of a node.
pub(super) fn connections(
    (view, grouping): (View<'_>, &Grouping<'_>),
    lines: &mut LineFinder<'_>,
    (node, part): (ObjectRef, ObjectRef),
    found: &mut Vec<LayerConnection>,
    steps: &mut Steps,
) -> Result<(), Ended> {
    match view.roles.of(part.kind).part {
        Part::Connector(_) => {
            let Some(own) = connector(view, part) else { return Ok(()) };
            for (end, state) in lines.far_ends(part, steps)? {
                found.extend(line_to(view, grouping, lines, (node, part, own), (end, state)));
            }
        }
        Part::Outside(network) => lines_of_network(view, (node, network), grouping, lines, found, steps)?,
        _ => {}
    }
    Ok(())
}

/// Returns the line from a port to an end, if it leads to another node.
fn line_to(
    view: View<'_>,
    grouping: &Grouping<'_>,
    lines: &LineFinder<'_>,
    (node, near, own): (ObjectRef, ObjectRef, Carrier),
    (end, state): (ObjectRef, ConnectionState),
) -> Option<LayerConnection> {
    let speed_bps = match view.roles.of(end.kind).part {
        Part::Connector(_) => {
            own.bandwidth_bps.zip(connector(view, end)?.bandwidth_bps).map(|(one, other)| one.min(other))
        }
        Part::Outside(_) => own.bandwidth_bps,
        _ => return None,
    };
    let other = grouping.node_of(end).filter(|other| *other != node)?;
    let state = if lines.runs(near) && lines.runs(end) { state } else { ConnectionState::Down };
    Some(LayerConnection::new(Layer::Physical, [node, other], [near, end], Some(state)).with_speed(speed_bps))
}

/// Adds the lines of a network, over the ends that stand in it.
fn lines_of_network(
    view: View<'_>,
    (node, network): (ObjectRef, Outside),
    grouping: &Grouping<'_>,
    lines: &mut LineFinder<'_>,
    found: &mut Vec<LayerConnection>,
    steps: &mut Steps,
) -> Result<(), Ended> {
    for stander in view.snapshot.incoming(node).by(network.ends) {
        steps.take()?;
        for Far { object: end, before_last, state } in lines.beyond(node, stander, steps)? {
            match view.roles.of(end.kind).part {
                // From the port, the line ends in the network itself.
                Part::Connector(_) => {
                    let Some(own) = connector(view, end) else { continue };
                    let Some(other) = grouping.node_of(end) else { continue };
                    found.extend(line_to(view, grouping, lines, (other, end, own), (node, state)));
                }
                Part::Outside(_) if end != node => {
                    let ends = [stander, before_last.unwrap_or(end)];
                    found.push(LayerConnection::new(Layer::Physical, [node, end], ends, Some(state)));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// A port that carries traffic.
#[derive(Clone, Copy, Debug)]
struct Carrier {
    bandwidth_bps: Option<i64>,
}

/// Returns what the layer needs of a port; `None` if it carries no traffic.
fn connector(view: View<'_>, object: ObjectRef) -> Option<Carrier> {
    let Part::Connector(connector) = view.roles.of(object.kind).part else { return None };
    let row = view.snapshot.row(object)?.as_ref();
    match (connector.purpose)(row) {
        Purpose::Data | Purpose::Management => Some(Carrier { bandwidth_bps: (connector.bandwidth_bps)(row) }),
        Purpose::Inlet | Purpose::Outlet | Purpose::Bundle | Purpose::Other => None,
    }
}
