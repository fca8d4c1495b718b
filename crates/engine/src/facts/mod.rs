//! The facts of hosts: what their agents last said of their hardware. They make no revision, and are in no snapshot.
//!
//! Guarantees: facts are durable before their report is accepted. Reports that come close together share a commit, and a
//! report that nothing changed makes no statement of its own: the times of all of these are written together. The memory
//! of the reports that wait is bounded, and so is the number of changed reports of a host. What changed between two
//! reports is an event, which is stored with them, and so are the stays of parts in hosts (`stays`). Facts
//! inform: nothing here writes to the inventory.

mod conditions;
mod enrolment;
mod error;
mod events;
pub mod facts_metrics;
mod latest;
mod pace;
mod packed;
mod recent;
mod stays;
mod summaries;
mod tokens;
mod writer;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use foldhash::{HashMap, HashSet};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use underlay_entity::facts::{FactsOrigin, Model};
use underlay_entity::hardware_event;
use underlay_facts::{AgentProgram, Alarms, Outcome, Report, Unchanged};
use uuid::Uuid;

pub use enrolment::{EnrolmentToken, IssuedEnrolmentToken, OwnToken};
pub use error::{EnrolmentRefusal, EventsError, FactsError, TokenRefusal};
pub use events::kind_of_part;
pub use latest::LatestReport;
pub use summaries::HostSummary;
pub use tokens::{AgentToken, IssuedToken};
pub use writer::FactsWriter;

use self::events::Noise;
use self::latest::Key;
use self::pace::Pace;
use self::recent::RecentEvents;
use self::summaries::SharedSummaries;
use self::tokens::Tokens;
use self::writer::{MAX_WAITING, MAX_WAITING_KIB, WaitingReport};
use crate::feed::Followed;
use crate::runtime::run_in_background;
use crate::store::{FactsStore, HardwareEventSelection, PartQuery, ReportedFacts, Store, StoreError, TracedPart};

/// The greatest number of reports that are being read at a time.
const MAX_READING: usize = 64;

/// The greatest number of stored reports that are unpacked within a time slice.
const MAX_READ_AT_ONCE: usize = 4;

/// The times of facts.
#[derive(Clone, Copy, Debug)]
pub struct FactsTimes {
    /// The time between two reports of an agent.
    pub period: Duration,
    /// The time for which a report waits for others that share its commit.
    pub gathering: Duration,
    /// The time between two writes of the reports that changed nothing.
    pub hearing: Duration,
    /// The time between two looks at which facts belong into the inventory.
    pub recording: Duration,
}

impl Default for FactsTimes {
    fn default() -> Self {
        Self {
            period: Duration::from_secs(300),
            gathering: Duration::from_millis(250),
            hearing: Duration::from_secs(10),
            recording: Duration::from_secs(10),
        }
    }
}

/// The facts of all hosts, and the tokens of their agents. Cloning is cheap; clones share their content.
#[derive(Clone, Debug)]
pub struct Facts(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: FactsStore,
    /// The database with the tokens.
    inventory: Store,
    times: FactsTimes,
    latest: RwLock<Followed<Key, LatestReport>>,
    tokens: RwLock<Tokens>,
    /// The keys of the reports that changed nothing since their times were written last.
    heard: Mutex<HashSet<Key>>,
    /// Those of them that confirm that parts are gone, with the digests of their facts.
    confirmed: Mutex<HashMap<Key, String>>,
    noise: Noise,
    recent: RecentEvents,
    summaries: SharedSummaries,
    /// The number of times that facts of this process changed.
    generation: AtomicU64,
    pace: Mutex<Pace>,
    queue: mpsc::Sender<WaitingReport>,
    /// The KiB that may wait in the queue.
    room: Arc<Semaphore>,
    /// The places for bodies that are being read.
    places: Arc<Semaphore>,
    /// The time since which this process can receive reports.
    since: DateTime<Utc>,
}

impl Facts {
    /// Loads what was last reported. Reports are accepted while the writer runs.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn load(
        store: FactsStore,
        inventory: Store,
        times: FactsTimes,
    ) -> Result<(Self, FactsWriter), StoreError> {
        let (queue, waiting) = mpsc::channel(MAX_WAITING);
        let facts = Self(Arc::new(Shared {
            store,
            inventory,
            times,
            latest: RwLock::default(),
            tokens: RwLock::default(),
            heard: Mutex::default(),
            confirmed: Mutex::default(),
            noise: Noise::default(),
            recent: RecentEvents::default(),
            summaries: SharedSummaries::default(),
            generation: AtomicU64::default(),
            pace: Mutex::new(Pace::new(times.period)),
            queue,
            room: Arc::new(Semaphore::new(MAX_WAITING_KIB)),
            places: Arc::new(Semaphore::new(MAX_READING)),
            since: Utc::now(),
        }));
        facts.begin_events().await?;
        facts.refresh().await?;
        let writer = FactsWriter::new(facts.clone(), waiting);
        Ok((facts, writer))
    }

    /// Returns the time between two reports that agents are asked for.
    pub fn period(&self) -> Duration {
        self.0.times.period
    }

    /// Returns the time between two looks at which facts belong into the inventory.
    pub fn recording(&self) -> Duration {
        self.0.times.recording
    }

    /// Returns what is known of the last report of a host by this origin, without the facts.
    pub fn latest(&self, host: Uuid, origin: FactsOrigin) -> Option<LatestReport> {
        self.0.latest.read().unwrap_or_else(PoisonError::into_inner).get(&(host, origin)).cloned()
    }

    /// Returns a place to read a report in, which is free again when it is dropped.
    ///
    /// # Errors
    /// Returns an error if as many reports are being read as are allowed.
    pub fn place_to_read(&self) -> Result<OwnedSemaphorePermit, FactsError> {
        let place = Arc::clone(&self.0.places).try_acquire_owned();
        place.map_err(|_| FactsError::Busy { retry_after: self.spread() })
    }

    /// Accepts a report about a host. Facts that are those of the last report are not stored again.
    ///
    /// # Errors
    /// Returns an error if the host or all of them report too much, or if the facts cannot be stored.
    pub async fn accept(&self, host: Uuid, origin: FactsOrigin, report: &Report) -> Result<Outcome, FactsError> {
        let accepted = self.accept_report((host, origin), report).await;
        facts_metrics::reported(&accepted);
        accepted
    }

    async fn accept_report(&self, key: Key, report: &Report) -> Result<Outcome, FactsError> {
        let (host, origin) = key;
        let digest = report.digest()?;
        if self.note_unchanged(key, &digest, &report.agent, report.observed_at) {
            return Ok(Outcome::Unchanged);
        }
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner).admit(host)?;

        let body = packed::pack(report)?;
        let busy = || FactsError::Busy { retry_after: self.spread() };
        let kib = u32::try_from(body.len().div_ceil(1_024)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.0.room).try_acquire_many_owned(kib).map_err(|_| busy())?;
        let now = Utc::now();
        // Another version of the agent can report the same facts.
        let since = self.latest(host, origin).filter(|it| it.digest == digest).map_or(now, |it| it.since);
        let Alarms { disk_failing, memory_errors } = Alarms::of(&report.sections);
        let row = Model {
            disk_failing,
            memory_errors,
            host_id: host,
            origin: origin.number(),
            digest,
            program: report.agent.version.clone(),
            observed_at: report.observed_at,
            received_at: now,
            since,
            // The writer sets these.
            summary: None,
            pending: false,
            written_at: now,
        };
        let (done, stored) = oneshot::channel();
        let waiting = WaitingReport { facts: ReportedFacts { row, body, missing: None }, done, room };
        self.0.queue.try_send(waiting).map_err(|_| busy())?;
        match stored.await {
            Ok(Ok(())) => Ok(Outcome::Stored),
            Ok(Err(())) | Err(_) => Err(FactsError::NotStored),
        }
    }

    /// Notes that the facts of a host are those of the last report. An agent whose facts are not known here has to send
    /// all of them.
    pub fn hear(&self, host: Uuid, origin: FactsOrigin, message: &Unchanged) -> Outcome {
        let known = self.note_unchanged((host, origin), &message.digest, &message.agent, message.observed_at);
        let outcome = if known { Outcome::Unchanged } else { Outcome::SendAll };
        facts_metrics::reported(&Ok(outcome));
        outcome
    }

    /// Notes the time of a report if the facts of its digest are the stored ones, by the same program. Returns true if they
    /// are.
    fn note_unchanged(&self, key: Key, digest: &str, agent: &AgentProgram, observed_at: DateTime<Utc>) -> bool {
        {
            let mut latest = self.0.latest.write().unwrap_or_else(PoisonError::into_inner);
            // A row that an older version wrote has no summary: it takes all facts to make one.
            let is_same =
                |it: &&mut LatestReport| it.digest == digest && it.program == agent.version && it.summary.is_some();
            let Some(known) = latest.get_mut(&key).filter(is_same) else { return false };
            known.observed_at = observed_at;
            known.received_at = Utc::now();
            if known.pending && key.1.reads_anew() {
                self.0.confirmed.lock().unwrap_or_else(PoisonError::into_inner).insert(key, digest.to_owned());
            }
        }
        self.0.heard.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        true
    }

    /// Returns the facts of these hosts, of all origins, each with what is known of its report.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn reports(&self, hosts: &[Uuid]) -> Result<Vec<(Uuid, FactsOrigin, LatestReport, Report)>, StoreError> {
        let found = self.0.store.bodies(hosts).await?;
        let read = || found.iter().filter_map(|it| self.read(&it.row, &it.body)).collect();
        // Unpacking many reports takes longer than a time slice.
        Ok(if found.len() <= MAX_READ_AT_ONCE { read() } else { run_in_background(read) })
    }

    /// Returns at most `most` of the selected events before a position, the newest first.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn events(
        &self,
        selection: &HardwareEventSelection,
        before: Option<i64>,
        most: u64,
    ) -> Result<Vec<hardware_event::Model>, StoreError> {
        self.0.store.events(selection, before, most).await
    }

    /// Returns at most `most` parts after an id, in the order of their ids.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn parts(&self, query: &PartQuery, after: Option<i64>, most: u64) -> Result<Vec<TracedPart>, StoreError> {
        self.0.store.parts(query, after, most).await
    }

    /// Returns the parts that are in these hosts, each with the host.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn parts_of(&self, hosts: &[Uuid]) -> Result<Vec<(Uuid, TracedPart)>, StoreError> {
        self.0.store.parts_of(hosts).await
    }

    /// Reads stored facts.
    fn read(&self, row: &Model, body: &[u8]) -> Option<(Uuid, FactsOrigin, LatestReport, Report)> {
        let origin = FactsOrigin::of(row.origin)?;
        // Another program wrote it, or the disk lost data: the rest can be read nevertheless.
        let report = packed::unpack(body)
            .inspect_err(|error| tracing::warn!(host = %row.host_id, "stored facts cannot be read: {error}"))
            .ok()?;
        let stored = LatestReport::of(row.clone(), &self.0.summaries);
        let latest = self.latest(row.host_id, origin).filter(|it| it.digest == stored.digest).unwrap_or(stored);
        Some((row.host_id, origin, latest, report))
    }

    /// Returns a time after which one of many agents can try again: they are spread over a period.
    fn spread(&self) -> Duration {
        let second = Duration::from_secs(1);
        second + self.period().mul_f64(rand::random::<f64>())
    }
}
