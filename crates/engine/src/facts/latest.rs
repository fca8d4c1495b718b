//! The part of a report that is kept in memory: its digest and its times.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use chrono::{DateTime, Utc};
use foldhash::HashSet;
use underlay_entity::facts::{FactsOrigin, Model};
use underlay_facts::Alarms;
use uuid::Uuid;

use super::Facts;
use super::summaries::{HostSummary, SharedSummaries};
use super::writer::ORPHAN_LIFETIME;
use crate::feed::Written;
use crate::store::StoreError;

/// The key of a report: a host, and who reports about it.
pub(super) type Key = (Uuid, FactsOrigin);

/// The last report about a host, without the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatestReport {
    /// The digest of the facts.
    pub digest: String,
    /// The version of the program that reported.
    pub program: String,
    /// The time of the report, by the clock of the machine.
    pub observed_at: DateTime<Utc>,
    /// The time at which it came, by the clock of the server.
    pub received_at: DateTime<Utc>,
    /// The time since which the facts are these, by the clock of the server.
    pub since: DateTime<Utc>,
    /// True if the last report lacked parts that were there before.
    pub(super) pending: bool,
    /// The faults that it shows.
    pub(super) alarms: Alarms,
    /// The models, the amounts and what is heard. `None` if an older version stored the report.
    pub summary: Option<Arc<HostSummary>>,
    /// The time when the row was written, by the clock of the database.
    pub(super) written_at: DateTime<Utc>,
}

impl Written for LatestReport {
    fn written_at(&self) -> DateTime<Utc> {
        self.written_at
    }
}

impl LatestReport {
    /// Reads a row.
    pub(super) fn of(row: Model, shared: &SharedSummaries) -> Self {
        let Model {
            host_id: _,
            origin: _,
            digest,
            program,
            observed_at,
            received_at,
            since,
            pending,
            disk_failing,
            memory_errors,
            summary,
            written_at,
        } = row;
        let alarms = Alarms { disk_failing, memory_errors };
        let summary = summary.and_then(|summary| shared.read(summary));
        Self { digest, program, observed_at, received_at, since, pending, alarms, summary, written_at }
    }

    /// Returns the row of the report without its summary, which is not written together with its times.
    pub(super) fn row(&self, (host_id, origin): Key) -> Model {
        let Self { digest, program, observed_at, received_at, since, pending, alarms, summary: _, written_at } =
            self.clone();
        let Alarms { disk_failing, memory_errors } = alarms;
        Model {
            host_id,
            origin: origin.number(),
            digest,
            program,
            observed_at,
            received_at,
            since,
            pending,
            disk_failing,
            memory_errors,
            summary: None,
            written_at,
        }
    }

    /// Returns this report with the later times of the other one, if both have the same facts.
    fn with_times_of(mut self, other: &Self) -> Self {
        if self.digest == other.digest && self.received_at < other.received_at {
            (self.observed_at, self.received_at) = (other.observed_at, other.received_at);
        }
        self
    }
}

impl Facts {
    /// Reads what other processes stored, if others can use this database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        match self.0.store.is_shared() {
            true => self.refresh().await,
            false => Ok(()),
        }
    }

    /// Returns a number that is another one after facts of this process changed.
    pub fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }

    /// Notes that facts of this process changed.
    pub(super) fn changed(&self) {
        self.0.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Reads what other processes wrote since the last time: reports and tokens.
    pub(super) async fn refresh(&self) -> Result<(), StoreError> {
        let shared = &self.0;
        let after = shared.latest.read().unwrap_or_else(PoisonError::into_inner).read_after();
        let rows = shared.store.rows_since(after).await?;
        {
            let mut latest = shared.latest.write().unwrap_or_else(PoisonError::into_inner);
            let known = rows.into_iter().filter_map(|row| Some(((row.host_id, FactsOrigin::of(row.origin)?), row)));
            let mut is_changed = false;
            let read: Vec<_> = known
                .map(|(key, row)| {
                    let row = LatestReport::of(row, &shared.summaries);
                    // The times of what was heard here may not be written yet.
                    let row = match latest.get(&key) {
                        Some(heard) => {
                            is_changed = is_changed || row.summary != heard.summary;
                            row.with_times_of(heard)
                        }
                        None => {
                            is_changed = true;
                            row
                        }
                    };
                    (key, row)
                })
                .collect();
            latest.extend(read);
            if is_changed {
                self.changed();
            }
        }
        let after = shared.tokens.read().unwrap_or_else(PoisonError::into_inner).read_after();
        let rows = shared.inventory.agent_tokens_since(after).await?;
        shared.tokens.write().unwrap_or_else(PoisonError::into_inner).extend(rows);
        Ok(())
    }

    /// Forgets the reports and tokens that the database does not have, because it was restored under this process. `now`
    /// is the time of the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn forget_missing(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        // What was written meanwhile may not have been read.
        let (shared, before) = (&self.0, now - ORPHAN_LIFETIME);
        let keys = shared.store.keys().await?;
        let there: HashSet<Key> =
            keys.into_iter().filter_map(|(host, origin)| Some((host, FactsOrigin::of(origin)?))).collect();
        let is_kept = |key: &Key, row: &LatestReport| row.written_at >= before || there.contains(key);
        shared.latest.write().unwrap_or_else(PoisonError::into_inner).retain(is_kept);

        let there: HashSet<Uuid> =
            shared.inventory.agent_tokens_since(None).await?.iter().map(|row| row.host_id).collect();
        let mut tokens = shared.tokens.write().unwrap_or_else(PoisonError::into_inner);
        let gone: HashSet<Uuid> = tokens
            .hosts()
            .filter(|(host, written_at)| *written_at < before && !there.contains(host))
            .map(|(host, _)| host)
            .collect();
        tokens.forget(|host| gone.contains(&host));
        Ok(())
    }
}
