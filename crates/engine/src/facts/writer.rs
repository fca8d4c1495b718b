//! The task that stores facts. It gathers what comes within a short time, so a thousand reports take few commits.

use std::sync::PoisonError;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::HashSet;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};
use underlay_entity::facts::{FactsOrigin, Model};
use uuid::Uuid;

use super::Facts;
use super::events::Judge;
use super::latest::{Key, LatestReport};
use crate::feed::CurrentSnapshot;
use crate::runtime::offload;
use crate::store::{FactsChange, ReportedFacts, Retention, StoreError};

/// The greatest number of reports that wait to be stored.
pub(super) const MAX_WAITING: usize = 2_000;
/// The greatest size of the facts that wait to be stored, in KiB.
pub(super) const MAX_WAITING_KIB: usize = 64 * 1_024;
/// The greatest number of reports that share a commit.
const MAX_TOGETHER: usize = 500;
/// The time between two looks at what other processes wrote.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The time between two searches for the facts of deleted hosts.
const SEARCH_INTERVAL: Duration = Duration::from_secs(60);
/// The age from which on facts without a host are deleted. A new host reaches every process before.
pub(super) const ORPHAN_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// A report that waits to be stored.
#[derive(Debug)]
pub(super) struct WaitingReport {
    pub facts: ReportedFacts,
    /// Receives the result. The log has the reason of a failure.
    pub done: oneshot::Sender<Result<(), ()>>,
    /// The room that it takes in the queue.
    pub room: OwnedSemaphorePermit,
}

/// The task that stores facts. There is one in each process.
#[derive(Debug)]
pub struct FactsWriter {
    facts: Facts,
    waiting: mpsc::Receiver<WaitingReport>,
}

impl FactsWriter {
    pub(super) fn new(facts: Facts, waiting: mpsc::Receiver<WaitingReport>) -> Self {
        Self { facts, waiting }
    }

    /// Stores reports, follows what other processes store, deletes the facts of deleted hosts, and drops events that are
    /// as old as changes that are dropped. Never returns.
    pub async fn run(mut self, current: CurrentSnapshot, retention: Retention) {
        let every = |time| {
            let mut every = interval(time);
            every.set_missed_tick_behavior(MissedTickBehavior::Delay);
            every
        };
        let (mut hearing, mut polling, mut searching) =
            (every(self.facts.0.times.hearing), every(POLL_INTERVAL), every(SEARCH_INTERVAL));
        loop {
            let done = tokio::select! {
                // A sender lives as long as the facts of this task.
                Some(first) = self.waiting.recv() => {
                    self.store(first).await;
                    Ok(())
                }
                _ = hearing.tick() => self.hear().await,
                _ = polling.tick(), if self.facts.0.store.is_shared() => self.follow().await,
                _ = searching.tick() => self.tidy(&current, retention).await,
            };
            if let Err(error) = done {
                tracing::warn!("facts cannot be read or written now: {error}");
            }
        }
    }

    /// Writes what the reports that changed nothing say.
    async fn hear(&self) -> Result<(), StoreError> {
        self.facts.write_heard().await?;
        self.facts.write_confirmed().await?;
        // If they could not be read when they were stored.
        self.facts.follow_events().await
    }

    /// Reads what other processes stored.
    async fn follow(&self) -> Result<(), StoreError> {
        self.facts.refresh().await?;
        self.facts.follow_events().await
    }

    /// Forgets what the database does not have any more, deletes the facts of deleted hosts, and drops old events.
    async fn tidy(&self, current: &CurrentSnapshot, retention: Retention) -> Result<(), StoreError> {
        let now = self.facts.0.inventory.read_clock().await?;
        if self.facts.0.store.is_shared() {
            self.facts.forget_missing(now).await?;
        }
        self.facts.forget_deleted(current, now).await?;
        self.facts.drop_events(now, retention).await
    }

    /// Stores a report together with those that come soon after it.
    async fn store(&mut self, first: WaitingReport) {
        let mut together = vec![first];
        let end = Instant::now() + self.facts.0.times.gathering;
        while together.len() < MAX_TOGETHER {
            match timeout_at(end, self.waiting.recv()).await {
                Ok(Some(next)) => together.push(next),
                Ok(None) | Err(_) => break,
            }
        }

        let (reports, answers): (Vec<_>, Vec<_>) =
            together.into_iter().map(|it| (it.facts, (it.done, it.room))).unzip();
        let stored = self.facts.store_together(reports).await;
        for ((done, room), stored) in answers.into_iter().zip(stored) {
            drop(room);
            // The agent may be gone; what it sent is stored nevertheless.
            let _ = done.send(stored);
        }
    }
}

impl Facts {
    /// Stores reports in one commit. If the database refuses one of them, the others are stored without it. Returns for each
    /// whether it is stored; the log has the reasons.
    async fn store_together(&self, reports: Vec<ReportedFacts>) -> Vec<Result<(), ()>> {
        let count = reports.len();
        match self.store_reports(reports.clone()).await {
            Ok(()) => vec![Ok(()); count],
            Err(error) if count > 1 && error.may_be_of_one() => {
                let mut stored = Vec::with_capacity(count);
                for report in reports {
                    let host = report.row.host_id;
                    let alone = self.store_reports(vec![report]).await;
                    stored.push(alone.map_err(|error| tracing::warn!(%host, "facts cannot be stored: {error}")));
                }
                stored
            }
            Err(error) => {
                tracing::warn!(reports = count, "facts cannot be stored now: {error}");
                vec![Err(()); count]
            }
        }
    }

    async fn store_reports(&self, reports: Vec<ReportedFacts>) -> Result<(), StoreError> {
        self.write(reports.into_iter().map(|report| FactsChange::Reported(Box::new(report))).collect()).await
    }

    async fn write(&self, changes: Vec<FactsChange>) -> Result<(), StoreError> {
        let judge = Judge(&self.0.noise);
        // Many reports take longer to compare than a time slice.
        let rows = offload(self.0.store.write(changes, &judge)).await?;
        self.put_latest(rows);
        // What was stored is stored, though its events may not be readable now.
        if let Err(error) = self.follow_events().await {
            tracing::warn!("events of hardware cannot be read now: {error}");
        }
        Ok(())
    }

    fn put_latest(&self, rows: Vec<Model>) {
        let mut latest = self.0.latest.write().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let Some(origin) = FactsOrigin::of(row.origin) else { continue };
            latest.put((row.host_id, origin), LatestReport::of(row, &self.0.summaries));
        }
        drop(latest);
        self.changed();
    }

    /// Drops the events that are older than changes may be. While the clock is ahead by a jump that nobody accepted, nothing
    /// becomes old. `now` is the time of the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The next call drops what is left.
    pub async fn drop_events(&self, now: DateTime<Utc>, retention: Retention) -> Result<(), StoreError> {
        let Retention::For(time) = retention else { return Ok(()) };
        // If the subtraction overflows, nothing is that old.
        let before = TimeDelta::from_std(time).ok().and_then(|time| now.checked_sub_signed(time));
        match (before, self.0.inventory.clock_jump().await?) {
            (Some(before), None) => self.0.store.forget_events(before).await,
            (None, _) | (_, Some(_)) => Ok(()),
        }
    }

    /// Stores that parts are gone which were missing in reports that came again.
    async fn write_confirmed(&self) -> Result<(), StoreError> {
        let confirmed = std::mem::take(&mut *self.0.confirmed.lock().unwrap_or_else(PoisonError::into_inner));
        if confirmed.is_empty() {
            return Ok(());
        }
        let change = |((host, origin), digest): (&Key, &String)| FactsChange::Confirmed {
            host: *host,
            origin: origin.number(),
            digest: digest.clone(),
        };
        let written = self.write(confirmed.iter().map(change).collect()).await;
        if written.is_err() {
            self.0.confirmed.lock().unwrap_or_else(PoisonError::into_inner).extend(confirmed);
        }
        written
    }

    /// Writes the times of the reports that changed nothing, all together.
    async fn write_heard(&self) -> Result<(), StoreError> {
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner).tidy();
        self.0.noise.tidy(Utc::now());
        self.0.summaries.tidy();
        let heard = std::mem::take(&mut *self.0.heard.lock().unwrap_or_else(PoisonError::into_inner));
        if heard.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = {
            let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
            heard.iter().filter_map(|key| Some(latest.get(key)?.row(*key))).collect()
        };
        let written = self.0.store.hear(rows).await;
        if written.is_err() {
            self.0.heard.lock().unwrap_or_else(PoisonError::into_inner).extend(heard);
        }
        written
    }

    /// Deletes the facts and tokens of hosts that are in no snapshot any more. `now` is the time of the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The next call deletes what is left.
    pub async fn forget_deleted(&self, current: &CurrentSnapshot, now: DateTime<Utc>) -> Result<(), StoreError> {
        let (snapshot, before) = (current.get(), now - ORPHAN_LIFETIME);
        let is_gone = |host: Uuid| snapshot.find(host).is_none();
        let gone: HashSet<Uuid> = {
            let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
            let tokens = self.0.tokens.read().unwrap_or_else(PoisonError::into_inner);
            let reported = latest.iter().map(|((host, _), row): (&Key, _)| (*host, row.written_at));
            let old = reported.chain(tokens.hosts()).filter(|(_, written_at)| *written_at < before);
            old.map(|(host, _)| host).filter(|host| is_gone(*host)).collect()
        };
        if gone.is_empty() {
            return Ok(());
        }
        let hosts: Vec<Uuid> = gone.iter().copied().collect();
        self.0.store.forget(&hosts).await?;
        self.0.inventory.forget_agent_tokens(&hosts).await?;
        self.0.latest.write().unwrap_or_else(PoisonError::into_inner).retain(|(host, _), _| !gone.contains(host));
        self.0.tokens.write().unwrap_or_else(PoisonError::into_inner).forget(|host| gone.contains(&host));
        Ok(())
    }
}
