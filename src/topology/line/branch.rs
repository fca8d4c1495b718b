//! A branch of a trace: one line from the origin to where it ends, with the strands that run side by side in it.

use std::collections::{HashMap, HashSet};

use super::role::Role;
use super::walk::{Direction, Outcome, Walk};
use super::ways::Sums;
use crate::inventory::Place;

/// All that a line leads to, without the ways there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FarEnds {
    /// One for each branch of its trace, in the same order.
    pub ends: Vec<FarEnd>,
    /// Whether there is more than the bounds allow to say.
    pub truncated: bool,
}

/// What a line leads to, without the way there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarEnd {
    /// What it ends at; `None`: something outside the inventory.
    pub end: Option<Place>,
    /// On which way it leaves the origin.
    pub direction: Direction,
    /// How it ends.
    pub outcome: Outcome,
    /// Whether everything on it is plugged in, in use and switched on.
    pub active: bool,
    /// Whether a position had to be guessed.
    pub guessed: bool,
}

impl FarEnd {
    pub(super) fn of(walk: &Walk<'_>, line: &Line, direction: Direction) -> Self {
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

/// One line from the origin to where it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// On which way it leaves the origin.
    pub direction: Direction,
    /// The positions of the origin that it carries; none where the origin has one.
    pub positions: Vec<u32>,
    /// The positions of its last hop at which it arrives; none where that has one position, or they are not known.
    pub end_positions: Vec<u32>,
    /// How it ends.
    pub outcome: Outcome,
    /// What it ends at; `None`: something outside the inventory.
    pub end: Option<Place>,
    /// Whether everything on every strand is plugged in, in use and switched on.
    pub active: bool,
    /// Whether a position had to be guessed.
    pub guessed: bool,
    /// How long the longest strand is, in metres; `None` where the length of a part is unknown.
    pub length_m: Option<f64>,
    /// How long the longest strand is in metres, as far as is known.
    pub known_length_m: f64,
    /// The latency one way in milliseconds of the crossings, on the slowest strand; `None` where there is no crossing
    /// or one whose latency is unknown.
    pub latency_ms: Option<f64>,
    /// How many joints it runs over.
    pub joints: u32,
    hops: Vec<Place>,
    /// Where each step begins among the hops; empty where every step is one hop.
    starts: Vec<u32>,
}

impl Branch {
    /// All hops from the origin on.
    pub fn hops(&self) -> &[Place] {
        &self.hops
    }

    /// The steps from the origin on: each is the hops that are passed side by side, usually one.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &[Place]> {
        let count = if self.starts.is_empty() { self.hops.len() } else { self.starts.len() };
        (0..count).map(|step| {
            let start = |step: usize| self.starts.get(step).map_or(self.hops.len(), |start| *start as usize);
            if self.starts.is_empty() { &self.hops[step..=step] } else { &self.hops[start(step)..start(step + 1)] }
        })
    }

    pub(super) fn of(walk: &Walk<'_>, line: &Line, direction: Direction) -> Self {
        let (end, outcome) = line.last(walk);
        let mut branch = Self {
            direction,
            positions: Vec::new(),
            end_positions: line.end_positions(walk),
            outcome,
            end,
            active: true,
            guessed: false,
            length_m: None,
            known_length_m: 0.0,
            latency_ms: None,
            joints: 0,
            hops: Vec::new(),
            starts: Vec::new(),
        };
        let measure = match &line.members {
            Some(members) => branch.fill_from_strands(walk, members, &line.endings()),
            None => branch.fill_from_chain(walk, line.ending),
        };
        branch.conclude(line.sums(walk), measure);
        branch
    }

    fn fill_from_chain(&mut self, walk: &Walk<'_>, ending: u32) -> Measure {
        let mut measure = Measure::default();
        for node in walk.chain(ending) {
            self.hops.push(node.place);
            if let Some(via) = node.edge.via {
                self.hops.push(via);
                let passed = Passed::of(walk, via);
                measure = measure.then(&passed);
                self.joints += u32::from(passed.joint);
            }
            if node.edge.parent().is_none() {
                self.positions.extend(walk.position(node));
            }
        }
        self.hops.reverse();
        measure
    }

    /// `members` are the nodes of the branch, each after those that lead to it; `endings` are those of them where it
    /// ends, all at one place.
    fn fill_from_strands(&mut self, walk: &Walk<'_>, members: &[u32], endings: &[u32]) -> Measure {
        let mut strands = Strands::default();
        for member in members.iter().filter(|member| !endings.contains(member)) {
            strands.pass(walk, std::slice::from_ref(member));
        }
        let whole = strands.pass(walk, endings);
        self.lay_out(strands.passed_at);
        self.positions = strands.positions;
        self.positions.sort_unstable();
        self.joints = strands.joints.len() as u32;
        whole
    }

    /// Puts hops into steps by how far they are from the origin, each once, and in the order of the walk.
    fn lay_out(&mut self, mut passed_at: Vec<(usize, u32, Place)>) {
        passed_at.sort_by_key(|(depth, node, _)| (*depth, *node));
        for side_by_side in passed_at.chunk_by(|left, right| left.0 == right.0) {
            self.starts.push(self.hops.len() as u32);
            let mut seen = HashSet::new();
            self.hops.extend(side_by_side.iter().map(|(.., place)| *place).filter(|place| seen.insert(*place)));
        }
        if self.starts.len() == self.hops.len() {
            self.starts.clear();
        }
    }

    fn conclude(&mut self, sums: Sums, measure: Measure) {
        (self.active, self.guessed) = (sums.active, sums.guessed);
        self.length_m = (!measure.length_unknown).then_some(measure.length_m);
        self.known_length_m = measure.length_m;
        self.latency_ms = measure.latency_ms.filter(|_| !measure.latency_unknown);
    }
}

/// What is known of the strands of a branch, as far as they are followed.
#[derive(Default)]
struct Strands {
    /// How far each node is from the origin, in hops and as the longest way is measured.
    reached: HashMap<u32, (usize, Measure)>,
    /// The hops, each with how far it is from the origin and the node at which it was found.
    passed_at: Vec<(usize, u32, Place)>,
    joints: HashSet<Place>,
    positions: Vec<u32>,
}

impl Strands {
    /// Passes a hop: the nodes at one place that count as one, of which all that lead to them was passed.
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
            measure = measure.beside(&passed.as_ref().map_or(so_far, |passed| so_far.then(passed)));
            self.joints.extend(edge.via.filter(|_| passed.is_some_and(|passed| passed.joint)));
            vias.extend(edge.via.map(|via| (member, via)));
        }
        self.passed_at.extend(vias.into_iter().map(|(member, via)| (depth - 1, member, via)));
        for member in nodes {
            self.passed_at.push((depth, *member, walk.nodes[*member as usize].place));
            self.reached.insert(*member, (depth, measure));
        }
        measure
    }
}

/// A line in a walk: where it ends, and all that leads there.
pub(super) struct Line {
    ending: u32,
    /// Further nodes at the same place where strands of it end.
    others: Vec<u32>,
    /// The nodes that lead to the ending, each after those that lead to it; `None`: one strand, which the nodes know.
    members: Option<Vec<u32>>,
}

impl Line {
    pub fn to(walk: &Walk<'_>, ending: u32) -> Self {
        let members = (!walk.joins.is_empty()).then(|| members(walk, &[ending]));
        Self { ending, others: Vec::new(), members }
    }

    /// The line of strands that end at one place.
    pub fn of_strands(walk: &Walk<'_>, ending: u32, others: Vec<u32>) -> Self {
        if others.is_empty() {
            return Self::to(walk, ending);
        }
        let mut line = Self { ending, others, members: None };
        line.members = Some(members(walk, &line.endings()));
        line
    }

    /// The nodes where it ends.
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

    /// Whether a position had to be guessed on it.
    pub fn is_guessed(&self, walk: &Walk<'_>) -> bool {
        self.sums(walk).guessed
    }

    /// How many nodes it has, where strands run side by side.
    pub fn strands(&self) -> usize {
        self.members.as_ref().map_or(0, Vec::len)
    }

    fn sums(&self, walk: &Walk<'_>) -> Sums {
        match &self.members {
            Some(members) => walk.sums_of(members),
            None => walk.sums_of_chain(self.ending),
        }
    }

    /// What it ends at, and how.
    fn last(&self, walk: &Walk<'_>) -> (Option<Place>, Outcome) {
        let node = &walk.nodes[self.ending as usize];
        match node.ending {
            Some(ending) if ending.outside => (None, ending.outcome),
            Some(ending) => (Some(node.place), ending.outcome),
            None => (Some(node.place), Outcome::Open),
        }
    }
}

/// The nodes that lead to where a line ends, each after those that lead to it.
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

/// What a joint or crossing adds to a line.
#[derive(Clone, Copy)]
struct Passed {
    joint: bool,
    length_m: Option<f64>,
    /// `None`: it is no crossing; else its latency, if that is known.
    latency_ms: Option<Option<f64>>,
}

impl Passed {
    fn of(walk: &Walk<'_>, via: Place) -> Self {
        let row = walk.snapshot.row(via);
        match (walk.lines.role(via.kind), row) {
            (Some(Role::Joint(joint)), Some(row)) => {
                Self { joint: true, length_m: (joint.length_m)(row.as_ref()), latency_ms: None }
            }
            (Some(Role::Crossing(crossing)), Some(row)) => {
                let latency_ms = Some((crossing.latency_ms)(row.as_ref()));
                Self { joint: false, length_m: (crossing.length_m)(row.as_ref()), latency_ms }
            }
            _ => Self { joint: false, length_m: None, latency_ms: None },
        }
    }
}

/// How long a line is down to a hop.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    length_m: f64,
    length_unknown: bool,
    latency_ms: Option<f64>,
    latency_unknown: bool,
}

impl Measure {
    /// One hop further.
    fn then(mut self, passed: &Passed) -> Self {
        self.length_m += passed.length_m.unwrap_or_default();
        self.length_unknown |= passed.length_m.is_none();
        if let Some(latency) = passed.latency_ms {
            self.latency_ms = Some(self.latency_ms.unwrap_or_default() + latency.unwrap_or_default());
            self.latency_unknown |= latency.is_none();
        }
        self
    }

    /// With another strand beside it: the longest counts.
    fn beside(self, other: &Self) -> Self {
        Self {
            length_m: self.length_m.max(other.length_m),
            length_unknown: self.length_unknown || other.length_unknown,
            latency_ms: match (self.latency_ms, other.latency_ms) {
                (Some(one), Some(other)) => Some(one.max(other)),
                (one, other) => one.or(other),
            },
            latency_unknown: self.latency_unknown || other.latency_unknown,
        }
    }
}
