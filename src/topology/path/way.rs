//! A path: from machine to machine, with the hops of each line between them, and what is known of it as a whole.

use super::error::PathError;
use super::graph::{Graph, Via};
use super::role::Part;
use super::search::Route;
use crate::inventory::Place;
use crate::topology::line::{Branch, Through};
use crate::topology::steps::Steps;

/// A way between two objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// What it runs over, its ends included: machines, networks of others, groups.
    pub nodes: Vec<Place>,
    /// What joins each node with the next.
    pub segments: Vec<Segment>,
    /// How long it is in metres; `None` where the length of a line is unknown.
    pub length_m: Option<f64>,
    /// How long it is in metres, as far as is known.
    pub known_length_m: f64,
    /// The latency one way in milliseconds of all crossings; `None` where there is none, or one is unknown.
    pub latency_ms: Option<f64>,
    /// The bandwidth of its narrowest line in bits per second; `None` where that of a line is unknown.
    pub bandwidth_bps: Option<i64>,
}

impl Path {
    /// Whether a part of it is logical.
    pub fn is_logical(&self) -> bool {
        self.segments.iter().any(|segment| segment.joint.is_logical())
    }

    /// Whether everything on it is plugged in, in use and switched on.
    pub fn is_active(&self) -> bool {
        self.segments.iter().all(|segment| segment.active)
    }

    /// How many hops it has from machine to machine; what is in a group is no hop away from it.
    pub fn hops(&self) -> usize {
        self.segments.iter().filter(|segment| segment.joint != Joint::Member).count()
    }
}

/// What joins a node with the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// How they are joined.
    pub joint: Joint,
    /// The hops in the direction of the path; a step is what is passed side by side. Empty where there is no line.
    pub steps: Vec<Vec<Place>>,
    /// Whether everything on it is plugged in, in use and switched on.
    pub active: bool,
    /// Its length in metres; `None` where a part is unknown.
    pub length_m: Option<f64>,
    /// Its length in metres, as far as is known.
    pub known_length_m: f64,
    /// The latency one way in milliseconds; `None` where it is unknown, or nothing is crossed.
    pub latency_ms: Option<f64>,
    /// Its bandwidth in bits per second; `None` where that of a part is unknown.
    pub bandwidth_bps: Option<i64>,
    /// Whether a latency is to be known of it.
    crosses: bool,
}

/// How two nodes are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joint {
    /// By a line.
    Line,
    /// Inside of what both are parts of.
    Whole,
    /// By a line that leads to a group, not to a machine in it.
    Loose,
    /// By something that says so.
    Association(Place),
    /// The one is in the other.
    Member,
}

impl Joint {
    /// Whether it is not known how they are joined.
    pub fn is_logical(self) -> bool {
        match self {
            Self::Line | Self::Whole => false,
            Self::Loose | Self::Association(_) | Self::Member => true,
        }
    }
}

impl Path {
    /// The path of a route.
    pub(super) async fn of(graph: &mut Graph<'_>, route: &Route, steps: &mut Steps) -> Result<Self, PathError> {
        let nodes: Vec<Place> = route.nodes().map(|node| graph.node(node).place).collect();
        let mut segments = Vec::with_capacity(route.ways.len());
        for (way, ends) in route.ways.iter().zip(nodes.windows(2)) {
            steps.take().await?;
            segments.push(segment(graph, graph.via(way.via), ends[0], ends[1]));
        }
        Ok(Self::through(nodes, segments))
    }

    /// The path through these nodes.
    fn through(nodes: Vec<Place>, segments: Vec<Segment>) -> Self {
        let all = |known: fn(&Segment) -> Option<f64>| segments.iter().map(known).sum::<Option<f64>>();
        let crossed = segments.iter().filter(|segment| segment.crosses).map(|segment| segment.latency_ms);
        let latency_ms = crossed.clone().sum::<Option<f64>>().filter(|_| crossed.count() > 0);
        let wide = segments.iter().filter(|segment| !matches!(segment.joint, Joint::Whole | Joint::Member));
        let bandwidths: Option<Vec<i64>> = wide.map(|segment| segment.bandwidth_bps).collect();
        Self {
            nodes,
            length_m: all(|segment| segment.length_m),
            known_length_m: segments.iter().map(|segment| segment.known_length_m).sum(),
            latency_ms,
            bandwidth_bps: bandwidths.and_then(|all| all.into_iter().min()),
            segments,
        }
    }
}

fn segment(graph: &mut Graph<'_>, via: Via, from: Place, to: Place) -> Segment {
    let segment = match via {
        Via::Line { from: end, branch } => line(graph, Joint::Line, (end, branch), from, to),
        Via::Loose { from: end, branch } => line(graph, Joint::Loose, (end, branch), from, to),
        Via::Whole => plain(Joint::Whole),
        Via::Member => plain(Joint::Member),
        Via::Association(place) => association(graph, place),
    };
    Segment { active: segment.active && is_running(graph, from) && is_running(graph, to), ..segment }
}

/// What needs no line.
fn plain(joint: Joint) -> Segment {
    Segment {
        joint,
        steps: Vec::new(),
        active: true,
        length_m: Some(0.0),
        known_length_m: 0.0,
        latency_ms: None,
        bandwidth_bps: None,
        crosses: false,
    }
}

fn association(graph: &Graph<'_>, place: Place) -> Segment {
    let (mut latency_ms, mut bandwidth_bps) = (None, None);
    if let (Part::Association(role), Some(row)) = (&graph.roles.of(place.kind).part, graph.snapshot.row(place)) {
        (latency_ms, bandwidth_bps) = ((role.latency_ms)(row.as_ref()), (role.bandwidth_bps)(row.as_ref()));
    }
    let segment = plain(Joint::Association(place));
    Segment { length_m: None, latency_ms, bandwidth_bps, crosses: true, ..segment }
}

/// The line with a number among those of an end, as it is passed by a path that comes from a node.
fn line(graph: &mut Graph<'_>, joint: Joint, (end, number): (Place, usize), from: Place, to: Place) -> Segment {
    let branches = graph.tracer.trace(end, None, Through::Stop).map(|trace| trace.branches).unwrap_or_default();
    // A line past the bounds of a trace is one of which nothing is known.
    let Some(branch) = branches.get(number) else { return Segment { length_m: None, ..plain(joint) } };
    let mut steps: Vec<Vec<Place>> = branch.steps().map(<[Place]>::to_vec).collect();
    let begins_there = graph.machine_of(end).map_or_else(|| stands_in(graph, end, from), |machine| machine == from);
    if !begins_there {
        steps.reverse();
    }
    // What lines stand in is a hop of theirs only at their far end; here it is one at both.
    if steps.first().is_some_and(|step| !step.contains(&from)) && graph.machine(from).is_none() {
        steps.insert(0, vec![from]);
    }
    if steps.last().is_some_and(|step| !step.contains(&to)) && graph.machine(to).is_none() {
        steps.push(vec![to]);
    }
    let crosses = branch.hops().iter().any(|hop| matches!(graph.roles.of(hop.kind).part, Part::Crossing(_)));
    Segment {
        joint,
        steps,
        active: branch.active,
        length_m: branch.length_m,
        known_length_m: branch.known_length_m,
        latency_ms: branch.latency_ms,
        bandwidth_bps: bandwidth(graph, branch),
        crosses,
    }
}

/// Whether an end that is no plug stands in something.
fn stands_in(graph: &Graph<'_>, end: Place, place: Place) -> bool {
    graph.snapshot.outgoing(end).iter().any(|edge| edge.other() == place)
}

/// The narrowest part of a line; `None` where one is unknown.
fn bandwidth(graph: &Graph<'_>, branch: &Branch) -> Option<i64> {
    let ends = branch.hops().first().into_iter().chain(branch.hops().last());
    let plugs = ends.filter_map(|end| graph.plug(*end)).map(|plug| plug.bandwidth_bps);
    let crossings = branch.hops().iter().filter_map(|hop| match &graph.roles.of(hop.kind).part {
        Part::Crossing(crossing) => Some((crossing.bandwidth_bps)(graph.snapshot.row(*hop)?.as_ref())),
        _ => None,
    });
    let parts: Option<Vec<i64>> = plugs.chain(crossings).collect();
    parts.and_then(|parts| parts.into_iter().min())
}

fn is_running(graph: &Graph<'_>, place: Place) -> bool {
    graph.machine(place).is_none_or(|(_, state)| state.runs)
}
