//! Plans and commits groups of batches, and determines the answers if the database fails.
//!
//! Guarantees: a batch is reported as written only if it is, and as not written only if it never will be. If neither
//! can be determined, the answer says so. A repeated request is written once, even if it is repeated at another
//! process.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join;
use tokio::sync::watch;
use tokio::task::JoinError;
use tracing::{error, warn};
use underlay_entity::request;

use super::batch::{Batch, Origin, other_request};
use super::change_capture::{ChangeCapture, Records, record_all};
use super::commit;
use super::job::{Answer, Job, internal};
use super::measured;
use super::plan::{Planned, plan_after, plan_leaving};
use crate::feed::{self, FollowError, Newest, Revised};
use crate::store::{Group, REPEATABLE_HOURS, RunChanges, Store, StoreError, Trouble, Writing};
use underlay_inventory::{Refusal, Snapshot};

/// The time for which a repeated request gets the answer of the first one.
const REPEATABLE: TimeDelta = TimeDelta::hours(REPEATABLE_HOURS as i64);
/// The pauses between the attempts to find out whether a batch was committed after its connection was lost.
const LOOKUPS: [Duration; 5] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
    Duration::from_millis(2000),
];

/// Commits groups of batches, one after the other.
pub(super) struct Committer {
    store: Store,
    newest: Newest,
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

/// The place where earlier requests are looked up.
enum Log<'a> {
    /// The database as of now. Another process may write the request at this moment.
    Outside(&'a Store),
    /// The database while nobody else can write.
    Inside(&'a Writing),
}

impl Log<'_> {
    async fn find(
        &self,
        request_id: &str,
        actor: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<request::Model>, StoreError> {
        match self {
            Self::Outside(store) => store.find_request(request_id, actor, since).await,
            Self::Inside(writing) => writing.find_request(request_id, actor, since).await,
        }
    }
}

/// The reason why a group was not committed.
enum Failure {
    /// Another process wrote first.
    Overtaken,
    /// Another call for the same source was stored first, so the batch must be judged again.
    RunOvertaken,
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
            error => Self::Nothing(error),
        }
    }
}

impl Committer {
    pub fn new(store: Store, newest: Newest) -> Self {
        Self { store, newest, away: watch::Sender::new(false) }
    }

    /// Reports whether the database is known to be unavailable, and each change of that.
    pub fn is_away(&self) -> watch::Receiver<bool> {
        self.away.subscribe()
    }

    /// Returns the time before which requests are forgotten, by the clock of the database.
    fn forgotten(&self) -> DateTime<Utc> {
        self.store.clock().now() - REPEATABLE
    }

    /// Plans and commits jobs together. If the database refuses the whole group, each job is committed alone.
    pub async fn write(&self, jobs: Vec<Job>) {
        // The snapshot is taken first. A repeated request that is not found after this was written later than the
        // snapshot, which then cannot be committed on.
        let base = self.newest.get();
        let fresh = self.without_repeats(jobs, &Log::Outside(&self.store)).await;
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
        let fresh = self.without_repeats(jobs, &Log::Inside(&writing)).await;
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

    /// Returns the jobs that were not written before. The others get the answer of the first time.
    async fn without_repeats(&self, jobs: Vec<Job>, log: &Log<'_>) -> Vec<Job> {
        let mut fresh = Vec::with_capacity(jobs.len());
        for job in jobs {
            let Some(request_id) = job.batch.request_id.as_deref() else {
                fresh.push(job);
                continue;
            };
            let found = log.find(request_id, &job.batch.author.actor, self.forgotten()).await;
            match self.noting(found) {
                Ok(None) => fresh.push(job),
                Ok(Some(first)) if first.digest.is_some() && first.digest != job.digest => {
                    job.reply(Err(other_request()));
                }
                Ok(Some(first)) => self.repeat(job, first).await,
                Err(error) => self.refuse(vec![job], self.store.trouble(&error), &error),
            }
        }
        fresh
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
        feed::catch_up(&self.store, &self.newest).await?;
        let begun = self.store.begin_write().await;
        self.away.send_replace(begun.as_ref().is_err_and(|error| !error.is_answer()));
        let writing = begun?;
        writing.hold().await?;
        let base = feed::catch_up(&self.store, &self.newest).await?;
        Ok((writing, base))
    }

    /// Answers a request that was answered before.
    async fn repeat(&self, job: Job, first: request::Model) {
        if first.revision > Some(self.newest.get().revision())
            && let Err(error) = feed::catch_up(&self.store, &self.newest).await
        {
            // Only the objects in the answer are older because of this.
            warn!("this process is behind the database: {error}");
        }
        let snapshot = self.newest.get();
        let outcomes = commit::recall(&snapshot, first.outcome);
        let changes = match first.revision {
            None => Ok(Vec::new()),
            Some(revision) => self.store.changes_at(revision).await,
        };
        let changes = match changes {
            Ok(changes) => Arc::new(changes),
            Err(error) => return self.refuse(vec![job], self.store.trouble(&error), &error),
        };
        let base = Arc::clone(&snapshot);
        let answer = |outcomes| Answer { revision: first.revision, snapshot, base, outcomes, changes };
        job.reply(outcomes.map(answer).map_err(|error| internal(&error)));
    }

    fn publish(&self, base: &Arc<Snapshot>, works: Vec<Work>, records: Records) {
        let mut records = records.into_iter();
        let mut value = self.newest.get();
        let mut planned_on = Arc::clone(base);
        let mut revisions = Vec::new();
        let mut answers = Vec::with_capacity(works.len());
        for work in works {
            let answer = work.planned.map(|planned| {
                let wrote = planned.changes_something();
                let base = Arc::clone(&planned_on);
                let mut changes = Arc::default();
                if wrote {
                    value = planned.next;
                    planned_on = Arc::clone(&value);
                    changes = records.next().unwrap_or_default();
                    let (before, after) = (Arc::clone(&base), Arc::clone(&value));
                    revisions.push(Revised { before, after, changes: Arc::clone(&changes) });
                }
                Answer {
                    revision: wrote.then(|| value.revision()),
                    snapshot: Arc::clone(&value),
                    base,
                    outcomes: planned.outcomes,
                    changes,
                }
            });
            answers.push((work.job, answer));
        }
        self.newest.advance(revisions);
        for (job, answer) in answers {
            job.reply(answer);
        }
    }

    /// Handles a database error. What was not written is refused, or retried batch by batch if one batch of a group is
    /// the cause. What may have been written is looked up.
    async fn recover(&self, base: &Arc<Snapshot>, works: Vec<Work>, failure: Failure) {
        match failure {
            Failure::Unknown(error, records) => self.look_up(base, works, records, error).await,
            Failure::Nothing(error) if error.may_be_of_one() && works.len() > 1 => {
                warn!(batches = works.len(), "a shared commit failed, each batch goes alone: {error}");
                for work in works {
                    Box::pin(self.write(vec![work.job])).await;
                }
            }
            Failure::Nothing(error) if error.is_violation() => {
                let refusal = internal(&format!("the database refused a batch that was checked: {error}"));
                // The snapshot is loaded again only if the database has another revision. Otherwise it would be the
                // same.
                if let Err(error) = feed::catch_up(&self.store, &self.newest).await {
                    error!("this process cannot get in step with the database: {error}");
                }
                works.into_iter().for_each(|work| work.job.reply(Err(refusal.clone())));
            }
            Failure::ChangeCapture(error) => {
                let refusal = internal(&format!("what a batch changed cannot be recorded: {error}"));
                works.into_iter().for_each(|work| work.job.reply(Err(refusal.clone())));
            }
            Failure::Nothing(error) => self.refuse(jobs_of(works), self.store.trouble(&error), &error),
            Failure::RunOvertaken => works.into_iter().for_each(|work| work.job.reply(Err(Refusal::RunOvertaken))),
            // The revision was held, so nobody can have written: the database was restored at this moment.
            Failure::Overtaken => self.refuse(jobs_of(works), Trouble::Unreachable, &"another history"),
        }
    }

    /// Determines whether a group was committed, which is true for all of it or for nothing.
    async fn look_up(&self, base: &Arc<Snapshot>, works: Vec<Work>, records: Records, error: StoreError) {
        warn!("a commit was not answered as it should be: {error}");
        let written = works.iter().find(|work| work.planned.as_ref().is_ok_and(Planned::changes_something));
        let id = match written.map(|work| work.job.batch.id) {
            Some(id) => Some(id),
            // What a run saw may not be stored, so its items must be sent again.
            None if works.iter().any(|work| work.run.is_some()) => None,
            None => return self.publish(base, works, records),
        };
        for (id, pause) in LOOKUPS.into_iter().filter_map(|pause| Some((id?, pause))) {
            tokio::time::sleep(jittered(pause)).await;
            match self.find_batch(id).await {
                Ok(true) => return self.publish(base, works, records),
                Ok(false) if self.store.is_shared() => {
                    return self.refuse(jobs_of(works), self.store.trouble(&error), &error);
                }
                // On SQLite the commit may be complete in the log, where the next process finds it if this one crashes
                // before it writes again.
                Ok(false) => break,
                Err(lookup) => warn!("the database does not tell whether a batch was committed: {lookup}"),
            }
        }
        let met = match self.store.trouble(&error) {
            Trouble::Slow | Trouble::Unreachable => "the database went away during the commit",
            trouble => trouble.clause(),
        };
        let refusal = Refusal::Unavailable(format!(
            "{met}, and it is not known whether the batch was written: look before repeating it, or repeat it with the \
             same requestId"
        ));
        for work in works {
            // An item that was refused before the commit was not part of it.
            let refusal = work.planned.err().unwrap_or_else(|| refusal.clone());
            work.job.reply(Err(refusal));
        }
    }

    async fn find_batch(&self, id: uuid::Uuid) -> Result<bool, StoreError> {
        let writing = self.noting(self.store.begin_write().await)?;
        // The lost connection may still be committing. The row is free when that has ended.
        writing.hold().await?;
        let found = writing.find_batch(id).await?.is_some();
        // A rollback that fails leaves nothing either, because its connection is closed.
        let _ = writing.roll_back().await;
        Ok(found)
    }

    /// Plans each batch on the snapshot with the earlier batches of the group.
    async fn plan_all(&self, base: Arc<Snapshot>, jobs: Vec<Job>) -> Result<Vec<Work>, ()> {
        let now = self.store.clock().now();
        let planned = tokio::task::spawn_blocking(move || {
            let mut value = Arc::clone(&base);
            let mut works = Vec::with_capacity(jobs.len());
            for job in jobs {
                let (planned, run) = match plan_one(&base, &value, &job.batch, now) {
                    Ok((planned, run)) => (Ok(planned), run),
                    Err(refusal) => (Err(refusal), None),
                };
                if let Ok(planned) = planned.as_ref().map_err(drop)
                    && planned.changes_something()
                {
                    value = Arc::clone(&planned.next);
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
            // A batch of a run is a group of its own.
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
            measured::write_failed(trouble);
        }
    }

    /// Records whether the database was written.
    fn noting_commit(&self, committed: Result<Records, Failure>) -> Result<Records, Failure> {
        match &committed {
            Ok(_) => self.store.wrote(),
            Err(Failure::Nothing(error) | Failure::Unknown(error, _)) => self.failed(error),
            Err(Failure::Overtaken | Failure::RunOvertaken | Failure::ChangeCapture(_)) => {}
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
    measured::committed(group.batches.len(), began);
    committed
}

/// Returns the answer to a batch of which nothing was written, because the database could not be written.
pub(super) fn unavailable(trouble: Trouble) -> Refusal {
    Refusal::Unavailable(format!("{}: nothing was written; {}", trouble.clause(), trouble.remedy()))
}

fn jobs_of(works: Vec<Work>) -> Vec<Job> {
    works.into_iter().map(|work| work.job).collect()
}

/// Adds up to half of a pause at random, so that replicas do not retry at the same moment.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(1.0 + rand::random::<f64>() / 2.0)
}

/// Plans a batch. A batch that makes the planner panic is refused alone, because it had only a copy of the snapshot.
fn plan_one(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<(Planned, Option<RunChanges>), Refusal> {
    let planned = || {
        let planned = plan_judged(committed, base, batch, now)?;
        let run = match &batch.origin {
            Origin::Run(attendant) => Some(attendant.record(base, batch, &planned)),
            Origin::Client | Origin::Server => None,
        };
        Ok((planned, run))
    };
    std::panic::catch_unwind(AssertUnwindSafe(planned))
        .unwrap_or_else(|panic| Err(internal(&format!("the planner panicked: {}", said(panic.as_ref())))))
}

/// Plans a batch. The run of the batch may complete its items, and demand that some fields stay as they are.
pub(super) fn plan_judged(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<Planned, Refusal> {
    let Origin::Run(attendant) = &batch.origin else { return plan_after(committed, base, batch, now) };
    let prepared = attendant.prepare(base, &batch.items).map(|items| Batch { items, ..batch.clone() });
    let batch = prepared.as_ref().unwrap_or(batch);
    let planned = plan_after(committed, base, batch, now)?;
    let leave = attendant.judge(base, batch, &planned);
    match leave.is_empty() {
        true => Ok(planned),
        false => plan_leaving(committed, base, batch, &leave, now),
    }
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
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
