//! Writes the items of a run in batches, and tries again what the server refuses for the sake of others.
//!
//! Guarantee: the server has at most one batch of a run at a time, in the order of the items. The next batch is read
//! and prepared meanwhile.

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::error::SyncError;
use super::item::ExternalId;
use super::messages::{BatchMode, ItemOutcome, ItemStatus, RunReport};
use super::prepared::{Digest, Prepared};
use super::reporter::Reporter;
use super::server::Server;
use super::state::State;
use super::tally::Tally;
use super::unnamed::Unnamed;

/// The maximum number of items of a batch.
pub const BATCH_ITEMS: usize = 1_000;
/// The maximum number of bytes of a batch.
const BATCH_BYTES: usize = 4 << 20;
/// The maximum number of identities in a report.
pub const REPORT_IDS: usize = 10_000;
/// The maximum number of refused items that are kept, and of their bytes. The server takes as many in one batch.
const REFUSED_ITEMS: usize = 10_000;
const REFUSED_BYTES: usize = 24 << 20;
/// The maximum number of refusals whose reasons are kept for people.
const MAX_KEPT_REASONS: usize = 100;
/// The maximum number of things whose refusal is remembered after the run.
const MAX_GIVEN_UP: usize = 1_000;
/// The number of times that refused items are tried again.
const MAX_RETRY_ROUNDS: usize = 5;
/// The codes of refusals that can pass when other items are written or removed.
const MAY_PASS: [&str; 5] = ["OVERLAP", "DUPLICATE", "IN_USE", "NOT_FOUND", INCOMPATIBLE];
/// The code of an item that does not fit what the server has of others: such as a rack that moves to another site, as
/// long as its devices are at the old one.
const INCOMPATIBLE: &str = "INCOMPATIBLE";
/// The reason of a skipped field that waits for an operator.
const HELD: &str = "HELD";

/// Items that wait to be sent.
#[derive(Debug, Default)]
pub struct Batch {
    /// The items.
    pub items: Vec<Prepared>,
    bytes: usize,
}

impl Batch {
    /// Adds an item.
    pub fn push(&mut self, item: Prepared) {
        self.bytes += item.json.len();
        self.items.push(item);
    }

    /// Returns true if the batch has as many items, or as many bytes.
    pub fn has(&self, items: usize, bytes: usize) -> bool {
        self.items.len() >= items || self.bytes >= bytes
    }
}

/// A batch that the server answered.
#[derive(Debug)]
struct Answered {
    items: Vec<Prepared>,
    outcomes: Vec<ItemOutcome>,
}

/// Writes the items of one run.
#[derive(Debug)]
pub struct Writer<'a> {
    server: &'a Server,
    run: &'a str,
    state: &'a mut State,
    /// The counts of the run.
    pub tally: Tally,
    reporter: Reporter<'a>,
    changed: Batch,
    /// The batch that the server has, if any. It is given up when the writer is dropped.
    sent: JoinSet<Result<Answered, SyncError>>,
    refused: Batch,
    /// True if one of the refused items does not fit others, so that they may pass together.
    belong_together: bool,
    /// The items that failed for good, with the reason.
    reasons: Vec<String>,
    /// Objects that the source still has, although they could not be written.
    still_there: Vec<ExternalId>,
    /// The first things that were refused to the end, and that may pass when others are gone.
    given_up: Vec<ExternalId>,
}

impl<'a> Writer<'a> {
    /// Returns the writer of a run.
    pub fn new(server: &'a Server, run: &'a str, state: &'a mut State) -> Self {
        let (tally, changed, refused) = Default::default();
        let (sent, reasons, still_there) = (JoinSet::new(), Vec::new(), Vec::new());
        let reporter = Reporter::new(server, run);
        let (belong_together, given_up) = (false, Vec::new());
        Self {
            server,
            run,
            state,
            tally,
            reporter,
            changed,
            sent,
            refused,
            belong_together,
            reasons,
            still_there,
            given_up,
        }
    }

    /// The things of which it is not known what the inventory has of them.
    pub const fn unnamed(&mut self) -> &mut Unnamed {
        &mut self.reporter.unnamed
    }

    /// Returns the time at which the last call of the run was made.
    pub const fn called_at(&self) -> Instant {
        self.reporter.called_at
    }

    /// Takes the reasons why items failed for good.
    pub fn take_reasons(&mut self) -> Vec<String> {
        std::mem::take(&mut self.reasons)
    }

    /// Takes the first things that were refused to the end, and that may pass when others are gone.
    pub fn take_given_up(&mut self) -> Vec<ExternalId> {
        std::mem::take(&mut self.given_up)
    }

    /// Forgets a refused item, because a newer one was read.
    pub fn forget_refused(&mut self, key: &Digest) {
        self.refused.items.retain(|item| item.key != *key);
    }

    /// Counts an item that failed for good.
    fn fail(&mut self, item: &Prepared, outcome: Option<&ItemOutcome>) {
        self.tally.failed += 1;
        if self.reasons.len() < MAX_KEPT_REASONS {
            let reason = outcome.and_then(|outcome| outcome.error.as_ref()).map(|error| error.message.as_str());
            self.reasons.push(format!(
                "{}: {}",
                item.id,
                reason.unwrap_or("it was refused for the sake of other items")
            ));
        }
    }

    /// The state of the source.
    pub const fn state(&mut self) -> &mut State {
        self.state
    }

    /// Sends a report of the run. Returns the identities that the server wants whole.
    ///
    /// # Errors
    /// Returns an error if the server does not take it.
    pub async fn report(&mut self, report: &RunReport) -> Result<Vec<ExternalId>, SyncError> {
        self.reporter.report(report).await
    }

    /// Adds an item to be written, and sends a batch when there are enough.
    ///
    /// # Errors
    /// Returns an error if the server does not take this batch or the one before.
    pub async fn write(&mut self, item: Prepared) -> Result<(), SyncError> {
        self.changed.push(item);
        if self.changed.has(BATCH_ITEMS, BATCH_BYTES) { self.send().await } else { Ok(()) }
    }

    /// Writes what waits, and returns when the server has answered.
    ///
    /// # Errors
    /// Returns an error if the server does not take a batch.
    pub async fn flush(&mut self) -> Result<(), SyncError> {
        self.send().await?;
        self.conclude_sent().await
    }

    /// Sends what waits, as soon as the server has answered the batch before.
    async fn send(&mut self) -> Result<(), SyncError> {
        self.conclude_sent().await?;
        let batch = std::mem::take(&mut self.changed).items;
        if batch.is_empty() {
            return Ok(());
        }
        self.touch(&batch)?;
        let (server, run) = (self.server.clone(), self.run.to_owned());
        self.reporter.called_at = Instant::now();
        self.sent.spawn(async move {
            let outcomes = server.apply(&run, BatchMode::PerItem, &batch).await?;
            Ok(Answered { items: batch, outcomes })
        });
        Ok(())
    }

    /// Waits for the answer to the batch that was sent, if there is one, and counts its outcomes.
    async fn conclude_sent(&mut self) -> Result<(), SyncError> {
        let Some(ended) = self.sent.join_next().await else { return Ok(()) };
        let Answered { items, outcomes } =
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
        for (item, outcome) in items.into_iter().zip(outcomes) {
            self.conclude(item, &outcome);
        }
        if self.still_there.len() >= REPORT_IDS { self.name_still_there().await } else { Ok(()) }
    }

    /// Notes that the source still has an object that it cannot write.
    ///
    /// # Errors
    /// Returns an error if the server does not take the report.
    pub async fn still_there(&mut self, id: ExternalId) -> Result<(), SyncError> {
        self.still_there.push(id);
        if self.still_there.len() >= REPORT_IDS { self.name_still_there().await } else { Ok(()) }
    }

    /// Names what cannot be written as seen, so that nothing of it counts as gone.
    ///
    /// # Errors
    /// Returns an error if the server does not take the report.
    pub async fn name_still_there(&mut self) -> Result<(), SyncError> {
        while !self.still_there.is_empty() {
            // The last batch can have brought more than the server takes in one report.
            let rest = self.still_there.split_off(self.still_there.len().min(REPORT_IDS));
            let mut report = RunReport::default();
            for ExternalId { kind, id } in std::mem::replace(&mut self.still_there, rest) {
                report.seen.entry(kind).or_default().push(id);
            }
            // Of these, the server has others than the source, or none: it would want all of them again.
            self.report(&report).await?;
        }
        Ok(())
    }

    /// Tries again, each by itself, what was refused, as long as that helps. Then tries together what does not fit
    /// without others: when the server judges what is gone, a place that is gone must be empty.
    ///
    /// # Errors
    /// Returns an error if the server does not take a batch.
    pub async fn retry_each(&mut self) -> Result<(), SyncError> {
        for _ in 0..MAX_RETRY_ROUNDS {
            let refused = std::mem::take(&mut self.refused).items;
            let before = refused.len();
            self.belong_together = false;
            for item in refused {
                self.write(item).await?;
            }
            self.flush().await?;
            if self.refused.items.is_empty() || self.refused.items.len() == before {
                break;
            }
        }
        if self.belong_together {
            for (item, _) in self.write_together().await? {
                self.refused.push(item);
            }
        }
        Ok(())
    }

    /// Tries again, all together, what is still refused: such as two devices that swap their places. What is refused
    /// even then has failed.
    ///
    /// # Errors
    /// Returns an error if the server does not take a batch.
    pub async fn retry_together(&mut self) -> Result<(), SyncError> {
        for (item, outcome) in self.write_together().await? {
            self.fail(&item, outcome.as_ref());
            if self.given_up.len() < MAX_GIVEN_UP {
                self.given_up.push(item.id);
            }
        }
        Ok(())
    }

    /// Writes what is refused as one batch. Takes out what is refused in it, and tries the rest again. Returns what was
    /// not written, each item with its refusal if it has one of its own.
    async fn write_together(&mut self) -> Result<Vec<(Prepared, Option<ItemOutcome>)>, SyncError> {
        let mut items = std::mem::take(&mut self.refused).items;
        let mut left = Vec::new();
        for _ in 0..MAX_RETRY_ROUNDS {
            if items.is_empty() {
                return Ok(left);
            }
            self.touch(&items)?;
            self.reporter.called_at = Instant::now();
            let outcomes = self.server.apply(self.run, BatchMode::Atomic, &items).await?;
            let accepted = |outcome: &ItemOutcome| outcome.status != ItemStatus::Failed;
            if outcomes.iter().all(accepted) {
                for (item, outcome) in items.drain(..).zip(&outcomes) {
                    self.conclude(item, outcome);
                }
                return Ok(left);
            }
            let mut rest = Vec::with_capacity(items.len());
            for (item, outcome) in items.into_iter().zip(outcomes) {
                if accepted(&outcome) { rest.push(item) } else { left.push((item, Some(outcome))) }
            }
            items = rest;
        }
        left.extend(items.into_iter().map(|item| (item, None)));
        Ok(left)
    }

    /// Counts as failed what is still refused.
    pub fn give_up_refused(&mut self) {
        std::mem::take(&mut self.refused).items.iter().for_each(|item| self.fail(item, None));
    }

    fn touch(&mut self, items: &[Prepared]) -> Result<(), SyncError> {
        let keys: Vec<Digest> = items.iter().map(|item| item.key).collect();
        Ok(self.state.touch(&keys)?)
    }

    fn conclude(&mut self, item: Prepared, outcome: &ItemOutcome) {
        match outcome.status {
            ItemStatus::Created => self.tally.created += 1,
            ItemStatus::Updated => self.tally.updated += 1,
            ItemStatus::Unchanged | ItemStatus::Deleted => self.tally.unchanged += 1,
            // Only a batch of which everything was accepted is concluded.
            ItemStatus::Failed | ItemStatus::NotWritten => return self.refuse(item, outcome),
        }
        // A field that the guard holds must be sent in every run, until somebody decides.
        let held = outcome.skipped.iter().any(|skipped| skipped.reason.as_deref() == Some(HELD));
        if !held {
            self.state.applied(item.key, item.content);
        }
    }

    fn refuse(&mut self, item: Prepared, outcome: &ItemOutcome) {
        self.still_there.push(item.id.clone());
        let code = outcome.error.as_ref().map(|error| error.code.as_str());
        let may_pass = code.is_some_and(|code| MAY_PASS.contains(&code));
        self.belong_together |= code == Some(INCOMPATIBLE);
        if may_pass && !self.refused.has(REFUSED_ITEMS, REFUSED_BYTES) {
            self.refused.push(item);
        } else {
            self.fail(&item, Some(outcome));
        }
    }
}
