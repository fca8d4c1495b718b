//! A small table in memory with what was last seen of objects: the time and the conditions, for filters. The rest is in
//! the database alone.
//!
//! Observations make no revision, so a table is not a part of any snapshot: two reads in one request may differ. What
//! this process writes is in its table at once; what other processes write follows within about a second. Observations
//! of deleted objects disappear after a minute.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::current::CurrentSnapshot;
use super::followed::{Followed, Written};
use crate::store::{Observations, Seen, Store, StoreError};

/// The time between two looks at what other processes wrote.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The number of looks between two searches for observations of deleted objects.
const LOOKS_PER_SEARCH: u32 = 60;
/// The age from which on an observation without an object is deleted. A new object reaches every process before.
const ORPHAN_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// The last observations of objects. Clones share their content.
#[derive(Clone, Debug, Default)]
pub struct Observed(Arc<RwLock<Followed<Uuid, Seen>>>);

impl Written for Seen {
    fn written_at(&self) -> DateTime<Utc> {
        self.written_at
    }
}

impl Observed {
    /// Loads the table from the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let observed = Self::default();
        observed.refresh(store).await?;
        Ok(observed)
    }

    /// Returns what was last seen of an object.
    pub fn seen(&self, object: Uuid) -> Option<Seen> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&object).copied()
    }

    /// Writes observations to the database and to the table.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The table stays as it is then.
    pub async fn write(&self, store: &Store, observations: &Observations) -> Result<(), StoreError> {
        let written_at = store.observe(observations).await?;
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for it in observations.iter() {
            table.put(it.object, Seen { at: it.seen_at, conditions: it.conditions, written_at });
        }
        Ok(())
    }

    /// Reads what other processes wrote since the last time.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn refresh(&self, store: &Store) -> Result<(), StoreError> {
        let after = self.0.read().unwrap_or_else(PoisonError::into_inner).read_after();
        let rows = store.seen_since(after).await?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(rows);
        Ok(())
    }

    /// Removes the observations of objects that are in no snapshot any more, from the table and from the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The next call removes what is left.
    pub async fn forget_deleted(&self, store: &Store, current: &CurrentSnapshot) -> Result<(), StoreError> {
        let before = store.read_clock().await? - ORPHAN_LIFETIME;
        let snapshot = current.get();
        let is_left = |object: &Uuid, seen: &Seen| seen.written_at < before && snapshot.find(*object).is_none();
        let left: Vec<Uuid> = {
            let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
            table.iter().filter(|(object, seen)| is_left(object, seen)).map(|(object, _)| *object).collect()
        };
        if left.is_empty() {
            return Ok(());
        }
        store.forget_observations(&left, before).await?;
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        table.retain(|object, seen| !is_left(object, seen));
        Ok(())
    }
}

/// Keeps the table in step with the database, and deletes what is left of deleted objects. Never returns.
pub async fn keep_observed(store: Store, current: CurrentSnapshot, observed: Observed) {
    let mut looks = 0;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        looks = (looks + 1) % LOOKS_PER_SEARCH;
        let refreshed = match store.is_shared() {
            true => observed.refresh(&store).await,
            false => Ok(()),
        };
        let kept = match looks {
            0 if refreshed.is_ok() => observed.forget_deleted(&store, &current).await,
            _ => refreshed,
        };
        if let Err(error) = kept {
            tracing::warn!("observations cannot be read or deleted now: {error}");
        }
    }
}
