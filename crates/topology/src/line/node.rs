//! The nodes of a walk: how the walk came to an end, in which way it is there, and how the line ends.

use super::memory::Stack;
use crate::role::{EndState, Onward};
use underlay_inventory::ObjectRef;

/// The parent of a node where the walk begins.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// The direction in which a walk leaves its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Over the object plugged into the origin.
    Outward,
    /// Through the device or circuit that the origin is a part of, from an end in the middle of a line.
    Inward,
}

/// The way in which a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The branch ends at an end where lines are meant to end.
    Complete,
    /// The branch ends where nothing is plugged in, or no lane continues.
    Open,
    /// The branch comes to a node that it has passed before.
    Loop,
    /// The branch ends at an end that has no internal connection at the position of the line.
    Unmapped,
}

/// The treatment of ends that are fed by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Through {
    /// The line ends there.
    #[default]
    Stop,
    /// The line continues to the ends that feed it.
    Sources,
}

/// The way in which the walk is at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// The line arrives at the end.
    In,
    /// The line leaves the end.
    Out,
    /// The line has been at the end before.
    Again,
    /// The line ends beyond the last end: in an endpoint, or on a cable or circuit that does not continue.
    Beyond,
}

/// The state of an end on a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkState {
    /// The number of positions of the end; `None` for as many as the lanes of its cable name.
    pub positions: Option<u32>,
    /// True if the end is in use and switched on.
    pub active: bool,
    /// True if the end is connected to an object outside the inventory.
    pub outside: bool,
    /// The way in which a line continues that arrives at the end.
    pub onward: Onward,
}

impl WalkState {
    pub const fn of(end: EndState, active: bool) -> Self {
        Self { positions: end.positions, active, outside: end.outside, onward: end.onward }
    }
}

/// The step by which a node was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkEdge {
    pub parent: u32,
    /// The cable or circuit between the two nodes.
    pub via: Option<ObjectRef>,
    /// True if the object between the two nodes is in use.
    pub active: bool,
    /// True if a position had to be guessed between the two nodes.
    pub guessed: bool,
}

impl WalkEdge {
    pub const START: Self = Self { parent: NO_PARENT, via: None, active: true, guessed: false };

    /// Returns an edge from a node with nothing between.
    pub fn from(parent: u32) -> Self {
        Self { parent, ..Self::START }
    }

    /// Returns the node that the edge comes from; `None` if the walk begins here.
    pub fn parent(&self) -> Option<u32> {
        (self.parent != NO_PARENT).then_some(self.parent)
    }
}

/// A hop that the walk has visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkNode {
    /// The end; or beyond the last end, the object in which the line ends.
    pub object: ObjectRef,
    /// The edge over which the node was first reached.
    pub edge: WalkEdge,
    /// The sequence number at which the node was done. Nodes that follow it on a line have smaller numbers.
    pub done: u32,
    /// The ending of a line here; `None` if no line ends here.
    pub ending: Option<Ending>,
    pub stack: Stack,
    pub active: bool,
    pub open: bool,
    /// The number of hops of the strand up to this node.
    pub length: u32,
    /// The number of positions at the bottom of the stack that the step from here does not read; `i32::MAX` if the step
    /// reads none. -1 if the step depends on the stack being empty.
    pub unread: i32,
    /// The earliest node that closes a loop below this one. This node is complete if that node is not before it.
    pub relies_on: u32,
}

/// The ending of a line at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub outcome: Outcome,
    /// True if the line continues outside the inventory.
    pub outside: bool,
}

/// The next step of the walk.
pub(super) enum Step {
    /// Enters a node.
    Enter(Entry),
    /// Finishes a node, after all nodes that follow it.
    Leave(u32),
}

/// A node that the walk is about to enter.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub object: ObjectRef,
    pub stack: Stack,
    pub phase: Phase,
    pub edge: WalkEdge,
    pub state: WalkState,
    pub ending: Option<Ending>,
}
