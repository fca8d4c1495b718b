//! Finds loops: a strand that comes to the same end again.
//!
//! A loop can also make the stack grow with every round, for example if a trunk is plugged into a front port of its own
//! panel. Then the same state never comes again. The walk closes such a loop when all of these conditions hold:
//!
//! - The strand meets an end again in the same phase.
//! - The stack has more positions than the first time.
//! - No step in between read the positions that were on the stack the first time.
//!
//! Such a strand would go round forever.
//!
//! A node below a node that closes a loop is not complete: on another strand there may be no loop, or another node may
//! close it. If a walk meets a loop, it starts again, and then walks such nodes on each strand that comes to them.

use super::memory::Stack;
use super::node::{Entry, Phase};
use super::walk::Walk;

impl Walk<'_> {
    /// Records that a loop below a node is closed by another node.
    pub fn rely(&mut self, node: u32, on: u32) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.relies_on = node.relies_on.min(on);
        }
    }

    /// Returns the node of this strand that closes a loop where the walk is about to go.
    pub fn met_before(&self, entry: &Entry) -> Option<u32> {
        let open = |phase| {
            let node = self.seen.find((entry.object, entry.stack, phase));
            node.filter(|node| self.nodes[*node as usize].open)
        };
        if let Some(same) = open(Phase::In).or_else(|| open(Phase::Out)) {
            return Some(same);
        }
        if entry.stack == Stack::EMPTY {
            return None;
        }
        self.outgrown(entry)
    }

    /// Returns the node of this strand at the same end and in the same phase whose stack lies below that of the entry.
    /// The stack must not have been read since.
    fn outgrown(&self, entry: &Entry) -> Option<u32> {
        let mut unread = i32::MAX;
        let mut next = entry.edge.parent();
        while let Some(at) = next {
            let node = &self.nodes[at as usize];
            unread = unread.min(node.unread);
            if unread < 0 {
                return None;
            }
            if node.object == entry.object
                && self.seen.get(at).2 == entry.phase
                && self.stacks.depth(node.stack) <= unread.unsigned_abs()
            {
                return Some(at);
            }
            next = node.edge.parent();
        }
        None
    }

    /// Returns true if a node is walked and the rest of the line after it is the same on all strands.
    pub fn is_complete(&self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        node.open || node.relies_on >= at
    }
}
