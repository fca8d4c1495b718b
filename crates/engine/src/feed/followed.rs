//! Rows in memory that this process writes, and that follow what other processes write.
//!
//! Guarantee: a row is never replaced by one that was written before it, whichever of the two is read first.

use std::hash::Hash;

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::HashMap;

/// The time for which a transaction of another process can be late: it wrote a row before it became visible.
const MAX_COMMIT_DELAY: TimeDelta = TimeDelta::seconds(10);

/// A row that knows when it was written.
pub trait Written {
    /// Returns the time of its writing, by the clock of the database.
    fn written_at(&self) -> DateTime<Utc>;
}

/// The rows of a table, by their keys.
#[derive(Debug)]
pub struct Followed<K, V> {
    rows: HashMap<K, V>,
    /// The time up to which everything that was written is here, but for late transactions.
    read_to: Option<DateTime<Utc>>,
}

impl<K, V> Default for Followed<K, V> {
    fn default() -> Self {
        Self { rows: HashMap::default(), read_to: None }
    }
}

impl<K: Eq + Hash, V: Written> Followed<K, V> {
    /// Returns a row.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.rows.get(key)
    }

    /// Returns a row to change it in memory.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.rows.get_mut(key)
    }

    /// Returns all rows.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows.iter()
    }

    /// Puts a row that was written or read.
    pub fn put(&mut self, key: K, row: V) {
        match self.rows.get(&key) {
            Some(known) if known.written_at() > row.written_at() => {}
            _ => {
                self.rows.insert(key, row);
            }
        }
    }

    /// Returns the time after which rows are to be read; `None` if all are.
    pub fn read_after(&self) -> Option<DateTime<Utc>> {
        self.read_to.map(|time| time - MAX_COMMIT_DELAY)
    }

    /// Puts the rows that were read.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = (K, V)>) {
        for (key, row) in rows {
            self.read_to = self.read_to.max(Some(row.written_at()));
            self.put(key, row);
        }
    }

    /// Removes the rows that do not meet a condition.
    pub fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        self.rows.retain(|key, row| keep(key, row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Written for (u8, DateTime<Utc>) {
        fn written_at(&self) -> DateTime<Utc> {
            self.1
        }
    }

    #[test]
    fn an_older_row_does_not_replace_a_newer_one_and_late_rows_are_read_again() {
        let at = |second| DateTime::from_timestamp(second, 0).expect("a time");
        let mut rows = Followed::default();
        assert_eq!(rows.read_after(), None);

        rows.put("a", (1, at(100)));
        rows.extend([("a", (2, at(90))), ("b", (3, at(95)))]);
        assert_eq!((rows.get(&"a").expect("a").0, rows.get(&"b").expect("b").0), (1, 3));
        assert_eq!(rows.read_after(), Some(at(85)), "what was put is not what was read");

        rows.extend([("a", (4, at(100)))]);
        assert_eq!(rows.get(&"a").expect("a").0, 4, "a row of the same time is what the database has");
        rows.extend([]);
        assert_eq!(rows.read_after(), Some(at(90)));
        rows.retain(|key, _| *key == "b");
        assert!(rows.get(&"a").is_none() && rows.iter().count() == 1);
    }
}
