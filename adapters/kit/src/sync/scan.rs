//! A full run: everything that the source has is written or named, and the server judges what is gone.
//!
//! Guarantees: memory does not grow with the source, apart from 40 bytes an object for the state. A scan that failed,
//! or read something that it cannot name, never removes anything. The run may be dropped at any point.

use std::collections::HashSet;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout_at;

use super::adapter::{Adapter, Scanned};
use super::error::SyncError;
use super::item::{ExternalId, Item, Secret};
use super::messages::{RunOutcome, RunReport, RunState};
use super::prepared::{Digest, Prepared, key};
use super::report::Report;
use super::secrets::{self, MAX_SECRETS};
use super::server::Server;
use super::sink::{BadThing, Emitted, Presence, Sink};
use super::state::{Compared, State};
use super::tally::{Observer, Tally};
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
    /// The time without a call to the server after which a run says that it is alive.
    pub heartbeat: Duration,
    /// True once the server judged what is gone, or may have: an answer can be lost.
    pub is_settled: bool,
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
        let scan = async {
            let mut sink = sink;
            let scanned = adapter.scan(&mut sink).await;
            Ok::<_, SyncError>((scanned, sink.into_report()))
        };
        let writer = Writer::new(self.server, run, self.state);
        let mut pass = Pass {
            server: self.server,
            writer,
            observer: self.observer,
            unchanged: Batch::default(),
            secrets: Vec::new(),
            bad: Vec::new(),
            is_settled: false,
        };
        let consumed = tokio::try_join!(scan, pass.consume(receiver, self.heartbeat));
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
        tally.gone = outcome.retired + outcome.deleted + outcome.released;
        tally.held = outcome.held_count;
        self.state.end_scan();
        Ok(outcome)
    }
}

/// The consumer of what a scan emits.
struct Pass<'a> {
    server: &'a Server,
    writer: Writer<'a>,
    observer: &'a dyn Observer,
    /// Items that the server has already, as far as is known.
    unchanged: Batch,
    /// Secrets that wait until the server has their credentials.
    secrets: Vec<Secret>,
    /// The first things that cannot be mapped, as external id, code and sentence.
    bad: Vec<(String, String, String)>,
    /// True once the server judged what is gone, or may have: an answer can be lost.
    is_settled: bool,
}

impl Pass<'_> {
    async fn consume(&mut self, mut emitted: mpsc::Receiver<Emitted>, heartbeat: Duration) -> Result<(), SyncError> {
        loop {
            let next = timeout_at(self.writer.called_at() + heartbeat, emitted.recv()).await;
            // Items that did not change come without a call for a long time, so the time since the last call counts,
            // and not the time since the last item.
            if self.writer.called_at().elapsed() >= heartbeat {
                self.writer.report(&RunReport::default()).await?;
            }
            match next {
                Err(_) => {}
                Ok(None) => break,
                Ok(Some(Emitted::Item(item))) => self.item(&item).await?,
                Ok(Some(Emitted::Bad(thing))) => self.bad(thing).await?,
                Ok(Some(Emitted::Secret(secret))) => self.secret(secret).await?,
            }
        }
        self.write_all().await
    }

    async fn secret(&mut self, secret: Secret) -> Result<(), SyncError> {
        self.secrets.push(secret);
        if self.secrets.len() >= MAX_SECRETS { self.write_all().await } else { Ok(()) }
    }

    /// Writes everything that waits: items, and then the secrets of those that are credentials.
    async fn write_all(&mut self) -> Result<(), SyncError> {
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
        self.writer.tally.bad += 1;
        self.observer.problem(&match &kind {
            Some(kind) => format!("{kind} {external_id:?}: {message}"),
            None => format!("{external_id}: {message}"),
        });
        if self.bad.len() < MAX_REPORTED_ERRORS {
            self.bad.push((external_id.clone(), code.to_owned(), message.clone()));
        }
        if presence == Presence::Gone {
            return Ok(());
        }
        let Some(kind) = kind else {
            self.writer.unnamed().add(1, &external_id, message);
            return Ok(());
        };
        // The source still has it, so it must not count as gone.
        self.writer.still_there(ExternalId::new(kind, external_id)).await
    }

    /// Ends the run: tries again what was refused, has the server judge what is gone, and tries again.
    async fn settle(
        &mut self,
        server: &Server,
        run: &str,
        read: &Report,
        cursor: Option<&str>,
    ) -> Result<RunOutcome, SyncError> {
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
