//! The only place where this process writes. Batches wait in two queues, are planned on the current snapshot, and are
//! committed. Only then their result becomes the current snapshot.
//!
//! Waiting small batches share one commit, each with its own revision and its own success or refusal. Large batches are
//! committed alone. The two queues take turns. If another process wrote first, the plans are discarded and made again
//! on the new revision, the second time while nobody else can write.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tracing::error;

use super::batch::{Batch, SMALL_BATCH_ITEMS};
use super::batch_metrics::BatchTimer;
use super::change_capture::ChangeCapture;
use super::digest::digest;
use super::group::{Committer, unavailable};
use super::job::{Job, WriteAnswer, internal};
use super::planner::{plan_judged, prepared};
use crate::feed::CurrentSnapshot;
use crate::runtime::{block_in_place, offload};
use crate::store::{Clock, Store, Trouble};
use underlay_inventory::Refusal;

/// The maximum number of batches that wait in each queue.
const MAX_WAITING_BATCHES: usize = 1024;
/// The maximum size of all waiting and running requests, in bytes.
const MAX_WAITING_BYTES: usize = 256 * 1024 * 1024;
/// The maximum number of small batches that share a commit.
const MAX_SHARED_BATCHES: usize = 64;

/// Accepts batches for the sequencer.
#[derive(Clone, Debug)]
pub struct Writer {
    small: mpsc::Sender<Job>,
    bulk: mpsc::Sender<Job>,
    bytes: Arc<Semaphore>,
    current: CurrentSnapshot,
    /// The clock of the database, for the times in dry runs.
    clock: Clock,
}

impl Writer {
    /// Starts the sequencer of this process.
    pub fn start(store: Store, current: CurrentSnapshot) -> Self {
        let (small, small_lane) = mpsc::channel(MAX_WAITING_BATCHES);
        let (bulk, bulk_lane) = mpsc::channel(MAX_WAITING_BATCHES);
        let lanes = Lanes { small: small_lane, bulk: bulk_lane, bulk_next: false };
        let clock = store.clock().clone();
        tokio::spawn(run(lanes, Committer::new(store, current.clone())));
        Self { small, bulk, bytes: Arc::new(Semaphore::new(MAX_WAITING_BYTES)), current, clock }
    }

    /// Writes a batch. If the future is dropped before the batch is begun, the batch is withdrawn.
    ///
    /// # Errors
    /// Returns an error if the batch as a whole is refused. The errors of single items are in their outcomes.
    pub async fn write(&self, batch: Batch) -> Result<WriteAnswer, Refusal> {
        let measured = BatchTimer::begin(batch.size());
        let answer = self.write_in_turn(batch).await;
        measured.answered(&answer);
        answer
    }

    async fn write_in_turn(&self, batch: Batch) -> Result<WriteAnswer, Refusal> {
        batch.check()?;
        let unavailable = |what: &str| Refusal::Unavailable(format!("{what}: try again later"));
        let size = u32::try_from(batch.bytes.clamp(1, MAX_WAITING_BYTES)).unwrap_or(u32::MAX);
        let bytes = Arc::clone(&self.bytes).try_acquire_many_owned(size);
        let bytes = bytes.map_err(|_| unavailable("too many bytes are waiting to be written"))?;
        let lane = if batch.size() <= SMALL_BATCH_ITEMS { &self.small } else { &self.bulk };
        let (answer, answered) = oneshot::channel();
        let digest = batch.request_id.is_some().then(|| match batch.size() {
            0..=SMALL_BATCH_ITEMS => digest(&batch),
            _ => block_in_place(|| digest(&batch)),
        });
        let job = Job { batch, digest, answer, _bytes: bytes };
        lane.try_send(job).map_err(|_| unavailable("too many batches are waiting to be written"))?;
        answered.await.unwrap_or_else(|_| match lane.is_closed() {
            true => Err(unavailable("the server is stopping")),
            false => Err(internal(&"a batch was dropped without an answer")),
        })
    }

    /// Plans a batch on the current snapshot and writes nothing.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::write`].
    pub async fn dry_run(&self, batch: Batch) -> Result<WriteAnswer, Refusal> {
        let base = self.current.get();
        let planned_on = Arc::clone(&base);
        let now = self.clock.now();
        let planned = blocking(move || {
            let prepared = prepared(&planned_on, &batch);
            let batch = prepared.unwrap_or(batch);
            let planned = plan_judged(&planned_on, &planned_on, &batch, now)?;
            let changes = ChangeCapture::of(&planned_on, &planned, &batch.author).record();
            Ok::<_, Refusal>((planned, changes))
        });
        let (planned, changes) = planned.await??;
        Ok(WriteAnswer { revision: None, base, snapshot: planned.next, outcomes: planned.outcomes, changes })
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|panicked| internal(&panicked))
}

/// The queues of waiting batches.
struct Lanes {
    small: mpsc::Receiver<Job>,
    bulk: mpsc::Receiver<Job>,
    bulk_next: bool,
}

impl Lanes {
    /// Returns the next jobs, which share a commit; `None` when nobody can write any more.
    async fn next(&mut self) -> Option<Vec<Job>> {
        let first = self.first().await?;
        let small = first.batch.size() <= SMALL_BATCH_ITEMS;
        self.bulk_next = small;
        let mut jobs = vec![first];
        while small && jobs.len() < MAX_SHARED_BATCHES {
            match self.small.try_recv() {
                Ok(job) => jobs.push(job),
                Err(_) => break,
            }
        }
        jobs.retain(|job| !job.answer.is_closed());
        Some(jobs)
    }

    async fn first(&mut self) -> Option<Job> {
        match self.bulk_next {
            true => tokio::select! { biased; job = self.bulk.recv() => job, job = self.small.recv() => job },
            false => tokio::select! { biased; job = self.small.recv() => job, job = self.bulk.recv() => job },
        }
    }

    /// Refuses the waiting batches while the database is known to be unavailable.
    async fn refuse_while(&mut self, mut is_away: watch::Receiver<bool>) {
        while is_away.wait_for(|is_away| *is_away).await.is_ok() {
            tokio::select! {
                job = self.first() => match job {
                    Some(job) => job.reply(Err(unavailable(Trouble::Unreachable))),
                    None => break,
                },
                _ = is_away.wait_for(|is_away| !*is_away) => {}
            }
        }
        std::future::pending().await
    }
}

/// Writes batches until nobody can write any more.
async fn run(mut lanes: Lanes, committer: Committer) {
    while let Some(jobs) = lanes.next().await {
        for group in without_repeats(jobs) {
            // If a group fails in any way, the next one is still written. The callers of the failed group see that its
            // answer was dropped.
            let written = AssertUnwindSafe(write(&committer, group)).catch_unwind();
            let written = tokio::select! {
                written = written => written,
                () = lanes.refuse_while(committer.is_away()) => Ok(()),
            };
            if written.is_err() {
                error!("writing a group of batches panicked");
            }
        }
    }
}

async fn write(committer: &Committer, group: Vec<Job>) {
    match group.iter().map(|job| job.batch.size()).sum::<usize>() {
        0..=SMALL_BATCH_ITEMS => committer.write(group).await,
        // Building the statements and publishing takes milliseconds.
        _ => offload(committer.write(group)).await,
    }
}

/// Splits jobs into groups in which no request occurs twice, and a batch of a run or of a controller is alone. The
/// second occurrence of a request gets the answer of the first one.
fn without_repeats(jobs: Vec<Job>) -> Vec<Vec<Job>> {
    let mut groups = Vec::new();
    let mut group = Vec::new();
    let mut seen = HashSet::new();
    for job in jobs {
        if job.batch.origin.is_alone() {
            groups.push(std::mem::take(&mut group));
            groups.push(vec![job]);
            seen.clear();
            continue;
        }
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
