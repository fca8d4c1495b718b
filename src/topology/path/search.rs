//! The search for one way: from both sides at once, the least cost first, so that only what is near the two ends is
//! looked at.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::cost::Cost;
use super::error::{PathError, Side};
use super::graph::{Graph, NodeId, ViaId, Way};
use crate::topology::steps::Steps;

/// A way from one end to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub start: NodeId,
    pub ways: Vec<Way>,
    pub cost: Cost,
}

impl Route {
    /// The nodes that it runs over, the first and the last included.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.start).chain(self.ways.iter().map(|way| way.to))
    }

    /// What tells it from every other one.
    pub fn key(&self) -> (NodeId, Vec<ViaId>) {
        (self.start, self.ways.iter().map(|way| way.via).collect())
    }
}

/// What a search must not use.
#[derive(Clone, Debug, Default)]
pub(super) struct Banned {
    pub nodes: HashSet<NodeId>,
    pub vias: HashSet<ViaId>,
}

/// How a node was reached: at which cost, from which node, by which way. At a start there is no way.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: Cost,
    by: Option<(NodeId, Way)>,
    done: bool,
}

/// One side of a search.
#[derive(Default)]
struct Front {
    reached: Vec<Option<Reached>>,
    heap: BinaryHeap<Reverse<(Cost, Nearness, NodeId)>>,
}

/// Of nodes at the same cost those that stand between their group and others come first: over them both sides meet.
type Nearness = bool;

impl Front {
    fn from(graph: &Graph<'_>, starts: &[NodeId]) -> Self {
        let mut front = Self::default();
        for start in starts {
            front.reach(graph, *start, Cost::NONE, None);
        }
        front
    }

    fn get(&self, node: NodeId) -> Option<&Reached> {
        self.reached.get(node as usize)?.as_ref()
    }

    /// Whether it is the cheapest way to the node so far.
    fn reach(&mut self, graph: &Graph<'_>, node: NodeId, cost: Cost, by: Option<(NodeId, Way)>) -> bool {
        let place = node as usize;
        if self.reached.len() <= place {
            self.reached.resize(place + 1, None);
        }
        let better = self.reached[place].is_none_or(|there| cost < there.cost);
        if better {
            self.reached[place] = Some(Reached { cost, by, done: false });
            self.heap.push(Reverse((cost, !graph.node(node).outward, node)));
        }
        better
    }

    /// The least cost of what is not done.
    fn least(&self) -> Option<Cost> {
        self.heap.peek().map(|Reverse((cost, ..))| *cost)
    }

    /// Takes the node of least cost that is not done.
    fn next(&mut self) -> Option<(Cost, NodeId)> {
        while let Some(Reverse((cost, _, node))) = self.heap.pop() {
            let reached = self.reached[node as usize].as_mut()?;
            if !reached.done && reached.cost == cost {
                reached.done = true;
                return Some((cost, node));
            }
        }
        None
    }
}

/// The cheapest way from one of these nodes to one of those; of equal ones always the same.
pub(super) async fn cheapest(
    graph: &mut Graph<'_>,
    starts: &[NodeId],
    goals: &[NodeId],
    banned: &Banned,
    steps: &mut Steps,
) -> Result<Option<Route>, PathError> {
    let (mut forward, mut backward) = (Front::from(graph, starts), Front::from(graph, goals));
    let mut best: Option<(Cost, NodeId)> = None;
    while let (Some(ahead), Some(behind)) = (forward.least(), backward.least()) {
        // What was not met yet has a way between what is not done on the one side and what is not done on the other.
        if best.is_some_and(|(cost, _)| ahead + Cost::HOP + behind >= cost) {
            break;
        }
        let is_ahead = forward.heap.len() <= backward.heap.len();
        let (own, other) = if is_ahead { (&mut forward, &backward) } else { (&mut backward, &forward) };
        let Some((cost, node)) = own.next() else { continue };
        for way in graph.ways(node, steps).await?.iter() {
            steps.take().await?;
            let to = graph.node(way.to);
            let opposite = if is_ahead { Side::To } else { Side::From };
            let enters = to.passes || to.side == Some(opposite) && other.get(way.to).is_some_and(|it| it.by.is_none());
            if !enters || banned.vias.contains(&way.via) || banned.nodes.contains(&way.to) {
                continue;
            }
            let cost = cost + way.cost;
            if own.reach(graph, way.to, cost, Some((node, *way)))
                && let Some(rest) = other.get(way.to)
                && best.is_none_or(|(best, _)| cost + rest.cost < best)
            {
                best = Some((cost + rest.cost, way.to));
            }
        }
    }
    Ok(best.map(|(cost, middle)| route(&forward, &backward, middle, cost)))
}

/// Puts both halves of a way together.
fn route(forward: &Front, backward: &Front, middle: NodeId, cost: Cost) -> Route {
    let (mut ways, mut start) = (Vec::new(), middle);
    while let Some(Reached { by: Some((from, way)), .. }) = forward.get(start) {
        ways.push(*way);
        start = *from;
    }
    ways.reverse();
    let mut at = middle;
    while let Some(Reached { by: Some((from, way)), .. }) = backward.get(at) {
        ways.push(Way { to: *from, ..*way });
        at = *from;
    }
    Route { start, ways, cost }
}
