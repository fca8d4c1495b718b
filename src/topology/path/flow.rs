//! Ways that have no machine and no line in common: a flow of least cost, found way by way.
//!
//! Every machine and every line carries one way at most. A single machine at an end is shared by all ways; of several
//! machines at an end each way has its own. Where ways may overlap, what carries two counts as shared, and as few as
//! possible are. Each search is for the cheapest way that the flow leaves room for, so the flow is always the cheapest
//! of its size; costs are shifted by those of the search before, so that none is negative.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::cost::Cost;
use super::error::{PathError, Side};
use super::graph::{Graph, NodeId, ViaId, Way};
use super::search::Route;
use crate::topology::steps::Steps;

/// Whether ways may have machines and lines in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// Never.
    None,
    /// Two ways may, where there is no other.
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

/// Where a search is at a node: before it, or past it. Only the flow's capacity leads from the one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Spot {
    In(NodeId),
    Out(NodeId),
    Goal,
}

/// A step of a search, and how it was taken.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: Spot,
    cost: Cost,
    /// The way; none inside of a node.
    way: Option<Way>,
}

/// The ways that were found so far.
struct Flow<'s> {
    starts: &'s [NodeId],
    /// The ends that are one machine.
    single: Vec<Side>,
    overlap: Overlap,
    /// How many ways leave a node by a line or joint.
    uses: HashMap<(ViaId, NodeId), u8>,
    through: HashMap<NodeId, u8>,
    /// What reaching a spot costs, less `base`.
    potential: HashMap<Spot, Cost>,
    base: Cost,
}

/// Up to so many ways with nothing in common, as many as there are, at the least cost together; the cheapest first.
pub(super) async fn disjoint(
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
    while count < most && flow.grow(graph, steps).await? {
        count += 1;
    }
    let mut routes = flow.routes(graph, steps).await?;
    routes.sort_by_key(|route| (route.cost, route.key()));
    Ok(routes)
}

impl Flow<'_> {
    /// Looks for one more way; whether there is one.
    async fn grow(&mut self, graph: &mut Graph<'_>, steps: &mut Steps) -> Result<bool, PathError> {
        let mut reached: HashMap<Spot, (Cost, Option<(Spot, Step)>)> = HashMap::new();
        let mut heap = BinaryHeap::new();
        for start in self.starts {
            let spot = Spot::In(*start);
            let cost = Cost::NONE - self.shift(spot);
            reached.insert(spot, (cost, None));
            heap.push(Reverse((cost, spot)));
        }
        let mut next = Vec::new();
        let mut length = None;
        while let Some(Reverse((cost, spot))) = heap.pop() {
            if reached.get(&spot).is_some_and(|(least, _)| *least < cost) {
                continue;
            }
            if spot == Spot::Goal {
                length = Some(cost);
                break;
            }
            self.steps_from(graph, spot, &mut next, steps).await?;
            for step in next.drain(..) {
                let cost = cost + step.cost + self.shift(spot) - self.shift(step.to);
                if reached.get(&step.to).is_none_or(|(least, _)| cost < *least) {
                    reached.insert(step.to, (cost, Some((spot, step))));
                    heap.push(Reverse((cost, step.to)));
                }
            }
        }
        let Some(length) = length else { return Ok(false) };
        let mut at = Spot::Goal;
        while let Some((_, Some((from, step)))) = reached.get(&at) {
            self.take(*from, step);
            at = *from;
        }
        for (spot, (cost, _)) in reached {
            *self.potential.entry(spot).or_default() = self.relative(spot) + cost.min(length) - length;
        }
        self.base = self.base + length;
        Ok(true)
    }

    fn relative(&self, spot: Spot) -> Cost {
        self.potential.get(&spot).copied().unwrap_or_default()
    }

    fn shift(&self, spot: Spot) -> Cost {
        self.base + self.relative(spot)
    }

    /// Where a way can go on from a spot.
    async fn steps_from(
        &self,
        graph: &mut Graph<'_>,
        spot: Spot,
        next: &mut Vec<Step>,
        steps: &mut Steps,
    ) -> Result<(), PathError> {
        let (Spot::In(node) | Spot::Out(node)) = spot else { return Ok(()) };
        self.steps_inside(graph, spot, next);
        for way in graph.ways(node, steps).await?.iter() {
            steps.take().await?;
            match spot {
                Spot::Out(_) => {
                    let enters = graph.node(way.to).side != Some(Side::From) && !self.is_at(graph, node, Side::To);
                    if let Some(extra) = self.room(way.via, node, way.to).filter(|_| enters) {
                        next.push(Step { to: Spot::In(way.to), cost: way.cost + extra, way: Some(*way) });
                    }
                }
                // Back over a line that carries a way to here.
                _ => {
                    let count = self.count(way.via, way.to);
                    if count > 0 {
                        next.push(Step {
                            to: Spot::Out(way.to),
                            cost: -(way.cost + extra(count - 1)),
                            way: Some(*way),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn steps_inside(&self, graph: &Graph<'_>, spot: Spot, next: &mut Vec<Step>) {
        let (Spot::In(node) | Spot::Out(node)) = spot else { return };
        let count = self.through.get(&node).copied().unwrap_or_default();
        let free = self.is_free(graph, node);
        let inside = |to: Spot, cost: Cost| Step { to, cost, way: None };
        match spot {
            Spot::In(_) if free => next.push(inside(Spot::Out(node), Cost::NONE)),
            Spot::In(_) if count < self.overlap.most() => next.push(inside(Spot::Out(node), extra(count))),
            Spot::Out(_) if count > 0 => {
                let cost = if free { Cost::NONE } else { -extra(count - 1) };
                next.push(inside(Spot::In(node), cost));
            }
            _ => {}
        }
        if matches!(spot, Spot::Out(_)) && self.is_at(graph, node, Side::To) {
            next.push(inside(Spot::Goal, Cost::NONE));
        }
    }

    /// Whether any number of ways may run through a node.
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

    /// What it costs more to run over a line once more; `None`: there is no room.
    fn room(&self, via: ViaId, from: NodeId, to: NodeId) -> Option<Cost> {
        let (along, against) = (self.count(via, from), self.count(via, to));
        (against == 0 && along < self.overlap.most()).then(|| extra(along))
    }

    /// Takes over a step of a way that was found.
    fn take(&mut self, from: Spot, step: &Step) {
        match (from, step.to, step.way) {
            (Spot::Out(from), Spot::In(_), Some(way)) => *self.uses.entry((way.via, from)).or_default() += 1,
            (Spot::In(_), Spot::Out(to), Some(way)) => {
                if let Some(count) = self.uses.get_mut(&(way.via, to)) {
                    *count = count.saturating_sub(1);
                }
            }
            (Spot::In(node), Spot::Out(_), None) => *self.through.entry(node).or_default() += 1,
            (Spot::Out(node), Spot::In(_), None) => {
                if let Some(count) = self.through.get_mut(&node) {
                    *count = count.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    /// The ways that the flow is made of.
    async fn routes(mut self, graph: &mut Graph<'_>, steps: &mut Steps) -> Result<Vec<Route>, PathError> {
        let mut routes = Vec::new();
        for start in self.starts {
            while let Some(first) = self.leave(graph, *start, steps).await? {
                let mut route = Route { start: *start, ways: vec![first], cost: first.cost };
                let mut at = first.to;
                while !self.is_at(graph, at, Side::To)
                    && let Some(way) = self.leave(graph, at, steps).await?
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

    /// Takes one of the lines by which the flow leaves a node.
    async fn leave(
        &mut self,
        graph: &mut Graph<'_>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Option<Way>, PathError> {
        for way in graph.ways(node, steps).await?.iter() {
            steps.take().await?;
            if let Some(count) = self.uses.get_mut(&(way.via, node)).filter(|count| **count > 0) {
                *count -= 1;
                return Ok(Some(*way));
            }
        }
        Ok(None)
    }
}

/// What it costs more to use something that carries so many ways.
const fn extra(count: u8) -> Cost {
    if count == 0 { Cost::NONE } else { Cost::SHARED }
}
