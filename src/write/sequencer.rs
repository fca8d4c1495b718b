//! The one place where this process writes: batches wait in two lanes, are planned on the newest value, committed,
//! and only then become the newest value.
//!
//! Small batches that wait share one commit, each with its own revision and its own success or refusal; large ones
//! go alone. The lanes take turns. When another process has written first, the plans are thrown away and made again
//! on what it left; the second time while nobody else can write.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{SubsecRound, TimeDelta, Utc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::{error, warn};
use underlay_entity::change;
use uuid::Uuid;

use super::batch::{Batch, Outcome, SMALL};
use super::commit;
use super::plan::{Planned, plan};
use crate::feed::{self, FollowError, Newest};
use crate::inventory::{Refusal, Snapshot};
use crate::store::{Store, StoreError, Writing};

/// How many batches may wait in each lane.
const MOST_WAITING: usize = 1024;
/// How many bytes of requests may wait or be worked on.
const MOST_BYTES: usize = 256 * 1024 * 1024;
/// How many small batches share a commit.
const MOST_SHARED: usize = 64;
/// For how long a repeated request is answered as the first time.
const REPEATABLE: TimeDelta = TimeDelta::days(1);
/// How often, and how long apart, the database is asked whether a batch was committed after its connection was lost.
const LOOKUPS: [Duration; 5] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
    Duration::from_millis(2000),
];

/// The answer to a batch.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The revision that it made; `None` when nothing was written.
    pub revision: Option<i64>,
    /// The value with the batch in it; for a dry run the value that it would make.
    pub snapshot: Arc<Snapshot>,
    /// What became of each item.
    pub outcomes: Vec<Outcome>,
    /// What it changed, or would change. Empty for a repeated request.
    pub changes: Arc<Vec<change::Model>>,
}

/// The way to write.
#[derive(Clone, Debug)]
pub struct Writer {
    small: mpsc::Sender<Job>,
    bulk: mpsc::Sender<Job>,
    bytes: Arc<Semaphore>,
    newest: Newest,
}

#[derive(Debug)]
struct Job {
    batch: Batch,
    answer: oneshot::Sender<Result<Answer, Refusal>>,
    _bytes: OwnedSemaphorePermit,
}

impl Writer {
    /// Starts the sequencer of this process.
    pub fn start(store: Store, newest: Newest) -> Self {
        let (small, small_lane) = mpsc::channel(MOST_WAITING);
        let (bulk, bulk_lane) = mpsc::channel(MOST_WAITING);
        let sequencer = Sequencer { store, newest: newest.clone(), small: small_lane, bulk: bulk_lane };
        tokio::spawn(sequencer.run());
        Self { small, bulk, bytes: Arc::new(Semaphore::new(MOST_BYTES)), newest }
    }

    /// Writes a batch. Dropping the future before the batch is begun takes it back.
    ///
    /// # Errors
    /// When the batch as a whole is refused. What is wrong with single items stands in their outcomes.
    pub async fn write(&self, batch: Batch) -> Result<Answer, Refusal> {
        let unavailable = |what: &str| Refusal::Unavailable(format!("{what}: try again later"));
        let size = u32::try_from(batch.bytes.clamp(1, MOST_BYTES)).unwrap_or(u32::MAX);
        let bytes = Arc::clone(&self.bytes).try_acquire_many_owned(size);
        let bytes = bytes.map_err(|_| unavailable("too many bytes are waiting to be written"))?;
        let lane = if batch.items.len() <= SMALL { &self.small } else { &self.bulk };
        let (answer, answered) = oneshot::channel();
        let job = Job { batch, answer, _bytes: bytes };
        lane.try_send(job).map_err(|_| unavailable("too many batches are waiting to be written"))?;
        answered.await.unwrap_or_else(|_| Err(unavailable("the server is stopping")))
    }

    /// Plans a batch on the newest value and writes nothing.
    ///
    /// # Errors
    /// As [`Writer::write`].
    pub async fn dry_run(&self, batch: Batch) -> Result<Answer, Refusal> {
        let base = self.newest.get();
        let planned = blocking(move || plan(&base, &batch, Utc::now().trunc_subsecs(6))).await??;
        Ok(Answer {
            revision: None,
            snapshot: Arc::new(planned.next),
            outcomes: planned.outcomes,
            changes: Arc::new(planned.changes),
        })
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|panicked| internal(&panicked))
}

/// Logs what happened and gives the error that says nothing of it.
fn internal(what: &dyn std::fmt::Display) -> Refusal {
    let id = Uuid::new_v4();
    error!(%id, "a write failed inside: {what}");
    Refusal::Internal(id)
}

struct Sequencer {
    store: Store,
    newest: Newest,
    small: mpsc::Receiver<Job>,
    bulk: mpsc::Receiver<Job>,
}

/// A job with its plan.
struct Work {
    job: Job,
    planned: Result<Planned, Refusal>,
}

impl Sequencer {
    async fn run(mut self) {
        let mut bulk_next = false;
        loop {
            let first = match bulk_next {
                true => tokio::select! { biased; job = self.bulk.recv() => job, job = self.small.recv() => job },
                false => tokio::select! { biased; job = self.small.recv() => job, job = self.bulk.recv() => job },
            };
            let Some(first) = first else { return };
            bulk_next = first.batch.items.len() <= SMALL;
            let jobs = self.share(first);
            for group in without_repeats(jobs) {
                self.write(group).await;
            }
        }
    }

    /// The jobs that share a commit with one: small ones that wait.
    fn share(&mut self, first: Job) -> Vec<Job> {
        let small = first.batch.items.len() <= SMALL;
        let mut jobs = vec![first];
        while small && jobs.len() < MOST_SHARED {
            match self.small.try_recv() {
                Ok(job) => jobs.push(job),
                Err(_) => break,
            }
        }
        jobs.retain(|job| !job.answer.is_closed());
        jobs
    }

    /// The answer that a request got the first time.
    async fn repeated(&self, batch: &Batch) -> Result<Option<Answer>, Refusal> {
        let Some(request_id) = &batch.request_id else { return Ok(None) };
        let since = Utc::now() - REPEATABLE;
        let found = self.store.find_request(request_id, &batch.author.actor, since).await;
        let Some(first) = found.map_err(|error| unavailable(&error))? else { return Ok(None) };
        let snapshot = self.newest.get();
        let outcomes =
            commit::recall(&snapshot, first.outcome.unwrap_or_default()).map_err(|error| internal(&error))?;
        Ok(Some(Answer { revision: Some(first.revision), snapshot, outcomes, changes: Arc::default() }))
    }

    async fn write(&self, jobs: Vec<Job>) {
        let mut fresh = Vec::with_capacity(jobs.len());
        for job in jobs {
            match self.repeated(&job.batch).await {
                Ok(None) => fresh.push(job),
                Ok(Some(answer)) => reply(job, Ok(answer)),
                Err(refusal) => reply(job, Err(refusal)),
            }
        }
        if !fresh.is_empty() {
            self.commit_group(fresh).await;
        }
    }

    /// Plans and commits jobs together; each alone when the database refuses the whole.
    async fn commit_group(&self, jobs: Vec<Job>) {
        let base = self.newest.get();
        let works = match plan_all(Arc::clone(&base), jobs).await {
            Ok(works) => works,
            Err(()) => return,
        };
        match self.commit(&base, &works).await {
            Ok(()) => self.publish(works),
            Err(StoreError::Overtaken(_)) => self.commit_held(works).await,
            Err(error) => self.recover(works, error).await,
        }
    }

    async fn commit(&self, base: &Snapshot, works: &[Work]) -> Result<(), StoreError> {
        let group = group_of(base, works);
        if group.batches.is_empty() {
            return Ok(());
        }
        let writing = self.store.begin_write().await?;
        match writing.write(&group).await {
            Ok(()) => writing.commit().await,
            Err(error) => {
                let _ = writing.roll_back().await;
                Err(error)
            }
        }
    }

    /// Plans again on what another process has left, while nobody else can write.
    async fn commit_held(&self, works: Vec<Work>) {
        let writing = match self.hold().await {
            Ok(writing) => writing,
            Err(error) => {
                let refusal = unavailable(&error);
                return works.into_iter().for_each(|work| reply(work.job, Err(refusal.clone())));
            }
        };
        let base = self.newest.get();
        let jobs = works.into_iter().map(|work| work.job).collect();
        let Ok(works) = plan_all(Arc::clone(&base), jobs).await else { return };
        let group = group_of(&base, &works);
        let written = match writing.write(&group).await {
            Ok(()) => writing.commit().await,
            Err(error) => {
                let _ = writing.roll_back().await;
                Err(error)
            }
        };
        match written {
            Ok(()) => self.publish(works),
            Err(error) => self.recover(works, error).await,
        }
    }

    /// Takes the revision and catches up with it.
    async fn hold(&self) -> Result<Writing, FollowError> {
        let writing = self.store.begin_write().await?;
        writing.hold().await?;
        let next = feed::catch_up(&self.store, &self.newest.get()).await?;
        self.newest.take_over(next);
        Ok(writing)
    }

    fn publish(&self, works: Vec<Work>) {
        let mut value = self.newest.get();
        let mut answers = Vec::with_capacity(works.len());
        for work in works {
            let answer = work.planned.map(|planned| {
                let wrote = planned.changes_something();
                if wrote {
                    value = Arc::new(planned.next);
                }
                Answer {
                    revision: wrote.then(|| value.revision()),
                    snapshot: Arc::clone(&value),
                    outcomes: planned.outcomes,
                    changes: Arc::new(planned.changes),
                }
            });
            answers.push((work.job, answer));
        }
        self.newest.advance(value);
        for (job, answer) in answers {
            reply(job, answer);
        }
    }

    /// After a database error: each batch of a group goes alone; one that was alone is looked up before it is
    /// answered, because a lost connection does not tell whether the commit came through.
    async fn recover(&self, mut works: Vec<Work>, error: StoreError) {
        if works.len() > 1 {
            warn!(batches = works.len(), "a shared commit failed, each batch goes alone: {error}");
            for work in works {
                Box::pin(self.commit_group(vec![work.job])).await;
            }
            return;
        }
        let Some(work) = works.pop() else { return };
        if error.is_violation() {
            let refusal = internal(&format!("the database refused a batch that was checked: {error}"));
            self.reload().await;
            return reply(work.job, Err(refusal));
        }
        warn!("a commit failed: {error}");
        for pause in LOOKUPS {
            tokio::time::sleep(jittered(pause)).await;
            match self.store.find_batch(work.job.batch.id).await {
                Ok(Some(_)) => {
                    self.reload().await;
                    return self.publish_found(work);
                }
                Ok(None) => return reply(work.job, Err(unavailable(&error))),
                Err(lookup) => warn!("the database does not tell whether a batch was committed: {lookup}"),
            }
        }
        reply(
            work.job,
            Err(Refusal::Unavailable(format!(
                "the database went away during the commit, and it is not known whether the batch was written: \
             look before repeating it, or repeat it with the same requestId ({error})"
            ))),
        );
    }

    fn publish_found(&self, work: Work) {
        let snapshot = self.newest.get();
        let answer = work.planned.map(|planned| Answer {
            revision: Some(planned.next.revision()),
            snapshot,
            outcomes: planned.outcomes,
            changes: Arc::new(planned.changes),
        });
        reply(work.job, answer);
    }

    async fn reload(&self) {
        match feed::load(&self.store, self.newest.get().registry()).await {
            Ok(value) => self.newest.replace(Arc::new(value)),
            Err(error) => error!("the inventory cannot be loaded afresh: {error}"),
        }
    }
}

/// Parts jobs into groups in which no request is twice: the second is answered by what the first one wrote.
fn without_repeats(jobs: Vec<Job>) -> Vec<Vec<Job>> {
    let mut groups = Vec::new();
    let mut group = Vec::new();
    let mut seen = HashSet::new();
    for job in jobs {
        let request = job.batch.request_id.clone().map(|id| (id, job.batch.author.actor.clone()));
        if let Some(request) = request
            && !seen.insert(request.clone())
        {
            groups.push(std::mem::take(&mut group));
            seen = HashSet::from([request]);
        }
        group.push(job);
    }
    groups.push(group);
    groups.retain(|group| !group.is_empty());
    groups
}

/// A pause with up to half of it added by chance, so that replicas do not knock together.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(1.0 + rand::random::<f64>() / 2.0)
}

fn unavailable(error: &dyn std::fmt::Display) -> Refusal {
    warn!("the database cannot be written: {error}");
    Refusal::Unavailable("the database cannot be reached: nothing was written, try again later".to_owned())
}

/// Plans each batch on the value with the ones before it.
async fn plan_all(base: Arc<Snapshot>, jobs: Vec<Job>) -> Result<Vec<Work>, ()> {
    let planned = blocking(move || {
        let mut value: Option<Snapshot> = None;
        let mut works = Vec::with_capacity(jobs.len());
        for job in jobs {
            let now = Utc::now().trunc_subsecs(6);
            let planned = plan(value.as_ref().unwrap_or(&base), &job.batch, now);
            if let Ok(planned) = planned.as_ref().map_err(drop)
                && planned.changes_something()
            {
                value = Some(planned.next.clone());
            }
            works.push(Work { job, planned });
        }
        works
    });
    // A planner that panicked took the jobs with it: their callers learn it from their closed channels.
    planned.await.map_err(|_| ())
}

fn group_of(base: &Snapshot, works: &[Work]) -> crate::store::Group {
    let planned = works.iter().filter_map(|work| Some((&work.job.batch, work.planned.as_ref().ok()?)));
    let planned: Vec<_> = planned.filter(|(_, planned)| planned.changes_something()).collect();
    commit::group(base, &planned)
}

fn reply(job: Job, answer: Result<Answer, Refusal>) {
    // A caller that left does not need the answer.
    let _ = job.answer.send(answer);
}
