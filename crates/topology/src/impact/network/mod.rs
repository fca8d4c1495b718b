//! The network rule and the group rule. The network rule finds machines that reached an anchor before the failure and
//! no longer do, or have fewer disjoint paths to one. The group rule finds bundles that lose members with their lines.
//!
//! An *adjacent* node is one that is up and lost a line over which paths can run (`Reach::beside`). Only nodes whose
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
mod flow;
mod graph;
mod onward;
mod touched;
mod ways;

use std::collections::{BTreeSet, VecDeque};

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::error::ImpactError;
use super::findings::{Effect, Found};
use super::marks::DOWN;
use super::physical_state::Moment;
use super::propagate::Propagation;
use crate::role::Rule;
use crate::steps::Steps;
use anchors::Anchors;
use flow::{Between, Field, Flow, Search, Thorough};
use graph::{About, Graph};
use underlay_inventory::ObjectRef;

pub(super) use anchors::check as check_anchors;
pub(super) use cut::Cuts;
pub(super) use graph::NodeId;
pub(super) use touched::Touched;

/// The maximum number of positions behind a cut that are searched. Beyond it, all connected nodes become candidates.
const MOST_BEHIND: usize = 1_024;
/// The maximum number of causes that are reported for a node that is not adjacent.
const MOST_REASONS: usize = 16;

/// A search for the machines that lost paths to their anchors.
pub(super) struct Reach<'f, 'a> {
    field: Field<'f, 'a>,
    anchors: Anchors,
    /// The adjacent nodes, each with the objects that broke its lines.
    beside: HashMap<NodeId, Vec<ObjectRef>>,
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
pub(super) struct Reached {
    pub isolated: Vec<Found>,
    pub degraded: Vec<Found>,
    pub unanchored: Vec<ObjectRef>,
}

/// Applies the network rule.
pub(super) fn reach<'a>(
    propagation: &mut Propagation<'a>,
    given: Option<&[ObjectRef]>,
    touched: &Touched,
    steps: &mut Steps,
) -> Result<Reached, ImpactError> {
    let mut graph = Graph::new(propagation, About::OneFailure).with_anchors(given.unwrap_or_default());
    let field = Field { graph: &mut graph, propagation, steps };
    let mut reach =
        Reach { field, anchors: Anchors::new(given), beside: HashMap::default(), alike: HashMap::default() };
    reach.find_beside(touched)?;
    let mut beside: Vec<NodeId> = reach.beside.keys().copied().collect();
    reach.sort(&mut beside);
    let passing: Vec<NodeId> = beside.iter().copied().filter(|node| reach.field.graph.node(*node).forwards).collect();
    let mut candidates: HashSet<NodeId> = beside.into_iter().collect();
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
    let unanchored = reach.anchors.unanchored(reach.field.graph);
    Ok(Reached { isolated, degraded, unanchored })
}

impl Reach<'_, '_> {
    /// Sorts nodes by their places. Node numbers depend on the order of the search and differ each time, but the same
    /// query must return the same answer in the same order.
    fn sort(&self, nodes: &mut [NodeId]) {
        nodes.sort_unstable_by_key(|node| self.field.graph.node(*node).place);
    }

    /// Finds the adjacent nodes: those that lost a line to a node that paths can pass or end at.
    fn find_beside(&mut self, touched: &Touched) -> Result<(), ImpactError> {
        for end in &touched.ends {
            self.field.steps.take()?;
            let mut far = Vec::new();
            self.field.graph.each_far(self.field.propagation, *end, &mut |to, _| far.push(to));
            for place in far {
                self.look_at(place)?;
            }
        }
        for place in &touched.family {
            self.look_at(*place)?;
        }
        Ok(())
    }

    fn look_at(&mut self, place: ObjectRef) -> Result<(), ImpactError> {
        let Field { graph, propagation, steps } = &mut self.field;
        if propagation.physical_state.marks.has(place, DOWN) {
            return Ok(());
        }
        let Some(node) = graph.find(propagation, place).filter(|node| !self.beside.contains_key(node)) else {
            return Ok(());
        };
        let ways = graph.ways_onward(propagation, node, steps)?;
        let mut because = BTreeSet::new();
        for way in ways.iter() {
            because.extend(graph.cause(propagation, way, steps)?);
        }
        if !because.is_empty() {
            self.beside.insert(node, because.into_iter().collect());
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
        let Some(anchors) = self.anchors.of(&mut self.field, *first)? else { return Ok(None) };
        for node in passing {
            let same = self.anchors.of(&mut self.field, *node)?.is_some_and(|its| Arc::ptr_eq(&its, &anchors));
            if !same || anchors.contains(node) {
                return Ok(None);
            }
        }
        let Some(lines) = self.lines_to(&anchors)? else { return Ok(None) };
        let beside: HashSet<NodeId> = passing.iter().copied().collect();
        let mut hubs: HashSet<NodeId> = HashSet::default();
        for node in passing {
            let without_others = Between { source: *node, anchors: &anchors, at: Moment::After, around: Some(&beside) };
            if let Search::Found = Flow::default().augment(&mut self.field, without_others, Thorough::No)? {
                hubs.insert(*node);
            }
        }
        for (at, one) in passing.iter().enumerate().filter(|(_, node)| hubs.contains(node)) {
            for other in passing[at + 1..].iter().filter(|node| hubs.contains(node)) {
                if self.ways_between(*one, *other, lines)? < lines {
                    return Ok(None);
                }
            }
        }
        let mut behind = BTreeSet::new();
        for node in passing.iter().filter(|node| !hubs.contains(node)) {
            match anchors::part_around(&mut self.field, *node, &hubs, MOST_BEHIND)? {
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
            let Field { graph, propagation, steps } = &mut self.field;
            if self.beside.contains_key(anchor) || propagation.physical_state.fell(graph.node(*anchor).place) {
                return Ok(None);
            }
            let ways = graph.ways(propagation, *anchor, steps)?;
            for way in ways.iter().filter(|way| !anchors.contains(&way.to)) {
                lines += usize::from(graph.was_up(propagation, way, steps)?);
            }
        }
        Ok(Some(lines))
    }

    /// Returns the number of disjoint paths between two nodes, at most `most`.
    fn ways_between(&mut self, one: NodeId, other: NodeId, most: usize) -> Result<usize, ImpactError> {
        let (mut flow, other) = (Flow::default(), HashSet::from_iter([other]));
        let between = Between { source: one, anchors: &other, at: Moment::After, around: None };
        let mut ways = 0;
        while ways < most && matches!(flow.augment(&mut self.field, between, Thorough::No)?, Search::Found) {
            ways += 1;
        }
        Ok(ways)
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
        let Some(anchors) = self.anchors.of(&mut self.field, node)? else { return Ok(Vec::new()) };
        if anchors.contains(&node) {
            return Ok(Vec::new());
        }
        let between = Between { source: node, anchors: &anchors, at: Moment::After, around: None };
        let mut flow = Flow::default();
        let (behind, closed) = loop {
            match flow.augment(&mut self.field, between, Thorough::UpTo(MOST_BEHIND))? {
                Search::Found => {}
                Search::None { behind, closed } => break (behind, closed),
            }
        };
        if flow.ways > 0 && closed && !self.leads_past(&behind, &anchors) {
            return Ok(behind.into_iter().collect());
        }
        self.connected(node)
    }

    /// Returns true if a broken line led to a node behind a cut, or to an anchor.
    fn leads_past(&self, behind: &HashSet<NodeId>, anchors: &HashSet<NodeId>) -> bool {
        let fell = |node: &NodeId| self.field.propagation.physical_state.fell(self.field.graph.node(*node).place);
        let is_beside = |node: &NodeId| self.beside.contains_key(node);
        behind.iter().any(is_beside) || anchors.iter().any(|node| is_beside(node) || fell(node))
    }

    /// Returns all nodes that are still connected with a node.
    fn connected(&mut self, node: NodeId) -> Result<Vec<NodeId>, ImpactError> {
        anchors::part(&mut self.field, node, Moment::After)
    }

    /// Returns the effect on the paths of a node.
    fn change(&mut self, node: NodeId) -> Result<Option<Effect>, ImpactError> {
        let Field { graph, propagation, .. } = &self.field;
        if graph.node(node).exempt || propagation.physical_state.marks.has(graph.node(node).place, DOWN) {
            return Ok(None);
        }
        let Some(anchors) = self.anchors.of(&mut self.field, node)? else { return Ok(None) };
        if anchors.contains(&node) {
            return Ok(None);
        }
        if self.field.graph.node(node).forwards {
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
        let Field { graph, propagation, steps } = &mut self.field;
        let mut lines = Vec::new();
        for way in graph.ways_onward(propagation, node, steps)?.iter() {
            let before = graph.was_up(propagation, way, steps)?;
            lines.push((way.to, before, graph.is_known_up(propagation, way, Moment::After)));
        }
        lines.sort_unstable();
        Ok(lines)
    }

    fn change_towards(&mut self, node: NodeId, anchors: &HashSet<NodeId>) -> Result<Option<Effect>, ImpactError> {
        let mut flow = Flow::default();
        let now = Between { source: node, anchors, at: Moment::After, around: None };
        while let Search::Found = flow.augment(&mut self.field, now, Thorough::No)? {}
        let ways = flow.ways;
        let before = Between { at: Moment::Before, ..now };
        match flow.augment(&mut self.field, before, Thorough::No)? {
            Search::None { .. } => Ok(None),
            Search::Found if ways == 0 => Ok(Some(Effect::Isolated)),
            Search::Found => Ok(Some(Effect::Degraded)),
        }
    }

    fn found(&self, node: NodeId, effect: Effect, because: Vec<ObjectRef>) -> Found {
        Found::new(self.field.graph.node(node).place, effect, Rule::Network, because)
    }

    /// Returns the objects that broke the lines of a node; for a node that is not adjacent, those that broke any line.
    fn reasons(&self, node: NodeId) -> Vec<ObjectRef> {
        match self.beside.get(&node) {
            Some(because) => because.clone(),
            None => {
                let all: BTreeSet<ObjectRef> = self.beside.values().flatten().copied().collect();
                all.into_iter().take(MOST_REASONS).collect()
            }
        }
    }

    /// Sorts nodes that are cut off from the break outwards. Each gets its causes: the objects that broke its lines,
    /// and the neighbours over which it is cut off. Nodes that forward no traffic come last, because they cut no other
    /// node off.
    fn in_order(&mut self, isolated: Vec<NodeId>) -> Result<Vec<Found>, ImpactError> {
        let (passing, last): (Vec<NodeId>, Vec<NodeId>) =
            isolated.into_iter().partition(|node| self.field.graph.node(*node).forwards);
        let (first, later): (Vec<NodeId>, Vec<NodeId>) =
            passing.into_iter().partition(|node| self.beside.contains_key(node));
        let mut left: HashSet<NodeId> = later.iter().copied().collect();
        let mut queue = VecDeque::from(first);
        let (mut found, mut done) = (Vec::new(), HashSet::default());
        while let Some(node) = queue.pop_front() {
            let because = self.cut_off_by(node, &done)?;
            found.push(self.found(node, Effect::Isolated, because));
            done.insert(node);
            let Field { graph, propagation, steps } = &mut self.field;
            let ways = graph.ways_onward(propagation, node, steps)?;
            let mut next = Vec::new();
            for way in ways.iter() {
                if left.contains(&way.to) && graph.was_up(propagation, way, steps)? {
                    left.remove(&way.to);
                    next.push(way.to);
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
        let Field { graph, propagation, steps } = &mut self.field;
        let ways = graph.ways_onward(propagation, node, steps)?;
        let mut because = BTreeSet::new();
        for way in ways.iter().filter(|way| done.contains(&way.to)) {
            if graph.was_up(propagation, way, steps)? {
                because.insert(graph.node(way.to).place);
            }
        }
        because.extend(self.beside.get(&node).into_iter().flatten());
        Ok(if because.is_empty() { self.reasons(node) } else { because.into_iter().collect() })
    }
}
