//! Who is cut off, asked again and again: for each of many failures, in one network that is extracted once.
//!
//! Ways that were found are kept, some for each node. As long as nothing on one of them falls, it answers for its node
//! without a search, and for all nodes that are still connected with that.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::marks::{ByPlace, DOWN, GONE};
use super::super::picture::Moment;
use super::super::role::{Part, Purpose};
use super::anchors::{self, Anchors};
use super::flow::{Between, Field, Flow, Search, Thorough};
use super::graph::{About, Graph, NodeId, Way, machine_of};
use crate::inventory::Place;
use crate::topology::line::Lines;
use crate::topology::steps::Steps;

/// How many ways are kept for a node.
const MOST_KEPT: usize = 4;
/// Among how many nodes one is looked for that has a way, before all of the network is searched.
const MOST_NEAR: usize = 256;

/// What is found near a node.
enum Near {
    /// A way, or none was before.
    Way,
    /// No way; these are all that are connected with it over what passes traffic on, and not known to be cut off.
    All(Vec<NodeId>),
    /// No way among so many.
    Many,
}

/// The network around some objects.
pub(in super::super) struct Cuts<'a> {
    graph: Graph<'a>,
    anchors: Anchors,
    /// What is on lines, each with the nodes at both ends, in order.
    on_lines: Vec<(Place, NodeId)>,
    /// Where those of a place begin; what is on no line has another place there.
    first_on_lines: ByPlace<u32>,
    /// For nodes that pass traffic on, the line to the next node on a way to an anchor. Whoever is led to a node finds
    /// that one led already, or an anchor, so that nothing is led in a circle.
    toward: HashMap<NodeId, Way>,
    /// For nodes the lines of some ways to an anchor, the one found last at the end.
    ways: HashMap<NodeId, VecDeque<Vec<Way>>>,
}

impl<'a> Cuts<'a> {
    /// The network in which any of these objects can break something.
    pub async fn around(
        objects: &[Place],
        fall: &mut Fall<'a>,
        lines: &'a Lines,
        steps: &mut Steps,
    ) -> Result<Self, ImpactError> {
        let mut graph = Graph::new(fall, lines, About::Many);
        let mut nodes: BTreeSet<NodeId> = BTreeSet::new();
        for place in objects {
            steps.take().await?;
            match &fall.picture.role(*place).part {
                Part::Machine(_) => nodes.extend(graph.find(fall, *place)),
                Part::Plug(_) => match fall.picture.plug(*place).map(|(_, state)| state.purpose) {
                    Some(Purpose::Data) => {
                        let machine = machine_of(fall, *place);
                        nodes.extend(machine.and_then(|machine| graph.find(fall, machine)));
                    }
                    Some(Purpose::Inlet | Purpose::Outlet) | None => {}
                    Some(_) => nodes.extend(graph.nodes_far(fall, *place)),
                },
                // A line may only pass: its machines are elsewhere.
                Part::Plain => nodes.extend(graph.nodes_far(fall, *place)),
                _ => {}
            }
        }
        let mut on_lines = Vec::new();
        for node in nodes {
            let ways = graph.ways(fall, node, steps).await?;
            for way in ways.iter() {
                let hops = graph.hops(way).iter();
                on_lines.extend(hops.flat_map(|hop| [(*hop, node), (*hop, way.to)]));
            }
        }
        // As one number each: there are a few for every line.
        let as_number = |(hop, node): &(Place, NodeId)| {
            u128::from(hop.kind.0) << 64 | u128::from(hop.slot) << 32 | u128::from(*node)
        };
        on_lines.sort_unstable_by_key(as_number);
        on_lines.dedup();
        let mut first_on_lines = ByPlace::of(fall.picture.snapshot);
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

    /// The machines that a fall cuts off. `beside` are nodes that stand, but may have lost a way to an earlier failure
    /// which this one takes over; it becomes those that may have lost one to this one.
    pub async fn cut_off(
        &mut self,
        fall: &mut Fall<'a>,
        beside: &mut Vec<NodeId>,
        steps: &mut Steps,
    ) -> Result<BTreeSet<Place>, ImpactError> {
        for fallen in &fall.fallen {
            let from = *self.first_on_lines.get(fallen.place) as usize;
            let on = self.on_lines.get(from..).unwrap_or_default();
            let on = on.iter().take_while(|(hop, _)| *hop == fallen.place);
            beside.extend(on.map(|(_, node)| *node));
        }
        beside.sort_unstable();
        beside.dedup();
        match beside.is_empty() {
            true => Ok(BTreeSet::new()),
            // Most failures have no line beside them, and the future of looking is large.
            false => Box::pin(self.cut_off_beside(fall, beside, steps)).await,
        }
    }

    /// The machines that are cut off of these nodes, and of those behind them.
    async fn cut_off_beside(
        &mut self,
        fall: &mut Fall<'a>,
        beside: &mut Vec<NodeId>,
        steps: &mut Steps,
    ) -> Result<BTreeSet<Place>, ImpactError> {
        let mut stands: HashMap<NodeId, bool> = HashMap::default();
        let (mut cut, mut standing) = (BTreeSet::new(), Vec::new());
        for node in std::mem::take(beside) {
            // What an earlier failure cut off, that one went on from.
            if fall.picture.marks.has(self.graph.node(node).place, GONE) {
                continue;
            }
            if self.stands(node, &mut stands, fall, steps).await? {
                standing.push(node);
                continue;
            }
            let mut connected = vec![node];
            if self.graph.node(node).forwards {
                let mut field = Field { graph: &mut self.graph, fall, steps };
                connected = anchors::part(&mut field, node, Moment::After).await?;
            }
            // What passes traffic on and is connected with it is cut off as it is: it would else have their way.
            stands.extend(connected.iter().filter(|it| self.graph.node(**it).forwards).map(|it| (*it, false)));
            for member in connected {
                if self.stands(member, &mut stands, fall, steps).await? {
                    // It passes no traffic on, and has another way.
                    standing.push(member);
                } else if !self.graph.node(member).exempt {
                    cut.insert(self.graph.node(member).place);
                }
            }
        }
        *beside = standing;
        Ok(cut)
    }

    /// Whether a node reaches an anchor, or did not before, or is down itself.
    async fn stands(
        &mut self,
        node: NodeId,
        known: &mut HashMap<NodeId, bool>,
        fall: &mut Fall<'a>,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        steps.take().await?;
        if let Some(stands) = known.get(&node) {
            return Ok(*stands);
        }
        let stands = fall.picture.marks.has(self.graph.node(node).place, DOWN)
            || self.has_kept_way(node, fall)
            || match self.look_near(node, known, fall, steps).await? {
                Near::Way => true,
                Near::All(seen) => {
                    // What passes no traffic on may be near others that have other anchors.
                    if self.graph.node(node).forwards {
                        known.extend(seen.into_iter().map(|it| (it, false)));
                    }
                    false
                }
                Near::Many => self.finds_way(node, fall, steps).await?,
            };
        known.insert(node, stands);
        Ok(stands)
    }

    /// Whether nothing fell on one of the ways that were found from a node.
    fn has_kept_way(&self, node: NodeId, fall: &Fall<'_>) -> bool {
        let is_up = |way: &Way| self.graph.is_known_up(fall, way, Moment::After);
        self.is_led(node, fall) || self.ways.get(&node).is_some_and(|kept| kept.iter().any(|way| way.iter().all(is_up)))
    }

    /// Whether nothing fell on the way that leads on from node to node.
    fn is_led(&self, node: NodeId, fall: &Fall<'_>) -> bool {
        let mut at = node;
        while let Some(way) = self.toward.get(&at) {
            if !self.graph.is_known_up(fall, way, Moment::After) {
                return false;
            }
            at = way.to;
        }
        at != node
    }

    /// Looks for an anchor, or a node that has a way to the same anchors, among those nearest to a node of those that are
    /// still connected with it. Where that way comes back to the node, the rest of it is a way of the node.
    async fn look_near(
        &mut self,
        node: NodeId,
        known: &HashMap<NodeId, bool>,
        fall: &mut Fall<'a>,
        steps: &mut Steps,
    ) -> Result<Near, ImpactError> {
        let mut field = Field { graph: &mut self.graph, fall, steps };
        let Some(own) = self.anchors.of(&mut field, node).await? else { return Ok(Near::Way) };
        if own.contains(&node) {
            return Ok(Near::Way);
        }
        // Each with the place of the one before it, and the way from there.
        let mut near: Vec<(NodeId, Option<(usize, Way)>)> = vec![(node, None)];
        let mut seen = HashSet::from_iter([node]);
        let mut next = 0;
        while let Some((member, _)) = near.get(next).copied() {
            if near.len() > MOST_NEAR {
                return Ok(Near::Many);
            }
            for way in self.graph.ways_onward(fall, member, steps).await?.iter() {
                steps.take().await?;
                let is_anchor = own.contains(&way.to);
                let leads = (is_anchor || self.graph.node(way.to).forwards) && !seen.contains(&way.to);
                if !leads || !self.graph.is_up(fall, way, Moment::After, steps).await? {
                    continue;
                }
                let stands = known.get(&way.to).copied();
                let mut found = is_anchor;
                if !found && (stands.is_some() || self.has_kept_way(way.to, fall)) {
                    let mut field = Field { graph: &mut self.graph, fall, steps };
                    let others = self.anchors.of(&mut field, way.to).await?;
                    if others.is_some_and(|others| Arc::ptr_eq(&own, &others)) {
                        found = stands.unwrap_or(true);
                        // What is cut off is so with all that is connected with it.
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

    /// Lets the nodes on the way to the last of these lead on to each other, up to that one.
    fn lead(&mut self, near: &[(NodeId, Option<(usize, Way)>)]) {
        // What passes no traffic on may be near ways that lead to other anchors.
        if near.first().is_none_or(|(node, _)| !self.graph.node(*node).forwards) {
            return;
        }
        let mut at = near.last();
        while let Some((_, Some((before, way)))) = at {
            self.toward.entry(near[*before].0).or_insert(*way);
            at = near.get(*before);
        }
    }

    /// Searches all of the network for a way, and keeps it.
    async fn finds_way(&mut self, node: NodeId, fall: &mut Fall<'a>, steps: &mut Steps) -> Result<bool, ImpactError> {
        let mut field = Field { graph: &mut self.graph, fall, steps };
        let Some(anchors) = self.anchors.of(&mut field, node).await? else { return Ok(true) };
        if anchors.contains(&node) {
            return Ok(true);
        }
        let mut flow = Flow::default();
        let between = Between { source: node, anchors: &anchors, at: Moment::After, around: None };
        let found = matches!(flow.augment(&mut field, between, Thorough::No).await?, Search::Found);
        if found && let Some(ways) = flow.lines(&self.graph) {
            // A line that was found from its other end is to be known from this one, too.
            for (_, way) in &ways {
                self.graph.is_up(fall, way, Moment::After, steps).await?;
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
