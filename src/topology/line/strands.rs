//! Strands from several positions of the origin that arrive at one end are one branch, which names the positions.
//!
//! To the walk they are different, as each could go on by another way. Where the line ends they come together, unless a
//! position was guessed: of guessed strands only one is really there.

use foldhash::{HashMap, HashMapExt, HashSet};

use super::branch::Line;
use super::walk::{MOST_HOPS, Outcome, Walk};

/// Which endings of a walk are those of one branch.
#[derive(Debug, Default)]
pub(super) struct Strands {
    /// By the first ending of a branch the others.
    others: HashMap<u32, Vec<u32>>,
    /// All that are not the first of their branch.
    further: HashSet<u32>,
}

impl Strands {
    /// The endings of a walk that are of one branch: complete, at one end, and not guessed.
    pub fn of(walk: &Walk<'_>) -> Self {
        let mut found = Self::default();
        // Without a stack there is one way at most to be at an end.
        if walk.stacks.is_empty() || walk.endings.len() < 2 {
            return found;
        }
        let mut at: HashMap<_, Vec<u32>> = HashMap::new();
        for ending in &walk.endings {
            let node = &walk.nodes[*ending as usize];
            if node.ending.is_some_and(|it| it.outcome == Outcome::Complete) {
                at.entry(node.place).or_default().push(*ending);
            }
        }
        let mut looked_at = 0;
        for endings in at.into_values().filter(|endings| endings.len() > 1) {
            let is_sure = |ending: &u32| {
                let line = Line::to(walk, *ending);
                looked_at += line.strands();
                looked_at <= MOST_HOPS && !line.is_guessed(walk)
            };
            let mut sure = endings.into_iter().filter(is_sure);
            let Some(first) = sure.next() else { continue };
            let others: Vec<u32> = sure.collect();
            found.further.extend(others.iter().copied());
            found.others.insert(first, others);
        }
        found
    }

    /// Whether an ending is of a branch that has one before it.
    pub fn is_another(&self, ending: u32) -> bool {
        self.further.contains(&ending)
    }

    /// The other endings of the branch that begins with an ending.
    pub fn others(&mut self, first: u32) -> Vec<u32> {
        self.others.remove(&first).unwrap_or_default()
    }
}
