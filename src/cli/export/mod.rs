//! `underlay export`: the inventory as a stream of lines that `underlay apply -f` reads.
//!
//! Guarantees: all lines are of one revision; applied to an empty inventory they give an equal one: the same ids,
//! fields, external references and holders, apart from versions and times. It is streamed: what is in memory does not
//! depend on the size of the inventory.

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
use self::output::{Output, OutputError};
use self::pages::{Asked, DEEPEST, Page, Pinned};
use super::complete;
use super::exit::Exit;
use super::object::{KindName, kinds};
use super::server;
use super::show::escaped;
use super::target::Reach;
use crate::api::lines::{EndLine, FORMAT, Header, ItemLine};
use underlay_kit::printable;

/// How long a reader may hold the export up before the server is told that it goes on.
const HELD_UP: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only objects of this kind, such as rack. Can be given several times. What they refer to must be there where they
    /// are applied.
    #[arg(long = "kind", action = ArgAction::Append, value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// Write to a file, which is there only when the export is whole. Default: standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Why an export ends before its end.
#[derive(Debug, Error)]
enum ExportError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("an item cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

pub(super) fn run(arguments: Arguments, server: Reach) -> Exit {
    server::talk(server, async |client| match export(&client, &arguments).await {
        // Who reads no more has what they wanted.
        Ok(()) | Err(ExportError::Output(OutputError::Closed)) => Exit::Done,
        Err(ExportError::Client(error)) => server::explain(&error),
        Err(error) => {
            eprintln!("error: {}", printable(&error.to_string()));
            Exit::Failed
        }
    })
}

async fn export(client: &Client, arguments: &Arguments) -> Result<(), ExportError> {
    let wanted = |stage: &Stage| {
        arguments.kinds.is_empty() || arguments.kinds.iter().any(|KindName(kind)| kind.id == stage.kind.id)
    };
    let stages: Vec<Stage> = stages(kinds()).into_iter().filter(wanted).collect();
    let pinned = Pinned::newest(client, &stages).await?;
    let output = Output::begin(arguments.output.as_deref())?;
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
            // Where the output failed, that is the reason why nothing more could be written.
            output.give_up().await?;
            Err(error)
        }
    }
}

/// An export under way.
struct Export<'a> {
    pinned: &'a Pinned<'a>,
    output: &'a Output,
    bar: ProgressBar,
    /// The lines with items so far.
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

    /// The objects of a kind; says whether some of them have something to come later.
    async fn stage(&mut self, stage: &Stage) -> Result<bool, ExportError> {
        let levels: Vec<Option<usize>> = match stage.nested {
            Some(_) => (0..DEEPEST).map(Some).collect(),
            None => vec![None],
        };
        let mut later = false;
        for level in levels {
            let asked = Asked { stage, level };
            let mut after: Option<String> = None;
            let mut empty = true;
            loop {
                let page = self.pinned.page(&asked, after.as_deref()).await?;
                empty &= page.nodes.is_empty();
                later |= self.objects(stage, &page).await?;
                after = page.next();
                if after.is_none() {
                    break;
                }
            }
            // What contains nothing of its kind has no deeper level.
            if empty {
                break;
            }
        }
        Ok(later)
    }

    /// A page of objects: first what creates them, by source, so that few batches are needed.
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

    /// What the objects of a kind were written without.
    async fn later(&mut self, stage: &Stage) -> Result<(), ExportError> {
        let asked = Asked { stage, level: None };
        let mut after: Option<String> = None;
        loop {
            let page = self.pinned.page(&asked, after.as_deref()).await?;
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

    /// Hands a text to the output; while it has no room, the revision is held.
    async fn write(&self, stage: &Stage, text: Vec<u8>) -> Result<(), ExportError> {
        loop {
            tokio::select! {
                permit = self.output.ready() => {
                    permit.ok_or(OutputError::Closed)?.send(text);
                    return Ok(());
                }
                () = tokio::time::sleep(HELD_UP) => self.pinned.hold(stage).await?,
            }
        }
    }
}

fn put(text: &mut Vec<u8>, line: &impl Serialize) -> Result<(), serde_json::Error> {
    // A name in an export may be shown by a terminal.
    text.extend_from_slice(escaped(&serde_json::to_string(line)?).as_bytes());
    text.push(b'\n');
    Ok(())
}
