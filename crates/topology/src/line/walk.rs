//! Walks from an end over all connected objects to every place where a line ends.
//!
//! A node of the walk is an end, a stack of positions, and the direction in which the line passes the end (arriving or
//! leaving). The walk goes depth first. A node that is still open when it is met again closes a loop. A node that is
//! done is a place where strands come together, and is not walked twice. So the work is proportional to the number of
//! nodes, and the edges that are followed contain no cycle.
//!
//! The module `round` decides when a loop is closed.

use super::memory::{Memory, Stack, Stacks};
use super::node::{Direction, Ending, Entry, NO_PARENT, Outcome, Phase, Step, Through, WalkEdge, WalkNode, WalkState};
use crate::role::{End, Onward, PackedState, Roles};
use underlay_inventory::{Dependencies, ObjectRef, Snapshot};

/// The maximum number of branches of a trace.
pub const MAX_BRANCHES: usize = 1_000;
/// The maximum number of hops of a trace, over all branches.
pub const MAX_HOPS: usize = 10_000;
/// The maximum number of hops of a strand. A longer strand is cut without affecting other strands.
pub const MAX_STRAND_HOPS: usize = 1_000;
/// The maximum number of lanes and mappings that a trace reads. Only an input built to delay the walk has more.
const MAX_READINGS: usize = 1_000_000;

/// A walk in one direction. The next walk reuses its memory.
pub(super) struct Walk<'a> {
    pub snapshot: &'a Snapshot,
    pub roles: &'a Roles,
    pub through: Through,
    pub stacks: Stacks,
    /// The keys of the nodes. An index in it is the same as in `nodes`.
    pub seen: Memory<(ObjectRef, Stack, Phase)>,
    pub nodes: Vec<WalkNode>,
    /// Further edges to nodes at which strands come together.
    pub joins: Vec<(u32, WalkEdge)>,
    /// The nodes where lines end, in the order of the walk.
    pub endings: Vec<u32>,
    steps: Vec<Step>,
    done: u32,
    hops: usize,
    looks: usize,
    pub truncated: bool,
    /// True if a loop was closed.
    goes_round: bool,
    /// True if a node counts as complete only when no loop below it is closed by a node before it.
    careful: bool,
    /// The dependencies of all walks, if the caller wants them.
    pub dependencies: Option<Dependencies>,
}

impl<'a> Walk<'a> {
    pub fn new(snapshot: &'a Snapshot, roles: &'a Roles) -> Self {
        Self {
            snapshot,
            roles,
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
            dependencies: None,
        }
    }

    /// Begins a trace. All of its walks share the limits.
    pub fn begin(&mut self, through: Through) {
        (self.through, self.hops, self.looks, self.truncated) = (through, 0, 0, false);
    }

    /// Returns the role of an end and its state.
    pub fn end(&self, object: ObjectRef) -> Option<(&'a End, WalkState)> {
        let end = self.roles.end(object.kind)?;
        let packed = self.packed_state(object)?;
        // Only few rows have more positions than the packed state can hold.
        let state = packed.end().map_or_else(|| Some((end.state)(self.snapshot.row(object)?.as_ref())), Some)?;
        Some((end, WalkState::of(state, packed.is_active())))
    }

    /// Returns the packed state of an object; `None` if the object does not exist.
    pub fn packed_state(&self, object: ObjectRef) -> Option<PackedState> {
        PackedState::at(self.snapshot, object)
    }

    /// Returns the number of positions of an end.
    pub fn positions(&mut self, object: ObjectRef, state: WalkState) -> u32 {
        state.positions.unwrap_or_else(|| self.named(object))
    }

    /// Returns true if a line can also be traced inward from an end.
    pub fn leads_inward(&self, object: ObjectRef, end: &End, state: WalkState) -> bool {
        match state.onward {
            Onward::Ends => false,
            Onward::Inside | Onward::Across => true,
            Onward::Fed => self.sources(object, end).is_some(),
        }
    }

    /// Walks from an end: from the position given, or from each of several.
    pub fn run(&mut self, origin: ObjectRef, state: WalkState, direction: Direction, positions: &[u32]) {
        let before = (self.hops, self.looks, self.truncated);
        (self.goes_round, self.careful) = (false, false);
        self.walk(origin, state, direction, positions);
        if self.goes_round {
            (self.hops, self.looks, self.truncated) = before;
            self.careful = true;
            self.walk(origin, state, direction, positions);
        }
        self.joins.sort_by_key(|(node, _)| *node);
        if let Some(mut dependencies) = self.dependencies.take() {
            self.add_dependencies(&mut dependencies);
            self.dependencies = Some(dependencies);
        }
    }

    fn walk(&mut self, origin: ObjectRef, state: WalkState, direction: Direction, positions: &[u32]) {
        self.forget();
        let phase = match direction {
            Direction::Outward => Phase::Out,
            Direction::Inward => Phase::In,
        };
        let push = |walk: &mut Self, stack| {
            walk.push(Entry { object: origin, stack, phase, edge: WalkEdge::START, state, ending: None })
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
        // Pushed steps are within the limits. They are entered even if nothing more can be pushed.
        while !self.is_worn_out()
            && let Some(step) = self.steps.pop()
        {
            match step {
                Step::Enter(entry) => self.enter(entry),
                Step::Leave(node) => self.leave(node),
            }
            if self.endings.len() > MAX_BRANCHES {
                self.endings.truncate(MAX_BRANCHES);
                self.truncated = true;
                break;
            }
        }
        // If the limits ended the walk, the open nodes are finished in the usual order.
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
        let key = (entry.object, entry.stack, entry.phase);
        if let Some(node) = self.seen.find(key).filter(|node| self.is_complete(*node)) {
            self.joins.push((node, entry.edge));
            return;
        }
        let length = self.length_to(&entry);
        let node = self.seen.add(key);
        self.nodes.push(WalkNode {
            object: entry.object,
            edge: entry.edge,
            done: 0,
            ending: entry.ending,
            stack: entry.stack,
            active: entry.state.active,
            open: true,
            length,
            unread: i32::MAX,
            relies_on: NO_PARENT,
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

    /// Returns the number of hops of a strand up to the node that it is about to enter.
    fn length_to(&self, entry: &Entry) -> u32 {
        let before = entry.edge.parent().map_or(0, |parent| self.nodes[parent as usize].length);
        before + 1 + u32::from(entry.edge.via.is_some())
    }

    /// Adds a node that the walk has to enter next. Returns false if a trace or a strand cannot have more hops. Then no
    /// other node at the same distance from the origin fits either.
    pub fn push(&mut self, entry: Entry) -> bool {
        let hops = self.hops + 1 + usize::from(entry.edge.via.is_some());
        if hops > MAX_HOPS || self.length_to(&entry) as usize > MAX_STRAND_HOPS {
            self.truncated = true;
            return false;
        }
        self.hops = hops;
        self.steps.push(Step::Enter(entry));
        true
    }

    /// Adds an end that the walk enters next, as `push` does.
    pub fn push_end(&mut self, object: ObjectRef, stack: Stack, phase: Phase, edge: WalkEdge) -> bool {
        match self.end(object) {
            Some((_, state)) => self.push(Entry { object, stack, phase, edge, state, ending: None }),
            None => true,
        }
    }

    /// Records the part of the stack that the step from a node reads: all but the `unread` lowest positions. A value of
    /// -1 means that the step depends on the stack being empty.
    pub fn read(&mut self, node: u32, unread: i32) {
        self.nodes[node as usize].unread = unread;
    }

    /// Ends a line beyond the last end, in an object that is not an end.
    pub fn push_last(&mut self, object: ObjectRef, stack: Stack, parent: u32, active: bool, outcome: Outcome) {
        let state = WalkState { positions: None, active, outside: false, onward: Onward::Ends };
        let ending = Some(Ending { outcome, outside: false });
        self.push(Entry { object, stack, phase: Phase::Beyond, edge: WalkEdge::from(parent), state, ending });
    }

    /// Ends a line at a node.
    pub fn finish(&mut self, node: u32, outcome: Outcome, outside: bool) {
        self.nodes[node as usize].ending = Some(Ending { outcome, outside });
        self.endings.push(node);
    }

    /// Counts lanes or mappings that were read without being walked.
    pub fn look(&mut self, times: usize) {
        self.looks += times;
        self.truncated |= self.is_worn_out();
    }

    /// Returns true if the trace has read more lanes and mappings than allowed.
    pub fn is_worn_out(&self) -> bool {
        self.looks > MAX_READINGS
    }
}
