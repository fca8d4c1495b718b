//! Finds paths that have no machine and no line in common. They are a flow of least cost, found path by path.
//!
//! Every machine and every line carries at most one path. A single machine at an end is shared by all paths; if an end
//! has several machines, each path has its own. If paths may overlap, a node or line that carries two counts as shared,
//! and as few as possible are shared. Each search looks for the cheapest path for which the flow has room. So the flow
//! is always the cheapest of its size. Costs are shifted by those of the previous search, so that none is negative.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::cost::Cost;
use super::error::{PathError, Side};
use super::graph::{Graph, NodeId, ViaId, Way};
use super::shortest::Route;
use crate::steps::Steps;

/// The rule for machines and lines that paths have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// Paths have nothing in common.
    None,
    /// Two paths may have machines and lines in common if there is no other way.
    OfTwo,
}

impl Overlap {
    const fn most(self) -> u8 {
        match self {
            Self::None => 1,
            Self::OfTwo => 2,
        }
    }
}

/// The position of a search at a node: before the node or past it. The capacity of the flow limits the step from the
/// first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Vertex {
    In(NodeId),
    Out(NodeId),
    Goal,
}

/// A step of a search and its cost.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: Vertex,
    cost: Cost,
    /// The edge of the step; `None` for a step inside a node.
    way: Option<Way>,
}

/// The paths that were found so far.
struct Flow<'s> {
    starts: &'s [NodeId],
    /// The ends of the query that consist of one machine.
    single: Vec<Side>,
    overlap: Overlap,
    /// The number of paths that leave a node by a connection.
    uses: HashMap<(ViaId, NodeId), u8>,
    through: HashMap<NodeId, u8>,
    /// The cost of reaching a position, minus `base`.
    potential: HashMap<Vertex, Cost>,
    base: Cost,
}

/// Returns disjoint paths with the least total cost, the cheapest first: as many as there are, but at most `most`.
pub(super) fn disjoint(
    graph: &mut Graph<'_>,
    starts: &[NodeId],
    overlap: Overlap,
    most: usize,
    steps: &mut Steps,
) -> Result<Vec<Route>, PathError> {
    let single = [Side::From, Side::To].into_iter().filter(|side| graph.is_single(*side)).collect();
    let (uses, through, potential) = Default::default();
    let mut flow = Flow { starts, single, overlap, uses, through, potential, base: Cost::NONE };
    let mut count = 0;
    while count < most && flow.grow(graph, steps)? {
        count += 1;
    }
    let mut routes = flow.routes(graph, steps)?;
    routes.sort_by_key(|route| (route.cost, route.key()));
    Ok(routes)
}

impl Flow<'_> {
    /// Searches for one more path. Returns true if there is one.
    fn grow(&mut self, graph: &mut Graph<'_>, steps: &mut Steps) -> Result<bool, PathError> {
        let mut reached: HashMap<Vertex, (Cost, Option<(Vertex, Step)>)> = HashMap::new();
        let mut heap = BinaryHeap::new();
        for start in self.starts {
            let vertex = Vertex::In(*start);
            let cost = Cost::NONE - self.shift(vertex);
            reached.insert(vertex, (cost, None));
            heap.push(Reverse((cost, vertex)));
        }
        let mut next = Vec::new();
        let mut length = None;
        while let Some(Reverse((cost, vertex))) = heap.pop() {
            if reached.get(&vertex).is_some_and(|(least, _)| *least < cost) {
                continue;
            }
            if vertex == Vertex::Goal {
                length = Some(cost);
                break;
            }
            self.steps_from(graph, vertex, &mut next, steps)?;
            for step in next.drain(..) {
                let cost = cost + step.cost + self.shift(vertex) - self.shift(step.to);
                if reached.get(&step.to).is_none_or(|(least, _)| cost < *least) {
                    reached.insert(step.to, (cost, Some((vertex, step))));
                    heap.push(Reverse((cost, step.to)));
                }
            }
        }
        let Some(length) = length else { return Ok(false) };
        let mut at = Vertex::Goal;
        while let Some((_, Some((from, step)))) = reached.get(&at) {
            self.take(*from, step);
            at = *from;
        }
        for (vertex, (cost, _)) in reached {
            *self.potential.entry(vertex).or_default() = self.relative(vertex) + cost.min(length) - length;
        }
        self.base = self.base + length;
        Ok(true)
    }

    fn relative(&self, vertex: Vertex) -> Cost {
        self.potential.get(&vertex).copied().unwrap_or_default()
    }

    fn shift(&self, vertex: Vertex) -> Cost {
        self.base + self.relative(vertex)
    }

    /// Adds the steps by which a path can continue from a position.
    fn steps_from(
        &self,
        graph: &mut Graph<'_>,
        vertex: Vertex,
        next: &mut Vec<Step>,
        steps: &mut Steps,
    ) -> Result<(), PathError> {
        let (Vertex::In(node) | Vertex::Out(node)) = vertex else { return Ok(()) };
        self.steps_inside(graph, vertex, next);
        for way in graph.ways(node, steps)?.iter() {
            steps.take()?;
            match vertex {
                Vertex::Out(_) => {
                    let enters = graph.node(way.to).side != Some(Side::From) && !self.is_at(graph, node, Side::To);
                    if let Some(extra) = self.room(way.via, node, way.to).filter(|_| enters) {
                        next.push(Step { to: Vertex::In(way.to), cost: way.cost + extra, way: Some(*way) });
                    }
                }
                // Backwards over a line that carries a path to this node.
                _ => {
                    let count = self.count(way.via, way.to);
                    if count > 0 {
                        next.push(Step {
                            to: Vertex::Out(way.to),
                            cost: -(way.cost + extra(count - 1)),
                            way: Some(*way),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn steps_inside(&self, graph: &Graph<'_>, vertex: Vertex, next: &mut Vec<Step>) {
        let (Vertex::In(node) | Vertex::Out(node)) = vertex else { return };
        let count = self.through.get(&node).copied().unwrap_or_default();
        let free = self.is_free(graph, node);
        let inside = |to: Vertex, cost: Cost| Step { to, cost, way: None };
        match vertex {
            Vertex::In(_) if free => next.push(inside(Vertex::Out(node), Cost::NONE)),
            Vertex::In(_) if count < self.overlap.most() => next.push(inside(Vertex::Out(node), extra(count))),
            Vertex::Out(_) if count > 0 => {
                let cost = if free { Cost::NONE } else { -extra(count - 1) };
                next.push(inside(Vertex::In(node), cost));
            }
            _ => {}
        }
        if matches!(vertex, Vertex::Out(_)) && self.is_at(graph, node, Side::To) {
            next.push(inside(Vertex::Goal, Cost::NONE));
        }
    }

    /// Returns true if any number of paths may pass a node.
    fn is_free(&self, graph: &Graph<'_>, node: NodeId) -> bool {
        let single = graph.node(node).side.is_some_and(|side| self.single.contains(&side));
        single || graph.node(node).holds
    }

    fn is_at(&self, graph: &Graph<'_>, node: NodeId, side: Side) -> bool {
        graph.node(node).side == Some(side)
    }

    fn count(&self, via: ViaId, from: NodeId) -> u8 {
        self.uses.get(&(via, from)).copied().unwrap_or_default()
    }

    /// Returns the additional cost of using a line once more; `None` if it has no capacity left.
    fn room(&self, via: ViaId, from: NodeId, to: NodeId) -> Option<Cost> {
        let (along, against) = (self.count(via, from), self.count(via, to));
        (against == 0 && along < self.overlap.most()).then(|| extra(along))
    }

    /// Adds a step of a path to the flow.
    fn take(&mut self, from: Vertex, step: &Step) {
        match (from, step.to, step.way) {
            (Vertex::Out(from), Vertex::In(_), Some(way)) => *self.uses.entry((way.via, from)).or_default() += 1,
            (Vertex::In(_), Vertex::Out(to), Some(way)) => {
                if let Some(count) = self.uses.get_mut(&(way.via, to)) {
                    *count = count.saturating_sub(1);
                }
            }
            (Vertex::In(node), Vertex::Out(_), None) => *self.through.entry(node).or_default() += 1,
            (Vertex::Out(node), Vertex::In(_), None) => {
                if let Some(count) = self.through.get_mut(&node) {
                    *count = count.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    /// Splits the flow into its paths.
    fn routes(mut self, graph: &mut Graph<'_>, steps: &mut Steps) -> Result<Vec<Route>, PathError> {
        let mut routes = Vec::new();
        for start in self.starts {
            while let Some(first) = self.leave(graph, *start, steps)? {
                let mut route = Route { start: *start, ways: vec![first], cost: first.cost };
                let mut at = first.to;
                while !self.is_at(graph, at, Side::To)
                    && let Some(way) = self.leave(graph, at, steps)?
                {
                    route.cost = route.cost + way.cost;
                    route.ways.push(way);
                    at = way.to;
                }
                routes.push(route);
            }
        }
        Ok(routes)
    }

    /// Removes from the flow one of the edges by which it leaves a node, and returns the edge.
    fn leave(&mut self, graph: &mut Graph<'_>, node: NodeId, steps: &mut Steps) -> Result<Option<Way>, PathError> {
        for way in graph.ways(node, steps)?.iter() {
            steps.take()?;
            if let Some(count) = self.uses.get_mut(&(way.via, node)).filter(|count| **count > 0) {
                *count -= 1;
                return Ok(Some(*way));
            }
        }
        Ok(None)
    }
}

/// Returns the additional cost of using a node or line that carries `count` paths.
const fn extra(count: u8) -> Cost {
    if count == 0 { Cost::NONE } else { Cost::SHARED }
}
