//! What is known of the lines of a walk that is over: the ways to its nodes, and what holds of all of them.

use super::role::Role;
use super::walk::{Edge, Node, Walk};
use crate::inventory::Grounds;

/// What is known of a line as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub active: bool,
    pub guessed: bool,
}

impl Walk<'_> {
    /// The position of the origin that a node begins with; `None`: the origin has one.
    pub fn position(&self, node: &Node) -> Option<u32> {
        self.stacks.pop(node.stack).map(|(position, _)| position)
    }

    /// The position of the end where a line ends at which it arrives; `None`: the end has one, or it is not known.
    pub fn end_position(&self, ending: u32) -> Option<u32> {
        let node = &self.nodes[ending as usize];
        let (position, _) = self.stacks.pop(node.stack)?;
        let (_, state) = self.end(node.place)?;
        let has_several = state.positions.map_or_else(|| self.has_lanes(node.place), |positions| positions > 1);
        has_several.then_some(position)
    }

    /// Adds what the walk is worked out from: all that it looked at refers to one of its hops, or is a hop.
    pub fn add_grounds(&self, grounds: &mut Grounds) {
        let edges = self.nodes.iter().map(|node| &node.edge).chain(self.joins.iter().map(|(_, edge)| edge));
        let hops = self.nodes.iter().map(|node| node.place).chain(edges.filter_map(|edge| edge.via));
        for hop in hops {
            grounds.row(hop);
            // What refers to a joint, or stands in what a line ends in, has no part in a line.
            if matches!(self.lines.role(hop.kind), Some(Role::End(_) | Role::Crossing(_))) {
                grounds.referrers(hop);
            }
        }
    }

    /// What holds of all nodes of a line that has no strands side by side, from its last node back.
    pub fn sums_of_chain(&self, last: u32) -> Sums {
        self.chain(last).fold(Sums { active: true, guessed: false }, |sums, node| sums.and(node, &node.edge))
    }

    /// What holds of all nodes and ways of a line.
    pub fn sums_of(&self, members: &[u32]) -> Sums {
        let ways = members.iter().flat_map(|at| self.ways_to(*at).map(|edge| (&self.nodes[*at as usize], edge)));
        ways.fold(Sums { active: true, guessed: false }, |sums, (node, edge)| sums.and(node, edge))
    }

    /// The ways on which a node was reached.
    pub fn ways_to(&self, at: u32) -> impl Iterator<Item = &Edge> {
        let first = self.joins.partition_point(|(node, _)| *node < at);
        let joins = self.joins[first..].iter().take_while(move |(node, _)| *node == at);
        std::iter::once(&self.nodes[at as usize].edge).chain(joins.map(|(_, edge)| edge))
    }

    /// The nodes of a line that has no strands side by side, from its last back to the origin.
    pub fn chain(&self, last: u32) -> impl Iterator<Item = &Node> {
        let node = |at: u32| &self.nodes[at as usize];
        std::iter::successors(Some(node(last)), move |at| at.edge.parent().map(node))
    }
}

impl Sums {
    fn and(self, node: &Node, edge: &Edge) -> Self {
        Self { active: self.active && node.active && edge.active, guessed: self.guessed || edge.guessed }
    }
}
