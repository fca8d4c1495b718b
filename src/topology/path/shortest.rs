//! The cheapest ways, one after the other, none of them through the same node twice (Yen's algorithm).

use std::collections::{BTreeMap, HashSet};

use super::cost::Cost;
use super::error::PathError;
use super::graph::{Graph, NodeId, ViaId};
use super::search::{Banned, Route, cheapest};
use crate::topology::steps::Steps;

/// Ways that may come next, in order; equal ones once.
type Candidates = BTreeMap<(Cost, NodeId, Vec<ViaId>), Route>;

/// Up to so many cheapest ways, in order.
pub(super) async fn shortest(
    graph: &mut Graph<'_>,
    starts: &[NodeId],
    goals: &[NodeId],
    most: usize,
    steps: &mut Steps,
) -> Result<Vec<Route>, PathError> {
    let mut found: Vec<Route> = Vec::new();
    let mut candidates = Candidates::new();
    add(&mut candidates, cheapest(graph, starts, goals, &Banned::default(), steps).await?);
    while found.len() < most
        && let Some((_, route)) = candidates.pop_first()
    {
        found.push(route);
        if found.len() < most {
            branch_off(graph, (starts, goals), &found, &mut candidates, steps).await?;
        }
    }
    Ok(found)
}

fn add(candidates: &mut Candidates, route: Option<Route>) {
    if let Some(route) = route {
        let (start, vias) = route.key();
        candidates.insert((route.cost, start, vias), route);
    }
}

/// Adds the cheapest ways that leave the last one at each of its nodes.
async fn branch_off(
    graph: &mut Graph<'_>,
    (starts, goals): (&[NodeId], &[NodeId]),
    found: &[Route],
    candidates: &mut Candidates,
    steps: &mut Steps,
) -> Result<(), PathError> {
    let Some(last) = found.last() else { return Ok(()) };
    let taken: HashSet<NodeId> = found.iter().map(|route| route.start).collect();
    let others: Vec<NodeId> = starts.iter().copied().filter(|start| !taken.contains(start)).collect();
    if !others.is_empty() {
        add(candidates, cheapest(graph, &others, goals, &Banned::default(), steps).await?);
    }
    let mut banned = Banned::default();
    let mut root_cost = Cost::NONE;
    let nodes: Vec<NodeId> = last.nodes().collect();
    for (place, way) in last.ways.iter().enumerate() {
        let spur = nodes[place];
        let root = &last.ways[..place];
        let alike = found.iter().filter(|other| other.start == last.start && other.ways.starts_with(root));
        banned.vias = alike.filter_map(|other| other.ways.get(place)).map(|way| way.via).collect();
        if let Some(rest) = cheapest(graph, &[spur], goals, &banned, steps).await? {
            let ways = [root, &rest.ways].concat();
            add(candidates, Some(Route { start: last.start, ways, cost: root_cost + rest.cost }));
        }
        banned.nodes.insert(spur);
        root_cost = root_cost + way.cost;
    }
    Ok(())
}
