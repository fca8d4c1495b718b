//! `underlay apply`: writes the objects that manifests or tables describe.
//!
//! All objects of a run are one batch. They are written together or, with `--per-item`, each on its own. Each
//! rejection, by the reader or by the server, is reported with the file, the document or line, and the field or column.
//!
//! A file written by `underlay export` is recognised by its first line and written as a stream of batches.

mod files;
pub(super) mod rejections;
mod report;
mod stream;

use std::io::BufRead;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use underlay_client::{Client, ClientError};

pub(super) use self::files::{Files, Objects, Read};
use self::rejections::TooMany;
use super::batch::{self, BATCH_ITEMS, BatchAnswer, Conflicts, Detail, Input, MAX_BATCH_ITEMS, Mode, Status};
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::ManifestItem;
use super::server;
use super::target::ServerAccess;

/// The section of `--help` about tables.
pub(super) const TABLES: &str = include_str!("tables.txt");

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Show what would change, without writing anything.
    #[arg(long)]
    dry_run: bool,
    /// Write on behalf of a source. The source becomes the manager of the fields, and externalId is its name for the
    /// object.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    source: Option<String>,
    /// The handling of fields that another manager owns. Default: skip with --source, otherwise fail.
    #[arg(long, value_enum)]
    conflicts: Option<Conflicts>,
    /// Write each object on its own: a rejected object does not prevent the others from being written. Takes any number
    /// of objects, in batches of 1,000; an object can refer to objects of its own and of earlier batches.
    #[arg(long)]
    per_item: bool,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let kinds = KnownKinds::new();
    match arguments.files.read(&kinds) {
        Ok(Read::Objects(objects)) => apply_objects(&arguments, &kinds, &objects, server),
        Ok(Read::Export(lines)) => apply_export(&arguments, lines, server),
        Err(exit) => exit,
    }
}

fn apply_objects(arguments: &Arguments, kinds: &KnownKinds, objects: &Objects, server: ServerAccess) -> Exit {
    let Objects { items, errors } = objects;
    // With --per-item, the valid lines of a table are written even if other lines are invalid.
    let part = arguments.files.are_tables() && arguments.per_item && !items.is_empty();
    if !errors.is_empty() && !part {
        return rejections::unreadable(errors);
    }
    if items.len() > MAX_BATCH_ITEMS {
        match (arguments.per_item, arguments.dry_run) {
            (true, false) => {}
            (true, true) => return rejections::too_many(items.len(), TooMany::Tried),
            (false, _) => return rejections::too_many(items.len(), TooMany::Written),
        }
    }
    let exit = server::talk(server, async |client| write(&client, arguments, kinds, items).await);
    match (errors.is_empty(), exit) {
        (false, Exit::Done | Exit::Failed) => rejections::left_out(errors),
        (_, exit) => exit,
    }
}

fn apply_export(arguments: &Arguments, lines: Box<dyn BufRead>, server: ServerAccess) -> Exit {
    let alone = "an export must be applied alone, not with other files: apply the files one after the other";
    let dry = "an export cannot be applied with --dry-run: its later batches need what the earlier ones write";
    let sources = "an export names the source of each object itself: leave out --source";
    let whole = "an export cannot be applied with --per-item: each of its batches is written completely or not at all";
    let usage = [
        (arguments.files.are_several(), alone),
        (arguments.dry_run, dry),
        (arguments.source.is_some(), sources),
        (arguments.per_item, whole),
    ];
    if let Some((_, reason)) = usage.iter().find(|(wrong, _)| *wrong) {
        eprintln!("error: {reason}");
        return Exit::Usage;
    }
    server::talk(server, async |client| stream::apply(&client, lines, arguments.conflicts).await)
}

async fn write(client: &Client, arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem]) -> Exit {
    let mut payload = BatchAnswer::default();
    // Without a dry run, each request is one batch of the server, which is written completely or not at all.
    let most = if arguments.per_item && !arguments.dry_run { BATCH_ITEMS } else { MAX_BATCH_ITEMS };
    for batch in items.chunks(most) {
        let error = match batch::apply(client, &input(arguments, batch), Detail::Results).await {
            Ok(more) => {
                payload.results.extend(more.results);
                continue;
            }
            Err(error) => error,
        };
        let written = payload.results.len();
        if written > 0 {
            conclude(arguments, kinds, &items[..written], &payload);
            eprintln!("the first {written} objects were written; the others were not, for this reason:");
        }
        return match error {
            ClientError::Graphql(errors) => rejections::input(&errors, batch, kinds.registry()),
            error => server::explain(&error),
        };
    }
    conclude(arguments, kinds, items, &payload)
}

fn input<'a>(arguments: &'a Arguments, items: &'a [ManifestItem]) -> Input<'a> {
    Input {
        mode: if arguments.per_item { Mode::PerItem } else { Mode::Atomic },
        dry_run: arguments.dry_run,
        source: arguments.source.as_deref(),
        conflicts: arguments.conflicts,
        ..Input::of(items.iter().map(|item| &item.item))
    }
}

/// Prints the result for each manifest and returns the exit code.
fn conclude(arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem], payload: &BatchAnswer) -> Exit {
    let failed = payload.results.iter().any(|result| result.status == Status::Failed);
    // If one item of an atomic batch is rejected, nothing is written, so the results of the other items mean nothing.
    if !failed || arguments.per_item {
        report::print(kinds.registry(), items, payload, arguments.dry_run);
    }
    if !failed {
        return Exit::Done;
    }
    rejections::items(items, payload, arguments.per_item, kinds.registry())
}
