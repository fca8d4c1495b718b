//! The network rule: who reached an anchor and does no more, or in fewer disjoint ways; and bundles, which lose members
//! with the lines of these.
//!
//! Only nodes whose ways can have changed are looked at. A node that is not beside what broke can have lost a way only
//! if what broke lies behind a cut that it shares with a node beside what broke (`Reach::affected_by`). So the
//! candidates are what is beside it, and what hubs hold off from the rest (`Reach::held_by_hubs`); else what lies between
//! the smallest cut before each such node and the anchors; where that is no bound, all that is connected.

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
use super::fall::Fall;
use super::findings::{Effect, Found};
use super::marks::DOWN;
use super::picture::Moment;
use super::role::Rule;
use crate::inventory::Place;
use crate::topology::line::Lines;
use crate::topology::steps::Steps;
use anchors::Anchors;
use flow::{Between, Field, Flow, Search, Thorough};
use graph::{About, Graph};

pub(super) use anchors::check as check_anchors;
pub(super) use cut::Cuts;
pub(super) use graph::NodeId;
pub(super) use touched::Touched;

/// How many spots behind a cut are looked at before everything that is connected is a candidate.
const MOST_BEHIND: usize = 1_024;
/// How many reasons are given to a node that is not beside what broke.
const MOST_REASONS: usize = 16;

/// A search for who reaches what.
pub(super) struct Reach<'f, 'a> {
    field: Field<'f, 'a>,
    anchors: Anchors,
    /// Nodes that lost a way to something that ways lead through or to, each with what broke.
    beside: HashMap<NodeId, Vec<Place>>,
    /// What became of the ways of nodes that pass nothing on.
    alike: HashMap<Alike, Option<Effect>>,
}

/// What the ways of a node follow from that passes nothing on, and so is on none of another: its anchors, and its lines
/// with where they lead, and whether they were up before and are after. Most nodes have others that are alike: the
/// machines of a rack.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    /// Where the set of its anchors is; equal sets at two places are but looked at twice.
    anchors: usize,
    lines: Vec<(NodeId, bool, bool)>,
}

/// Who is cut off, and who lost ways, in the order in which it follows.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub isolated: Vec<Found>,
    pub degraded: Vec<Found>,
    pub unanchored: Vec<Place>,
}

/// Applies the network rule.
pub(super) async fn reach<'a>(
    fall: &mut Fall<'a>,
    lines: &'a Lines,
    given: Option<&[Place]>,
    touched: &Touched,
    steps: &mut Steps,
) -> Result<Reached, ImpactError> {
    let mut graph = Graph::new(fall, lines, About::OneFailure).with_anchors(given.unwrap_or_default());
    let field = Field { graph: &mut graph, fall, steps };
    let mut reach =
        Reach { field, anchors: Anchors::new(given), beside: HashMap::default(), alike: HashMap::default() };
    reach.find_beside(touched).await?;
    let mut beside: Vec<NodeId> = reach.beside.keys().copied().collect();
    reach.sort(&mut beside);
    let passing: Vec<NodeId> = beside.iter().copied().filter(|node| reach.field.graph.node(*node).forwards).collect();
    let mut candidates: HashSet<NodeId> = beside.into_iter().collect();
    match reach.held_by_hubs(&passing).await? {
        Some(behind) => candidates.extend(behind),
        None => {
            for node in passing {
                candidates.extend(reach.affected_by(node).await?);
            }
        }
    }
    let mut candidates: Vec<NodeId> = candidates.into_iter().collect();
    reach.sort(&mut candidates);
    let (mut isolated, mut degraded) = (Vec::new(), Vec::new());
    for node in candidates {
        match reach.change(node).await? {
            Some(Effect::Isolated) => isolated.push(node),
            Some(_) => degraded.push(node),
            None => {}
        }
    }
    let degraded = degraded.into_iter().map(|node| reach.found(node, Effect::Degraded, reach.reasons(node)));
    let degraded = degraded.collect();
    let isolated = reach.in_order(isolated).await?;
    let unanchored = reach.anchors.unanchored(reach.field.graph);
    Ok(Reached { isolated, degraded, unanchored })
}

impl Reach<'_, '_> {
    /// Puts nodes in the order of their places. Their numbers are in the order in which a search came to them, which is
    /// another one each time, and the same question has the same answer in the same order.
    fn sort(&self, nodes: &mut [NodeId]) {
        nodes.sort_unstable_by_key(|node| self.field.graph.node(*node).place);
    }

    /// Finds the nodes that lost a way to something that ways lead through or to.
    async fn find_beside(&mut self, touched: &Touched) -> Result<(), ImpactError> {
        for end in &touched.ends {
            self.field.steps.take().await?;
            let mut far = Vec::new();
            self.field.graph.each_far(self.field.fall, *end, &mut |to, _| far.push(to));
            for place in far {
                self.look_at(place).await?;
            }
        }
        for place in &touched.family {
            self.look_at(*place).await?;
        }
        Ok(())
    }

    async fn look_at(&mut self, place: Place) -> Result<(), ImpactError> {
        let Field { graph, fall, steps } = &mut self.field;
        if fall.picture.marks.has(place, DOWN) {
            return Ok(());
        }
        let Some(node) = graph.find(fall, place).filter(|node| !self.beside.contains_key(node)) else { return Ok(()) };
        let ways = graph.ways_onward(fall, node, steps).await?;
        let mut because = BTreeSet::new();
        for way in ways.iter() {
            because.extend(graph.cause(fall, way, steps).await?);
        }
        if !because.is_empty() {
            self.beside.insert(node, because.into_iter().collect());
        }
        Ok(())
    }

    /// The nodes that can have lost ways, besides those beside what broke, where this is held by hubs: nodes beside what
    /// broke that reach an anchor without any other such node, and are joined with each other by as many disjoint ways
    /// as there are lines to the anchors. `None` where it is not held so.
    ///
    /// Let `d` have lost a way. A smallest cut between it and the anchors as they are now is smaller than the ways of
    /// `d` were, so one of these runs past the cut, over what broke, from `d`'s side to that of the anchors. The last
    /// node beside what broke on this way is a hub on the anchors' side; then all hubs are there or on the cut, since
    /// the cut is smaller than what joins them. The first one, `u`, is on `d`'s side, and so no hub: `d` is connected
    /// with `u` without a hub between them.
    async fn held_by_hubs(&mut self, passing: &[NodeId]) -> Result<Option<BTreeSet<NodeId>>, ImpactError> {
        let Some(first) = passing.first() else { return Ok(Some(BTreeSet::new())) };
        let Some(anchors) = self.anchors.of(&mut self.field, *first).await? else { return Ok(None) };
        for node in passing {
            let same = self.anchors.of(&mut self.field, *node).await?.is_some_and(|its| Arc::ptr_eq(&its, &anchors));
            if !same || anchors.contains(node) {
                return Ok(None);
            }
        }
        let Some(lines) = self.lines_to(&anchors).await? else { return Ok(None) };
        let beside: HashSet<NodeId> = passing.iter().copied().collect();
        let mut hubs: HashSet<NodeId> = HashSet::default();
        for node in passing {
            let without_others = Between { source: *node, anchors: &anchors, at: Moment::After, around: Some(&beside) };
            if let Search::Found = Flow::default().augment(&mut self.field, without_others, Thorough::No).await? {
                hubs.insert(*node);
            }
        }
        for (at, one) in passing.iter().enumerate().filter(|(_, node)| hubs.contains(node)) {
            for other in passing[at + 1..].iter().filter(|node| hubs.contains(node)) {
                if self.ways_between(*one, *other, lines).await? < lines {
                    return Ok(None);
                }
            }
        }
        let mut behind = BTreeSet::new();
        for node in passing.iter().filter(|node| !hubs.contains(node)) {
            match anchors::part_around(&mut self.field, *node, &hubs, MOST_BEHIND).await? {
                Some(part) => behind.extend(part),
                None => return Ok(None),
            }
        }
        Ok(Some(behind))
    }

    /// How many lines lead to anchors; `None` where an anchor fell or is beside what broke.
    async fn lines_to(&mut self, anchors: &HashSet<NodeId>) -> Result<Option<usize>, ImpactError> {
        let mut lines = 0;
        for anchor in anchors {
            let Field { graph, fall, steps } = &mut self.field;
            if self.beside.contains_key(anchor) || fall.picture.fell(graph.node(*anchor).place) {
                return Ok(None);
            }
            let ways = graph.ways(fall, *anchor, steps).await?;
            for way in ways.iter().filter(|way| !anchors.contains(&way.to)) {
                lines += usize::from(graph.was_up(fall, way, steps).await?);
            }
        }
        Ok(Some(lines))
    }

    /// How many disjoint ways there are between two nodes, up to so many.
    async fn ways_between(&mut self, one: NodeId, other: NodeId, most: usize) -> Result<usize, ImpactError> {
        let (mut flow, other) = (Flow::default(), HashSet::from_iter([other]));
        let between = Between { source: one, anchors: &other, at: Moment::After, around: None };
        let mut ways = 0;
        while ways < most && matches!(flow.augment(&mut self.field, between, Thorough::No).await?, Search::Found) {
            ways += 1;
        }
        Ok(ways)
    }

    /// The nodes that can have lost ways over a node beside what broke, which stands and passes traffic on.
    ///
    /// Let `d` have lost a way. Take a smallest cut between it and the anchors as they are now, and a way of before
    /// past this cut: up to what broke it runs on `d`'s side, so the last node before that, `u`, is beside what broke,
    /// on `d`'s side of a cut that is as small as the ways of `d` now. So `d` had more ways than `u` has now. But whatever
    /// is not behind the cut of `u` that is nearest to the anchors had at most as many as that cut is large, unless
    /// what broke led past it.
    async fn affected_by(&mut self, node: NodeId) -> Result<Vec<NodeId>, ImpactError> {
        let Some(anchors) = self.anchors.of(&mut self.field, node).await? else { return Ok(Vec::new()) };
        if anchors.contains(&node) {
            return Ok(Vec::new());
        }
        let between = Between { source: node, anchors: &anchors, at: Moment::After, around: None };
        let mut flow = Flow::default();
        let (behind, closed) = loop {
            match flow.augment(&mut self.field, between, Thorough::UpTo(MOST_BEHIND)).await? {
                Search::Found => {}
                Search::None { behind, closed } => break (behind, closed),
            }
        };
        if flow.ways > 0 && closed && !self.leads_past(&behind, &anchors) {
            return Ok(behind.into_iter().collect());
        }
        self.connected(node).await
    }

    /// Whether something that broke led to a node behind a cut, or to an anchor.
    fn leads_past(&self, behind: &HashSet<NodeId>, anchors: &HashSet<NodeId>) -> bool {
        let fell = |node: &NodeId| self.field.fall.picture.fell(self.field.graph.node(*node).place);
        let is_beside = |node: &NodeId| self.beside.contains_key(node);
        behind.iter().any(is_beside) || anchors.iter().any(|node| is_beside(node) || fell(node))
    }

    /// All nodes that are still connected with one.
    async fn connected(&mut self, node: NodeId) -> Result<Vec<NodeId>, ImpactError> {
        anchors::part(&mut self.field, node, Moment::After).await
    }

    /// What became of the ways of a node.
    async fn change(&mut self, node: NodeId) -> Result<Option<Effect>, ImpactError> {
        let Field { graph, fall, .. } = &self.field;
        if graph.node(node).exempt || fall.picture.marks.has(graph.node(node).place, DOWN) {
            return Ok(None);
        }
        let Some(anchors) = self.anchors.of(&mut self.field, node).await? else { return Ok(None) };
        if anchors.contains(&node) {
            return Ok(None);
        }
        if self.field.graph.node(node).forwards {
            return self.change_towards(node, &anchors).await;
        }
        let lines = self.lines_of(node).await?;
        let alike = Alike { anchors: Arc::as_ptr(&anchors) as usize, lines };
        if let Some(effect) = self.alike.get(&alike) {
            return Ok(*effect);
        }
        let effect = self.change_towards(node, &anchors).await?;
        self.alike.insert(alike, effect);
        Ok(effect)
    }

    /// The lines of a node that ways can run over, in order.
    async fn lines_of(&mut self, node: NodeId) -> Result<Vec<(NodeId, bool, bool)>, ImpactError> {
        let Field { graph, fall, steps } = &mut self.field;
        let mut lines = Vec::new();
        for way in graph.ways_onward(fall, node, steps).await?.iter() {
            let before = graph.was_up(fall, way, steps).await?;
            lines.push((way.to, before, graph.is_known_up(fall, way, Moment::After)));
        }
        lines.sort_unstable();
        Ok(lines)
    }

    async fn change_towards(&mut self, node: NodeId, anchors: &HashSet<NodeId>) -> Result<Option<Effect>, ImpactError> {
        let mut flow = Flow::default();
        let now = Between { source: node, anchors, at: Moment::After, around: None };
        while let Search::Found = flow.augment(&mut self.field, now, Thorough::No).await? {}
        let ways = flow.ways;
        let before = Between { at: Moment::Before, ..now };
        match flow.augment(&mut self.field, before, Thorough::No).await? {
            Search::None { .. } => Ok(None),
            Search::Found if ways == 0 => Ok(Some(Effect::Isolated)),
            Search::Found => Ok(Some(Effect::Degraded)),
        }
    }

    fn found(&self, node: NodeId, effect: Effect, because: Vec<Place>) -> Found {
        Found::new(self.field.graph.node(node).place, effect, Rule::Network, because)
    }

    /// What broke beside a node, else what broke anywhere.
    fn reasons(&self, node: NodeId) -> Vec<Place> {
        match self.beside.get(&node) {
            Some(because) => because.clone(),
            None => {
                let all: BTreeSet<Place> = self.beside.values().flatten().copied().collect();
                all.into_iter().take(MOST_REASONS).collect()
            }
        }
    }

    /// Nodes that are cut off, from what broke outwards, each with what broke beside it and with the neighbours over
    /// which it is cut off. Those that pass no traffic on come last: nobody is cut off over them.
    async fn in_order(&mut self, isolated: Vec<NodeId>) -> Result<Vec<Found>, ImpactError> {
        let (passing, last): (Vec<NodeId>, Vec<NodeId>) =
            isolated.into_iter().partition(|node| self.field.graph.node(*node).forwards);
        let (first, later): (Vec<NodeId>, Vec<NodeId>) =
            passing.into_iter().partition(|node| self.beside.contains_key(node));
        let mut left: HashSet<NodeId> = later.iter().copied().collect();
        let mut queue = VecDeque::from(first);
        let (mut found, mut done) = (Vec::new(), HashSet::default());
        while let Some(node) = queue.pop_front() {
            let because = self.cut_off_by(node, &done).await?;
            found.push(self.found(node, Effect::Isolated, because));
            done.insert(node);
            let Field { graph, fall, steps } = &mut self.field;
            let ways = graph.ways_onward(fall, node, steps).await?;
            let mut next = Vec::new();
            for way in ways.iter() {
                if left.contains(&way.to) && graph.was_up(fall, way, steps).await? {
                    left.remove(&way.to);
                    next.push(way.to);
                }
            }
            self.sort(&mut next);
            queue.extend(next);
        }
        // What is left of those that pass traffic on lies past what is exempt, and so not in the answer.
        for node in later.into_iter().filter(|node| left.contains(node)).chain(last) {
            let because = self.cut_off_by(node, &done).await?;
            found.push(self.found(node, Effect::Isolated, because));
        }
        Ok(found)
    }

    /// What broke beside a node, and the neighbours that are known to be cut off; else what broke anywhere.
    async fn cut_off_by(&mut self, node: NodeId, done: &HashSet<NodeId>) -> Result<Vec<Place>, ImpactError> {
        let Field { graph, fall, steps } = &mut self.field;
        let ways = graph.ways_onward(fall, node, steps).await?;
        let mut because = BTreeSet::new();
        for way in ways.iter().filter(|way| done.contains(&way.to)) {
            if graph.was_up(fall, way, steps).await? {
                because.insert(graph.node(way.to).place);
            }
        }
        because.extend(self.beside.get(&node).into_iter().flatten());
        Ok(if because.is_empty() { self.reasons(node) } else { because.into_iter().collect() })
    }
}
