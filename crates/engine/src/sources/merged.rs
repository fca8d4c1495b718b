//! Remembers which values the runs of a source replaced by which, so that the guard sees many different values become
//! one. The serial numbers of a whole fleet that all become "unknown" are as lost as if they were emptied.
//!
//! It is kept in memory, and bounded. After a start, or when it was full, the first value that is replaced by another one
//! is not counted; everything after it is.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use underlay_inventory::{Description, KindId, Snapshot};

use super::guard::WINDOW;
use super::removals::{Replaced, value_of};

/// The greatest number of values that are remembered of a source.
const MAX_VALUES: usize = 100_000;

/// The values that replaced others.
#[derive(Debug, Default)]
pub struct Replacements(HashMap<u64, Group>);

/// One value of a field, which replaced others.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The time when it last did.
    at: DateTime<Utc>,
    /// The first value that it replaced.
    first: u64,
    /// True if it replaced another one too.
    is_merging: bool,
}

/// A replaced value of an object, as digests.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    /// The kind, the field and the new value.
    group: u64,
    /// The old value.
    before: u64,
}

impl Replacement {
    /// Creates it from the value of an object.
    pub fn of(kind: &str, replaced: &Replaced) -> Self {
        let Replaced { field, before, after } = replaced;
        Self { group: digest((kind, field, after.to_string())), before: digest(before.to_string()) }
    }
}

impl Replacements {
    /// Returns true if another value became the same before.
    pub fn merges(&self, replacement: Replacement, now: DateTime<Utc>) -> bool {
        let group = self.0.get(&replacement.group).filter(|group| now - group.at < WINDOW);
        group.is_some_and(|group| group.is_merging || group.first != replacement.before)
    }

    /// Remembers a replacement.
    pub fn note(&mut self, replacement: Replacement, now: DateTime<Utc>) {
        if self.0.len() >= MAX_VALUES {
            self.shrink(now);
        }
        let first = replacement.before;
        let group = self.0.entry(replacement.group).or_insert(Group { at: now, first, is_merging: false });
        (group.at, group.is_merging) = (now, group.is_merging || group.first != first);
    }

    /// Forgets what is old and what replaced one value alone; everything, where that is not enough.
    fn shrink(&mut self, now: DateTime<Utc>) {
        self.0.retain(|_, group| now - group.at < WINDOW && group.is_merging);
        if self.0.len() > MAX_VALUES / 2 {
            self.0.clear();
        }
    }
}

/// The values of the fields of objects, as far as they were asked for: how many objects have each.
#[derive(Debug, Default)]
pub struct Values(HashMap<(KindId, String), HashMap<u64, u32>>);

impl Values {
    /// Returns true if one object alone has a value. What several have, such as a version, is no loss where it becomes
    /// another one.
    pub fn is_of_one(&mut self, base: &Snapshot, kind: &'static Description, replaced: &Replaced) -> bool {
        let name = &replaced.field;
        let counts = self.0.entry((kind.id, name.clone())).or_insert_with(|| {
            let mut counts = HashMap::new();
            for value in base.table(kind.id).rows(0).filter_map(|(_, row)| value_of(kind, row.as_ref(), name)) {
                *counts.entry(digest(value.to_string())).or_default() += 1;
            }
            counts
        });
        counts.get(&digest(replaced.before.to_string())).is_none_or(|count| *count <= 1)
    }
}

fn digest(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::json;

    use super::*;

    fn replacement(before: &str, after: &str) -> Replacement {
        let replaced = Replaced { field: "serial".to_owned(), before: json!(before), after: json!(after) };
        Replacement::of("Device", &replaced)
    }

    /// Returns which of these replacements, one after the other, make one value of several.
    fn merging(all: &[Replacement]) -> Vec<bool> {
        let mut known = Replacements::default();
        let now = DateTime::UNIX_EPOCH;
        let judged = all.iter().map(|it| {
            let merges = known.merges(*it, now);
            known.note(*it, now);
            merges
        });
        judged.collect()
    }

    #[test]
    fn values_that_become_one_are_merged_and_others_are_not() {
        let junk: Vec<_> = (0..4).map(|at| replacement(&format!("s{at}"), "unknown")).collect();
        assert_eq!(merging(&junk), [false, true, true, true]);
        let corrected: Vec<_> = (0..4).map(|at| replacement(&format!("s{at}"), &format!("S{at}"))).collect();
        assert_eq!(merging(&corrected), [false; 4]);
        let again = [replacement("a", "x"), replacement("a", "x"), replacement("b", "x"), replacement("a", "x")];
        assert_eq!(merging(&again), [false, false, true, true]);
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten() {
        let mut known = Replacements::default();
        let now = DateTime::UNIX_EPOCH;
        known.note(replacement("a", "x"), now);
        let second = replacement("b", "x");
        assert!(known.merges(second, now + TimeDelta::hours(23)));
        assert!(!known.merges(second, now + WINDOW));
        (0..10).for_each(|at| known.note(replacement(&format!("s{at}"), "unknown"), now));
        for at in 0..3 * MAX_VALUES {
            known.note(replacement(&at.to_string(), &at.to_string()), now);
            assert!(known.0.len() <= MAX_VALUES);
        }
        assert!(known.merges(replacement("s11", "unknown"), now), "what merges is kept");
    }
}
