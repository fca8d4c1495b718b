//! Flows in random graphs are those of petgraph on the split graph, which is built as a whole here.

use std::collections::{BTreeSet, HashSet};

use petgraph::algo::{bellman_ford, ford_fulkerson, has_path_connecting};
use petgraph::graph::{DiGraph, EdgeIndex, EdgeReference, NodeIndex, UnGraph};
use petgraph::visit::{EdgeRef, Reversed};
use proptest::prelude::*;

use super::{Capacity, Flow, LeastCost, Residual, augmenting_path, sink_side};

/// More paths than there can be in a random graph.
const MAX_PATHS: u32 = 60;

/// A random graph, with the ends of the paths and the capacities of the nodes.
#[derive(Clone, Debug)]
struct Case {
    graph: UnGraph<(), i64>,
    sources: Vec<NodeIndex>,
    sinks: Vec<NodeIndex>,
    /// The capacity of each node; `None` if it is unlimited.
    capacities: Vec<Option<u32>>,
}

impl Case {
    fn capacity(&self, node: NodeIndex) -> Capacity {
        self.capacities[node.index()].map_or(Capacity::Unlimited, Capacity::UpTo)
    }

    fn residual<'c, 'f>(
        &'c self,
        flow: &'f Flow<NodeIndex, EdgeIndex>,
        edge_capacity: u32,
    ) -> Residual<'f, &'c UnGraph<(), i64>, impl Fn(NodeIndex) -> Capacity + use<'c>> {
        Residual { graph: &self.graph, flow, edge_capacity, capacity: |node| self.capacity(node) }
    }

    /// Returns a maximum flow that uses only open edges.
    fn maximum(&self, is_open: impl Fn(EdgeReference<'_, i64>) -> bool) -> Flow<NodeIndex, EdgeIndex> {
        let mut flow = Flow::default();
        loop {
            let path = augmenting_path(&self.residual(&flow, 1), &self.sources, &self.sinks, &is_open);
            let Some(path) = path else { return flow };
            flow.add(&path);
        }
    }
}

/// Graphs of up to nine nodes whose capacities are between 0 and `most`. Edges can be parallel.
fn cases(most: u32) -> impl Strategy<Value = Case> {
    (4_usize..10).prop_flat_map(move |nodes| {
        let edges = prop::collection::vec((0..nodes as u32, 0..nodes as u32, 1_i64..6), 0..26);
        let capacities = prop::collection::vec(prop::option::weighted(0.8, 0..=most), nodes);
        (edges, capacities, 1_usize..3, 1_usize..3).prop_map(move |(edges, mut capacities, sources, sinks)| {
            let mut graph = UnGraph::default();
            for _ in 0..nodes {
                graph.add_node(());
            }
            graph.extend_with_edges(edges.into_iter().filter(|(from, to, _)| from != to));
            let sources: Vec<NodeIndex> = (0..sources).map(NodeIndex::new).collect();
            let sinks: Vec<NodeIndex> = (nodes - sinks..nodes).map(NodeIndex::new).collect();
            for end in sources.iter().chain(&sinks) {
                let capacity = &mut capacities[end.index()];
                *capacity = capacity.map(|limit| limit.max(1));
            }
            Case { graph, sources, sinks, capacities }
        })
    })
}

/// An edge of the split graph: its ends, its cost, and whether it carries a path.
struct Unit {
    from: NodeIndex,
    to: NodeIndex,
    cost: i64,
    used: bool,
}

/// The split graph, in which every edge has the capacity of one path.
struct Split {
    units: Vec<Unit>,
    nodes: usize,
}

impl Split {
    /// Builds the split graph of a case. Every further path on the same edge or through the same node costs `shared`.
    fn of(case: &Case, edge_capacity: u32, shared: i64) -> Self {
        let nodes = 2 * case.graph.node_count() + 2;
        let mut split = Self { units: Vec::new(), nodes };
        for node in case.graph.node_indices() {
            let limit = case.capacities[node.index()];
            for count in 0..limit.unwrap_or(MAX_PATHS) {
                let cost = if limit.is_some() && count > 0 { shared } else { 0 };
                split.add(Self::arrive(node), Self::leave(node), cost);
            }
        }
        for edge in case.graph.edge_references() {
            for count in 0..edge_capacity {
                let cost = edge.weight() + if count > 0 { shared } else { 0 };
                split.add(Self::leave(edge.source()), Self::arrive(edge.target()), cost);
                split.add(Self::leave(edge.target()), Self::arrive(edge.source()), cost);
            }
        }
        for _ in 0..MAX_PATHS {
            case.sources.iter().for_each(|source| split.add(split.source(), Self::arrive(*source), 0));
            case.sinks.iter().for_each(|sink| split.add(Self::leave(*sink), split.sink(), 0));
        }
        split
    }

    fn add(&mut self, from: NodeIndex, to: NodeIndex, cost: i64) {
        self.units.push(Unit { from, to, cost, used: false });
    }

    fn arrive(node: NodeIndex) -> NodeIndex {
        NodeIndex::new(2 * node.index())
    }

    fn leave(node: NodeIndex) -> NodeIndex {
        NodeIndex::new(2 * node.index() + 1)
    }

    fn source(&self) -> NodeIndex {
        NodeIndex::new(self.nodes - 2)
    }

    fn sink(&self) -> NodeIndex {
        NodeIndex::new(self.nodes - 1)
    }

    /// Returns the edges that have room, and the way back over those that carry a path. Weights are costs.
    fn residual(&self) -> DiGraph<(), f64> {
        let mut graph = DiGraph::default();
        for _ in 0..self.nodes {
            graph.add_node(());
        }
        for Unit { from, to, cost, used } in &self.units {
            let cost = *cost as f64;
            if *used {
                graph.add_edge(*to, *from, -cost)
            } else {
                graph.add_edge(*from, *to, cost)
            };
        }
        graph
    }

    /// Fills the graph with a maximum flow, and returns its size.
    fn fill(&mut self) -> usize {
        let mut graph = DiGraph::<(), u32>::default();
        for _ in 0..self.nodes {
            graph.add_node(());
        }
        for unit in &self.units {
            graph.add_edge(unit.from, unit.to, 1);
        }
        let (size, flow) = ford_fulkerson(&graph, self.source(), self.sink());
        self.units.iter_mut().zip(flow).for_each(|(unit, flow)| unit.used = flow > 0);
        size as usize
    }

    /// Adds the cheapest path, and returns its cost; `None` if there is no further path.
    fn add_cheapest(&mut self) -> Option<i64> {
        let paths = bellman_ford(&self.residual(), self.source()).expect("a flow of least cost has no negative cycle");
        let cost = paths.distances[self.sink().index()];
        let mut at = self.sink();
        while let Some(before) = paths.predecessors[at.index()].filter(|_| cost.is_finite()) {
            let ways = self.units.iter_mut().filter_map(|unit| match unit.used {
                false if (unit.from, unit.to) == (before, at) => Some((unit.cost, unit)),
                true if (unit.to, unit.from) == (before, at) => Some((-unit.cost, unit)),
                _ => None,
            });
            let (_, unit) = ways.min_by_key(|(cost, _)| *cost).expect("an edge of the path");
            unit.used = !unit.used;
            at = before;
        }
        cost.is_finite().then_some(cost as i64)
    }
}

/// Checks that paths lead from a source to a sink and keep to the capacities. Returns their cost without what they
/// share.
fn check(case: &Case, paths: &[super::residual::FlowPath<&UnGraph<(), i64>>], edge_capacity: u32) -> i64 {
    let mut through = vec![0; case.graph.node_count()];
    let mut over = vec![0; case.graph.edge_count()];
    let mut cost = 0;
    for (source, edges) in paths {
        assert!(case.sources.contains(source));
        through[source.index()] += 1;
        let mut at = *source;
        for edge in edges {
            assert_eq!(edge.source(), at);
            at = edge.target();
            through[at.index()] += 1;
            over[edge.id().index()] += 1;
            cost += edge.weight();
        }
        assert!(case.sinks.contains(&at));
    }
    for (count, capacity) in through.iter().zip(&case.capacities) {
        assert!(capacity.is_none_or(|capacity| *count <= capacity), "{paths:?}");
    }
    assert!(over.iter().all(|count| *count <= edge_capacity), "{paths:?}");
    cost
}

proptest! {
    #[test]
    fn there_are_as_many_paths_as_in_the_maximum_flow_of_petgraph(case in cases(2)) {
        let flow = case.maximum(|_| true);
        let behind = sink_side(&case.residual(&flow, 1), &case.sinks, usize::MAX, |_| true).expect("no limit");
        let paths = flow.into_paths(&case.graph, &case.sources, |node| case.sinks.contains(&node));
        check(&case, &paths, 1);
        let mut split = Split::of(&case, 1, 0);
        prop_assert_eq!(paths.len(), split.fill());
        let residual = split.residual();
        let reaches = |node: &NodeIndex| {
            let vertices = [Split::arrive(*node), Split::leave(*node)];
            vertices.iter().any(|vertex| has_path_connecting(Reversed(&residual), split.sink(), *vertex, None))
        };
        let expected: BTreeSet<NodeIndex> = case.graph.node_indices().filter(reaches).collect();
        prop_assert_eq!(behind.into_iter().collect::<BTreeSet<NodeIndex>>(), expected);
    }

    #[test]
    fn closed_edges_are_not_used(case in cases(1), closed in prop::collection::hash_set(0_usize..26, 0..8)) {
        let closed: HashSet<usize> = closed;
        let is_open = |edge: EdgeReference<'_, i64>| !closed.contains(&edge.id().index());
        let paths = case.maximum(is_open).into_paths(&case.graph, &case.sources, |node| case.sinks.contains(&node));
        prop_assert!(paths.iter().flat_map(|(_, edges)| edges).all(|edge| is_open(*edge)));
        let mut open = case.clone();
        open.graph.retain_edges(|_, edge| !closed.contains(&edge.index()));
        prop_assert_eq!(paths.len(), Split::of(&open, 1, 0).fill());
    }

    #[test]
    fn a_flow_costs_as_little_as_that_of_petgraph(case in cases(1), shares in any::<bool>()) {
        let most = if shares { 2 } else { 1 };
        let case = Case {
            capacities: case.capacities.iter().map(|capacity| capacity.map(|limit| limit * most)).collect(),
            ..case
        };
        let is_sink = |node| case.sinks.contains(&node);
        let mut split = Split::of(&case, most, 1_000);
        let (mut flow, mut search) = (Flow::default(), LeastCost::new(1_000));
        let mut total = 0;
        for _ in 0..MAX_PATHS {
            let path = search.augmenting_path(&case.residual(&flow, most), &case.sources, is_sink);
            let expected = split.add_cheapest();
            prop_assert_eq!(path.is_some(), expected.is_some());
            let Some((path, expected)) = path.zip(expected) else { break };
            flow.add(&path);
            total += expected;
            let paths = flow.clone().into_paths(&case.graph, &case.sources, is_sink);
            // A shared edge costs a multiple of 1,000, and all edges together cost less.
            prop_assert_eq!(check(&case, &paths, most), total % 1_000);
        }
    }
}
