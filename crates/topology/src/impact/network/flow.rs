//! Finds disjoint paths from a node to anchors. It is a flow in which every node and every line carries at most one
//! path, and it grows path by path. Each search runs from both sides at once. So it finds a near anchor without
//! visiting the rest of the network, and a small cut on either side ends it.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::physical_state::Moment;
use super::super::propagate::Propagation;
use super::graph::{Graph, NodeId, Way};
use crate::steps::Steps;

/// The position of a search at a node: before the node or past it. Only one path may lead from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vertex {
    /// The search arrived at the node.
    In(NodeId),
    /// The search is about to leave the node.
    Out(NodeId),
}

impl Vertex {
    fn node(self) -> NodeId {
        match self {
            Self::In(node) | Self::Out(node) => node,
        }
    }
}

/// The lines that the paths use, each with the node from which it is left, and the nodes that the paths pass.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Flow {
    lines: HashSet<(u32, NodeId)>,
    through: HashSet<NodeId>,
    /// The number of disjoint paths found so far.
    pub ways: u32,
}

/// The result of a search for another path.
#[derive(Debug)]
pub(in super::super) enum Search {
    /// There is another path, and the flow now contains it.
    Found,
    /// The flow is maximal: there is no other path.
    None {
        /// The nodes from which an anchor could be reached, or only a part of them if the search ended on the other
        /// side.
        behind: HashSet<NodeId>,
        /// True if `behind` contains all of these nodes.
        closed: bool,
    },
}

/// The extent to which a failed search continues in order to find all nodes behind the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Thorough {
    No,
    /// The search continues up to this number of positions.
    UpTo(usize),
}

/// The two sides between which paths are searched, and the conditions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Between<'s> {
    pub source: NodeId,
    pub anchors: &'s HashSet<NodeId>,
    pub at: Moment,
    /// Nodes that the paths must not pass.
    pub around: Option<&'s HashSet<NodeId>>,
}

/// One side of a search: each position with the one that it was reached from.
struct Side {
    reached: HashMap<Vertex, Vertex>,
    queue: VecDeque<Vertex>,
}

impl Side {
    fn from(starts: impl Iterator<Item = Vertex>) -> Self {
        let queue: VecDeque<Vertex> = starts.collect();
        Self { reached: queue.iter().map(|vertex| (*vertex, *vertex)).collect(), queue }
    }

    /// Adds a position. Returns true if it is new.
    fn reach(&mut self, vertex: Vertex, from: Vertex) -> bool {
        let new = !self.reached.contains_key(&vertex);
        if new {
            self.reached.insert(vertex, from);
            self.queue.push_back(vertex);
        }
        new
    }

    /// Returns the positions from this one back to a start.
    fn path(&self, vertex: Vertex) -> Vec<Vertex> {
        let next = |at: &Vertex| self.reached.get(at).copied().filter(|from| from != at);
        std::iter::successors(Some(vertex), next).collect()
    }
}

/// A network, a failure and the remaining steps: the state that every search needs.
pub(in super::super) struct Field<'f, 'a> {
    pub graph: &'f mut Graph<'a>,
    pub propagation: &'f mut Propagation<'a>,
    pub steps: &'f mut Steps,
}

impl Field<'_, '_> {
    /// Returns true if a line is up at a moment.
    pub fn is_up(&mut self, way: &Way, at: Moment) -> Result<bool, ImpactError> {
        self.graph.is_up(self.propagation, way, at, self.steps)
    }
}

impl Flow {
    /// Searches for one more disjoint path.
    pub fn augment(
        &mut self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        thorough: Thorough,
    ) -> Result<Search, ImpactError> {
        let mut forward = Side::from(std::iter::once(Vertex::Out(between.source)));
        let mut anchors: Vec<NodeId> = between.anchors.iter().copied().collect();
        anchors.sort_unstable();
        let mut backward = Side::from(anchors.into_iter().map(Vertex::In));
        let mut next = Vec::new();
        while !forward.queue.is_empty() && !backward.queue.is_empty() {
            let ahead = forward.queue.len() <= backward.queue.len();
            let (own, other) = if ahead { (&mut forward, &mut backward) } else { (&mut backward, &mut forward) };
            let Some(vertex) = own.queue.pop_front() else { break };
            next.clear();
            match ahead {
                true => self.successors(field, between, vertex, own, &mut next)?,
                false => self.predecessors(field, between, vertex, thorough, own, &mut next)?,
            }
            for reached in next.drain(..) {
                if own.reach(reached, vertex) && other.reached.contains_key(&reached) {
                    self.take(field, between.at, &forward, &backward, reached);
                    return Ok(Search::Found);
                }
            }
        }
        if let Thorough::UpTo(most) = thorough {
            while backward.reached.len() <= most
                && let Some(vertex) = backward.queue.pop_front()
            {
                next.clear();
                self.predecessors(field, between, vertex, thorough, &backward, &mut next)?;
                for reached in next.drain(..) {
                    backward.reach(reached, vertex);
                }
            }
        }
        let closed = backward.queue.is_empty();
        Ok(Search::None { behind: backward.reached.into_keys().map(Vertex::node).collect(), closed })
    }

    /// Returns the lines that the paths use, each with the node from which it is left. Returns `None` if the graph does
    /// not know one of these lines from that node.
    pub fn lines(&self, graph: &Graph<'_>) -> Option<Vec<(NodeId, Way)>> {
        self.lines.iter().map(|(line, from)| Some((*from, graph.known(*from, *line)?))).collect()
    }

    /// Adds the positions to which a path can continue from a position and which this side has not reached.
    fn successors(
        &self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        vertex: Vertex,
        own: &Side,
        next: &mut Vec<Vertex>,
    ) -> Result<(), ImpactError> {
        let node = vertex.node();
        let carries = self.through.contains(&node);
        if let Vertex::In(_) = vertex
            && !carries
        {
            if self.passes(field, between, node) {
                next.push(Vertex::Out(node));
            }
            return Ok(());
        }
        let leads = |graph: &Graph<'_>, to: NodeId| {
            to != between.source && (graph.node(to).forwards || between.anchors.contains(&to))
        };
        for way in field.graph.ways_onward(field.propagation, node, field.steps)?.iter() {
            field.steps.take()?;
            let onward = match vertex {
                Vertex::Out(_) if leads(field.graph, way.to) && !self.lines.contains(&(way.line, node)) => {
                    Vertex::In(way.to)
                }
                Vertex::In(_) if self.lines.contains(&(way.line, way.to)) => Vertex::Out(way.to),
                _ => continue,
            };
            if !own.reached.contains_key(&onward) && field.is_up(way, between.at)? {
                next.push(onward);
            }
        }
        if let Vertex::Out(_) = vertex
            && carries
        {
            next.push(Vertex::In(node));
        }
        Ok(())
    }

    /// Adds the positions from which a path can come to a position and which this side has not reached. A search that
    /// is not thorough skips nodes that forward no traffic.
    fn predecessors(
        &self,
        field: &mut Field<'_, '_>,
        between: Between<'_>,
        vertex: Vertex,
        thorough: Thorough,
        own: &Side,
        next: &mut Vec<Vertex>,
    ) -> Result<(), ImpactError> {
        let node = vertex.node();
        let carries = self.through.contains(&node);
        if let Vertex::Out(_) = vertex
            && !carries
        {
            if self.passes(field, between, node) {
                next.push(Vertex::In(node));
            }
            return Ok(());
        }
        let matters = |graph: &Graph<'_>, from: NodeId| {
            thorough != Thorough::No || from == between.source || graph.node(from).forwards
        };
        // The other side reaches the neighbours of the source first, so this side does not have to find the source.
        let ways = match thorough {
            Thorough::No => field.graph.ways_onward(field.propagation, node, field.steps)?,
            Thorough::UpTo(_) => field.graph.ways(field.propagation, node, field.steps)?,
        };
        for way in ways.iter() {
            field.steps.take()?;
            let back = match vertex {
                Vertex::In(_) if matters(field.graph, way.to) && !self.lines.contains(&(way.line, way.to)) => {
                    Vertex::Out(way.to)
                }
                Vertex::Out(_) if self.lines.contains(&(way.line, node)) => Vertex::In(way.to),
                _ => continue,
            };
            if !own.reached.contains_key(&back) && field.is_up(way, between.at)? {
                next.push(back);
            }
        }
        if let Vertex::In(_) = vertex
            && carries
        {
            next.push(Vertex::Out(node));
        }
        Ok(())
    }

    /// Returns true if a path may pass a node that carries none yet.
    fn passes(&self, field: &Field<'_, '_>, between: Between<'_>, node: NodeId) -> bool {
        node != between.source
            && field.graph.node(node).forwards
            && !between.anchors.contains(&node)
            && between.around.is_none_or(|around| !around.contains(&node))
    }

    /// Adds a path to the flow that both sides found together.
    fn take(&mut self, field: &Field<'_, '_>, at: Moment, forward: &Side, backward: &Side, middle: Vertex) {
        let mut path = forward.path(middle);
        path.reverse();
        path.extend(backward.path(middle).into_iter().skip(1));
        for step in path.windows(2) {
            let [from, to] = [step[0], step[1]];
            match (from, to) {
                (Vertex::In(node), Vertex::Out(other)) if node == other => drop(self.through.insert(node)),
                (Vertex::Out(node), Vertex::In(other)) if node == other => drop(self.through.remove(&node)),
                (Vertex::Out(node), Vertex::In(other)) => {
                    let lines = field.graph.lines_between(field.propagation, node, other, at);
                    let free = lines.into_iter().find(|line| !self.lines.contains(&(*line, node)));
                    self.lines.extend(free.map(|line| (line, node)));
                }
                (Vertex::In(node), Vertex::Out(other)) => {
                    let lines = field.graph.lines_between(field.propagation, other, node, at);
                    let used = lines.into_iter().find(|line| self.lines.contains(&(*line, other)));
                    used.map(|line| self.lines.remove(&(line, other)));
                }
                _ => {}
            }
        }
        self.ways += 1;
    }
}
