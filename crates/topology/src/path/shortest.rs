//! Finds the cheapest paths in order. No path passes the same node twice (Yen's algorithm).

use std::collections::{BTreeMap, HashSet};

use petgraph::visit::EdgeRef as _;

use super::cost::Cost;
use super::error::PathError;
use super::graph::{NodeId, PathEdge, PathGraph, ViaId};
use super::search::{self, Hints};
use super::visit::{Banned, visit};
use crate::steps::Steps;

/// A path from one end of a query to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub start: NodeId,
    pub edges: Vec<PathEdge>,
    pub cost: Cost,
}

impl Route {
    /// Returns the path over some edges.
    pub fn new(start: NodeId, edges: Vec<PathEdge>) -> Self {
        let cost = edges.iter().fold(Cost::NONE, |cost, edge| cost + edge.cost);
        Self { start, edges, cost }
    }

    /// Returns the nodes that the path runs over, including the first and the last.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.start).chain(self.edges.iter().map(|edge| edge.to))
    }

    /// Returns a key that identifies the path.
    pub fn key(&self) -> (NodeId, Vec<ViaId>) {
        (self.start, self.edges.iter().map(|edge| edge.via).collect())
    }
}

/// Paths that may come next, sorted, each once.
type Candidates = BTreeMap<(Cost, NodeId, Vec<ViaId>), Route>;

/// Returns the cheapest paths in order, at most `most`.
pub(super) fn shortest(
    graph: &mut PathGraph<'_>,
    starts: &[NodeId],
    goals: &[NodeId],
    most: usize,
    steps: &mut Steps,
) -> Result<Vec<Route>, PathError> {
    let mut found: Vec<Route> = Vec::new();
    let mut candidates = Candidates::new();
    add(&mut candidates, cheapest(graph, starts, goals, &Banned::default(), steps)?);
    while found.len() < most
        && let Some((_, route)) = candidates.pop_first()
    {
        found.push(route);
        if found.len() < most {
            branch_off(graph, (starts, goals), &found, &mut candidates, steps)?;
        }
    }
    Ok(found)
}

/// Returns the cheapest path from one of the starts to one of the goals that uses nothing banned.
fn cheapest(
    graph: &mut PathGraph<'_>,
    starts: &[NodeId],
    goals: &[NodeId],
    banned: &Banned,
    steps: &mut Steps,
) -> Result<Option<Route>, PathError> {
    let network = visit(graph, starts.iter().chain(goals).copied(), banned, steps);
    // Both sides meet over the machines that connect their group with others.
    let is_outward = |node| network.network().graph.node(node).outward;
    let hints = Hints { least_edge: Cost::HOP, comes_first: is_outward };
    let found = search::cheapest(&network, starts, goals, hints);
    let route = found.map(|found| {
        let edges = found.steps.iter().map(|(edge, to)| PathEdge { to: *to, via: edge.id(), cost: *edge.weight() });
        Route { start: found.start, edges: edges.collect(), cost: found.cost }
    });
    network.finish()?;
    Ok(route)
}

fn add(candidates: &mut Candidates, route: Option<Route>) {
    if let Some(route) = route {
        let (start, vias) = route.key();
        candidates.insert((route.cost, start, vias), route);
    }
}

/// Adds the cheapest paths that leave the last found path at each of its nodes.
fn branch_off(
    graph: &mut PathGraph<'_>,
    (starts, goals): (&[NodeId], &[NodeId]),
    found: &[Route],
    candidates: &mut Candidates,
    steps: &mut Steps,
) -> Result<(), PathError> {
    let Some(last) = found.last() else { return Ok(()) };
    let taken: HashSet<NodeId> = found.iter().map(|route| route.start).collect();
    let others: Vec<NodeId> = starts.iter().copied().filter(|start| !taken.contains(start)).collect();
    if !others.is_empty() {
        add(candidates, cheapest(graph, &others, goals, &Banned::default(), steps)?);
    }
    let mut banned = Banned::default();
    let mut root_cost = Cost::NONE;
    let nodes: Vec<NodeId> = last.nodes().collect();
    for (index, edge) in last.edges.iter().enumerate() {
        let spur = nodes[index];
        let root = &last.edges[..index];
        let alike = found.iter().filter(|other| other.start == last.start && other.edges.starts_with(root));
        banned.vias = alike.filter_map(|other| other.edges.get(index)).map(|edge| edge.via).collect();
        if let Some(rest) = cheapest(graph, &[spur], goals, &banned, steps)? {
            let edges = [root, &rest.edges].concat();
            add(candidates, Some(Route { start: last.start, edges, cost: root_cost + rest.cost }));
        }
        banned.nodes.insert(spur);
        root_cost = root_cost + edge.cost;
    }
    Ok(())
}
