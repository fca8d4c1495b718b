//! Searches for the cheapest path from both ends at once (Dijkstra's algorithm on both sides), so that only nodes near
//! the two ends are visited. petgraph has no such search: from one end alone, a query would visit most of a site.
//!
//! The search runs on any graph of petgraph whose edges lead in both directions at the same cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

use petgraph::visit::{Data, EdgeRef, IntoEdgeReferences, IntoEdges, NodeIndexable};

/// The facts about a graph that shorten a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints<C, F> {
    /// A lower bound of the cost of an edge.
    pub least_edge: C,
    /// Returns true for the nodes that are visited first among those of the same cost.
    pub comes_first: F,
}

/// A path through a graph.
pub(super) struct FoundPath<G: IntoEdges> {
    pub start: G::NodeId,
    /// The steps of the path: the edge that each goes over, and the node that it leads to. On the second half of a
    /// path, the edge is the one that this node has.
    pub steps: Vec<(G::EdgeRef, G::NodeId)>,
    pub cost: G::EdgeWeight,
}

/// The cheapest known path to a node: its cost, and the edge from the node before it, which an end does not have.
struct ReachedNode<G: IntoEdgeReferences> {
    cost: G::EdgeWeight,
    by: Option<G::EdgeRef>,
    done: bool,
}

/// An entry of a heap. Nodes of the same cost come in the order of the hint, then in that of their indices.
type Next<G> = Reverse<(<G as Data>::EdgeWeight, bool, usize)>;

/// One side of a search: the nodes reached so far, and those to visit next.
struct Front<'h, G: IntoEdgeReferences, F> {
    graph: G,
    comes_first: &'h F,
    reached: Vec<Option<ReachedNode<G>>>,
    heap: BinaryHeap<Next<G>>,
}

impl<'h, G, F> Front<'h, G, F>
where
    G: IntoEdges + NodeIndexable,
    G::EdgeWeight: Copy + Ord + Add<Output = G::EdgeWeight> + Default,
    F: Fn(G::NodeId) -> bool,
{
    fn from(graph: G, starts: &[G::NodeId], comes_first: &'h F) -> Self {
        let mut front = Self { graph, comes_first, reached: Vec::new(), heap: BinaryHeap::new() };
        for start in starts {
            front.reach(*start, G::EdgeWeight::default(), None);
        }
        front
    }

    fn get(&self, node: G::NodeId) -> Option<&ReachedNode<G>> {
        self.reached.get(self.graph.to_index(node))?.as_ref()
    }

    /// Records a path to a node. Returns true if it is the cheapest so far.
    fn reach(&mut self, node: G::NodeId, cost: G::EdgeWeight, by: Option<G::EdgeRef>) -> bool {
        let index = self.graph.to_index(node);
        if self.reached.len() <= index {
            self.reached.resize_with(index + 1, || None);
        }
        let better = self.reached[index].as_ref().is_none_or(|there| cost < there.cost);
        if better {
            self.reached[index] = Some(ReachedNode { cost, by, done: false });
            self.heap.push(Reverse((cost, !(self.comes_first)(node), index)));
        }
        better
    }

    /// Returns the least cost of the nodes that are not done.
    fn least(&self) -> Option<G::EdgeWeight> {
        self.heap.peek().map(|Reverse((cost, ..))| *cost)
    }

    /// Removes and returns the node with the least cost that is not done.
    fn next(&mut self) -> Option<(G::EdgeWeight, G::NodeId)> {
        while let Some(Reverse((cost, _, index))) = self.heap.pop() {
            let reached = self.reached[index].as_mut()?;
            if !reached.done && reached.cost == cost {
                reached.done = true;
                return Some((cost, self.graph.from_index(index)));
            }
        }
        None
    }
}

/// Returns the cheapest path from one of the starts to one of the goals. Of several equally cheap paths it always
/// returns the same one.
pub(super) fn cheapest<G, F>(
    graph: G,
    starts: &[G::NodeId],
    goals: &[G::NodeId],
    hints: Hints<G::EdgeWeight, F>,
) -> Option<FoundPath<G>>
where
    G: IntoEdges + NodeIndexable,
    G::EdgeWeight: Copy + Ord + Add<Output = G::EdgeWeight> + Default,
    F: Fn(G::NodeId) -> bool,
{
    let mut forward = Front::from(graph, starts, &hints.comes_first);
    let mut backward = Front::from(graph, goals, &hints.comes_first);
    let mut best: Option<(G::EdgeWeight, G::NodeId)> = None;
    for start in starts {
        if backward.get(*start).is_some() {
            best = Some((G::EdgeWeight::default(), *start));
        }
    }
    while let (Some(forward_cost), Some(backward_cost)) = (forward.least(), backward.least()) {
        // A path that was not found yet leads from a node not done on one side to a node not done on the other.
        if best.is_some_and(|(cost, _)| forward_cost + hints.least_edge + backward_cost >= cost) {
            break;
        }
        let is_ahead = forward.heap.len() <= backward.heap.len();
        let (own, other) = if is_ahead { (&mut forward, &backward) } else { (&mut backward, &forward) };
        let Some((cost, node)) = own.next() else { continue };
        for edge in graph.edges(node) {
            let (to, cost) = (edge.target(), cost + *edge.weight());
            if own.reach(to, cost, Some(edge))
                && let Some(rest) = other.get(to)
                && best.is_none_or(|(best, _)| cost + rest.cost < best)
            {
                best = Some((cost + rest.cost, to));
            }
        }
    }
    best.map(|(cost, middle)| join(&forward, &backward, middle, cost))
}

/// Joins both halves of a path.
fn join<G, F>(
    forward: &Front<'_, G, F>,
    backward: &Front<'_, G, F>,
    middle: G::NodeId,
    cost: G::EdgeWeight,
) -> FoundPath<G>
where
    G: IntoEdges + NodeIndexable,
    G::EdgeWeight: Copy + Ord + Add<Output = G::EdgeWeight> + Default,
    F: Fn(G::NodeId) -> bool,
{
    let by = |front: &Front<'_, G, F>, node| front.get(node).and_then(|reached| reached.by);
    let (mut steps, mut start) = (Vec::new(), middle);
    while let Some(edge) = by(forward, start) {
        steps.push((edge, start));
        start = edge.source();
    }
    steps.reverse();
    let mut at = middle;
    while let Some(edge) = by(backward, at) {
        at = edge.source();
        steps.push((edge, at));
    }
    FoundPath { start, steps, cost }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::dijkstra;
    use petgraph::graph::{NodeIndex, UnGraph};
    use proptest::prelude::*;

    use super::*;

    /// A random graph with the ends of a search. Edges can be parallel, and lead to their own node.
    fn graphs() -> impl Strategy<Value = (UnGraph<(), u32>, Vec<NodeIndex>, Vec<NodeIndex>)> {
        (2_u32..12).prop_flat_map(|nodes| {
            let edges = prop::collection::vec((0..nodes, 0..nodes, 1_u32..5), 0..30);
            let ends = || prop::collection::vec((0..nodes).prop_map(|node| NodeIndex::new(node as usize)), 1..4);
            (edges, ends(), ends()).prop_map(move |(edges, starts, goals)| {
                let mut graph = UnGraph::default();
                (0..nodes).for_each(|_| {
                    graph.add_node(());
                });
                graph.extend_with_edges(edges);
                (graph, starts, goals)
            })
        })
    }

    proptest! {
        #[test]
        fn the_cheapest_path_is_that_of_petgraph((graph, starts, goals) in graphs(), few in any::<bool>()) {
            let hints = Hints { least_edge: 1, comes_first: |node: NodeIndex| few && node.index() % 3 == 0 };
            let found = cheapest(&graph, &starts, &goals, hints);
            let costs = starts.iter().map(|start| dijkstra(&graph, *start, None, |edge| *edge.weight()));
            let least = costs.flat_map(|of| goals.iter().filter_map(move |goal| of.get(goal).copied()).min()).min();
            prop_assert_eq!(found.as_ref().map(|found| found.cost), least);
            if let Some(found) = found {
                prop_assert!(starts.contains(&found.start));
                let (mut at, mut cost) = (found.start, 0);
                for (edge, to) in &found.steps {
                    let ends = graph.edge_endpoints(edge.id()).expect("an edge of the graph");
                    prop_assert!(ends == (at, *to) || ends == (*to, at), "{ends:?} from {at:?} to {to:?}");
                    (at, cost) = (*to, cost + *edge.weight());
                }
                prop_assert!(goals.contains(&at));
                prop_assert_eq!(cost, found.cost);
            }
        }
    }
}
