//! Paths as they are returned: the machines, the hops of each line between them, and the properties of the whole.

use super::error::PathError;
use super::graph::{PathGraph, Via};
use super::logical;
use super::shortest::Route;
use crate::line::{Branch, Measure, Through};
use crate::role::Part;
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// A path between the two objects of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The nodes of the path, including its ends: machines, networks of other operators, groups.
    pub nodes: Vec<ObjectRef>,
    /// The connections between each node and the next.
    pub segments: Vec<Segment>,
    /// The length and the latency of the whole path.
    pub measure: Measure,
    /// The bandwidth of the narrowest line in bits per second; `None` if the bandwidth of a line is unknown.
    pub bandwidth_bps: Option<i64>,
}

impl Path {
    /// Returns true if a part of the path is logical.
    pub fn is_logical(&self) -> bool {
        self.segments.iter().any(|segment| segment.connection.is_logical())
    }

    /// Returns true if every object on the path is plugged in, in use and switched on.
    pub fn is_active(&self) -> bool {
        self.segments.iter().all(|segment| segment.active)
    }

    /// Returns the number of hops from machine to machine. The step between a group and its member is not a hop.
    pub fn hops(&self) -> usize {
        self.segments.iter().filter(|segment| segment.connection != Connection::Member).count()
    }
}

/// The connection between a node and the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The way in which the nodes are connected.
    pub connection: Connection,
    /// The hops in the direction of the path. A step contains the hops that are passed side by side. Empty if there is
    /// no line.
    pub steps: Vec<Vec<ObjectRef>>,
    /// True if every object on it is plugged in, in use and switched on.
    pub active: bool,
    /// The length and the latency.
    pub measure: Measure,
    /// The bandwidth in bits per second; `None` if that of a part is unknown.
    pub bandwidth_bps: Option<i64>,
}

/// The way in which two nodes are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connection {
    /// The nodes are connected by a line.
    Line,
    /// The nodes are connected inside the machine that both are parts of.
    Whole,
    /// The nodes are connected by a line that leads to a group, not to a machine in it.
    Loose,
    /// The nodes are connected according to this object.
    Association(ObjectRef),
    /// One node is a member of the other.
    Member,
}

impl Connection {
    /// Returns true if the physical route of the connection is not known.
    pub fn is_logical(self) -> bool {
        match self {
            Self::Line | Self::Whole => false,
            Self::Loose | Self::Association(_) | Self::Member => true,
        }
    }
}

impl Path {
    /// Returns the path of a route.
    pub(super) fn of(graph: &mut PathGraph<'_>, route: &Route, steps: &mut Steps) -> Result<Self, PathError> {
        let nodes: Vec<ObjectRef> = route.nodes().map(|node| graph.node(node).object).collect();
        let mut segments = Vec::with_capacity(route.edges.len());
        for (edge, ends) in route.edges.iter().zip(nodes.windows(2)) {
            steps.take()?;
            segments.push(segment(graph, graph.via(edge.via), ends[0], ends[1]));
        }
        Ok(Self::through(nodes, segments))
    }

    /// Returns the path through these nodes.
    fn through(nodes: Vec<ObjectRef>, segments: Vec<Segment>) -> Self {
        let measure = segments.iter().fold(Measure::default(), |sum, segment| sum.then(&segment.measure));
        let wide =
            segments.iter().filter(|segment| !matches!(segment.connection, Connection::Whole | Connection::Member));
        let bandwidths: Option<Vec<i64>> = wide.map(|segment| segment.bandwidth_bps).collect();
        Self { nodes, measure, bandwidth_bps: bandwidths.and_then(|all| all.into_iter().min()), segments }
    }
}

fn segment(graph: &mut PathGraph<'_>, via: Via, from: ObjectRef, to: ObjectRef) -> Segment {
    let segment = match via {
        Via::Line { from: end, branch } => line(graph, Connection::Line, (end, branch), from, to),
        Via::Loose { from: end, branch } => line(graph, Connection::Loose, (end, branch), from, to),
        Via::Whole => plain(Connection::Whole),
        Via::Member => plain(Connection::Member),
        Via::Association(object) => association(graph, object),
    };
    Segment { active: segment.active && is_running(graph, from) && is_running(graph, to), ..segment }
}

/// Returns a segment that needs no line.
fn plain(connection: Connection) -> Segment {
    Segment { connection, steps: Vec::new(), active: true, measure: Measure::default(), bandwidth_bps: None }
}

fn association(graph: &PathGraph<'_>, object: ObjectRef) -> Segment {
    let segment = plain(Connection::Association(object));
    let Part::Association(role) = &graph.roles.of(object.kind).part else { return segment };
    let bandwidth_bps = graph.snapshot.row(object).and_then(|row| (role.bandwidth_bps)(row.as_ref()));
    Segment { measure: logical::measure(graph, object, role), bandwidth_bps, ..segment }
}

/// Returns the segment for a line, given by its number in the trace of an end, in the direction of the path.
fn line(
    graph: &mut PathGraph<'_>,
    connection: Connection,
    (end, number): (ObjectRef, usize),
    from: ObjectRef,
    to: ObjectRef,
) -> Segment {
    let branches = graph.tracer.trace(end, None, Through::Stop).map(|trace| trace.branches).unwrap_or_default();
    // Nothing is known of a line that is past the limits of a trace.
    let Some(branch) = branches.get(number) else {
        return Segment { measure: Measure::of_latency(None), ..plain(connection) };
    };
    let mut steps: Vec<Vec<ObjectRef>> = branch.steps().map(<[ObjectRef]>::to_vec).collect();
    let begins_there = graph.machine_of(end).map_or_else(|| stands_in(graph, end, from), |machine| machine == from);
    if !begins_there {
        steps.reverse();
    }
    // In a trace, the network or group at the near end is not a hop of the line. In a path it is a hop at both ends.
    if steps.first().is_some_and(|step| !step.contains(&from)) && graph.machine(from).is_none() {
        steps.insert(0, vec![from]);
    }
    if steps.last().is_some_and(|step| !step.contains(&to)) && graph.machine(to).is_none() {
        steps.push(vec![to]);
    }
    Segment {
        connection,
        steps,
        active: branch.active,
        measure: branch.measure,
        bandwidth_bps: bandwidth(graph, branch),
    }
}

/// Returns true if an end that is not a port stands in a network or group.
fn stands_in(graph: &PathGraph<'_>, end: ObjectRef, object: ObjectRef) -> bool {
    graph.snapshot.outgoing(end).iter().any(|edge| edge.other() == object)
}

/// Returns the bandwidth of the narrowest part of a line; `None` if one is unknown.
fn bandwidth(graph: &PathGraph<'_>, branch: &Branch) -> Option<i64> {
    let ends = branch.hops().first().into_iter().chain(branch.hops().last());
    let connectors = ends.filter_map(|end| graph.bandwidth_of_connector(*end));
    let opaque_spans = branch.hops().iter().filter_map(|hop| match &graph.roles.of(hop.kind).part {
        Part::OpaqueSpan(opaque_span) => Some((opaque_span.bandwidth_bps)(graph.snapshot.row(*hop)?.as_ref())),
        _ => None,
    });
    let parts: Option<Vec<i64>> = connectors.chain(opaque_spans).collect();
    parts.and_then(|parts| parts.into_iter().min())
}

fn is_running(graph: &PathGraph<'_>, object: ObjectRef) -> bool {
    !matches!(graph.roles.of(object.kind).part, Part::Machine(_)) || graph.runs(object)
}
