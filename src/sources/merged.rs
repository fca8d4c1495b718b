//! Remembers which values the runs of a source replaced by which, so that the guard sees many different values become
//! one. The serial numbers of a whole fleet that all become "unknown" are as lost as if they were emptied.
//!
//! It is kept in memory, and bounded. After a start, or when it was full, the first value that is replaced by another one
//! is not counted; everything after it is.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::guard::WINDOW;
use super::taken::Replaced;

/// The greatest number of replaced values that are remembered of a source.
const MAX_VALUES: usize = 100_000;

/// The values that were replaced, by the values that replaced them.
#[derive(Debug, Default)]
pub struct Replacements {
    groups: HashMap<u64, Group>,
    values: usize,
}

/// The different values of one field that became the same.
#[derive(Debug)]
struct Group {
    /// The time of the last one.
    at: DateTime<Utc>,
    /// Each with the first object that had it.
    before: HashMap<u64, Uuid>,
}

/// A replaced value of an object, as digests.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    object: Uuid,
    /// The kind, the field and the new value.
    group: u64,
    /// The old value.
    before: u64,
}

impl Replacement {
    /// Creates it from the value of an object.
    pub fn of(kind: &str, object: Uuid, replaced: &Replaced) -> Self {
        let Replaced { field, before, after } = replaced;
        Self { object, group: digest((kind, field, after.to_string())), before: digest(before.to_string()) }
    }
}

impl Replacements {
    /// Returns true if a replacement makes one value of several: another value became this one before, and no other
    /// object lost this very value.
    pub fn merge(all: [&Self; 2], replacement: Replacement, now: DateTime<Utc>) -> bool {
        let Replacement { object, group, before } = replacement;
        let groups = || all.iter().filter_map(|it| it.groups.get(&group)).filter(|group| now - group.at < WINDOW);
        let has_others = groups().any(|group| group.before.keys().any(|other| *other != before));
        let is_known = groups().any(|group| group.before.get(&before).is_some_and(|first| *first != object));
        has_others && !is_known
    }

    /// Remembers a replacement.
    pub fn note(&mut self, replacement: Replacement, now: DateTime<Utc>) {
        if self.values >= MAX_VALUES {
            self.shrink(now);
        }
        let new = Group { at: now, before: HashMap::new() };
        let group = self.groups.entry(replacement.group).or_insert(new);
        group.at = now;
        let known = group.before.len();
        group.before.entry(replacement.before).or_insert(replacement.object);
        self.values += group.before.len() - known;
    }

    /// Remembers everything that another one does.
    pub fn extend(&mut self, other: Self, now: DateTime<Utc>) {
        for (group, of) in other.groups {
            of.before.into_iter().for_each(|(before, object)| self.note(Replacement { object, group, before }, now));
        }
    }

    /// Forgets what is old and what was replaced by values of its own; everything, where that is not enough.
    fn shrink(&mut self, now: DateTime<Utc>) {
        self.groups.retain(|_, group| now - group.at < WINDOW && group.before.len() > 1);
        self.values = self.groups.values().map(|group| group.before.len()).sum();
        if self.values > MAX_VALUES / 2 {
            *self = Self::default();
        }
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

    fn replacement(object: u128, before: &str, after: &str) -> Replacement {
        let replaced = Replaced { field: "serial".to_owned(), before: json!(before), after: json!(after) };
        Replacement::of("Device", Uuid::from_u128(object), &replaced)
    }

    /// Returns which of these replacements, one after the other, make one value of several.
    fn merging(all: &[Replacement]) -> Vec<bool> {
        let mut known = Replacements::default();
        let now = DateTime::UNIX_EPOCH;
        let judged = all.iter().map(|it| {
            let merges = Replacements::merge([&known, &Replacements::default()], *it, now);
            known.note(*it, now);
            merges
        });
        judged.collect()
    }

    #[test]
    fn values_that_become_one_are_merged_and_others_are_not() {
        let junk: Vec<_> = (0..4).map(|at| replacement(at, &format!("s{at}"), "unknown")).collect();
        assert_eq!(merging(&junk), [false, true, true, true]);
        let corrected: Vec<_> = (0..4).map(|at| replacement(at, &format!("s{at}"), &format!("S{at}"))).collect();
        assert_eq!(merging(&corrected), [false; 4]);
        // A version that a whole fleet gets takes the place of a few.
        let raised: Vec<_> = (0..6).map(|at| replacement(at, ["1.0", "1.1"][at as usize % 2], "2.0")).collect();
        assert_eq!(merging(&raised), [false, true, false, false, false, false]);
        let again = [replacement(1, "a", "x"), replacement(2, "b", "x"), replacement(2, "b", "x")];
        assert_eq!(merging(&again), [false, true, true], "the same one is judged as before");
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten() {
        let mut known = Replacements::default();
        let now = DateTime::UNIX_EPOCH;
        known.note(replacement(1, "a", "x"), now);
        let second = replacement(2, "b", "x");
        let none = Replacements::default();
        assert!(Replacements::merge([&known, &none], second, now + TimeDelta::hours(23)));
        assert!(!Replacements::merge([&known, &none], second, now + WINDOW));
        for at in 0..3 * MAX_VALUES as u128 {
            known.note(replacement(at, &at.to_string(), &at.to_string()), now);
            assert!(known.values <= MAX_VALUES);
        }
        (0..10).for_each(|at| known.note(replacement(at, &format!("s{at}"), "unknown"), now));
        for at in 0..MAX_VALUES as u128 {
            known.note(replacement(at, &at.to_string(), &at.to_string()), now);
        }
        assert!(Replacements::merge([&known, &none], replacement(11, "s11", "unknown"), now), "what merges is kept");
    }
}
