//! Evaluates a finished walk: the edges to its nodes, and the properties of whole lines.

use super::node::{WalkEdge, WalkNode};
use super::walk::Walk;
use crate::role::Part;
use underlay_inventory::Dependencies;

/// The properties of a whole line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub active: bool,
    pub guessed: bool,
}

impl Walk<'_> {
    /// Returns the position of the origin at which a node begins; `None` if the origin has one position.
    pub fn position(&self, node: &WalkNode) -> Option<u32> {
        self.stacks.pop(node.stack).map(|(position, _)| position)
    }

    /// Returns the position at which a line arrives at its last end; `None` if that end has one position, or it is not
    /// known.
    pub fn end_position(&self, ending: u32) -> Option<u32> {
        let node = &self.nodes[ending as usize];
        let (position, _) = self.stacks.pop(node.stack)?;
        let (_, state) = self.end(node.object)?;
        let has_several = state.positions.map_or_else(|| self.has_lanes(node.object), |positions| positions > 1);
        has_several.then_some(position)
    }

    /// Adds the dependencies of the walk. Every object that the walk read is a hop, or refers to a hop.
    pub fn add_dependencies(&self, dependencies: &mut Dependencies) {
        let edges = self.nodes.iter().map(|node| &node.edge).chain(self.joins.iter().map(|(_, edge)| edge));
        let hops = self.nodes.iter().map(|node| node.object).chain(edges.filter_map(|edge| edge.via));
        for hop in hops {
            dependencies.row(hop);
            // Objects that refer to a cable, or stand in the endpoint of a line, are no part of the line.
            if matches!(self.roles.of(hop.kind).part, Part::End(_) | Part::Connector(_) | Part::OpaqueSpan(_)) {
                dependencies.referrers(hop);
            }
        }
    }

    /// Combines the properties of all nodes of a line without parallel strands, from its last node back.
    pub fn sums_of_chain(&self, last: u32) -> Sums {
        self.chain(last).fold(Sums { active: true, guessed: false }, |sums, node| sums.and(node, &node.edge))
    }

    /// Combines the properties of all nodes and edges of a line.
    pub fn sums_of(&self, members: &[u32]) -> Sums {
        let ways = members.iter().flat_map(|at| self.ways_to(*at).map(|edge| (&self.nodes[*at as usize], edge)));
        ways.fold(Sums { active: true, guessed: false }, |sums, (node, edge)| sums.and(node, edge))
    }

    /// Returns the edges over which a node was reached.
    pub fn ways_to(&self, at: u32) -> impl Iterator<Item = &WalkEdge> {
        let first = self.joins.partition_point(|(node, _)| *node < at);
        let joins = self.joins[first..].iter().take_while(move |(node, _)| *node == at);
        std::iter::once(&self.nodes[at as usize].edge).chain(joins.map(|(_, edge)| edge))
    }

    /// Returns the nodes of a line without parallel strands, from its last node back to the origin.
    pub fn chain(&self, last: u32) -> impl Iterator<Item = &WalkNode> {
        let node = |at: u32| &self.nodes[at as usize];
        std::iter::successors(Some(node(last)), move |at| at.edge.parent().map(node))
    }
}

impl Sums {
    fn and(self, node: &WalkNode, edge: &WalkEdge) -> Self {
        Self { active: self.active && node.active && edge.active, guessed: self.guessed || edge.guessed }
    }
}
