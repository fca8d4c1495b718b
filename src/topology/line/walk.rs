//! The walk: from an end over all that is joined to it, to every place where a line ends.
//!
//! Where the walk is, is a node: an end, a stack of positions, and whether the line arrives at the end or leaves it.
//! The walk goes deep first. A node that is still open when it is met again closes a loop; a node that is done is where
//! strands come together, and is not walked twice. So the work is in proportion to the nodes, and the edges that are
//! followed have no circle.
//!
//! What closes a loop is in `round`.

use super::brief;
use super::memory::{Memory, Stack, Stacks};
use super::role::{End, Lines, Onward, State};
use crate::inventory::{Grounds, Place, Snapshot};
use crate::topology::brief::of_line;

/// A trace has at most so many branches.
pub const MOST_BRANCHES: usize = 1_000;
/// A trace has at most so many hops, over all its branches.
pub const MOST_HOPS: usize = 10_000;
/// A strand has at most so many hops. One that is longer is cut, and takes no other with it.
pub const MOST_HOPS_OF_A_STRAND: usize = 1_000;
/// So many lanes and mappings are looked at; what has more is built to hold the walk up.
const MOST_LOOKS: usize = 1_000_000;
/// The parent of a node where the walk begins.
const NOWHERE: u32 = u32::MAX;

/// The way on which a walk leaves its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Over what is plugged into the origin.
    Outward,
    /// Through what the origin is a part of: from an end in the middle of a line.
    Inward,
}

/// How a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// At an end that lines are for.
    Complete,
    /// Where nothing is plugged in, or no lane leads on.
    Open,
    /// Where it has been before.
    Loop,
    /// At an end that is not joined inside at the position of the line.
    Unmapped,
}

/// What a walk does at an end that is fed by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Through {
    /// The line ends there.
    #[default]
    Stop,
    /// It goes on to what feeds the end.
    Sources,
}

/// How the walk is at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// The line arrives.
    In,
    /// The line leaves.
    Out,
    /// The line has been there before.
    Again,
    /// The line ends beyond the last end: in a terminus, or on a way that does not lead on.
    Beyond,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) parent: u32,
    /// The joint or crossing between.
    pub via: Option<Place>,
    /// Whether what is between is in use.
    pub active: bool,
    /// Whether a position had to be guessed on the way.
    pub guessed: bool,
}

impl Edge {
    const START: Self = Self { parent: NOWHERE, via: None, active: true, guessed: false };

    /// From a node, with nothing between.
    pub fn from(parent: u32) -> Self {
        Self { parent, ..Self::START }
    }

    /// The node that it comes from; `None`: the walk begins here.
    pub fn parent(&self) -> Option<u32> {
        (self.parent != NOWHERE).then_some(self.parent)
    }
}

/// A hop that the walk has been at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The end; or beyond the last end what the line ends in.
    pub place: Place,
    /// How it was first reached.
    pub edge: Edge,
    /// When it was done; what follows it on a line was done before it.
    pub done: u32,
    /// How a line ends here; `None`: none does.
    pub ending: Option<Ending>,
    pub stack: Stack,
    pub active: bool,
    pub open: bool,
    /// How many hops the strand has, down to here.
    length: u32,
    /// How many of the lower positions of the stack the step from here does not read; all, where it reads none. -1: it
    /// depends on that there is none.
    pub unread: i32,
    /// The earliest node that closes a loop beneath this one. The node is complete when that is not before it.
    pub relies_on: u32,
}

/// How a line ends at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub outcome: Outcome,
    /// Whether the line goes on outside the inventory.
    pub outside: bool,
}

/// What the walk does next.
enum Step {
    /// Goes to a node.
    Enter(Entry),
    /// Is done with a node, and with all that follows it.
    Leave(u32),
}

/// A node that the walk is about to go to.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub place: Place,
    pub stack: Stack,
    pub phase: Phase,
    pub edge: Edge,
    pub state: State,
    pub ending: Option<Ending>,
}

/// A walk in one direction. Its memory is used again by the next.
pub(super) struct Walk<'a> {
    pub snapshot: &'a Snapshot,
    pub lines: &'a Lines,
    pub through: Through,
    pub stacks: Stacks,
    /// The nodes by what they are; places in it are those in `nodes`.
    pub seen: Memory<(Place, Stack, Phase)>,
    pub nodes: Vec<Node>,
    /// Further ways to nodes: strands that come together.
    pub joins: Vec<(u32, Edge)>,
    /// The nodes where lines end, in the order of the walk.
    pub endings: Vec<u32>,
    steps: Vec<Step>,
    done: u32,
    hops: usize,
    looks: usize,
    pub truncated: bool,
    /// Whether a loop was closed.
    goes_round: bool,
    /// Whether nodes count as complete only when no loop beneath them is closed by a node before them.
    careful: bool,
    /// What all walks are worked out from, where that is asked for.
    pub grounds: Option<Grounds>,
}

impl<'a> Walk<'a> {
    pub fn new(snapshot: &'a Snapshot, lines: &'a Lines) -> Self {
        Self {
            snapshot,
            lines,
            through: Through::default(),
            stacks: Stacks::default(),
            seen: Memory::default(),
            nodes: Vec::new(),
            joins: Vec::new(),
            endings: Vec::new(),
            steps: Vec::new(),
            done: 0,
            hops: 0,
            looks: 0,
            truncated: false,
            goes_round: false,
            careful: false,
            grounds: None,
        }
    }

    /// Begins a trace: all its walks share the bounds.
    pub fn begin(&mut self, through: Through) {
        (self.through, self.hops, self.looks, self.truncated) = (through, 0, 0, false);
    }

    /// An end and what it says of itself.
    pub fn end(&self, place: Place) -> Option<(&'a End, State)> {
        let end = self.lines.end(place.kind)?;
        let word = self.brief(place)?;
        // Few rows have more to say than there is room for in the word.
        Some((end, brief::state(word).map_or_else(|| Some((end.state)(self.snapshot.row(place)?.as_ref())), Some)?))
    }

    /// What is kept beside the row of an object that is there.
    pub fn brief(&self, place: Place) -> Option<u16> {
        let word = self.snapshot.brief(place);
        (word != 0).then(|| of_line(word))
    }

    /// How many positions an end has.
    pub fn positions(&mut self, place: Place, state: State) -> u32 {
        state.positions.unwrap_or_else(|| self.named(place))
    }

    /// Whether a line can also be followed the other way from an end.
    pub fn leads_inward(&self, place: Place, end: &End, state: State) -> bool {
        match state.onward {
            Onward::Stays => false,
            Onward::Inside | Onward::Across => true,
            Onward::Fed => self.sources(place, end).is_some(),
        }
    }

    /// Walks from an end: from the position given, or from each of several.
    pub fn run(&mut self, origin: Place, state: State, direction: Direction, positions: &[u32]) {
        let before = (self.hops, self.looks, self.truncated);
        (self.goes_round, self.careful) = (false, false);
        self.walk(origin, state, direction, positions);
        if self.goes_round {
            (self.hops, self.looks, self.truncated) = before;
            self.careful = true;
            self.walk(origin, state, direction, positions);
        }
        self.joins.sort_by_key(|(node, _)| *node);
        if let Some(mut grounds) = self.grounds.take() {
            self.add_grounds(&mut grounds);
            self.grounds = Some(grounds);
        }
    }

    fn walk(&mut self, origin: Place, state: State, direction: Direction, positions: &[u32]) {
        self.forget();
        let phase = match direction {
            Direction::Outward => Phase::Out,
            Direction::Inward => Phase::In,
        };
        let push = |walk: &mut Self, stack| {
            walk.push(Entry { place: origin, stack, phase, edge: Edge::START, state, ending: None })
        };
        if positions.is_empty() {
            push(self, Stack::EMPTY);
        }
        for position in positions {
            let stack = self.stacks.push(Stack::EMPTY, *position);
            if !push(self, stack) {
                break;
            }
        }
        self.steps.reverse();
        // What was pushed is within the bounds, and is entered also when nothing more can be.
        while !self.is_worn_out()
            && let Some(step) = self.steps.pop()
        {
            match step {
                Step::Enter(entry) => self.enter(entry),
                Step::Leave(node) => self.leave(node),
            }
            if self.endings.len() > MOST_BRANCHES {
                self.endings.truncate(MOST_BRANCHES);
                self.truncated = true;
                break;
            }
        }
        // Where the bounds ended the walk, what is open is done in the order in which it would have been.
        while let Some(step) = self.steps.pop() {
            if let Step::Leave(node) = step {
                self.leave(node);
            }
        }
    }

    fn forget(&mut self) {
        self.stacks.clear();
        self.seen.clear();
        self.nodes.clear();
        self.joins.clear();
        self.endings.clear();
    }

    fn leave(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        (node.open, node.done) = (false, self.done);
        self.done += 1;
        if node.relies_on < at {
            let (parent, relies_on) = (node.edge.parent, node.relies_on);
            self.rely(parent, relies_on);
        }
    }

    fn enter(&mut self, mut entry: Entry) {
        let arrives = matches!(entry.phase, Phase::In | Phase::Out);
        if arrives && let Some(earlier) = self.met_before(&entry) {
            self.goes_round = true;
            if self.careful {
                self.rely(entry.edge.parent, earlier);
            }
            entry.phase = Phase::Again;
            entry.ending = Some(Ending { outcome: Outcome::Loop, outside: false });
        }
        let key = (entry.place, entry.stack, entry.phase);
        if let Some(node) = self.seen.find(key).filter(|node| self.is_complete(*node)) {
            self.joins.push((node, entry.edge));
            return;
        }
        let length = self.length_to(&entry);
        let node = self.seen.add(key);
        self.nodes.push(Node {
            place: entry.place,
            edge: entry.edge,
            done: 0,
            ending: entry.ending,
            stack: entry.stack,
            active: entry.state.active,
            open: true,
            length,
            unread: i32::MAX,
            relies_on: NOWHERE,
        });
        self.steps.push(Step::Leave(node));
        if entry.ending.is_some() {
            self.endings.push(node);
            return;
        }
        let first = self.steps.len();
        match entry.phase {
            Phase::In => self.arrive(node, &entry),
            _ => self.depart(node, &entry),
        }
        self.steps[first..].reverse();
    }

    /// How many hops a strand has, down to where it is about to go.
    fn length_to(&self, entry: &Entry) -> u32 {
        let before = entry.edge.parent().map_or(0, |parent| self.nodes[parent as usize].length);
        before + 1 + u32::from(entry.edge.via.is_some())
    }

    /// Adds what the walk has to enter next, unless there are more hops than a trace or a strand can have: `false`, and
    /// nothing more fits that is as far from the origin.
    pub fn push(&mut self, entry: Entry) -> bool {
        let hops = self.hops + 1 + usize::from(entry.edge.via.is_some());
        if hops > MOST_HOPS || self.length_to(&entry) as usize > MOST_HOPS_OF_A_STRAND {
            self.truncated = true;
            return false;
        }
        self.hops = hops;
        self.steps.push(Step::Enter(entry));
        true
    }

    /// Adds an end that the walk comes to next, as `push` does.
    pub fn push_end(&mut self, place: Place, stack: Stack, phase: Phase, edge: Edge) -> bool {
        match self.end(place) {
            Some((_, state)) => self.push(Entry { place, stack, phase, edge, state, ending: None }),
            None => true,
        }
    }

    /// The step from a node reads its stack: all but so many of the lower positions, or with -1 that there is none.
    pub fn read(&mut self, node: u32, unread: i32) {
        self.nodes[node as usize].unread = unread;
    }

    /// A line ends beyond the last end, in something that is no end.
    pub fn push_last(&mut self, place: Place, stack: Stack, parent: u32, active: bool, outcome: Outcome) {
        let state = State { positions: None, active, outside: false, onward: Onward::Stays };
        let ending = Some(Ending { outcome, outside: false });
        self.push(Entry { place, stack, phase: Phase::Beyond, edge: Edge::from(parent), state, ending });
    }

    /// A line ends at a node.
    pub fn finish(&mut self, node: u32, outcome: Outcome, outside: bool) {
        self.nodes[node as usize].ending = Some(Ending { outcome, outside });
        self.endings.push(node);
    }

    /// Counts what was looked at without being walked.
    pub fn look(&mut self, times: usize) {
        self.looks += times;
        self.truncated |= self.is_worn_out();
    }

    /// Whether more was looked at than a trace may.
    pub fn is_worn_out(&self) -> bool {
        self.looks > MOST_LOOKS
    }
}
