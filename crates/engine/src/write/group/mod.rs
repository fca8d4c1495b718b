//! Commits groups of batches, one after the other: plans each batch on the ones before it, writes all of them in one
//! transaction, and publishes the new snapshots.
//!
//! Guarantees: a batch is reported as written only if it is, and as not written only if it never will be. If neither
//! can be determined, the answer says so (`recovery`). A repeated request is written once, even if it is repeated at
//! another process (`repeats`).

mod recovery;
mod repeats;

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join;
use tokio::sync::watch;
use tokio::task::JoinError;
use tracing::warn;

use super::batch::{Batch, Origin};
use super::batch_metrics;
use super::change_capture::{ChangeCapture, Records, record_all};
use super::commit;
use super::job::{Job, WriteAnswer};
use super::plan::Planned;
use super::planner::plan_one;
use crate::feed::{self, CurrentSnapshot, FollowError, Revised};
use crate::store::{Fence, Group, REPEATABLE_HOURS, RunChanges, Store, StoreError, Trouble, Writing};
use underlay_inventory::{Refusal, Snapshot};

/// The time for which a repeated request gets the answer of the first one.
const REPEATABLE_PERIOD: TimeDelta = TimeDelta::hours(REPEATABLE_HOURS as i64);

/// Commits groups of batches, one after the other.
pub(super) struct Committer {
    store: Store,
    current: CurrentSnapshot,
    /// True if the database did not answer the last time.
    away: watch::Sender<bool>,
}

/// A job with its plan.
struct Work {
    job: Job,
    planned: Result<Planned, Refusal>,
    /// The changes that the run of the batch stores with it.
    run: Option<RunChanges>,
}

/// The reason why a group was not committed.
enum Failure {
    /// Another process wrote first.
    Overtaken,
    /// Another call for the same source was stored first, so the batch must be judged again.
    RunOvertaken,
    /// The author of the batch does not hold a lease any more.
    LeaseLost { lease: String, epoch: i64 },
    /// Nothing was written because of this error.
    Nothing(StoreError),
    /// Nothing was written, because the change records could not be made.
    ChangeCapture(JoinError),
    /// The commit was sent, but its result did not arrive. Contains the change records.
    Unknown(StoreError, Records),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Overtaken(_) => Self::Overtaken,
            StoreError::RunOvertaken => Self::RunOvertaken,
            StoreError::LeaseLost { lease, epoch } => Self::LeaseLost { lease, epoch },
            error => Self::Nothing(error),
        }
    }
}

impl Committer {
    pub fn new(store: Store, current: CurrentSnapshot) -> Self {
        Self { store, current, away: watch::Sender::new(false) }
    }

    /// Reports whether the database is known to be unavailable, and each change of that.
    pub fn is_away(&self) -> watch::Receiver<bool> {
        self.away.subscribe()
    }

    /// Returns the time before which requests are forgotten, by the clock of the database.
    fn forgotten(&self) -> DateTime<Utc> {
        self.store.clock().now() - REPEATABLE_PERIOD
    }

    /// Plans and commits jobs together. If the database refuses the whole group, each job is committed alone.
    pub async fn write(&self, jobs: Vec<Job>) {
        // The snapshot is taken first. A repeated request that is not found after this was written later than the
        // snapshot, which then cannot be committed on.
        let base = self.current.get();
        let fresh = self.without_repeats(jobs, None).await;
        let Ok(works) = self.plan_all(Arc::clone(&base), fresh).await else { return };
        match self.commit(&base, &works).await {
            Ok(records) => self.publish(&base, works, records),
            Err(Failure::Overtaken) => self.write_held(jobs_of(works)).await,
            Err(failure) => self.recover(&base, works, failure).await,
        }
    }

    /// Plans again on what another process wrote, while nobody else can write.
    async fn write_held(&self, jobs: Vec<Job>) {
        let (writing, base) = match self.hold().await {
            Ok(held) => held,
            Err(FollowError::Store(error)) => {
                self.failed(&error);
                return self.refuse(jobs, self.store.trouble(&error), &error);
            }
            Err(error) => return self.refuse(jobs, Trouble::Unreachable, &error),
        };
        // The other process may have written the same requests.
        let fresh = self.without_repeats(jobs, Some(&writing)).await;
        let Ok(works) = self.plan_all(Arc::clone(&base), fresh).await else { return };
        let group = self.group_of(&base, &works);
        let written = match group.is_empty() {
            true => {
                // A rollback that fails leaves nothing either, because its connection is closed.
                let _ = writing.roll_back().await;
                Ok(Records::new())
            }
            false => self.noting_commit(write_in(writing, &group, change_capture(&base, &works)).await),
        };
        match written {
            Ok(records) => self.publish(&base, works, records),
            Err(failure) => self.recover(&base, works, failure).await,
        }
    }

    async fn commit(&self, base: &Arc<Snapshot>, works: &[Work]) -> Result<Records, Failure> {
        let group = self.group_of(base, works);
        if works.is_empty() {
            return Ok(Records::new());
        }
        if group.is_empty() {
            return self.confirm(base).await.map(|()| Records::new());
        }
        let writing = self.noting(self.store.begin_write().await)?;
        self.noting_commit(write_in(writing, &group, change_capture(base, works)).await)
    }

    /// Checks that nobody wrote since a snapshot, because an answer that writes nothing must not depend on an old
    /// snapshot.
    async fn confirm(&self, base: &Snapshot) -> Result<(), Failure> {
        if !self.store.is_shared() {
            return Ok(());
        }
        let head = base.head();
        match self.noting(self.store.last_written().await)? == (head.revision, head.batch_id) {
            true => Ok(()),
            false => Err(Failure::Overtaken),
        }
    }

    /// Takes the revision, so that nobody else can write, and catches up with it.
    async fn hold(&self) -> Result<(Writing, Arc<Snapshot>), FollowError> {
        // Most of the work is done before other writers have to wait.
        feed::catch_up(&self.store, &self.current).await?;
        let begun = self.store.begin_write().await;
        self.away.send_replace(begun.as_ref().is_err_and(|error| !error.is_answer()));
        let writing = begun?;
        writing.hold().await?;
        let base = feed::catch_up(&self.store, &self.current).await?;
        Ok((writing, base))
    }

    fn publish(&self, base: &Arc<Snapshot>, works: Vec<Work>, records: Records) {
        let mut records = records.into_iter();
        let mut snapshot = self.current.get();
        let mut planned_on = Arc::clone(base);
        let mut revisions = Vec::new();
        let mut answers = Vec::with_capacity(works.len());
        for work in works {
            let answer = work.planned.map(|planned| {
                let wrote = planned.changes_something();
                let base = Arc::clone(&planned_on);
                let mut changes = Arc::default();
                if wrote {
                    snapshot = planned.next;
                    planned_on = Arc::clone(&snapshot);
                    changes = records.next().unwrap_or_default();
                    let (before, after) = (Arc::clone(&base), Arc::clone(&snapshot));
                    revisions.push(Revised { before, after, changes: Arc::clone(&changes) });
                }
                WriteAnswer {
                    revision: wrote.then(|| snapshot.revision()),
                    snapshot: Arc::clone(&snapshot),
                    base,
                    outcomes: planned.outcomes,
                    changes,
                }
            });
            answers.push((work.job, answer));
        }
        self.current.advance(revisions);
        for (job, answer) in answers {
            job.reply(answer);
        }
    }

    /// Plans each batch on the snapshot with the earlier batches of the group.
    async fn plan_all(&self, base: Arc<Snapshot>, jobs: Vec<Job>) -> Result<Vec<Work>, ()> {
        let now = self.store.clock().now();
        let planned = tokio::task::spawn_blocking(move || {
            let mut snapshot = Arc::clone(&base);
            let mut works = Vec::with_capacity(jobs.len());
            for job in jobs {
                let (planned, run) = match plan_one(&base, &snapshot, &job.batch, now) {
                    Ok((planned, run)) => (Ok(planned), run),
                    Err(refusal) => (Err(refusal), None),
                };
                if let Ok(planned) = planned.as_ref().map_err(drop)
                    && planned.changes_something()
                {
                    snapshot = Arc::clone(&planned.next);
                }
                works.push(Work { job, planned, run });
            }
            works
        });
        // This fails only when the runtime stops. Callers learn that from their closed channels.
        planned.await.map_err(drop)
    }

    /// Returns the rows that a group of batches and its answered requests write.
    fn group_of(&self, base: &Snapshot, works: &[Work]) -> Group {
        let planned = works.iter().filter_map(|work| Some((&work.job, work.planned.as_ref().ok()?)));
        let planned: Vec<_> = planned.collect();
        let answered = self.store.clock().now();
        let requests = planned.iter().filter_map(|(job, planned)| commit::request(job, planned, answered));
        let changed: Vec<_> = planned.iter().filter(|(_, planned)| planned.changes_something()).collect();
        let changed: Vec<_> = changed.into_iter().map(|(job, planned)| (&job.batch, *planned)).collect();
        Group {
            requests: requests.collect(),
            // A batch of a run or of a controller is a group of its own.
            fences: works.iter().flat_map(|work| fences(&work.job.batch)).cloned().collect(),
            run: works.iter().find_map(|work| work.run.clone()),
            forgotten: self.forgotten(),
            ..commit::group(&self.store, base, &changed)
        }
    }

    /// Records whether the database answered, and whether it can be written.
    fn noting<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        self.away.send_replace(result.as_ref().is_err_and(|error| !error.is_answer()));
        if let Err(error) = &result {
            self.failed(error);
        }
        result
    }

    /// Records an error of an attempt to write.
    fn failed(&self, error: &StoreError) {
        if let Some(trouble) = self.store.failed_to_write(error) {
            batch_metrics::write_failed(trouble);
        }
    }

    /// Records whether the database was written.
    fn noting_commit(&self, committed: Result<Records, Failure>) -> Result<Records, Failure> {
        match &committed {
            Ok(_) => self.store.wrote(),
            Err(Failure::Nothing(error) | Failure::Unknown(error, _)) => self.failed(error),
            Err(Failure::Overtaken | Failure::RunOvertaken | Failure::LeaseLost { .. } | Failure::ChangeCapture(_)) => {
            }
        }
        committed
    }

    /// Refuses jobs of which nothing was written.
    fn refuse(&self, jobs: Vec<Job>, trouble: Trouble, error: &dyn std::fmt::Display) {
        warn!(batches = jobs.len(), "the database cannot be written: {error}");
        jobs.into_iter().for_each(|job| job.reply(Err(unavailable(trouble))));
    }
}

/// Commits a group. Its change records are made while its rows are on their way.
async fn write_in(writing: Writing, group: &Group, change_capture: Vec<ChangeCapture>) -> Result<Records, Failure> {
    let began = Instant::now();
    let (written, records) = join(writing.write(group), record_all(change_capture)).await;
    let recorded = async {
        written?;
        let records = records.map_err(Failure::ChangeCapture)?;
        writing.record(&records).await?;
        Ok(records)
    };
    let committed = match recorded.await {
        Ok(records) => match writing.commit().await {
            Ok(()) => Ok(records),
            // The database checks deferred constraints in the commit.
            Err(error) if error.leaves_nothing() => Err(Failure::Nothing(error)),
            Err(error) => Err(Failure::Unknown(error, records)),
        },
        Err(failure) => {
            if !matches!(&failure, Failure::Nothing(error) if !error.is_answer()) {
                // Otherwise there is nobody to report to, and the connection is closed.
                let _ = writing.roll_back().await;
            }
            Err(failure)
        }
    };
    batch_metrics::committed(group.batches.len(), began);
    committed
}

/// Returns the answer to a batch of which nothing was written, because the database could not be written.
pub(super) fn unavailable(trouble: Trouble) -> Refusal {
    Refusal::Unavailable(format!("{}: nothing was written; {}", trouble.clause(), trouble.remedy()))
}

/// Returns the leases that the author of a batch must hold.
fn fences(batch: &Batch) -> &[Fence] {
    match &batch.origin {
        Origin::Holder(fences) => fences,
        Origin::Decision(decision) => decision.fences(),
        Origin::Client | Origin::Run(_) | Origin::Server => &[],
    }
}

fn jobs_of(works: Vec<Work>) -> Vec<Job> {
    works.into_iter().map(|work| work.job).collect()
}

/// Captures the changes of each batch, compared with the snapshot before it.
fn change_capture(base: &Arc<Snapshot>, works: &[Work]) -> Vec<ChangeCapture> {
    let mut base = base;
    let mut change_capture = Vec::with_capacity(works.len());
    for work in works {
        if let Ok(planned) = &work.planned
            && planned.changes_something()
        {
            change_capture.push(ChangeCapture::of(base, planned, &work.job.batch.author));
            base = &planned.next;
        }
    }
    change_capture
}
