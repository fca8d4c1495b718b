//! Searches the residual graph for an augmenting path from both sides at once, and for the minimum cut.

use std::collections::VecDeque;
use std::hash::Hash;

use foldhash::{HashMap, HashSet};
use petgraph::Direction;
use petgraph::visit::IntoEdges;

use super::residual::{Capacity, Residual, ResidualEdge, Vertex};

/// One side of the search: the vertices that it reached, each with the edge between it and the one before. A vertex at
/// which the side begins has none.
struct SearchSide<G: IntoEdges> {
    direction: Direction,
    reached: HashMap<Vertex<G::NodeId>, Option<ResidualEdge<G>>>,
    queue: VecDeque<Vertex<G::NodeId>>,
}

impl<G> SearchSide<G>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
{
    fn new(direction: Direction, starts: impl Iterator<Item = Vertex<G::NodeId>>) -> Self {
        let queue: VecDeque<Vertex<G::NodeId>> = starts.collect();
        Self { direction, reached: queue.iter().map(|vertex| (*vertex, None)).collect(), queue }
    }

    /// Returns the vertex at the far end of an edge.
    fn far(&self, edge: &ResidualEdge<G>) -> Vertex<G::NodeId> {
        if self.direction == Direction::Outgoing { edge.target } else { edge.source }
    }

    /// Returns the edges between a vertex and the start from which it was reached, the nearest first.
    fn edges_to(&self, vertex: Vertex<G::NodeId>) -> Vec<ResidualEdge<G>> {
        let mut edges = Vec::new();
        let mut at = vertex;
        while let Some(edge) = self.reached.get(&at).copied().flatten() {
            at = if self.direction == Direction::Outgoing { edge.source } else { edge.target };
            edges.push(edge);
        }
        edges
    }
}

/// Returns an augmenting path from a source to a sink; `None` if the flow is maximal.
///
/// The search is breadth-first, and always continues on the side with fewer vertices to visit. So a small cut on either
/// side ends it. `is_open` is asked only for edges to new vertices, because the answer can be expensive.
pub(crate) fn augmenting_path<G, C>(
    residual: &Residual<'_, G, C>,
    sources: &[G::NodeId],
    sinks: &[G::NodeId],
    is_open: impl Fn(G::EdgeRef) -> bool,
) -> Option<Vec<ResidualEdge<G>>>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
    G::EdgeId: Eq + Hash,
    C: Fn(G::NodeId) -> Capacity,
{
    let mut forward = SearchSide::new(Direction::Outgoing, sources.iter().copied().map(Vertex::In));
    let mut backward = SearchSide::new(Direction::Incoming, sinks.iter().copied().map(Vertex::Out));
    while !forward.queue.is_empty() && !backward.queue.is_empty() {
        let is_forward = forward.queue.len() <= backward.queue.len();
        let (own, other) = if is_forward { (&mut forward, &backward) } else { (&mut backward, &forward) };
        let vertex = own.queue.pop_front()?;
        for edge in residual.edges(vertex, own.direction) {
            let far = own.far(&edge);
            let is_new = !own.reached.contains_key(&far) && residual.has_capacity(far.node());
            if !is_new || !edge.edge.is_none_or(&is_open) {
                continue;
            }
            own.reached.insert(far, Some(edge));
            own.queue.push_back(far);
            if other.reached.contains_key(&far) {
                let mut path = forward.edges_to(far);
                path.reverse();
                path.extend(backward.edges_to(far));
                return Some(path);
            }
        }
    }
    None
}

/// Returns the nodes that are on the side of the sinks of the minimum cut that is nearest to them, the sinks among
/// them; `None` if this takes more than `most` vertices. These are the nodes that reach a sink in the residual graph of
/// a maximum flow. Nodes without capacity are among them, although no path passes them.
pub(crate) fn sink_side<G, C>(
    residual: &Residual<'_, G, C>,
    sinks: &[G::NodeId],
    most: usize,
    is_open: impl Fn(G::EdgeRef) -> bool,
) -> Option<HashSet<G::NodeId>>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
    G::EdgeId: Eq + Hash,
    C: Fn(G::NodeId) -> Capacity,
{
    let mut queue: VecDeque<Vertex<G::NodeId>> = sinks.iter().copied().map(Vertex::Out).collect();
    let mut reached: HashSet<Vertex<G::NodeId>> = queue.iter().copied().collect();
    while let Some(vertex) = queue.pop_front() {
        if reached.len() > most {
            return None;
        }
        for edge in residual.edges(vertex, Direction::Incoming) {
            if !reached.contains(&edge.source) && edge.edge.is_none_or(&is_open) {
                reached.insert(edge.source);
                queue.push_back(edge.source);
            }
        }
    }
    Some(reached.into_iter().map(Vertex::node).collect())
}
