//! The network rule and the group rule. The network rule finds machines that reached an anchor before the failure and
//! no longer do, or have fewer disjoint paths to one. The group rule finds bundles that lose members with their lines.
//!
//! An *adjacent* node is one that is up and lost a line over which paths can run (`Reach::adjacent`). Only nodes whose
//! paths can have changed are checked. A node that is not adjacent can have lost a path only if the break lies behind a
//! cut that it shares with an adjacent node (`Reach::affected_by`). So the candidates are the adjacent nodes and the
//! first of these sets that is bounded:
//!
//! - the nodes that hubs separate from the rest of the network (`Reach::held_by_hubs`);
//! - for each adjacent node, the nodes between the anchors and the smallest cut that is nearest to them;
//! - all connected nodes.

mod anchors;
mod condition;
mod cut;
mod edges;
mod flow;
mod forest;
mod graph;
mod incidence;
mod lines;
mod onward;
mod touched;
mod visit;

use std::collections::{BTreeSet, VecDeque};

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::error::ImpactError;
use super::findings::{Effect, Finding};
use super::marks::DOWN;
use super::physical_state::Moment;
use super::propagate::Propagation;
use crate::role::Rule;
use crate::steps::Steps;
use anchors::Anchors;
use flow::{Between, DisjointPaths, has_path};
use graph::{About, NetworkGraph};
use underlay_inventory::ObjectRef;
use visit::{Network, component, component_around};

pub(super) use anchors::check as check_anchors;
pub(super) use cut::Cuts;
pub(super) use graph::NodeId;
pub(super) use touched::Touched;

/// The maximum number of vertices behind a cut that are searched. Beyond it, all connected nodes become candidates.
const MAX_VERTICES_BEHIND: usize = 1_024;
/// The maximum number of causes that are reported for a node that is not adjacent.
const MAX_REASONS: usize = 16;

/// A search for the machines that lost paths to their anchors.
pub(super) struct Reach<'f, 'a> {
    network: Network<'f, 'a>,
    anchors: Anchors,
    /// The adjacent nodes, each with the objects that broke its lines.
    adjacent: HashMap<NodeId, Vec<ObjectRef>>,
    /// The effects on nodes that forward no traffic, by the facts that determine them.
    alike: HashMap<Alike, Option<Effect>>,
}

/// The facts that determine the effect on a node that forwards no traffic, and so is on no path of another node. These
/// are its anchors and its lines: the neighbour of each, whether it was up before, and whether it is up after. Most
/// nodes share these facts with others, such as the machines of a rack.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    /// The address of the set of anchors. Equal sets at two addresses merely cause a second search.
    anchors: usize,
    lines: Vec<(NodeId, bool, bool)>,
}

/// The nodes that are cut off or lost paths, each after its causes.
#[derive(Debug, Default)]
pub(super) struct AffectedNodes {
    pub isolated: Vec<Finding>,
    pub degraded: Vec<Finding>,
    pub unanchored: Vec<ObjectRef>,
}

/// Applies the network rule.
pub(super) fn reach<'a>(
    propagation: &mut Propagation<'a>,
    requested_anchors: Option<&[ObjectRef]>,
    touched: &Touched,
    steps: &mut Steps,
) -> Result<AffectedNodes, ImpactError> {
    let mut graph =
        NetworkGraph::new(propagation, About::OneFailure).with_anchors(requested_anchors.unwrap_or_default());
    let network = Network { graph: &mut graph, propagation, steps };
    let mut reach = Reach {
        network,
        anchors: Anchors::new(requested_anchors),
        adjacent: HashMap::default(),
        alike: HashMap::default(),
    };
    reach.find_adjacent(touched)?;
    let mut adjacent: Vec<NodeId> = reach.adjacent.keys().copied().collect();
    reach.sort(&mut adjacent);
    let passing: Vec<NodeId> =
        adjacent.iter().copied().filter(|node| reach.network.graph.node(*node).forwards).collect();
    let mut candidates: HashSet<NodeId> = adjacent.into_iter().collect();
    match reach.held_by_hubs(&passing)? {
        Some(behind) => candidates.extend(behind),
        None => {
            for node in passing {
                candidates.extend(reach.affected_by(node)?);
            }
        }
    }
    let mut candidates: Vec<NodeId> = candidates.into_iter().collect();
    reach.sort(&mut candidates);
    let (mut isolated, mut degraded) = (Vec::new(), Vec::new());
    for node in candidates {
        match reach.change(node)? {
            Some(Effect::Isolated) => isolated.push(node),
            Some(_) => degraded.push(node),
            None => {}
        }
    }
    let degraded = degraded.into_iter().map(|node| reach.found(node, Effect::Degraded, reach.reasons(node)));
    let degraded = degraded.collect();
    let isolated = reach.in_order(isolated)?;
    let unanchored = reach.anchors.unanchored(reach.network.graph);
    Ok(AffectedNodes { isolated, degraded, unanchored })
}

impl Reach<'_, '_> {
    /// Sorts nodes by their objects. Node numbers depend on the order of the search and differ each time, but the same
    /// query must return the same answer in the same order.
    fn sort(&self, nodes: &mut [NodeId]) {
        nodes.sort_unstable_by_key(|node| self.network.graph.node(*node).object);
    }

    /// Finds the adjacent nodes: those that lost a line to a node that paths can pass or end at.
    fn find_adjacent(&mut self, touched: &Touched) -> Result<(), ImpactError> {
        for end in &touched.ends {
            self.network.steps.take()?;
            let mut far = Vec::new();
            self.network.graph.each_far(self.network.propagation, *end, &mut |to, _| far.push(to));
            for object in far {
                self.look_at(object)?;
            }
        }
        for object in &touched.family {
            self.look_at(*object)?;
        }
        Ok(())
    }

    fn look_at(&mut self, object: ObjectRef) -> Result<(), ImpactError> {
        let Network { graph, propagation, steps } = &mut self.network;
        if propagation.physical_state.marks.has(object, DOWN) {
            return Ok(());
        }
        let Some(node) = graph.find(propagation, object).filter(|node| !self.adjacent.contains_key(node)) else {
            return Ok(());
        };
        let edges = graph.edges_onward(propagation, node, steps)?;
        let mut because = BTreeSet::new();
        for edge in edges.iter() {
            because.extend(graph.cause(propagation, edge, steps)?);
        }
        if !because.is_empty() {
            self.adjacent.insert(node, because.into_iter().collect());
        }
        Ok(())
    }

    /// Returns the nodes besides the adjacent ones that can have lost paths, if hubs bound this set; `None` if they do
    /// not. A hub is an adjacent node that reaches an anchor without passing another adjacent node. There must be at
    /// least as many disjoint paths between any two hubs as there are lines to the anchors.
    ///
    /// Proof. Let a node `d` have lost a path. A smallest cut between `d` and the anchors is now smaller than the
    /// number of paths that `d` had. So one of these paths crossed the cut over a broken line, from the side of `d` to
    /// the side of the anchors. The last adjacent node on this path is a hub on the anchors' side. The cut is smaller
    /// than the number of paths between two hubs, so all hubs are on that side or on the cut. The first adjacent node
    /// `u` on the path is on the side of `d`, and so is not a hub. Therefore `d` is connected with `u` without a hub
    /// between them.
    fn held_by_hubs(&mut self, passing: &[NodeId]) -> Result<Option<BTreeSet<NodeId>>, ImpactError> {
        let Some(first) = passing.first() else { return Ok(Some(BTreeSet::new())) };
        let Some(anchors) = self.anchors.of(&mut self.network, *first)? else { return Ok(None) };
        for node in passing {
            let same = self.anchors.of(&mut self.network, *node)?.is_some_and(|its| Arc::ptr_eq(&its, &anchors));
            if !same || anchors.contains(node) {
                return Ok(None);
            }
        }
        let Some(lines) = self.lines_to(&anchors)? else { return Ok(None) };
        let adjacent: HashSet<NodeId> = passing.iter().copied().collect();
        let mut hubs: HashSet<NodeId> = HashSet::default();
        for node in passing {
            let without_others =
                Between { source: *node, anchors: &anchors, at: Moment::After, around: Some(&adjacent) };
            if has_path(&mut self.network, without_others)? {
                hubs.insert(*node);
            }
        }
        for (at, one) in passing.iter().enumerate().filter(|(_, node)| hubs.contains(node)) {
            for other in passing[at + 1..].iter().filter(|node| hubs.contains(node)) {
                if self.paths_between(*one, *other, lines)? < lines {
                    return Ok(None);
                }
            }
        }
        let mut behind = BTreeSet::new();
        for node in passing.iter().filter(|node| !hubs.contains(node)) {
            match component_around(&mut self.network, *node, &hubs, MAX_VERTICES_BEHIND)? {
                Some(part) => behind.extend(part),
                None => return Ok(None),
            }
        }
        Ok(Some(behind))
    }

    /// Returns the number of lines to the anchors; `None` if an anchor went down or is adjacent.
    fn lines_to(&mut self, anchors: &HashSet<NodeId>) -> Result<Option<usize>, ImpactError> {
        let mut lines = 0;
        for anchor in anchors {
            let Network { graph, propagation, steps } = &mut self.network;
            if self.adjacent.contains_key(anchor) || propagation.physical_state.went_down(graph.node(*anchor).object) {
                return Ok(None);
            }
            let edges = graph.edges(propagation, *anchor, steps)?;
            for edge in edges.iter().filter(|edge| !anchors.contains(&edge.to)) {
                lines += usize::from(graph.was_up(propagation, edge, steps)?);
            }
        }
        Ok(Some(lines))
    }

    /// Returns the number of disjoint paths between two nodes, at most `most`.
    fn paths_between(&mut self, one: NodeId, other: NodeId, most: usize) -> Result<usize, ImpactError> {
        let (mut paths, other) = (DisjointPaths::default(), HashSet::from_iter([other]));
        let between = Between { source: one, anchors: &other, at: Moment::After, around: None };
        while (paths.count as usize) < most && paths.augment(&mut self.network, between)? {}
        Ok(paths.count as usize)
    }

    /// Returns the nodes that can have lost paths over an adjacent node which is up and forwards traffic.
    ///
    /// Proof. Let a node `d` have lost a path. Take a smallest cut between `d` and the anchors as they are now, and an
    /// earlier path across this cut. Up to the break this path runs on the side of `d`, so the last node before the
    /// break, `u`, is adjacent. `u` is on the side of `d`, and the cut is as small as the number of paths that `d` has
    /// now. So `d` had more paths than `u` has now. Take the smallest cut of `u` that is nearest to the anchors. A node
    /// that is not behind this cut had at most as many paths as the cut is large, unless a broken line led past the
    /// cut. So `d` is behind it.
    fn affected_by(&mut self, node: NodeId) -> Result<Vec<NodeId>, ImpactError> {
        let Some(anchors) = self.anchors.of(&mut self.network, node)? else { return Ok(Vec::new()) };
        if anchors.contains(&node) {
            return Ok(Vec::new());
        }
        let between = Between { source: node, anchors: &anchors, at: Moment::After, around: None };
        let mut paths = DisjointPaths::default();
        while paths.augment(&mut self.network, between)? {}
        if paths.count > 0
            && let Some(behind) = paths.behind_cut(&mut self.network, between, MAX_VERTICES_BEHIND)?
            && !self.leads_past(&behind, &anchors)
        {
            return Ok(behind.into_iter().collect());
        }
        component(&mut self.network, node, Moment::After)
    }

    /// Returns true if a broken line led to a node behind a cut, or to an anchor.
    fn leads_past(&self, behind: &HashSet<NodeId>, anchors: &HashSet<NodeId>) -> bool {
        let went_down =
            |node: &NodeId| self.network.propagation.physical_state.went_down(self.network.graph.node(*node).object);
        let is_adjacent = |node: &NodeId| self.adjacent.contains_key(node);
        behind.iter().any(is_adjacent) || anchors.iter().any(|node| is_adjacent(node) || went_down(node))
    }

    /// Returns the effect on the paths of a node.
    fn change(&mut self, node: NodeId) -> Result<Option<Effect>, ImpactError> {
        let Network { graph, propagation, .. } = &self.network;
        if graph.node(node).exempt || propagation.physical_state.marks.has(graph.node(node).object, DOWN) {
            return Ok(None);
        }
        let Some(anchors) = self.anchors.of(&mut self.network, node)? else { return Ok(None) };
        if anchors.contains(&node) {
            return Ok(None);
        }
        if self.network.graph.node(node).forwards {
            return self.change_towards(node, &anchors);
        }
        let lines = self.lines_of(node)?;
        let alike = Alike { anchors: Arc::as_ptr(&anchors) as usize, lines };
        if let Some(effect) = self.alike.get(&alike) {
            return Ok(*effect);
        }
        let effect = self.change_towards(node, &anchors)?;
        self.alike.insert(alike, effect);
        Ok(effect)
    }

    /// Returns the lines of a node that paths can use, sorted.
    fn lines_of(&mut self, node: NodeId) -> Result<Vec<(NodeId, bool, bool)>, ImpactError> {
        let Network { graph, propagation, steps } = &mut self.network;
        let mut lines = Vec::new();
        for edge in graph.edges_onward(propagation, node, steps)?.iter() {
            let before = graph.was_up(propagation, edge, steps)?;
            lines.push((edge.to, before, graph.is_known_up(propagation, edge, Moment::After)));
        }
        lines.sort_unstable();
        Ok(lines)
    }

    fn change_towards(&mut self, node: NodeId, anchors: &HashSet<NodeId>) -> Result<Option<Effect>, ImpactError> {
        let mut paths = DisjointPaths::default();
        let now = Between { source: node, anchors, at: Moment::After, around: None };
        while paths.augment(&mut self.network, now)? {}
        let left = paths.count;
        let before = Between { at: Moment::Before, ..now };
        Ok(match paths.augment(&mut self.network, before)? {
            false => None,
            true if left == 0 => Some(Effect::Isolated),
            true => Some(Effect::Degraded),
        })
    }

    fn found(&self, node: NodeId, effect: Effect, because: Vec<ObjectRef>) -> Finding {
        Finding::new(self.network.graph.node(node).object, effect, Rule::Network, because)
    }

    /// Returns the objects that broke the lines of a node; for a node that is not adjacent, those that broke any line.
    fn reasons(&self, node: NodeId) -> Vec<ObjectRef> {
        match self.adjacent.get(&node) {
            Some(because) => because.clone(),
            None => {
                let all: BTreeSet<ObjectRef> = self.adjacent.values().flatten().copied().collect();
                all.into_iter().take(MAX_REASONS).collect()
            }
        }
    }

    /// Sorts nodes that are cut off from the break outwards. Each gets its causes: the objects that broke its lines,
    /// and the neighbours over which it is cut off. Nodes that forward no traffic come last, because they cut no other
    /// node off.
    fn in_order(&mut self, isolated: Vec<NodeId>) -> Result<Vec<Finding>, ImpactError> {
        let (passing, last): (Vec<NodeId>, Vec<NodeId>) =
            isolated.into_iter().partition(|node| self.network.graph.node(*node).forwards);
        let (first, later): (Vec<NodeId>, Vec<NodeId>) =
            passing.into_iter().partition(|node| self.adjacent.contains_key(node));
        let mut left: HashSet<NodeId> = later.iter().copied().collect();
        let mut queue = VecDeque::from(first);
        let (mut found, mut done) = (Vec::new(), HashSet::default());
        while let Some(node) = queue.pop_front() {
            let because = self.cut_off_by(node, &done)?;
            found.push(self.found(node, Effect::Isolated, because));
            done.insert(node);
            let Network { graph, propagation, steps } = &mut self.network;
            let edges = graph.edges_onward(propagation, node, steps)?;
            let mut next = Vec::new();
            for edge in edges.iter() {
                if left.contains(&edge.to) && graph.was_up(propagation, edge, steps)? {
                    left.remove(&edge.to);
                    next.push(edge.to);
                }
            }
            self.sort(&mut next);
            queue.extend(next);
        }
        // The remaining nodes that forward traffic lie behind exempt nodes, which are not in the answer.
        for node in later.into_iter().filter(|node| left.contains(node)).chain(last) {
            let because = self.cut_off_by(node, &done)?;
            found.push(self.found(node, Effect::Isolated, because));
        }
        Ok(found)
    }

    /// Returns the objects that broke the lines of a node, and its neighbours known to be cut off. If there are none,
    /// returns the objects that broke any line.
    fn cut_off_by(&mut self, node: NodeId, done: &HashSet<NodeId>) -> Result<Vec<ObjectRef>, ImpactError> {
        let Network { graph, propagation, steps } = &mut self.network;
        let edges = graph.edges_onward(propagation, node, steps)?;
        let mut because = BTreeSet::new();
        for edge in edges.iter().filter(|edge| done.contains(&edge.to)) {
            if graph.was_up(propagation, edge, steps)? {
                because.insert(graph.node(edge.to).object);
            }
        }
        because.extend(self.adjacent.get(&node).into_iter().flatten());
        Ok(if because.is_empty() { self.reasons(node) } else { because.into_iter().collect() })
    }
}
