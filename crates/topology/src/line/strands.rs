//! Joins strands from several positions of the origin into one branch if they arrive at the same end. The branch lists
//! the positions.
//!
//! For the walk these strands are different, because each could continue on another path. They are joined where the
//! line ends, unless a position was guessed: of guessed strands only one really exists.

use foldhash::{HashMap, HashMapExt, HashSet};

use super::branch::WalkedLine;
use super::node::Outcome;
use super::walk::{MAX_HOPS, Walk};

/// The endings of a walk, grouped by the branch that they belong to.
#[derive(Debug, Default)]
pub(super) struct Strands {
    /// For the first ending of a branch the other endings.
    others: HashMap<u32, Vec<u32>>,
    /// All endings that are not the first of their branch.
    further: HashSet<u32>,
}

impl Strands {
    /// Groups the endings of a walk. One branch has endings that are complete, at one end and not guessed.
    pub fn of(walk: &Walk<'_>) -> Self {
        let mut found = Self::default();
        // Without a stack there is at most one strand at an end.
        if walk.stacks.is_empty() || walk.endings.len() < 2 {
            return found;
        }
        let mut at: HashMap<_, Vec<u32>> = HashMap::new();
        for ending in &walk.endings {
            let node = &walk.nodes[*ending as usize];
            if node.ending.is_some_and(|it| it.outcome == Outcome::Complete) {
                at.entry(node.object).or_default().push(*ending);
            }
        }
        let mut looked_at = 0;
        for endings in at.into_values().filter(|endings| endings.len() > 1) {
            let is_sure = |ending: &u32| {
                let line = WalkedLine::to(walk, *ending);
                looked_at += line.strands();
                looked_at <= MAX_HOPS && !line.is_guessed(walk)
            };
            let mut sure = endings.into_iter().filter(is_sure);
            let Some(first) = sure.next() else { continue };
            let others: Vec<u32> = sure.collect();
            found.further.extend(others.iter().copied());
            found.others.insert(first, others);
        }
        found
    }

    /// Returns true if an ending belongs to a branch that has an ending before it.
    pub fn is_another(&self, ending: u32) -> bool {
        self.further.contains(&ending)
    }

    /// Returns the other endings of the branch that begins with an ending.
    pub fn others(&mut self, first: u32) -> Vec<u32> {
        self.others.remove(&first).unwrap_or_default()
    }
}
