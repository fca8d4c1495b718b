//! Who is cut off, asked again and again: for each of many failures, in one network that is extracted once.
//!
//! Ways that were found are kept, some for each node. As long as nothing on one of them falls, it answers for its node
//! without a search; the second is past what broke the first, so that few failures break all of them.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::HashMap;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::marks::DOWN;
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

/// The network around some objects.
pub(in super::super) struct Cuts<'a> {
    graph: Graph<'a>,
    anchors: Anchors,
    /// What is on lines, each with the nodes at both ends, in order.
    on_lines: Vec<(Place, NodeId)>,
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
                Part::Plug(_) if fall.picture.plug(*place).is_some_and(|(_, state)| state.purpose == Purpose::Data) => {
                    let machine = machine_of(fall, *place);
                    nodes.extend(machine.and_then(|machine| graph.find(fall, machine)));
                }
                // A line may only pass: its machines are elsewhere.
                Part::Plug(_) | Part::Plain => {
                    let mut far = Vec::new();
                    graph.each_far(fall, *place, &mut |to, _| far.push(to));
                    nodes.extend(far.into_iter().filter_map(|place| graph.find(fall, place)));
                }
                _ => {}
            }
        }
        let mut on_lines = Vec::new();
        for node in nodes {
            let ways = graph.ways(fall, node, steps).await?;
            for way in ways.iter().filter(|way| way.before) {
                let hops = graph.hops(way).iter();
                on_lines.extend(hops.flat_map(|hop| [(*hop, node), (*hop, way.to)]));
            }
        }
        on_lines.sort_unstable();
        on_lines.dedup();
        Ok(Self { graph, anchors: Anchors::new(None), on_lines, ways: HashMap::default() })
    }

    /// The machines that a fall cuts off.
    pub async fn cut_off(&mut self, fall: &mut Fall<'a>, steps: &mut Steps) -> Result<BTreeSet<Place>, ImpactError> {
        let mut beside: BTreeSet<NodeId> = BTreeSet::new();
        for fallen in &fall.fallen {
            let from = self.on_lines.partition_point(|(hop, _)| *hop < fallen.place);
            let on = self.on_lines[from..].iter().take_while(|(hop, _)| *hop == fallen.place);
            beside.extend(on.map(|(_, node)| *node));
        }
        let mut stands: HashMap<NodeId, bool> = HashMap::default();
        let mut cut = BTreeSet::new();
        for node in beside {
            if self.stands(node, &mut stands, fall, steps).await? {
                continue;
            }
            let mut connected = vec![node];
            if self.graph.node(node).forwards {
                let mut field = Field { graph: &mut self.graph, fall, steps };
                connected = anchors::part(&mut field, node, Moment::After).await?;
            }
            for member in connected {
                if !self.stands(member, &mut stands, fall, steps).await? && !self.graph.node(member).exempt {
                    cut.insert(self.graph.node(member).place);
                }
            }
        }
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
            || self.has_neighbour_with_way(node, fall, steps).await?
            || self.finds_way(node, fall, steps).await?;
        known.insert(node, stands);
        Ok(stands)
    }

    /// Whether nothing fell on one of the ways that were found.
    fn has_kept_way(&self, node: NodeId, fall: &Fall<'_>) -> bool {
        let is_up = |way: &Way| self.graph.is_up(fall, way, Moment::After);
        self.ways.get(&node).is_some_and(|kept| kept.iter().any(|way| way.iter().all(is_up)))
    }

    /// Whether a neighbour that passes traffic on has a way to the same anchors, which does not come back to the node:
    /// one that passes no traffic on is on nobody's way.
    async fn has_neighbour_with_way(
        &mut self,
        node: NodeId,
        fall: &mut Fall<'a>,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        if self.graph.node(node).forwards {
            return Ok(false);
        }
        let mut field = Field { graph: &mut self.graph, fall, steps };
        let own = self.anchors.of(&mut field, node).await?;
        for way in self.graph.ways(fall, node, steps).await?.iter() {
            let leads = self.graph.node(way.to).forwards && self.graph.is_up(fall, way, Moment::After);
            if leads && self.has_kept_way(way.to, fall) {
                let mut field = Field { graph: &mut self.graph, fall, steps };
                let others = self.anchors.of(&mut field, way.to).await?;
                if own.iter().zip(&others).any(|(own, others)| Arc::ptr_eq(own, others)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

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
            let kept = self.ways.entry(node).or_default();
            kept.push_back(ways);
            if kept.len() > MOST_KEPT {
                kept.pop_front();
            }
        }
        Ok(found)
    }
}
