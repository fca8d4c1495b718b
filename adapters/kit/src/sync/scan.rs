//! A full run: everything that the source has is written or named, and the server judges what is gone.
//!
//! A scan can take long, so what hints name is looked at meanwhile, and what the source has deleted is settled in a
//! partial run beside. A look can be older or newer than what the scan reads of a thing: if both differ, the thing is
//! looked at once more, and only what a look found is written.
//!
//! Guarantees: memory does not grow with the source, apart from 40 bytes an object for the state. A scan that failed,
//! or read something that it cannot name, never removes anything. The run may be dropped at any point.

use std::collections::HashSet;
use std::future::pending;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::adapter::{Adapter, Items, Scanned};
use super::error::SyncError;
use super::hint::{Hint, HintStream, next};
use super::item::{ExternalId, Item, Secret};
use super::look;
use super::messages::{NewSource, RunMode, RunOutcome, RunReport, RunRequest, RunState, Started};
use super::missing::{Missing, Proofs};
use super::prepared::{Digest, Prepared, key};
use super::report::Report;
use super::schedule::Timing;
use super::secrets::{self, MAX_SECRETS};
use super::server::Server;
use super::sink::{BadThing, Emitted, Presence, Sink};
use super::state::{Compared, State};
use super::tally::{Observer, Tally};
use super::waiting::{Waiting, due};
use super::writer::{Batch, REPORT_IDS, Writer};

/// The number of items that a scan may be ahead: the next batch is read while one is written.
const MAX_ITEMS_AHEAD: usize = 200;
/// The maximum number of bytes of unchanged items that wait to be named; the server may want them whole.
const UNCHANGED_BYTES: usize = 16 << 20;
/// The maximum number of errors that a run reports; the server keeps no more.
const MAX_REPORTED_ERRORS: usize = 100;
/// The number of items between two reports of progress.
const ITEMS_PER_PROGRESS: u64 = 500;

/// The parts that a full run needs.
pub struct FullRun<'a, A> {
    pub adapter: &'a A,
    pub server: &'a Server,
    pub state: &'a mut State,
    pub observer: &'a dyn Observer,
    pub timing: Timing,
    pub between: Between<'a>,
    /// True once the server judged what is gone, or may have: an answer can be lost.
    pub is_settled: bool,
}

/// What a full run does between the pages of its scan: it looks at what hints name, and settles what is deleted.
pub struct Between<'a> {
    /// The hints of the source.
    pub hints: &'a mut Option<HintStream>,
    /// The hints that wait.
    pub waiting: &'a mut Waiting,
    /// What looks did not find.
    pub missing: &'a mut Missing,
    /// The properties of the source, with which runs are started.
    pub new: &'a NewSource,
}

impl<A: Adapter> FullRun<'_, A> {
    /// Reads the source and writes it within a run that was started. Fills in the counts as it goes.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read whole, or the server does not take it. The caller ends the run
    /// then.
    pub async fn execute(
        &mut self,
        run: &str,
        tally: &mut Tally,
        report: &mut Report,
    ) -> Result<RunOutcome, SyncError> {
        self.state.begin_scan();
        let (sink, receiver) = Sink::new(MAX_ITEMS_AHEAD);
        let adapter = self.adapter;
        let Between { hints, waiting, missing, new } = &mut self.between;
        let scan = async {
            let mut sink = sink;
            let scanned = adapter.scan(&mut sink).await;
            Ok::<_, SyncError>((scanned, sink.into_report()))
        };
        let writer = Writer::new(self.server, run, self.state);
        let mut pass = Pass {
            adapter,
            server: self.server,
            writer,
            observer: self.observer,
            timing: self.timing,
            between: Between { hints, waiting, missing, new },
            looked_at: HashSet::new(),
            write_at: None,
            unchanged: Batch::default(),
            secrets: Vec::new(),
            bad: Vec::new(),
            is_settled: false,
        };
        let consumed = tokio::try_join!(scan, pass.consume(receiver));
        let outcome = match consumed {
            Ok(((scanned, read), ())) => {
                *report = read;
                match scanned {
                    Ok(Scanned { cursor }) => pass.settle(self.server, run, report, cursor.as_deref()).await,
                    Err(error) => Err(error.into()),
                }
            }
            Err(error) => Err(error),
        };
        *tally = pass.writer.tally;
        self.is_settled = pass.is_settled;
        pass.writer.take_reasons().iter().for_each(|reason| self.observer.problem(reason));
        let outcome = outcome?;
        tally.gone += outcome.retired + outcome.deleted + outcome.released;
        tally.held = outcome.held_count;
        self.state.end_scan();
        Ok(outcome)
    }
}

/// The consumer of what a scan emits.
struct Pass<'a, A> {
    adapter: &'a A,
    server: &'a Server,
    writer: Writer<'a>,
    observer: &'a dyn Observer,
    timing: Timing,
    between: Between<'a>,
    /// The things that were looked at since the scan began, and what else these looks read.
    looked_at: HashSet<Digest>,
    /// The time at which what waits is written.
    write_at: Option<Instant>,
    /// Items that the server has already, as far as is known.
    unchanged: Batch,
    /// Secrets that wait until the server has their credentials.
    secrets: Vec<Secret>,
    /// The first things that cannot be mapped, as external id, code and sentence.
    bad: Vec<(String, String, String)>,
    /// True once the server judged what is gone, or may have: an answer can be lost.
    is_settled: bool,
}

/// The next step of a consumer.
enum NextStep {
    Hint(Hint),
    Look,
    Prove,
    Write,
    SayAlive,
    Take(Option<Emitted>),
}

impl<A: Adapter> Pass<'_, A> {
    /// Takes everything that the scan emits.
    async fn consume(&mut self, mut emitted: mpsc::Receiver<Emitted>) -> Result<(), SyncError> {
        loop {
            let step = self.next_step(async || emitted.recv().await).await;
            if matches!(step, NextStep::Take(None)) {
                break;
            }
            self.take(step).await?;
        }
        self.look().await?;
        self.write_all().await
    }

    /// Goes on after the scan until the source was asked about everything that is missing by now, within twice the
    /// least time for which a thing must be missing. Without the proofs, the server would hold a device that was
    /// deleted and entered anew for an operator.
    async fn wait_for_proofs(&mut self) -> Result<(), SyncError> {
        if !A::PROVES_DELETIONS {
            return Ok(());
        }
        let read_at = Instant::now();
        while self.between.missing.has_some_since(read_at) {
            let step = self.next_step(pending).await;
            self.take(step).await?;
        }
        Ok(())
    }

    /// Waits for what is to be done next. `emitted` waits for what the scan emits, or for ever.
    async fn next_step(&mut self, emitted: impl AsyncFnOnce() -> Option<Emitted>) -> NextStep {
        let Between { hints, waiting, missing, .. } = &mut self.between;
        let (look_at, prove_at) = (waiting.things_due_at(self.timing.coalesce), missing.due_at());
        tokio::select! {
            biased;
            hint = next(hints, self.observer) => NextStep::Hint(hint),
            () = due(look_at) => NextStep::Look,
            () = due(prove_at) => NextStep::Prove,
            () = due(self.write_at) => NextStep::Write,
            // Items that did not change come without a call for a long time, so the time since the last call
            // counts, and not the time since the last item.
            () = sleep_until(self.writer.called_at() + self.timing.heartbeat) => NextStep::SayAlive,
            next = emitted() => NextStep::Take(next),
        }
    }

    async fn take(&mut self, step: NextStep) -> Result<(), SyncError> {
        match step {
            NextStep::Hint(hint) => self.between.waiting.add(hint),
            NextStep::Look => self.look().await?,
            NextStep::Prove => self.prove().await?,
            NextStep::Write => self.write_all().await?,
            NextStep::SayAlive => drop(self.writer.report(&RunReport::default()).await?),
            NextStep::Take(Some(Emitted::Item(item))) => self.item(&item).await?,
            NextStep::Take(Some(Emitted::Bad(thing))) => self.bad(thing).await?,
            NextStep::Take(Some(Emitted::Secret(secret))) => self.secret(secret).await?,
            NextStep::Take(None) => {}
        }
        Ok(())
    }

    /// Looks at what hints named, and writes it.
    async fn look(&mut self) -> Result<(), SyncError> {
        let things = self.between.waiting.take_things();
        self.look_at(things).await
    }

    async fn look_at(&mut self, things: Vec<ExternalId>) -> Result<(), SyncError> {
        if things.is_empty() {
            return Ok(());
        }
        // What was read before must not be written after it.
        self.write_all().await?;
        let Ok(seen) = look::read(self.adapter, things.clone()).await else {
            // If the source cannot be read, its scan says so. Else the next scan reads all of this.
            self.between.waiting.add(Hint::Everything);
            return Ok(());
        };
        for (id, items) in seen {
            self.note_looked_at(key(&id));
            match items {
                Some(items) => {
                    self.between.missing.found(&id);
                    self.looked(items).await?;
                }
                None if self.between.missing.add(id) => {}
                // Too many are missing to be proved, so another scan judges them.
                None => self.between.waiting.add(Hint::Everything),
            }
        }
        self.write_all().await
    }

    /// Writes the items of a look, unless the server has them.
    async fn looked(&mut self, items: Items) -> Result<(), SyncError> {
        for item in items {
            self.writer.tally.items += 1;
            let item = match Prepared::new(&item) {
                Ok(prepared) => prepared,
                Err(error) => {
                    self.bad(BadThing::of_item(Some(&item.id().kind), &item.id().id, &error)).await?;
                    continue;
                }
            };
            self.note_looked_at(item.key);
            match self.writer.state().has(&item.key, item.content) {
                true => self.unchanged.push(item),
                false => self.writer.write(item).await?,
            }
        }
        Ok(())
    }

    /// Notes that a look read a thing. What was refused of it before is not tried again.
    fn note_looked_at(&mut self, key: Digest) {
        self.looked_at.insert(key);
        self.writer.forget_refused(&key);
        self.writer.state().note_seen(key);
    }

    /// Settles what the source has deleted, in a partial run beside the full one.
    async fn prove(&mut self) -> Result<(), SyncError> {
        let due = self.between.missing.take_due();
        let proofs = Proofs::of(self.adapter, due.clone()).await;
        let is_answered = proofs.is_ok();
        let Proofs { deleted, unproved } = proofs.unwrap_or_default();
        // About these, the scan may have read something before. A later one judges them.
        for thing in if is_answered { unproved } else { due } {
            self.between.missing.add(thing);
        }
        if deleted.is_empty() {
            return Ok(());
        }
        self.write_all().await?;
        let started = self.server.start(RunRequest::new(RunMode::Partial), self.between.new).await?;
        let Started { run, .. } = started;
        look::settle(self.server, &run, self.writer.state(), &deleted).await?;
        let outcome = self.server.finish(&run, None).await?;
        self.writer.tally.gone += outcome.retired + outcome.deleted + outcome.released;
        // What is refused may have waited for this.
        let refused = self.between.missing.take_refused();
        self.look_at(refused).await?;
        self.writer.retry_each().await
    }

    async fn secret(&mut self, secret: Secret) -> Result<(), SyncError> {
        self.secrets.push(secret);
        if self.secrets.len() >= MAX_SECRETS { self.write_all().await } else { Ok(()) }
    }

    /// Writes everything that waits: items, and then the secrets of those that are credentials.
    async fn write_all(&mut self) -> Result<(), SyncError> {
        self.write_at = None;
        self.name_unchanged().await?;
        self.writer.flush().await?;
        let secrets = std::mem::take(&mut self.secrets);
        for refused in secrets::send(self.server, &secrets).await? {
            self.bad(refused).await?;
        }
        Ok(())
    }

    async fn item(&mut self, item: &Item) -> Result<(), SyncError> {
        self.writer.tally.items += 1;
        if self.writer.tally.items.is_multiple_of(ITEMS_PER_PROGRESS) {
            self.observer.progress(&self.writer.tally);
        }
        let item = match Prepared::new(item) {
            Ok(prepared) => prepared,
            Err(error) => return self.bad(BadThing::of_item(Some(&item.id().kind), &item.id().id, &error)).await,
        };
        if self.looked_at.contains(&item.key) {
            return self.read_twice(item).await;
        }
        let write_after = self.timing.write;
        self.write_at.get_or_insert_with(|| Instant::now() + write_after);
        match self.writer.state().see(item.key, item.content) {
            Compared::Different => self.writer.write(item).await,
            Compared::Same => {
                self.unchanged.push(item);
                if self.unchanged.has(REPORT_IDS, UNCHANGED_BYTES) { self.name_unchanged().await } else { Ok(()) }
            }
            Compared::Repeated => {
                let message = "the source has this id twice; the first object with it is written";
                self.bad(BadThing { code: "DUPLICATE", ..BadThing::new(Some(&item.id.kind), &item.id.id, message) })
                    .await
            }
        }
    }

    /// Takes an item that a look read during the scan. If the two differ, nobody knows which one is newer.
    async fn read_twice(&mut self, item: Prepared) -> Result<(), SyncError> {
        if !self.writer.state().has(&item.key, item.content) {
            self.between.waiting.add(Hint::Changed(item.id.clone()));
        }
        // The list has it, so that a look did not find it proves nothing.
        self.writer.still_there(item.id).await
    }

    /// Names the unchanged items as seen, and writes those that the server wants whole.
    async fn name_unchanged(&mut self) -> Result<(), SyncError> {
        let items = std::mem::take(&mut self.unchanged).items;
        if items.is_empty() {
            return Ok(());
        }
        let mut report = RunReport::default();
        for item in &items {
            report.seen.entry(item.id.kind.clone()).or_default().push(item.id.id.clone());
        }
        let wanted: Vec<ExternalId> = self.writer.report(&report).await?;
        let wanted: HashSet<Digest> = wanted.iter().map(key).collect();
        for item in items {
            match wanted.contains(&item.key) {
                true => self.writer.write(item).await?,
                false => self.writer.tally.unchanged += 1,
            }
        }
        self.observer.progress(&self.writer.tally);
        Ok(())
    }

    async fn bad(&mut self, thing: BadThing) -> Result<(), SyncError> {
        let BadThing { kind, external_id, code, message, presence } = thing;
        let tally = &mut self.writer.tally;
        let counted = match presence {
            Presence::StillThere => &mut tally.bad,
            Presence::InPart => &mut tally.in_part,
            Presence::Gone => &mut tally.skipped,
        };
        *counted += 1;
        self.observer.problem(&match &kind {
            Some(kind) => format!("{kind} {external_id:?}: {message}"),
            None => format!("{external_id}: {message}"),
        });
        if self.bad.len() < MAX_REPORTED_ERRORS {
            self.bad.push((external_id.clone(), code.to_owned(), message.clone()));
        }
        match presence {
            // The item names it, or nothing does.
            Presence::InPart | Presence::Gone => return Ok(()),
            Presence::StillThere => {}
        }
        let Some(kind) = kind else {
            self.writer.unnamed().add(1, &external_id, message);
            return Ok(());
        };
        // The source still has it, so it must not count as gone.
        self.writer.still_there(ExternalId::new(kind, external_id)).await
    }

    /// Ends the run: waits for proofs, tries again what was refused, has the server judge what is gone, and tries again.
    async fn settle(
        &mut self,
        server: &Server,
        run: &str,
        read: &Report,
        cursor: Option<&str>,
    ) -> Result<RunOutcome, SyncError> {
        self.wait_for_proofs().await?;
        self.writer.retry_each().await?;
        self.writer.name_still_there().await?;
        let errors = std::mem::take(&mut self.bad);
        let report = RunReport { counts: Some(read.totals()), errors, ..RunReport::default() };
        self.writer.report(&report).await?;
        if let Some(incomplete) = self.writer.unnamed().failure() {
            self.writer.give_up_refused();
            return Err(incomplete);
        }
        let settled = server.settle(run, true).await;
        self.is_settled = settled.as_ref().map_or_else(SyncError::is_passing, |_| true);
        let settled = settled?;
        // A run that is held goes on until it is finished.
        if !matches!(settled.state, RunState::Running | RunState::Held) {
            return Err(SyncError::Ended { state: settled.state });
        }
        self.writer.retry_together().await?;
        server.finish(run, cursor).await
    }
}
