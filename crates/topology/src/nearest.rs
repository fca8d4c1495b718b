//! Searches for the goal that is nearest to a node (breadth-first search).
//!
//! petgraph's `Bfs` yields nodes without the path to them, and its `astar` recognizes a goal only when it visits it.
//! Here a goal ends the search as soon as an edge leads to it.

use std::hash::Hash;

use foldhash::HashSet;
use petgraph::visit::{EdgeRef, IntoEdgeReferences, IntoEdges};

/// The position of the node before a node in the order of the search, and the edge from there.
type Predecessor<G> = (usize, <G as IntoEdgeReferences>::EdgeRef);

/// Returns a path with the fewest edges from a node to a goal. If there is none, returns all nodes that the search
/// reached, beginning with the first.
///
/// The search follows only edges that are open. It asks for this only if an edge leads to a new node, because the
/// answer can be expensive. The first node is not a goal.
pub(crate) fn path_to_nearest<G>(
    graph: G,
    from: G::NodeId,
    is_open: impl Fn(G::EdgeRef) -> bool,
    mut is_goal: impl FnMut(G::NodeId) -> bool,
) -> Result<Vec<G::EdgeRef>, Vec<G::NodeId>>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
{
    let mut order: Vec<(G::NodeId, Option<Predecessor<G>>)> = vec![(from, None)];
    let mut seen = HashSet::from_iter([from]);
    let mut next = 0;
    while let Some((node, _)) = order.get(next).copied() {
        for edge in graph.edges(node) {
            let target = edge.target();
            if seen.contains(&target) || !is_open(edge) {
                continue;
            }
            seen.insert(target);
            order.push((target, Some((next, edge))));
            if is_goal(target) {
                let before = |(at, _): &Predecessor<G>| order[*at].1;
                let last = Some((next, edge));
                let mut path: Vec<G::EdgeRef> = std::iter::successors(last, before).map(|(_, edge)| edge).collect();
                path.reverse();
                return Ok(path);
            }
        }
        next += 1;
    }
    Err(order.into_iter().map(|(node, _)| node).collect())
}

#[cfg(test)]
mod tests {
    use petgraph::algo::dijkstra;
    use petgraph::graph::{NodeIndex, UnGraph};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_path_has_as_few_edges_as_that_of_petgraph(
            edges in prop::collection::vec((0_u32..12, 0_u32..12), 1..25),
            goals in prop::collection::hash_set(1_u32..12, 0..3),
        ) {
            let graph = UnGraph::<(), ()>::from_edges(&edges);
            let from = NodeIndex::new(0);
            let is_goal = |node: NodeIndex| goals.contains(&(node.index() as u32));
            let distances = dijkstra(&graph, from, None, |_| 1_usize);
            let expected = distances.iter().filter(|(node, _)| is_goal(**node)).map(|(_, distance)| *distance).min();
            match path_to_nearest(&graph, from, |_| true, is_goal) {
                Ok(path) => {
                    prop_assert_eq!(Some(path.len()), expected);
                    prop_assert_eq!(path[0].source(), from);
                    prop_assert!(path.windows(2).all(|pair| pair[0].target() == pair[1].source()));
                    prop_assert!(is_goal(path[path.len() - 1].target()));
                }
                Err(mut reached) => {
                    prop_assert_eq!(expected, None);
                    let mut all: Vec<NodeIndex> = distances.into_keys().collect();
                    all.sort_unstable();
                    reached.sort_unstable();
                    prop_assert_eq!(reached, all);
                }
            }
        }
    }
}
