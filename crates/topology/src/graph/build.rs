//! Builds the graph of a query: first the nodes of the drawn part, then those outside, hop by hop, then the edges.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use petgraph::graph::DiGraph;

use super::GraphQuery;
use super::answer::{Drawing, Edge, Layer, Node};
use super::connection::LayerConnection;
use super::error::GraphError;
use super::grouping::Grouping;
use super::lines::LineFinder;
use super::logical::Associations;
use super::members::{Members, in_order};
use super::power::Power;
use super::{containment, physical};
use crate::path::View;
use crate::steps::{Ended, Steps};
use underlay_inventory::ObjectRef;

/// The graph of a query while it is built.
pub(super) struct Builder<'a> {
    view: View<'a>,
    question: &'a GraphQuery,
    grouping: Grouping<'a>,
    lines: LineFinder<'a>,
    power: Power,
    associations: Associations,
    nodes: Vec<Node>,
    index: HashMap<ObjectRef, usize>,
    /// The connections of the nodes that were looked at, each once.
    connections: Vec<LayerConnection>,
    seen: HashSet<(Layer, ObjectRef, ObjectRef)>,
    complete: bool,
}

impl<'a> Builder<'a> {
    pub fn new(view: View<'a>, question: &'a GraphQuery) -> Self {
        Self {
            view,
            question,
            grouping: Grouping::new(view, question),
            lines: LineFinder::new(view),
            power: Power::new(view),
            associations: Associations::new(view),
            nodes: Vec::new(),
            index: HashMap::new(),
            connections: Vec::new(),
            seen: HashSet::new(),
            complete: true,
        }
    }

    pub fn build(mut self, steps: &mut Steps) -> Result<Drawing, GraphError> {
        let mut members = Members::find(self.view, &self.grouping, self.question.within, steps)?;
        let mut level = Vec::new();
        for node in std::mem::take(&mut members.nodes) {
            if !self.add(node, false) {
                break;
            }
            level.extend(self.connections_of(node, steps)?);
        }
        for node in std::mem::take(&mut members.further) {
            let ends = self.connections_of(node, steps)?;
            let is_drawn = |other: &ObjectRef| self.question.depth > 0 || members.are(*other);
            if ends.iter().any(is_drawn) && self.add(node, false) {
                level.extend(ends);
            }
        }
        self.add_outside(&members, level, steps)?;
        Ok(self.draw())
    }

    /// Adds the nodes outside of the drawn part, hop by hop. `level` are the objects at the other ends of the
    /// connections of the nodes in it.
    fn add_outside(&mut self, members: &Members, mut level: Vec<ObjectRef>, steps: &mut Steps) -> Result<(), Ended> {
        for hop in 1..=self.question.depth {
            level.retain(|node| !members.are(*node) && !self.index.contains_key(node));
            level.sort_unstable();
            level.dedup();
            let mut next = Vec::new();
            for node in in_order(self.view, std::mem::take(&mut level)) {
                if !self.add(node, true) {
                    return Ok(());
                }
                // Connections of the last nodes lead beyond what is drawn.
                if hop < self.question.depth {
                    next.extend(self.connections_of(node, steps)?);
                }
            }
            level = next;
        }
        Ok(())
    }

    /// Adds a node. Returns false, and remembers that the answer is not complete, if there is no room for it.
    fn add(&mut self, object: ObjectRef, outside: bool) -> bool {
        if self.nodes.len() == self.question.max_nodes {
            self.complete = false;
            return false;
        }
        self.index.insert(object, self.nodes.len());
        self.nodes.push(Node { object, outside });
        true
    }

    /// Adds the connections of a node, and returns the nodes at their other ends.
    fn connections_of(&mut self, node: ObjectRef, steps: &mut Steps) -> Result<Vec<ObjectRef>, Ended> {
        let mut found = Vec::new();
        let with = (self.view, &self.grouping);
        let has = |layer: Layer| self.question.layers.contains(&layer);
        for part in self.grouping.parts_of(node, steps)? {
            let of = (node, part);
            if has(Layer::Physical) {
                physical::connections(with, &mut self.lines, of, &mut found, steps)?;
            }
            if has(Layer::Power) {
                self.power.connections(with, &mut self.lines, of, &mut found, steps)?;
            }
            if has(Layer::Logical) {
                self.associations.connections(self.view, &self.grouping, of, &mut found, steps)?;
            }
        }
        if has(Layer::Containment) {
            containment::connections(self.view, &self.grouping, node, &mut found, steps)?;
        }
        let others = found.iter().map(|connection| connection.other(node)).collect();
        self.connections.extend(found.into_iter().filter(|connection| self.seen.insert(connection.key())));
        Ok(others)
    }

    /// Merges the connections between the nodes into edges.
    fn draw(mut self) -> Drawing {
        let mut edges: BTreeMap<(Layer, usize, usize), Edge> = BTreeMap::new();
        for connection in &self.connections {
            let LayerConnection { layer, from, to, .. } = *connection;
            let (Some(from), Some(to)) = (self.index.get(&from), self.index.get(&to)) else { continue };
            let ends = if layer.is_directed() { (*from, *to) } else { (*from.min(to), *from.max(to)) };
            let edge = connection.edge();
            edges.entry((layer, ends.0, ends.1)).and_modify(|known| *known = known.and(edge)).or_insert(edge);
        }
        // An object of another kind than the requested one is drawn only with an edge.
        let connected: HashSet<usize> = edges.keys().flat_map(|(_, from, to)| [*from, *to]).collect();
        let is_drawn =
            |(at, node): &(usize, Node)| !self.grouping.is_further(node.object.kind) || connected.contains(at);
        let drawn = std::mem::take(&mut self.nodes).into_iter().enumerate().filter(is_drawn);
        let mut graph = DiGraph::new();
        let numbers: HashMap<usize, _> = drawn.map(|(at, node)| (at, graph.add_node(node))).collect();
        for ((_, from, to), edge) in edges {
            if let (Some(from), Some(to)) = (numbers.get(&from), numbers.get(&to)) {
                graph.add_edge(*from, *to, edge);
            }
        }
        Drawing { graph, complete: self.complete }
    }
}
