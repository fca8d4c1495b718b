//! Searches the residual graph for the cheapest augmenting path (successive shortest paths).
//!
//! A step back over a path has a negative cost. So each vertex gets a *potential*, its cost in the previous search, and
//! each edge a *reduced cost*: its cost, plus the potential of its source, minus that of its target. Reduced costs are
//! never negative, so Dijkstra's algorithm finds the cheapest path. petgraph's `dijkstra` returns costs without paths,
//! and its `astar` a path without the costs of the other vertices; the next search needs both.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::ops::{Add, Neg, Sub};

use foldhash::HashMap;
use petgraph::Direction;
use petgraph::visit::{Data, EdgeRef, IntoEdges};

use super::residual::{Capacity, Residual, ResidualEdge, Vertex};

/// The state from one search to the next.
pub(crate) struct LeastCost<G: IntoEdges> {
    /// The additional cost of an edge or node for each path that shares it with another one.
    shared: G::EdgeWeight,
    /// The potentials of the vertices that were reached, minus `base`.
    potentials: HashMap<Vertex<G::NodeId>, G::EdgeWeight>,
    /// The potential of all vertices that were never reached.
    base: G::EdgeWeight,
}

/// The cheapest known path to a vertex: its cost, and its last edge, which a source does not have.
type CheapestPath<G> = (<G as Data>::EdgeWeight, Option<ResidualEdge<G>>);

impl<G> LeastCost<G>
where
    G: IntoEdges,
    G::NodeId: Ord + Hash,
    G::EdgeId: Eq + Hash,
    G::EdgeWeight:
        Copy + Ord + Default + Add<Output = G::EdgeWeight> + Sub<Output = G::EdgeWeight> + Neg<Output = G::EdgeWeight>,
{
    /// Returns the state before the first search.
    pub fn new(shared: G::EdgeWeight) -> Self {
        Self { shared, potentials: HashMap::default(), base: G::EdgeWeight::default() }
    }

    /// Returns the cheapest augmenting path from a source to a sink; `None` if the flow is maximal. The caller must add
    /// the path to the flow before the next search.
    pub fn augmenting_path<C>(
        &mut self,
        residual: &Residual<'_, G, C>,
        sources: &[G::NodeId],
        is_sink: impl Fn(G::NodeId) -> bool,
    ) -> Option<Vec<ResidualEdge<G>>>
    where
        C: Fn(G::NodeId) -> Capacity,
    {
        let mut reached: HashMap<Vertex<G::NodeId>, CheapestPath<G>> = HashMap::default();
        let mut heap = BinaryHeap::new();
        for source in sources {
            let vertex = Vertex::In(*source);
            let cost = -self.potential(vertex);
            reached.insert(vertex, (cost, None));
            heap.push(Reverse((cost, vertex)));
        }
        let mut found = None;
        while let Some(Reverse((cost, vertex))) = heap.pop() {
            if reached.get(&vertex).is_some_and(|(least, _)| *least < cost) {
                continue;
            }
            if matches!(vertex, Vertex::Out(node) if is_sink(node)) {
                found = Some((cost, vertex));
                break;
            }
            for edge in residual.edges(vertex, Direction::Outgoing) {
                let cost = cost + self.reduced_cost(&edge);
                if reached.get(&edge.target).is_none_or(|(least, _)| cost < *least) {
                    reached.insert(edge.target, (cost, Some(edge)));
                    heap.push(Reverse((cost, edge.target)));
                }
            }
        }
        let (length, sink) = found?;
        let path = path_to(&reached, sink);
        self.add_potentials(&reached, length);
        Some(path)
    }

    /// Adds the costs of a search to the potentials. A vertex that costs more than the path, or was not reached, gets
    /// the cost of the path.
    fn add_potentials(&mut self, reached: &HashMap<Vertex<G::NodeId>, CheapestPath<G>>, length: G::EdgeWeight) {
        for (vertex, (cost, _)) in reached {
            let potential = self.potentials.entry(*vertex).or_default();
            *potential = *potential + (*cost).min(length) - length;
        }
        self.base = self.base + length;
    }

    fn potential(&self, vertex: Vertex<G::NodeId>) -> G::EdgeWeight {
        self.base + self.potentials.get(&vertex).copied().unwrap_or_default()
    }

    fn reduced_cost(&self, edge: &ResidualEdge<G>) -> G::EdgeWeight {
        self.cost(edge) + self.potential(edge.source) - self.potential(edge.target)
    }

    fn cost(&self, edge: &ResidualEdge<G>) -> G::EdgeWeight {
        let cost = edge.edge.map_or_else(G::EdgeWeight::default, |edge| *edge.weight());
        let cost = if edge.shared { cost + self.shared } else { cost };
        if edge.cancels { -cost } else { cost }
    }
}

/// Returns the path to a vertex, from the source on.
fn path_to<G>(reached: &HashMap<Vertex<G::NodeId>, CheapestPath<G>>, vertex: Vertex<G::NodeId>) -> Vec<ResidualEdge<G>>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
{
    let mut path = Vec::new();
    let mut at = vertex;
    while let Some((_, Some(edge))) = reached.get(&at) {
        path.push(*edge);
        at = edge.source;
    }
    path.reverse();
    path
}
