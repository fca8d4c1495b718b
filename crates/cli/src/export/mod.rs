//! `underlay export`: writes the inventory as a stream of lines that `underlay apply -f` reads.
//!
//! Guarantees: all lines are of one revision. Applied to an empty inventory, they create an equal one: the same ids,
//! fields, external references and managers, but not versions and times. The memory that is used does not depend on the
//! size of the inventory.

mod lines;
mod order;
mod output;
mod pages;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};
use clap_complete::ArgValueCompleter;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use thiserror::Error;
use underlay_client::{Client, ClientError};

use self::lines::ObjectLines;
use self::order::{Stage, stages};
use self::output::{ExportWriter, OutputError};
use self::pages::{NESTING_LEVELS, ObjectList, Page, Pinned};
use super::complete;
use super::exit::Exit;
use super::object::{KindName, kinds};
use super::server;
use super::show::escaped;
use super::target::ServerAccess;
use underlay_inventory::{Description, Registry};
use underlay_kinds::lines::{EndLine, FORMAT, Header, ItemLine};
use underlay_kit::printable;

/// The time for which a slow reader can block the export before the revision is used again, so that the server keeps
/// it.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub struct Arguments {
    /// Export only objects of this kind, such as rack. Can be given several times. The objects that they refer to must
    /// exist where the lines are applied.
    #[arg(long = "kind", action = ArgAction::Append, value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// Write to a file, which appears only when the export is complete. Default: standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The errors that end an export.
#[derive(Debug, Error)]
enum ExportError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("an item cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match export(&client, &arguments).await {
        // A reader that closes the pipe has read enough.
        Ok(()) | Err(ExportError::Output(OutputError::Closed)) => Exit::Done,
        Err(ExportError::Client(error)) => server::explain(&error),
        Err(error) => {
            eprintln!("error: {}", printable(&error.to_string()));
            Exit::Failed
        }
    })
}

/// Returns the kinds in the order of an export: what is referred to comes first.
pub(super) fn order_of_kinds(registry: &Registry) -> Vec<&'static Description> {
    stages(registry).into_iter().map(|stage| stage.kind).collect()
}

async fn export(client: &Client, arguments: &Arguments) -> Result<(), ExportError> {
    let wanted = |stage: &Stage| {
        arguments.kinds.is_empty() || arguments.kinds.iter().any(|KindName(kind)| kind.id == stage.kind.id)
    };
    let stages: Vec<Stage> = stages(kinds()).into_iter().filter(wanted).collect();
    let pinned = Pinned::current(client, &stages).await?;
    let output = ExportWriter::begin(arguments.output.as_deref())?;
    let objects = pinned.counts.iter().sum();
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} objects, {elapsed}");
    let bar = ProgressBar::new(objects).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut export = Export { pinned: &pinned, output: &output, bar, lines: 0 };
    let header = Header { format: FORMAT.to_owned(), revision: pinned.revision, objects };
    let written = export.all(&stages, &header).await;
    export.bar.finish_and_clear();
    match written {
        Ok(()) => Ok(output.finish().await?),
        Err(error) => {
            // If the output failed, its error is the cause.
            output.give_up().await?;
            Err(error)
        }
    }
}

/// A running export.
struct Export<'a> {
    pinned: &'a Pinned<'a>,
    output: &'a ExportWriter,
    bar: ProgressBar,
    /// The number of lines with items so far.
    lines: u64,
}

impl Export<'_> {
    async fn all(&mut self, stages: &[Stage], header: &Header) -> Result<(), ExportError> {
        let Some(any) = stages.first() else { return Ok(()) };
        let mut text = Vec::new();
        put(&mut text, header)?;
        self.write(any, text).await?;
        let mut waiting = Vec::new();
        for stage in stages {
            if self.stage(stage).await? {
                waiting.push(stage);
            }
        }
        for stage in waiting {
            self.later(stage).await?;
        }
        let mut text = Vec::new();
        put(&mut text, &EndLine { end: self.lines })?;
        self.write(any, text).await
    }

    /// Writes the objects of a kind. Returns true if some of them need further lines later.
    async fn stage(&mut self, stage: &Stage) -> Result<bool, ExportError> {
        let levels: Vec<Option<usize>> = match stage.nested {
            Some(_) => (0..NESTING_LEVELS).map(Some).collect(),
            None => vec![None],
        };
        let mut later = false;
        for level in levels {
            let list = ObjectList { stage, level };
            let mut after: Option<String> = None;
            let mut empty = true;
            loop {
                let page = self.pinned.page(&list, after.as_deref()).await?;
                empty &= page.nodes.is_empty();
                later |= self.objects(stage, &page).await?;
                after = page.next();
                if after.is_none() {
                    break;
                }
            }
            // If no object is at this depth, none is deeper.
            if empty {
                break;
            }
        }
        Ok(later)
    }

    /// Writes a page of objects. The lines that create objects come first, ordered by source, so that few batches are
    /// needed.
    async fn objects(&mut self, stage: &Stage, page: &Page) -> Result<bool, ExportError> {
        let (mut creates, mut hand_overs, mut releases) = (Vec::new(), Vec::new(), Vec::new());
        let mut later = false;
        for node in &page.nodes {
            let lines = ObjectLines::of(stage, node);
            creates.extend(lines.create);
            hand_overs.extend(lines.hand_over);
            releases.extend(lines.release);
            later |= !lines.later.is_empty();
        }
        for lines in [&mut creates, &mut hand_overs] {
            lines.sort_by(|one: &ItemLine, other| one.source.cmp(&other.source));
        }
        self.items(stage, creates.into_iter().chain(hand_overs).chain(releases)).await?;
        self.bar.inc(page.nodes.len() as u64);
        Ok(later)
    }

    /// Writes the references that the objects of a kind were created without.
    async fn later(&mut self, stage: &Stage) -> Result<(), ExportError> {
        let list = ObjectList { stage, level: None };
        let mut after: Option<String> = None;
        loop {
            let page = self.pinned.page(&list, after.as_deref()).await?;
            let lines = page.nodes.iter().flat_map(|node| ObjectLines::of(stage, node).later);
            self.items(stage, lines).await?;
            after = page.next();
            if after.is_none() {
                return Ok(());
            }
        }
    }

    async fn items(&mut self, stage: &Stage, lines: impl Iterator<Item = ItemLine>) -> Result<(), ExportError> {
        let mut text = Vec::new();
        for line in lines {
            put(&mut text, &line)?;
            self.lines += 1;
        }
        self.write(stage, text).await
    }

    /// Passes a text to the output. While the output is blocked, the revision is used, so that the server keeps it.
    async fn write(&self, stage: &Stage, text: Vec<u8>) -> Result<(), ExportError> {
        loop {
            tokio::select! {
                permit = self.output.ready() => {
                    permit.ok_or(OutputError::Closed)?.send(text);
                    return Ok(());
                }
                () = tokio::time::sleep(KEEP_ALIVE_INTERVAL) => self.pinned.hold(stage).await?,
            }
        }
    }
}

fn put(text: &mut Vec<u8>, line: &impl Serialize) -> Result<(), serde_json::Error> {
    // Names can contain control characters, and a terminal may show the export.
    text.extend_from_slice(escaped(&serde_json::to_string(line)?).as_bytes());
    text.push(b'\n');
    Ok(())
}
