//! Writes the items of a request, batch by batch.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::answer::{Totals, write_end, write_failure, write_items};
use super::lines::{Lines, Next};
use super::parameters::Parameters;
use super::reader::{LineReader, Manner, NumberedItem};
use crate::http::Service;
use crate::http::admission::Admitted;
use crate::http::execute::{MUTATION_TIMEOUT_FACTOR, late};
use crate::http::identity::{self, Asker};
use crate::http::refusal::Refused;
use crate::http::request::Size;
use crate::http::request_metrics::RequestTimer;
use underlay_engine::access::{Forbidden, WriteKind, WritePermit};
use underlay_engine::runtime::{block_in_place, parallel};
use underlay_engine::write::{Batch, Conflicts, Item, Mode, Origin, Outcome};
use underlay_error::Code;
use underlay_inventory::{Refusal, Snapshot};
use underlay_kinds::items::ItemReader;
use underlay_kinds::write_handle::WriteHandle;

/// The number of items in a batch of a request that is written in several.
const BATCH_ITEMS: usize = 1_000;
/// The time between two attempts to be admitted among the requests that run.
const ADMISSION_RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// A request that is being written.
pub struct Run {
    committer: Committer,
    lines: Lines,
    reader: LineReader,
    /// An item that was read and begins the next batch, because it has another manner.
    pending: Option<(Manner, NumberedItem)>,
    /// The number of batches so far.
    batches: u64,
    totals: Totals,
    is_read: bool,
}

/// Commits the batches of a request in the name of its caller.
struct Committer {
    service: Service,
    asker: Asker,
    /// The token of the caller.
    token: Option<String>,
    /// The run of a source that the batches belong to.
    run: Option<Uuid>,
    /// The name of the request, so that each of its batches can be repeated.
    request_id: Option<String>,
}

/// Items that are written together.
#[derive(Debug, Default)]
struct PendingBatch {
    manner: Manner,
    items: Vec<NumberedItem>,
    bytes: usize,
    /// The reason why further lines are not part of the batch, if it has no room for them.
    full: Option<Refused>,
}

impl Run {
    /// Returns a request of which nothing was read yet.
    pub fn new(
        service: Service,
        (asker, token): (Asker, Option<String>),
        parameters: Parameters,
        run: Option<Uuid>,
        lines: Lines,
    ) -> Self {
        let manner = Manner { source: parameters.source, conflicts: parameters.conflicts };
        let committer = Committer { service, asker, token, run, request_id: parameters.request_id };
        let reader = LineReader::new(manner);
        let (pending, totals) = (None, Totals::default());
        Self { committer, lines, reader, pending, batches: 0, totals, is_read: false }
    }

    /// Writes all items as one batch; returns the whole answer.
    ///
    /// # Errors
    /// Returns an error if the batch as a whole is refused: nothing was written then.
    pub async fn whole(&mut self, mode: Mode, dry_run: bool) -> Result<Vec<u8>, Refused> {
        let limits = *self.committer.service.admission.limits();
        let part = self.next(limits.items + 1, usize::MAX).await?;
        if part.items.len() > limits.items {
            let count = part.items.len();
            return Err(Refused::from(&Refusal::BatchTooLarge { count, unit: "items or more", most: limits.items }));
        }
        if let Some((manner, item)) = &self.pending {
            let message = format!(
                "line {} is written in the name of {}, the lines before it in the name of {}: all lines of one batch \
                 must have the same source and policy for conflicts",
                item.line,
                in_words(manner),
                in_words(&part.manner),
            );
            return Err(Refused::new(Code::Invalid, message));
        }
        if let Some(refused) = part.full {
            return Err(refused);
        }
        let mut answer = Vec::new();
        if !part.items.is_empty() {
            answer = self.write(part, mode, dry_run).await?;
        }
        write_end(&mut answer, &self.totals);
        Ok(answer)
    }

    /// Reads and writes the next batch; returns its part of the answer, and true if it is the last part.
    pub async fn next_part(&mut self) -> (Vec<u8>, bool) {
        let mut answer = match self.next_batch().await {
            Ok(answer) => answer,
            Err(refused) => {
                let mut answer = Vec::new();
                write_failure(&mut answer, &self.totals, &refused);
                return (answer, true);
            }
        };
        let is_last = self.is_read && self.pending.is_none();
        if is_last {
            write_end(&mut answer, &self.totals);
        }
        (answer, is_last)
    }

    async fn next_batch(&mut self) -> Result<Vec<u8>, Refused> {
        let limits = *self.committer.service.admission.limits();
        let part = self.next(BATCH_ITEMS.min(limits.items), limits.apply_body / 2).await?;
        // The request may last for longer than its token is accepted.
        identity::authenticated(&self.committer.service, self.committer.token.as_deref()).await?;
        match part.items.is_empty() {
            true => Ok(Vec::new()),
            false => self.write(part, Mode::PerItem, false).await,
        }
    }

    /// Reads items of one manner, until there are so many, or so many bytes, or the body ends.
    async fn next(&mut self, max_items: usize, max_bytes: usize) -> Result<PendingBatch, Refused> {
        let mut part = PendingBatch::default();
        match self.pending.take() {
            Some((manner, item)) => {
                self.lines.release_all_but_last();
                (part.manner, part.items) = (manner, vec![item]);
            }
            None => self.lines.release(),
        }
        while part.items.len() < max_items && self.lines.unreleased().bytes < max_bytes {
            let text = match self.lines.next().await? {
                Next::Line(text) => text,
                Next::Full(refused) if part.items.is_empty() => return Err(refused),
                Next::Full(refused) => {
                    part.full = Some(refused);
                    break;
                }
                Next::End => {
                    self.reader.finish().map_err(|refusal| Refused::from(&refusal))?;
                    self.is_read = true;
                    break;
                }
            };
            let (number, reader) = (self.lines.number(), &mut self.reader);
            let read = Size::of(text.len()).run(|| reader.read(number, &text));
            let Some((manner, item)) = read.map_err(|refusal| Refused::from(&refusal))? else { continue };
            if part.items.is_empty() {
                part.manner = manner;
            } else if part.manner != manner {
                self.pending = Some((manner, item));
                break;
            }
            part.items.push(item);
        }
        part.bytes = self.lines.unreleased().bytes;
        Ok(part)
    }

    /// Writes a batch; returns the lines of its answer.
    async fn write(&mut self, part: PendingBatch, mode: Mode, dry_run: bool) -> Result<Vec<u8>, Refused> {
        self.batches += 1;
        let lines: Vec<u64> = part.items.iter().map(|item| item.line).collect();
        let mut answer = Vec::with_capacity(lines.len() * 128);
        let permit =
            match self.committer.asker.caller.permit(WriteKind::Apply { source: part.manner.source.as_deref() }) {
                Ok(permit) => permit,
                Err(forbidden) if mode == Mode::PerItem => {
                    let outcomes = refuse_all(&part, &forbidden);
                    self.totals.add(&outcomes, None);
                    write_items(&mut answer, &lines, &outcomes);
                    return Ok(answer);
                }
                Err(forbidden) => return Err(forbidden.into()),
            };
        let _admitted = self.committer.admit().await?;
        let measured = RequestTimer::batch();
        let written = self.committer.commit(self.batches, permit, part, mode, dry_run).await;
        measured.written(written.as_ref().err().map(|refused| refused.code));
        let written = written?;
        self.totals.add(&written.outcomes, written.revision);
        block_in_place(|| write_items(&mut answer, &lines, &written.outcomes));
        Ok(answer)
    }
}

impl Committer {
    async fn commit(
        &self,
        number: u64,
        permit: WritePermit,
        part: PendingBatch,
        mode: Mode,
        dry_run: bool,
    ) -> Result<underlay_engine::write::WriteAnswer, Refused> {
        let limits = self.service.admission.limits();
        let handle = WriteHandle::new(self.service.sources.clone(), permit, limits.items).in_run(self.run);
        let default = if handle.source().is_some() { Conflicts::Skip } else { Conflicts::Fail };
        let snapshot = self.asker.view.current.get();
        let batch = Batch {
            id: Uuid::new_v4(),
            bytes: part.bytes,
            items: block_in_place(|| items(&snapshot, part.items)),
            mode,
            conflicts: part.manner.conflicts.unwrap_or(default),
            author: handle.author(),
            origin: Origin::Client,
            request_id: self.request_id.as_ref().map(|id| format!("{id}/{number}")),
        };
        drop(snapshot);
        let writing = async {
            match dry_run {
                true => handle.dry_run(batch).await,
                false => handle.write(batch).await,
            }
        };
        let time = limits.timeout * MUTATION_TIMEOUT_FACTOR;
        match timeout(time, writing).await {
            Ok(answer) => answer.map_err(|refusal| Refused::from(&refusal)),
            Err(_) => Err(Refused::new(Code::Timeout, late(time))),
        }
    }

    /// Waits until the request is admitted among those that run, for as long as a request may take.
    async fn admit(&self) -> Result<Admitted, Refused> {
        let admission = &self.service.admission;
        let end = Instant::now() + admission.limits().timeout;
        loop {
            match admission.request(admission.body(&self.asker.caller)) {
                Err(_) if Instant::now() < end => sleep(ADMISSION_RETRY_INTERVAL).await,
                answer => return answer,
            }
        }
    }
}

/// Makes items of what the lines hold. An item that cannot be read keeps its position, and is refused.
fn items(snapshot: &Snapshot, numbered: Vec<NumberedItem>) -> Vec<Item> {
    let reader = ItemReader::new(snapshot.registry());
    let read = parallel(&numbered, numbered.len(), |items| {
        let read = items.iter().map(|NumberedItem { item, .. }| match item {
            Ok(item) => reader.item(item),
            Err(refusal) => Err(Box::new(Outcome::failed(None, refusal.clone()))),
        });
        read.collect()
    });
    let items = read.into_iter().zip(numbered).map(|(read, NumberedItem { line, item })| {
        // The digest of a request that can be repeated is made of the items: a line that is no JSON counts by its
        // number and its error.
        let input = |outcome: &Outcome| {
            let error = outcome.error.as_ref().map(ToString::to_string).unwrap_or_default();
            item.unwrap_or_else(|_| format!("{line}: {error}").into())
        };
        read.unwrap_or_else(|outcome| Item::Refused { input: input(&outcome), outcome })
    });
    items.collect()
}

fn refuse_all(part: &PendingBatch, forbidden: &Forbidden) -> Vec<Outcome> {
    let refuse = |_: &NumberedItem| Outcome::failed(None, Refusal::Forbidden(forbidden.to_string()));
    part.items.iter().map(refuse).collect()
}

fn in_words(manner: &Manner) -> String {
    let source = manner.source.as_ref().map(|source| format!("the source {source:?}"));
    let source = source.unwrap_or_else(|| "the caller".to_owned());
    match manner.conflicts {
        Some(Conflicts::Force) => format!("{source} (with FORCE)"),
        _ => source,
    }
}
