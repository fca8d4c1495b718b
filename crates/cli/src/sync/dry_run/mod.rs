//! `underlay sync --dry-run`: what a full scan would change, in the form of `underlay diff`.
//!
//! The items are compared in batches, of which none sees what the ones before would write. So an item that refers to
//! something that is missing is compared again at the end, together with what it refers to (`kept.rs`). What the source
//! does not have any more is listed last (`gone.rs`). Nothing is written, and no run is started.

mod kept;
mod missing;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;

use anstyle::Style;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use underlay_client::{Client, ClientError};
use underlay_kit::line;
use underlay_kit::sync::{Adapter, BadThing, Emitted, Item, Presence, Prune, Sink, SyncError};

use self::kept::Kept;
use self::missing::{Gone, What};
use super::output::table;
use crate::batch::{self, BatchAnswer, Change, Conflicts, Detail, Input, ItemResult, MAX_BATCH_ITEMS, Mode, Status};
use crate::diff;
use crate::exit::Exit;
use crate::server;
use underlay_error::Code;

/// The number of items that a scan may be ahead.
const MAX_ITEMS_AHEAD: usize = 1_000;
/// The maximum number of bytes of a batch.
const BATCH_BYTES: usize = 8 << 20;

/// Prints what a full scan of a source would change, and what became of what it read if that is asked for. `prune` is
/// what the source gets when it is created.
pub(super) async fn dry_run<A: Adapter>(
    client: &Client,
    source: &str,
    prune: Prune,
    adapter: &A,
    reports: Reports,
) -> Exit {
    let (sink, emitted) = Sink::new(MAX_ITEMS_AHEAD);
    let scan = async {
        let mut sink = sink;
        (adapter.scan(&mut sink).await, sink.into_report())
    };
    let mut preview = Preview::new(client, source);
    let ((scanned, report), compared) = tokio::join!(scan, preview.compare(emitted));
    let ended = match (compared, scanned) {
        (Ok(()), Ok(_)) => preview.end(prune).await,
        (Ok(()), Err(error)) => {
            preview.fail(&error.to_string());
            let error = SyncError::from(error);
            return if error.is_unreachable() { Exit::Unreachable } else { Exit::Failed };
        }
        // The scan ended because nobody took its items any more.
        (Err(error), _) => Err(error),
    };
    if reports == Reports::Yes {
        // Nobody may be reading, and then the exit code says all.
        let _ = std::io::stdout().write_all(table(&report).as_bytes());
    }
    match ended {
        Ok(()) => preview.exit,
        Err(error) => server::explain(&error),
    }
}

/// Decides whether a preview prints what became of the things of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reports {
    Yes,
    No,
}

/// Items that are compared together.
#[derive(Debug, Default)]
struct Batch {
    items: Vec<Value>,
    bytes: usize,
}

/// A preview that goes on.
struct Preview<'a> {
    client: &'a Client,
    source: &'a str,
    batch: Batch,
    /// The number of batches that were compared.
    batches: usize,
    /// The items that refer to something that is missing, which are compared again later.
    kept: Kept,
    /// The changes that were printed, by the paths of their objects.
    printed: HashSet<u64>,
    /// The identities that the source has.
    seen: HashSet<u64>,
    /// True if all things of the source could be named.
    is_whole: bool,
    exit: Exit,
}

impl<'a> Preview<'a> {
    fn new(client: &'a Client, source: &'a str) -> Self {
        let (batch, printed, seen) = Default::default();
        let (kept, exit) = (Kept::new(source), Exit::Done);
        Self { client, source, batch, batches: 0, kept, printed, seen, is_whole: true, exit }
    }

    /// Compares the items of a scan as they come.
    async fn compare(&mut self, mut emitted: mpsc::Receiver<Emitted>) -> Result<(), ClientError> {
        while let Some(one) = emitted.recv().await {
            match one {
                Emitted::Item(item) => self.item(&item).await?,
                // The preview does not show if a secret would change.
                Emitted::Secret(_) => {}
                Emitted::Bad(thing) => self.bad(&thing),
            }
        }
        self.send().await
    }

    async fn item(&mut self, item: &Item) -> Result<(), ClientError> {
        let text = match item.to_json() {
            Ok(text) => text,
            Err(error) => {
                self.bad(&BadThing::of_item(Some(&item.id().kind), &item.id().id, &error));
                return Ok(());
            }
        };
        self.seen.insert(digest(&[&item.id().kind, &item.id().id]));
        self.batch.items.push(json!({ item.id().kind.clone(): item.fields() }));
        self.batch.bytes += text.len();
        let is_full = self.batch.items.len() >= MAX_BATCH_ITEMS || self.batch.bytes >= BATCH_BYTES;
        if is_full { self.send().await } else { Ok(()) }
    }

    fn bad(&mut self, thing: &BadThing) {
        match (&thing.kind, thing.presence) {
            // A run ends well with these, too.
            (_, Presence::Gone) => return self.note(&format!("{}: skipped: {}", thing.external_id, thing.message)),
            (_, Presence::InPart) => return self.note(&format!("{}: {}", thing.external_id, thing.message)),
            (Some(kind), Presence::StillThere) => drop(self.seen.insert(digest(&[kind, &thing.external_id]))),
            (None, Presence::StillThere) => self.is_whole = false,
        }
        self.fail(&format!("{}: {}", thing.external_id, thing.message));
    }

    /// Compares the items that wait.
    async fn send(&mut self) -> Result<(), ClientError> {
        let Batch { items, .. } = std::mem::take(&mut self.batch);
        if items.is_empty() {
            return Ok(());
        }
        self.batches += 1;
        let BatchAnswer { results, changes } = apply(self.client, self.source, &items).await?;
        self.print(&changes);
        for (item, result) in items.into_iter().zip(&results) {
            match (result.status, &result.error) {
                (Status::Failed, Some(error)) if error.code.parse() == Ok(Code::NotFound) => {
                    self.kept.put_aside(&item, reason(result));
                }
                (Status::Failed, _) => self.fail(&reason(result)),
                // An object that gets another name is found by it only after that.
                (Status::Created | Status::Updated, _) => self.kept.changed(&item),
                (Status::Unchanged | Status::Deleted | Status::NotWritten, _) => {}
            }
        }
        Ok(())
    }

    /// Compares again what referred to something that was missing, and lists what is gone.
    async fn end(&mut self, prune: Prune) -> Result<(), ClientError> {
        if self.batches > 1 {
            self.compare_again().await?;
        } else {
            // A single batch sees everything.
            let aside = self.kept.take_put_aside();
            aside.for_each(|reason| self.fail(&reason));
        }
        if !self.is_whole {
            self.note("what the source no longer has is not shown, because not everything could be read");
            return Ok(());
        }
        let gone = Gone::of(self.client, self.source, prune, &self.seen).await?;
        self.print_gone(&gone);
        Ok(())
    }

    async fn compare_again(&mut self) -> Result<(), ClientError> {
        while let Some(group) = self.kept.next_group(MAX_BATCH_ITEMS, BATCH_BYTES) {
            let BatchAnswer { results, changes } = apply(self.client, self.source, &group.items).await?;
            self.print(&changes);
            let own =
                results.iter().zip(&group.is_own).filter(|(result, own)| **own && result.status == Status::Failed);
            own.for_each(|(result, _)| self.fail(&reason(result)));
        }
        match self.kept.left_out() {
            0 => {}
            count => self.note(&format!(
                "{count} items were not compared, because they refer to more new objects than fit into a batch or into \
                 memory; a run writes them after these"
            )),
        }
        Ok(())
    }

    /// Prints changes, each object once.
    fn print(&mut self, changes: &[Change]) {
        let new = changes.iter().filter(|change| self.printed.insert(digest(&[&change.path])));
        show(new.flat_map(diff::lines));
    }

    fn print_gone(&self, gone: &Gone) {
        show(gone.lines());
        if !gone.paths.is_empty() {
            let does = match gone.what {
                What::Delete => "deletes",
                What::Retire => "retires",
                What::Release => "releases",
            };
            self.note(&format!(
                "the source no longer has {} objects: a run {does} them as far as its limits allow, and leaves what is \
                 in use or belongs to others",
                gone.paths.len()
            ));
        }
    }

    fn fail(&mut self, reason: &str) {
        eprintln!("error: {}: {}", line(self.source), line(reason));
        self.exit = Exit::Failed;
    }

    fn note(&self, text: &str) {
        eprintln!("note: {}: {}", line(self.source), line(text));
    }
}

/// Asks what a batch would change.
async fn apply(client: &Client, source: &str, items: &[Value]) -> Result<BatchAnswer, ClientError> {
    let input = Input {
        mode: Mode::PerItem,
        dry_run: true,
        source: Some(source),
        conflicts: Some(Conflicts::Skip),
        ..Input::of(items)
    };
    batch::apply(client, &input, Detail::Changes).await
}

/// Returns the name of a refused item, and the reason of the refusal.
fn reason(result: &ItemResult) -> String {
    let name = result.name.as_deref().unwrap_or_default();
    let reason = result.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
    format!("{name}: {reason}")
}

fn show(lines: impl Iterator<Item = (Style, String)>) {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    for (style, text) in lines {
        // Nobody may be reading: the exit code says it all the same.
        let _ = writeln!(out, "{style}{}{style:#}", line(&text));
    }
}

/// Returns a number that stands for some texts. Two lists of texts have the same one only by a rare accident, which
/// hides a line of the preview.
fn digest(texts: &[&str]) -> u64 {
    let mut digest = DefaultHasher::new();
    texts.hash(&mut digest);
    digest.finish()
}
