//! A branch of a trace: one line from the origin to its end, with the strands that run side by side in it.

use std::collections::{HashMap, HashSet};

use super::measure::{Measure, Passed};
use super::node::{Direction, Outcome};
use super::walk::Walk;
use super::ways::Sums;
use underlay_inventory::ObjectRef;

/// The far ends of a line, without the hops between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FarEnds {
    /// The far ends, one for each branch of the trace, in the same order.
    pub ends: Vec<FarEnd>,
    /// True if the limits of a trace cut off further ends.
    pub truncated: bool,
}

/// The far end of a line, without the hops between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarEnd {
    /// The last object of the line; `None` if the line leads to an object outside the inventory.
    pub end: Option<ObjectRef>,
    /// The direction in which the line leaves the origin.
    pub direction: Direction,
    /// The way in which the line ends.
    pub outcome: Outcome,
    /// True if every object on the line is plugged in, in use and switched on.
    pub active: bool,
    /// True if a position on the line had to be guessed.
    pub guessed: bool,
}

impl FarEnd {
    pub(super) fn of(walk: &Walk<'_>, line: &WalkedLine, direction: Direction) -> Self {
        let sums = line.sums(walk);
        let (end, outcome) = line.last(walk);
        Self { end, direction, outcome, active: sums.active, guessed: sums.guessed }
    }
}

impl From<&Branch> for FarEnd {
    fn from(branch: &Branch) -> Self {
        let Branch { end, direction, outcome, active, guessed, .. } = *branch;
        Self { end, direction, outcome, active, guessed }
    }
}

/// One line from the origin to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The direction in which the line leaves the origin.
    pub direction: Direction,
    /// The positions of the origin that the line carries; empty if the origin has one position.
    pub positions: Vec<u32>,
    /// The positions at which the line arrives at its last hop. Empty if that hop has one position, or if they are not
    /// known.
    pub end_positions: Vec<u32>,
    /// The way in which the line ends.
    pub outcome: Outcome,
    /// The last object of the line; `None` if the line leads to an object outside the inventory.
    pub end: Option<ObjectRef>,
    /// True if every object on every strand is plugged in, in use and switched on.
    pub active: bool,
    /// True if a position on the line had to be guessed.
    pub guessed: bool,
    /// The length and the latency of the line; of strands side by side, the largest values.
    pub measure: Measure,
    /// The number of cables on the line.
    pub spans: u32,
    hops: Vec<ObjectRef>,
    /// The index of the first hop of each step; empty if every step is one hop.
    starts: Vec<u32>,
}

impl Branch {
    /// Returns all hops, from the origin on.
    pub fn hops(&self) -> &[ObjectRef] {
        &self.hops
    }

    /// Returns the steps from the origin on. A step is the hops that are passed side by side, usually one.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &[ObjectRef]> {
        let count = if self.starts.is_empty() { self.hops.len() } else { self.starts.len() };
        (0..count).map(|step| {
            let start = |step: usize| self.starts.get(step).map_or(self.hops.len(), |start| *start as usize);
            if self.starts.is_empty() { &self.hops[step..=step] } else { &self.hops[start(step)..start(step + 1)] }
        })
    }

    pub(super) fn of(walk: &Walk<'_>, line: &WalkedLine, direction: Direction) -> Self {
        let (end, outcome) = line.last(walk);
        let mut branch = Self {
            direction,
            positions: Vec::new(),
            end_positions: line.end_positions(walk),
            outcome,
            end,
            active: true,
            guessed: false,
            measure: Measure::default(),
            spans: 0,
            hops: Vec::new(),
            starts: Vec::new(),
        };
        branch.measure = match &line.members {
            Some(members) => branch.fill_from_strands(walk, members, &line.endings()),
            None => branch.fill_from_chain(walk, line.ending),
        };
        let sums = line.sums(walk);
        (branch.active, branch.guessed) = (sums.active, sums.guessed);
        branch
    }

    fn fill_from_chain(&mut self, walk: &Walk<'_>, ending: u32) -> Measure {
        let mut measure = Measure::default();
        for node in walk.chain(ending) {
            self.hops.push(node.object);
            if let Some(via) = node.edge.via {
                self.hops.push(via);
                let passed = Passed::of(walk, via);
                measure = measure.then(&passed.measure);
                self.spans += u32::from(passed.span);
            }
            if node.edge.parent().is_none() {
                self.positions.extend(walk.position(node));
            }
        }
        self.hops.reverse();
        measure
    }

    /// Fills the branch from several strands. `members` are the nodes of the branch, each after the nodes that lead to
    /// it; `endings` are those of them where the branch ends, all at one object.
    fn fill_from_strands(&mut self, walk: &Walk<'_>, members: &[u32], endings: &[u32]) -> Measure {
        let mut strands = BranchStrands::default();
        for member in members.iter().filter(|member| !endings.contains(member)) {
            strands.pass(walk, std::slice::from_ref(member));
        }
        let whole = strands.pass(walk, endings);
        self.lay_out(strands.passed_at);
        self.positions = strands.positions;
        self.positions.sort_unstable();
        self.spans = strands.spans.len() as u32;
        whole
    }

    /// Groups hops into steps by their distance from the origin. Each hop is listed once, in the order of the walk.
    fn lay_out(&mut self, mut passed_at: Vec<(usize, u32, ObjectRef)>) {
        passed_at.sort_by_key(|(depth, node, _)| (*depth, *node));
        for side_by_side in passed_at.chunk_by(|left, right| left.0 == right.0) {
            self.starts.push(self.hops.len() as u32);
            let mut seen = HashSet::new();
            self.hops.extend(side_by_side.iter().map(|(.., object)| *object).filter(|object| seen.insert(*object)));
        }
        if self.starts.len() == self.hops.len() {
            self.starts.clear();
        }
    }
}

/// The state of the strands of a branch while they are followed from the origin.
#[derive(Default)]
struct BranchStrands {
    /// For each node its distance from the origin, in hops and as the measure of the longest strand.
    reached: HashMap<u32, (usize, Measure)>,
    /// The hops, each with its distance from the origin and the node at which it was found.
    passed_at: Vec<(usize, u32, ObjectRef)>,
    spans: HashSet<ObjectRef>,
    positions: Vec<u32>,
}

impl BranchStrands {
    /// Passes a hop: the nodes at one object that count as one. All nodes that lead to them must have been passed
    /// before.
    fn pass(&mut self, walk: &Walk<'_>, nodes: &[u32]) -> Measure {
        let (mut depth, mut measure) = (0, Measure::default());
        let mut vias = Vec::new();
        for (member, edge) in nodes.iter().flat_map(|member| walk.ways_to(*member).map(move |edge| (*member, edge))) {
            let Some(parent) = edge.parent() else {
                self.positions.extend(walk.position(&walk.nodes[member as usize]));
                continue;
            };
            let Some((before, so_far)) = self.reached.get(&parent).copied() else { continue };
            let passed = edge.via.map(|via| Passed::of(walk, via));
            depth = depth.max(before + 1 + usize::from(edge.via.is_some()));
            measure = measure.beside(&passed.as_ref().map_or(so_far, |passed| so_far.then(&passed.measure)));
            self.spans.extend(edge.via.filter(|_| passed.is_some_and(|passed| passed.span)));
            vias.extend(edge.via.map(|via| (member, via)));
        }
        self.passed_at.extend(vias.into_iter().map(|(member, via)| (depth - 1, member, via)));
        for member in nodes {
            self.passed_at.push((depth, *member, walk.nodes[*member as usize].object));
            self.reached.insert(*member, (depth, measure));
        }
        measure
    }
}

/// A line in a walk: the nodes where it ends and the nodes that lead there.
pub(super) struct WalkedLine {
    ending: u32,
    /// Further nodes at the same object where strands of the line end.
    others: Vec<u32>,
    /// The nodes that lead to the ending, each after the nodes that lead to it; `None` for a single strand, whose nodes
    /// are linked by their edges.
    members: Option<Vec<u32>>,
}

impl WalkedLine {
    pub fn to(walk: &Walk<'_>, ending: u32) -> Self {
        let members = (!walk.joins.is_empty()).then(|| members(walk, &[ending]));
        Self { ending, others: Vec::new(), members }
    }

    /// Returns the line of the strands that end at one object.
    pub fn of_strands(walk: &Walk<'_>, ending: u32, others: Vec<u32>) -> Self {
        if others.is_empty() {
            return Self::to(walk, ending);
        }
        let mut line = Self { ending, others, members: None };
        line.members = Some(members(walk, &line.endings()));
        line
    }

    /// Returns the nodes where the line ends.
    fn endings(&self) -> Vec<u32> {
        std::iter::once(self.ending).chain(self.others.iter().copied()).collect()
    }

    fn end_positions(&self, walk: &Walk<'_>) -> Vec<u32> {
        if walk.stacks.is_empty() {
            return Vec::new();
        }
        let endings = std::iter::once(&self.ending).chain(&self.others);
        let mut positions: Vec<u32> = endings.filter_map(|ending| walk.end_position(*ending)).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Returns true if a position on the line had to be guessed.
    pub fn is_guessed(&self, walk: &Walk<'_>) -> bool {
        self.sums(walk).guessed
    }

    /// Returns the number of nodes, if strands run side by side; else 0.
    pub fn strands(&self) -> usize {
        self.members.as_ref().map_or(0, Vec::len)
    }

    fn sums(&self, walk: &Walk<'_>) -> Sums {
        match &self.members {
            Some(members) => walk.sums_of(members),
            None => walk.sums_of_chain(self.ending),
        }
    }

    /// Returns the last object of the line and the way in which the line ends.
    fn last(&self, walk: &Walk<'_>) -> (Option<ObjectRef>, Outcome) {
        let node = &walk.nodes[self.ending as usize];
        match node.ending {
            Some(ending) if ending.outside => (None, ending.outcome),
            Some(ending) => (Some(node.object), ending.outcome),
            None => (Some(node.object), Outcome::Open),
        }
    }
}

/// Returns the nodes that lead to the end of a line, each after those that lead to it.
fn members(walk: &Walk<'_>, endings: &[u32]) -> Vec<u32> {
    let mut seen: HashSet<u32> = endings.iter().copied().collect();
    let mut members = endings.to_vec();
    let mut next = 0;
    while let Some(member) = members.get(next).copied() {
        next += 1;
        members.extend(walk.ways_to(member).filter_map(|edge| edge.parent()).filter(|parent| seen.insert(*parent)));
    }
    members.sort_unstable_by_key(|member| std::cmp::Reverse(walk.nodes[*member as usize].done));
    members
}
