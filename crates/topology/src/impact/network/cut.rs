//! Finds the machines that a failure cuts off, for many failures in one network that is extracted once.
//!
//! Paths to anchors are kept, a few for each node. As long as nothing on a kept path goes down, its node needs no
//! search, nor do the nodes that are still connected with that node.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::marks::{ByPlace, DOWN, GONE};
use super::super::physical_state::Moment;
use super::super::propagate::Propagation;
use super::anchors::{self, Anchors};
use super::flow::{Between, Field, Flow, Search, Thorough};
use super::graph::{About, Graph, NodeId, Way, machine_of};
use crate::role::{Part, Purpose};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// The maximum number of paths that are kept for a node.
const MOST_KEPT: usize = 4;
/// The number of nearby nodes that are searched for a kept path before the whole network is searched.
const MOST_NEAR: usize = 256;

/// The result of a search near a node.
enum Near {
    /// The node has a path, is an anchor itself, or its part has no anchors.
    Way,
    /// There is no path. Contains all nodes connected with the node over nodes that forward traffic and are not known
    /// to be cut off.
    All(Vec<NodeId>),
    /// There is no path among the nearest nodes, and there are further nodes to search.
    Many,
}

/// The network around some objects, prepared for many failures.
pub(in super::super) struct Cuts<'a> {
    graph: Graph<'a>,
    anchors: Anchors,
    /// Pairs of an object on a line and a node at one of the line's ends, sorted.
    on_lines: Vec<(ObjectRef, NodeId)>,
    /// For each place the index of its first pair. For an object on no line, the pair there is of another place.
    first_on_lines: ByPlace<u32>,
    /// For nodes that forward traffic, the line to the next node on a path to an anchor. An entry is added only where
    /// the next node has an entry already or is an anchor, so these lines form no cycle.
    toward: HashMap<NodeId, Way>,
    /// For each node the lines of some paths to an anchor, the most recently found path last.
    ways: HashMap<NodeId, VecDeque<Vec<Way>>>,
}

impl<'a> Cuts<'a> {
    /// Prepares the network in which a failure of any of these objects can break a line.
    pub fn around(
        objects: &[ObjectRef],
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<Self, ImpactError> {
        let mut graph = Graph::new(propagation, About::Many);
        let mut nodes: BTreeSet<NodeId> = BTreeSet::new();
        for place in objects {
            steps.take()?;
            match &propagation.physical_state.role(*place).part {
                Part::Machine(_) => nodes.extend(graph.find(propagation, *place)),
                Part::Plug(_) => match propagation.physical_state.plug(*place).map(|(_, state)| state.purpose) {
                    Some(Purpose::Data) => {
                        let machine = machine_of(propagation, *place);
                        nodes.extend(machine.and_then(|machine| graph.find(propagation, machine)));
                    }
                    Some(Purpose::Inlet | Purpose::Outlet) | None => {}
                    Some(_) => nodes.extend(graph.nodes_far(propagation, *place)),
                },
                // A line may merely pass through such an object, so its machines are found at the line's ends.
                Part::End(_) => nodes.extend(graph.nodes_far(propagation, *place)),
                _ => {}
            }
        }
        let mut on_lines = Vec::new();
        for node in nodes {
            let ways = graph.ways(propagation, node, steps)?;
            for way in ways.iter() {
                let hops = graph.hops(way).iter();
                on_lines.extend(hops.flat_map(|hop| [(*hop, node), (*hop, way.to)]));
            }
        }
        // As one integer each, because there are several pairs for every line and integers compare fast.
        let as_number = |(hop, node): &(ObjectRef, NodeId)| {
            u128::from(hop.kind.0) << 64 | u128::from(hop.slot) << 32 | u128::from(*node)
        };
        on_lines.sort_unstable_by_key(as_number);
        on_lines.dedup();
        let mut first_on_lines = ByPlace::of(propagation.physical_state.snapshot);
        for (at, (hop, _)) in on_lines.iter().enumerate().rev() {
            *first_on_lines.get_mut(*hop) = at as u32;
        }
        Ok(Self {
            graph,
            anchors: Anchors::new(None),
            on_lines,
            first_on_lines,
            toward: HashMap::default(),
            ways: HashMap::default(),
        })
    }

    /// Returns the machines that a failure cuts off. On entry, `beside` contains nodes that are up but may have lost a
    /// path by earlier failures which this one takes over. On return, it contains the nodes that are up but may have
    /// lost one by this failure.
    pub fn cut_off(
        &mut self,
        propagation: &mut Propagation<'a>,
        beside: &mut Vec<NodeId>,
        steps: &mut Steps,
    ) -> Result<BTreeSet<ObjectRef>, ImpactError> {
        for fallen in &propagation.fallen {
            let from = *self.first_on_lines.get(fallen.place) as usize;
            let on = self.on_lines.get(from..).unwrap_or_default();
            let on = on.iter().take_while(|(hop, _)| *hop == fallen.place);
            beside.extend(on.map(|(_, node)| *node));
        }
        beside.sort_unstable();
        beside.dedup();
        match beside.is_empty() {
            true => Ok(BTreeSet::new()),
            false => self.cut_off_beside(propagation, beside, steps),
        }
    }

    /// Returns the machines that are cut off, among these nodes and the nodes behind them.
    fn cut_off_beside(
        &mut self,
        propagation: &mut Propagation<'a>,
        beside: &mut Vec<NodeId>,
        steps: &mut Steps,
    ) -> Result<BTreeSet<ObjectRef>, ImpactError> {
        let mut stands: HashMap<NodeId, bool> = HashMap::default();
        let (mut cut, mut standing) = (BTreeSet::new(), Vec::new());
        for node in std::mem::take(beside) {
            // An earlier failure cut this node off, and the current failure takes over its results.
            if propagation.physical_state.marks.has(self.graph.node(node).place, GONE) {
                continue;
            }
            if self.stands(node, &mut stands, propagation, steps)? {
                standing.push(node);
                continue;
            }
            let mut connected = vec![node];
            if self.graph.node(node).forwards {
                let mut field = Field { graph: &mut self.graph, propagation, steps };
                connected = anchors::part(&mut field, node, Moment::After)?;
            }
            // Connected nodes that forward traffic are cut off too; otherwise this node could use their paths.
            stands.extend(connected.iter().filter(|it| self.graph.node(**it).forwards).map(|it| (*it, false)));
            for member in connected {
                if self.stands(member, &mut stands, propagation, steps)? {
                    // This node forwards no traffic, and has another path.
                    standing.push(member);
                } else if !self.graph.node(member).exempt {
                    cut.insert(self.graph.node(member).place);
                }
            }
        }
        *beside = standing;
        Ok(cut)
    }

    /// Returns true if a node reaches an anchor, did not reach one before, or is down itself.
    fn stands(
        &mut self,
        node: NodeId,
        known: &mut HashMap<NodeId, bool>,
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        steps.take()?;
        if let Some(stands) = known.get(&node) {
            return Ok(*stands);
        }
        let stands = propagation.physical_state.marks.has(self.graph.node(node).place, DOWN)
            || self.has_kept_way(node, propagation)
            || match self.look_near(node, known, propagation, steps)? {
                Near::Way => true,
                Near::All(seen) => {
                    // A node that forwards no traffic may be connected with nodes that have other anchors.
                    if self.graph.node(node).forwards {
                        known.extend(seen.into_iter().map(|it| (it, false)));
                    }
                    false
                }
                Near::Many => self.finds_way(node, propagation, steps)?,
            };
        known.insert(node, stands);
        Ok(stands)
    }

    /// Returns true if a kept path of a node is still up.
    fn has_kept_way(&self, node: NodeId, propagation: &Propagation<'_>) -> bool {
        let is_up = |way: &Way| self.graph.is_known_up(propagation, way, Moment::After);
        self.is_led(node, propagation)
            || self.ways.get(&node).is_some_and(|kept| kept.iter().any(|way| way.iter().all(is_up)))
    }

    /// Returns true if the path that `toward` describes for a node is still up.
    fn is_led(&self, node: NodeId, propagation: &Propagation<'_>) -> bool {
        let mut at = node;
        while let Some(way) = self.toward.get(&at) {
            if !self.graph.is_known_up(propagation, way, Moment::After) {
                return false;
            }
            at = way.to;
        }
        at != node
    }

    /// Searches the nodes nearest to a node that are still connected with it. Looks for an anchor, or for a node with a
    /// path to the same anchors. If the path of such a node leads back through this node, the rest of it is a path of
    /// this node.
    fn look_near(
        &mut self,
        node: NodeId,
        known: &HashMap<NodeId, bool>,
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<Near, ImpactError> {
        let mut field = Field { graph: &mut self.graph, propagation, steps };
        let Some(own) = self.anchors.of(&mut field, node)? else { return Ok(Near::Way) };
        if own.contains(&node) {
            return Ok(Near::Way);
        }
        // Each node with the index of the node before it and the line from there.
        let mut near: Vec<(NodeId, Option<(usize, Way)>)> = vec![(node, None)];
        let mut seen = HashSet::from_iter([node]);
        let mut next = 0;
        while let Some((member, _)) = near.get(next).copied() {
            if near.len() > MOST_NEAR {
                return Ok(Near::Many);
            }
            for way in self.graph.ways_onward(propagation, member, steps)?.iter() {
                steps.take()?;
                let is_anchor = own.contains(&way.to);
                let leads = (is_anchor || self.graph.node(way.to).forwards) && !seen.contains(&way.to);
                if !leads || !self.graph.is_up(propagation, way, Moment::After, steps)? {
                    continue;
                }
                let stands = known.get(&way.to).copied();
                let mut found = is_anchor;
                if !found && (stands.is_some() || self.has_kept_way(way.to, propagation)) {
                    let mut field = Field { graph: &mut self.graph, propagation, steps };
                    let others = self.anchors.of(&mut field, way.to)?;
                    if others.is_some_and(|others| Arc::ptr_eq(&own, &others)) {
                        found = stands.unwrap_or(true);
                        // A cut-off node is cut off together with all nodes connected with it, so the search does not
                        // enter it.
                        if !found {
                            continue;
                        }
                    }
                }
                seen.insert(way.to);
                near.push((way.to, Some((next, *way))));
                if found {
                    self.lead(&near);
                    return Ok(Near::Way);
                }
            }
            next += 1;
        }
        Ok(Near::All(near.into_iter().map(|(node, _)| node).collect()))
    }

    /// Records in `toward` the lines from the first of these nodes to the last one.
    fn lead(&mut self, near: &[(NodeId, Option<(usize, Way)>)]) {
        // A node that forwards no traffic may be near paths that lead to other anchors.
        if near.first().is_none_or(|(node, _)| !self.graph.node(*node).forwards) {
            return;
        }
        let mut at = near.last();
        while let Some((_, Some((before, way)))) = at {
            self.toward.entry(near[*before].0).or_insert(*way);
            at = near.get(*before);
        }
    }

    /// Searches the whole network for a path, and keeps the path.
    fn finds_way(
        &mut self,
        node: NodeId,
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        let mut field = Field { graph: &mut self.graph, propagation, steps };
        let Some(anchors) = self.anchors.of(&mut field, node)? else { return Ok(true) };
        if anchors.contains(&node) {
            return Ok(true);
        }
        let mut flow = Flow::default();
        let between = Between { source: node, anchors: &anchors, at: Moment::After, around: None };
        let found = matches!(flow.augment(&mut field, between, Thorough::No)?, Search::Found);
        if found && let Some(ways) = flow.lines(&self.graph) {
            // A line that was found from its far end is checked from this end too.
            for (_, way) in &ways {
                self.graph.is_up(propagation, way, Moment::After, steps)?;
            }
            if self.graph.node(node).forwards {
                for (from, way) in &ways {
                    self.toward.entry(*from).or_insert(*way);
                }
            }
            let kept = self.ways.entry(node).or_default();
            kept.push_back(ways.into_iter().map(|(_, way)| way).collect());
            if kept.len() > MOST_KEPT {
                kept.pop_front();
            }
        }
        Ok(found)
    }
}
