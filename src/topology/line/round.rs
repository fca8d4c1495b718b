//! Loops: where a strand comes to an end again that it has been at.
//!
//! A loop can also make the stack grow with every round, as where a trunk is plugged into a front port of its own panel:
//! the same state never comes again. The walk closes such a loop when it meets an end of the strand again, in the same
//! phase, with more positions on the stack, and no step since then read the positions that were on it the first time.
//! Nothing can stop that strand from going round forever.
//!
//! A node beneath one that closes a loop is not complete: on another strand there is no loop, or it is closed elsewhere.
//! Where there are loops, the walk begins again, and walks such nodes on each strand that comes to them.

use super::memory::Stack;
use super::walk::{Entry, Phase, Walk};

impl Walk<'_> {
    /// A loop beneath a node is closed by another node.
    pub fn rely(&mut self, node: u32, on: u32) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.relies_on = node.relies_on.min(on);
        }
    }

    /// The node of this strand that closes a loop where the walk is about to go.
    pub fn met_before(&self, entry: &Entry) -> Option<u32> {
        let open = |phase| {
            let node = self.seen.find((entry.place, entry.stack, phase));
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

    /// The node of this strand at the same end and in the same phase, whose stack is beneath that of the entry and was
    /// not read since.
    fn outgrown(&self, entry: &Entry) -> Option<u32> {
        let mut unread = i32::MAX;
        let mut next = entry.edge.parent();
        while let Some(at) = next {
            let node = &self.nodes[at as usize];
            unread = unread.min(node.unread);
            if unread < 0 {
                return None;
            }
            if node.place == entry.place
                && self.seen.get(at).2 == entry.phase
                && self.stacks.depth(node.stack) <= unread.unsigned_abs()
            {
                return Some(at);
            }
            next = node.edge.parent();
        }
        None
    }

    /// Whether a node is walked, and what leads on from it is the same on all strands.
    pub fn is_complete(&self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        node.open || node.relies_on >= at
    }
}
