//! Keeps the things that looks did not find, until the source proves that they are deleted or a full scan judges them.
//!
//! Things that are deleted together are proved together, because the server counts a device with its ports and cables as
//! one only if it hears of all of them in one call. So a thing that is found gone later lets the others wait for it,
//! within bounds.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use tokio::time::Instant;

use super::adapter::Adapter;
use super::error::AdapterError;
use super::item::ExternalId;
use super::look::MAX_LOOKS;

/// The greatest number of things that wait. The server takes as many in one call.
const MAX_MISSING: usize = 1_000;
/// The greatest number of refused things that are kept.
const MAX_REFUSED: usize = 1_000;

/// The things that looks did not find.
#[derive(Debug)]
pub struct Missing {
    /// The least time for which a thing must be missing.
    soon: Duration,
    /// The time at which each thing was first not found.
    since: HashMap<ExternalId, Instant>,
    /// Things that the server refused, maybe because of others that are gone.
    refused: HashSet<ExternalId>,
}

/// The answers of the source about things that are missing.
#[derive(Debug, Default)]
pub struct Proofs {
    /// These are deleted for certain.
    pub deleted: Vec<ExternalId>,
    /// About these it says nothing.
    pub unproved: Vec<ExternalId>,
}

impl Missing {
    /// Returns an empty list. A thing must be missing for a while before it is proved.
    pub fn new(soon: Duration) -> Self {
        Self { soon, since: HashMap::new(), refused: HashSet::new() }
    }

    /// Adds a thing that was not found. Returns false if there are too many of them.
    pub fn add(&mut self, thing: ExternalId) -> bool {
        let has_room = self.since.len() < MAX_MISSING || self.since.contains_key(&thing);
        if has_room {
            self.since.entry(thing).or_insert_with(Instant::now);
        }
        has_room
    }

    /// Notes that a thing is there.
    pub fn found(&mut self, thing: &ExternalId) {
        self.since.remove(thing);
    }

    /// Forgets what was missing before a full scan that judged it.
    pub fn judged(&mut self, scan_began: Instant) {
        self.since.retain(|_, since| *since >= scan_began);
        self.refused.clear();
    }

    /// Returns true if a thing has been missing since a time, or for longer.
    pub fn has_some_since(&self, time: Instant) -> bool {
        self.since.values().any(|since| *since <= time)
    }

    /// Returns the time at which a part of the things can be proved.
    pub fn due_at(&self) -> Option<Instant> {
        let (first, last) = (self.since.values().min()?, self.since.values().max()?);
        Some((*last + self.soon).min(*first + self.soon * 2))
    }

    /// Takes the things that were missing for long enough, if it is time.
    pub fn take_due(&mut self) -> Vec<ExternalId> {
        let now = Instant::now();
        if self.due_at().is_none_or(|due| due > now) {
            return Vec::new();
        }
        let is_due = |since: &Instant| *since + self.soon <= now;
        self.since.extract_if(|_, since| is_due(since)).map(|(thing, _)| thing).collect()
    }

    /// Remembers things that the server refused: what is in their place may be gone.
    pub fn refused(&mut self, things: Vec<ExternalId>) {
        let room = MAX_REFUSED.saturating_sub(self.refused.len());
        self.refused.extend(things.into_iter().take(room));
    }

    /// Takes the things that the server refused.
    pub fn take_refused(&mut self) -> Vec<ExternalId> {
        self.refused.drain().collect()
    }
}

impl Proofs {
    /// Asks the source about things that are missing.
    ///
    /// # Errors
    /// Returns the error of the first answer that failed.
    pub async fn of<A: Adapter>(adapter: &A, things: Vec<ExternalId>) -> Result<Self, AdapterError> {
        let asked = things.into_iter().map(|id| async move {
            let is_deleted = adapter.has_deleted(&id).await;
            is_deleted.map(|is_deleted| (id, is_deleted))
        });
        let mut asked = stream::iter(asked).buffered(MAX_LOOKS);
        let mut proofs = Self::default();
        while let Some(answer) = asked.next().await {
            match answer? {
                (id, true) => proofs.deleted.push(id),
                (id, false) => proofs.unproved.push(id),
            }
        }
        Ok(proofs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn thing(id: &str) -> ExternalId {
        ExternalId::new("rack", id)
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_missing_for_a_minute_is_due_together() {
        let mut missing = Missing::new(MINUTE);
        assert_eq!(missing.due_at(), None);
        assert!(missing.add(thing("1")) && missing.add(thing("2")));
        tokio::time::advance(MINUTE / 2).await;
        assert!(missing.add(thing("3")));
        assert!(missing.add(thing("1")), "again, which changes nothing");
        missing.found(&thing("2"));
        tokio::time::advance(MINUTE / 2).await;
        assert_eq!(missing.take_due(), [], "the others wait for the last one");
        tokio::time::advance(MINUTE / 2).await;
        let mut due = missing.take_due();
        due.sort();
        assert_eq!(due, [thing("1"), thing("3")]);
        assert_eq!(missing.due_at(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_does_not_wait_for_ever() {
        let mut missing = Missing::new(MINUTE);
        for id in 0..9 {
            assert!(missing.add(thing(&id.to_string())));
            tokio::time::advance(MINUTE / 4).await;
        }
        let due = missing.take_due().len();
        assert_eq!(due, 6, "those of the last minute wait");
    }

    #[tokio::test(start_paused = true)]
    async fn a_scan_judges_what_was_missing_before_it() {
        let mut missing = Missing::new(MINUTE);
        assert!(missing.add(thing("1")));
        tokio::time::advance(MINUTE).await;
        let began = Instant::now();
        assert!(missing.add(thing("2")));
        missing.judged(began);
        tokio::time::advance(MINUTE).await;
        assert_eq!(missing.take_due(), [thing("2")]);
        assert!((0..MAX_MISSING).all(|id| missing.add(thing(&id.to_string()))));
        assert!(!missing.add(thing("one more")) && missing.add(thing("1")));
    }
}
