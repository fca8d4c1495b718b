//! Planning and committing a group of batches, and what is answered when the database does not play along.
//!
//! Guarantees: a batch is answered as written only when it is, and as not written only when it never will be; where
//! that cannot be found out, the answer says so. A request that is repeated, here or at another process, is written
//! once.

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

use super::batch::Batch;
use super::change_capture::{ChangeCapture, Records, record_all};
use super::commit;
use super::measured;
use super::plan::{Planned, plan_after};
use super::sequencer::{Answer, Job, internal};
use crate::feed::{self, FollowError, Newest, Revised};
use crate::store::{Group, REPEATABLE_HOURS, Store, StoreError, Trouble, Writing};
use underlay_inventory::{Refusal, Snapshot};

/// For how long a repeated request is answered as the first time.
const REPEATABLE: TimeDelta = TimeDelta::hours(REPEATABLE_HOURS as i64);
/// Why a request is refused whose name was given to another one.
const OTHER_REQUEST: &str = "names another request that you made within the last day: a repeat must ask for the same, \
                             and every other request needs a name of its own";
/// How often, and how long apart, the database is asked whether a batch was committed after its connection was lost.
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
    /// Whether the database did not answer the last time.
    away: watch::Sender<bool>,
}

/// A job with its plan.
struct Work {
    job: Job,
    planned: Result<Planned, Refusal>,
}

/// Where it is looked up whether a request was written before.
enum Log<'a> {
    /// As of now: another process may write it at this moment.
    Outside(&'a Store),
    /// While nobody else can write.
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

/// Why a group was not committed.
enum Failure {
    /// Another process has written first.
    Overtaken,
    /// Nothing was written, for this reason.
    Nothing(StoreError),
    /// Nothing was written, because the records could not be made.
    ChangeCapture(JoinError),
    /// The commit was sent, and its answer did not come. With the records in it.
    Unknown(StoreError, Records),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Overtaken(_) => Self::Overtaken,
            error => Self::Nothing(error),
        }
    }
}

impl Committer {
    pub fn new(store: Store, newest: Newest) -> Self {
        Self { store, newest, away: watch::Sender::new(false) }
    }

    /// Whether the database is known to be away, as it changes.
    pub fn is_away(&self) -> watch::Receiver<bool> {
        self.away.subscribe()
    }

    /// The time before which requests are forgotten, by the database's clock.
    fn forgotten(&self) -> DateTime<Utc> {
        self.store.clock().now() - REPEATABLE
    }

    /// Plans and commits jobs together; each alone when the database refuses the whole.
    pub async fn write(&self, jobs: Vec<Job>) {
        // The value first: a repeat that is not found after this was written later than the value, which then cannot
        // be committed on.
        let base = self.newest.get();
        let fresh = self.without_repeats(jobs, &Log::Outside(&self.store)).await;
        let Ok(works) = self.plan_all(Arc::clone(&base), fresh).await else { return };
        match self.commit(&base, &works).await {
            Ok(records) => self.publish(&base, works, records),
            Err(Failure::Overtaken) => self.write_held(jobs_of(works)).await,
            Err(failure) => self.recover(&base, works, failure).await,
        }
    }

    /// Plans again on what another process has left, while nobody else can write.
    async fn write_held(&self, jobs: Vec<Job>) {
        let (writing, base) = match self.hold().await {
            Ok(held) => held,
            Err(FollowError::Store(error)) => {
                self.failed(&error);
                return self.refuse(jobs, self.store.trouble(&error), &error);
            }
            Err(error) => return self.refuse(jobs, Trouble::Unreachable, &error),
        };
        // What overtook them may have been the same requests, at another process.
        let fresh = self.without_repeats(jobs, &Log::Inside(&writing)).await;
        let Ok(works) = self.plan_all(Arc::clone(&base), fresh).await else { return };
        let group = self.group_of(&base, &works);
        let written = match group.is_empty() {
            true => {
                // One that fails leaves nothing, like one that does not; its connection is closed.
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

    /// The jobs that were not written before; the others are answered as the first time.
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
                    let refusal = Refusal::Invalid { field: "requestId".to_owned(), reason: OTHER_REQUEST.to_owned() };
                    job.reply(Err(refusal));
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

    /// Sees that nobody has written since a value: an answer that writes nothing must not rest on an old one.
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

    /// Takes the revision and catches up with it.
    async fn hold(&self) -> Result<(Writing, Arc<Snapshot>), FollowError> {
        // Most of it before anybody has to wait for us.
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
            // Only the objects in the answer are older for it.
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

    /// After a database error: what was not written is refused, each batch of a group goes alone where one of them
    /// is to blame, and what may have been written is looked up.
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
                // The value is loaded afresh only if the database is not at its revision: else it would be the same one.
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
            // It was held, so nobody can have: the database was restored at this very moment.
            Failure::Overtaken => self.refuse(jobs_of(works), Trouble::Unreachable, &"another history"),
        }
    }

    /// Finds out whether a group was committed. All of it was, or nothing.
    async fn look_up(&self, base: &Arc<Snapshot>, works: Vec<Work>, records: Records, error: StoreError) {
        warn!("a commit was not answered as it should be: {error}");
        let written = works.iter().find(|work| work.planned.as_ref().is_ok_and(Planned::changes_something));
        let Some(id) = written.map(|work| work.job.batch.id) else {
            return self.publish(base, works, records);
        };
        for pause in LOOKUPS {
            tokio::time::sleep(jittered(pause)).await;
            match self.find_batch(id).await {
                Ok(true) => return self.publish(base, works, records),
                Ok(false) if self.store.is_shared() => {
                    return self.refuse(jobs_of(works), self.store.trouble(&error), &error);
                }
                // It is complete in the log of SQLite, perhaps, where the next process finds it if this one crashes before
                // it writes again.
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
            // What was refused before the commit was not in it.
            let refusal = work.planned.err().unwrap_or_else(|| refusal.clone());
            work.job.reply(Err(refusal));
        }
    }

    async fn find_batch(&self, id: uuid::Uuid) -> Result<bool, StoreError> {
        let writing = self.noting(self.store.begin_write().await)?;
        // The connection that was lost may still be committing: the row is free when it has ended.
        writing.hold().await?;
        let found = writing.find_batch(id).await?.is_some();
        // One that fails leaves nothing, like one that does not; its connection is closed.
        let _ = writing.roll_back().await;
        Ok(found)
    }

    /// Plans each batch on the value with the ones before it.
    async fn plan_all(&self, base: Arc<Snapshot>, jobs: Vec<Job>) -> Result<Vec<Work>, ()> {
        let now = self.store.clock().now();
        let planned = tokio::task::spawn_blocking(move || {
            let mut value = Arc::clone(&base);
            let mut works = Vec::with_capacity(jobs.len());
            for job in jobs {
                let planned = plan_one(&base, &value, &job.batch, now);
                if let Ok(planned) = planned.as_ref().map_err(drop)
                    && planned.changes_something()
                {
                    value = Arc::clone(&planned.next);
                }
                works.push(Work { job, planned });
            }
            works
        });
        // It fails only when the runtime stops: callers learn it from their closed channels.
        planned.await.map_err(drop)
    }

    /// What the batches of a group, and the requests that they answer, leave in the database.
    fn group_of(&self, base: &Snapshot, works: &[Work]) -> Group {
        let planned = works.iter().filter_map(|work| Some((&work.job, work.planned.as_ref().ok()?)));
        let planned: Vec<_> = planned.collect();
        let answered = self.store.clock().now();
        let requests = planned.iter().filter_map(|(job, planned)| commit::request(job, planned, answered));
        let changed: Vec<_> = planned.iter().filter(|(_, planned)| planned.changes_something()).collect();
        let changed: Vec<_> = changed.into_iter().map(|(job, planned)| (&job.batch, *planned)).collect();
        Group {
            requests: requests.collect(),
            forgotten: self.forgotten(),
            ..commit::group(&self.store, base, &changed)
        }
    }

    /// Notes whether the database answered, and whether it can be written.
    fn noting<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        self.away.send_replace(result.as_ref().is_err_and(|error| !error.is_answer()));
        if let Err(error) = &result {
            self.failed(error);
        }
        result
    }

    /// Notes an error of an attempt to write.
    fn failed(&self, error: &StoreError) {
        if let Some(trouble) = self.store.failed_to_write(error) {
            measured::write_failed(trouble);
        }
    }

    /// Notes whether the database was written.
    fn noting_commit(&self, committed: Result<Records, Failure>) -> Result<Records, Failure> {
        match &committed {
            Ok(_) => self.store.wrote(),
            Err(Failure::Nothing(error) | Failure::Unknown(error, _)) => self.failed(error),
            Err(Failure::Overtaken | Failure::ChangeCapture(_)) => {}
        }
        committed
    }

    /// Refuses jobs of which nothing was written.
    fn refuse(&self, jobs: Vec<Job>, trouble: Trouble, error: &dyn std::fmt::Display) {
        warn!(batches = jobs.len(), "the database cannot be written: {error}");
        jobs.into_iter().for_each(|job| job.reply(Err(unavailable(trouble))));
    }
}

/// Commits a group. The records of what it changed are made while its rows are on their way.
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
            // Deferred constraints are looked at in the commit.
            Err(error) if error.leaves_nothing() => Err(Failure::Nothing(error)),
            Err(error) => Err(Failure::Unknown(error, records)),
        },
        Err(failure) => {
            if !matches!(&failure, Failure::Nothing(error) if !error.is_answer()) {
                // Otherwise nobody is there to hear it, and the connection is closed.
                let _ = writing.roll_back().await;
            }
            Err(failure)
        }
    };
    measured::committed(group.batches.len(), began);
    committed
}

/// The answer to a batch of which nothing was written, because the database could not be.
pub(super) fn unavailable(trouble: Trouble) -> Refusal {
    Refusal::Unavailable(format!("{}: nothing was written; {}", trouble.clause(), trouble.remedy()))
}

fn jobs_of(works: Vec<Work>) -> Vec<Job> {
    works.into_iter().map(|work| work.job).collect()
}

/// A pause with up to half of it added by chance, so that replicas do not knock together.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(1.0 + rand::random::<f64>() / 2.0)
}

/// Plans a batch. One that makes the planner panic is refused alone; it had only a fork of the value.
fn plan_one(committed: &Snapshot, base: &Snapshot, batch: &Batch, now: DateTime<Utc>) -> Result<Planned, Refusal> {
    std::panic::catch_unwind(AssertUnwindSafe(|| plan_after(committed, base, batch, now)))
        .unwrap_or_else(|panic| Err(internal(&format!("the planner panicked: {}", said(panic.as_ref())))))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}

/// What the batches of a group change, each on the value with the ones before it.
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
