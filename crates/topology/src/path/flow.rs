//! Finds paths that have no machine and no line in common, as a flow of least cost (see [`flow`](crate::flow)).
//!
//! Every machine and every line carries at most one path. A single machine at an end is shared by all paths; if an end
//! has several machines, each path has its own. If paths may overlap, a node or line that carries two counts as shared,
//! and as few as possible are shared.

use super::cost::Cost;
use super::error::{PathError, Side};
use super::graph::{NodeId, PathGraph};
use super::shortest::Route;
use super::visit::{Banned, visit};
use crate::flow::{Capacity, Flow, LeastCost, Residual};
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
    const fn most(self) -> u32 {
        match self {
            Self::None => 1,
            Self::OfTwo => 2,
        }
    }
}

/// Returns disjoint paths with the least total cost, the cheapest first: as many as there are, but at most `most`.
pub(super) fn disjoint(
    graph: &mut PathGraph<'_>,
    (starts, goals): (&[NodeId], &[NodeId]),
    overlap: Overlap,
    most: usize,
    steps: &mut Steps,
) -> Result<Vec<Route>, PathError> {
    let single = [Side::From, Side::To].map(|side| graph.is_single(side).then_some(side));
    let banned = Banned::default();
    let network = visit(graph, starts.iter().chain(goals).copied(), &banned, steps);
    let capacity = |node: NodeId| {
        let network = network.network();
        let node = network.graph.node(node);
        let is_free = node.holds || node.side.is_some() && single.contains(&node.side);
        if is_free { Capacity::Unlimited } else { Capacity::UpTo(overlap.most()) }
    };
    let is_goal = |node: NodeId| network.network().graph.node(node).side == Some(Side::To);
    let (mut flow, mut search) = (Flow::default(), LeastCost::new(Cost::SHARED));
    for _ in 0..most {
        let residual = Residual { graph: &network, flow: &flow, edge_capacity: overlap.most(), capacity };
        let Some(path) = search.augmenting_path(&residual, starts, is_goal) else { break };
        flow.add(&path);
    }
    let paths = flow.into_paths(&network, starts, is_goal);
    network.finish()?;
    let mut routes: Vec<Route> = Vec::with_capacity(paths.len());
    for (start, edges) in paths {
        routes.push(Route::new(start, edges.iter().map(|edge| edge.adjacent).collect()));
    }
    routes.sort_by_key(|route| (route.cost, route.key()));
    Ok(routes)
}
