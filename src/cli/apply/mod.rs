//! `underlay apply`: writes what manifests, or the lines of tables, describe.
//!
//! All objects of a run are one batch: written together or, with `--per-item`, each by itself. Whatever is refused, by
//! the reader or by the server, is said with the file, the document or line, and the field or column that it stands in.
//!
//! What `underlay export` wrote is recognised by its first line and written as a stream of batches.

mod files;
pub(super) mod refused;
mod report;
mod stream;

use std::io::BufRead;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use underlay_client::{Client, ClientError};

pub(super) use self::files::{Files, Objects, Read};
use self::refused::TooMany;
use super::batch::{self, Answer, BATCH_ITEMS, Conflicts, Input, MOST_ITEMS, Mode, Payload, Status};
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::ManifestItem;
use super::server;
use super::target::Reach;

/// What `--help` says of tables.
pub(super) const TABLES: &str = include_str!("tables.txt");

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Only say what would change.
    #[arg(long)]
    dry_run: bool,
    /// Write in the name of a source: it becomes the manager of the fields, and externalId is of it.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    source: Option<String>,
    /// What happens to fields that somebody else manages. Default: skip with a source, fail without.
    #[arg(long, value_enum)]
    conflicts: Option<Conflicts>,
    /// Write each object by itself: what is refused keeps nothing else from being written. Takes any number of objects,
    /// in batches of 1,000; those in a later batch can refer to those in an earlier one.
    #[arg(long)]
    per_item: bool,
}

pub(super) fn run(arguments: Arguments, server: Reach) -> Exit {
    let kinds = KnownKinds::new();
    match arguments.files.read(&kinds) {
        Ok(Read::Objects(objects)) => apply_objects(&arguments, &kinds, &objects, server),
        Ok(Read::Export(lines)) => apply_export(&arguments, lines, server),
        Err(exit) => exit,
    }
}

fn apply_objects(arguments: &Arguments, kinds: &KnownKinds, objects: &Objects, server: Reach) -> Exit {
    let Objects { items, errors } = objects;
    // One by one, the good lines of a table are written whatever the others are.
    let part = arguments.files.are_tables() && arguments.per_item && !items.is_empty();
    if !errors.is_empty() && !part {
        return refused::unreadable(errors);
    }
    if items.len() > MOST_ITEMS {
        match (arguments.per_item, arguments.dry_run) {
            (true, false) => {}
            (true, true) => return refused::too_many(items.len(), TooMany::Tried),
            (false, _) => return refused::too_many(items.len(), TooMany::Written),
        }
    }
    let exit = server::talk(server, async |client| write(&client, arguments, kinds, items).await);
    match (errors.is_empty(), exit) {
        (false, Exit::Done | Exit::Failed) => refused::left_out(errors),
        (_, exit) => exit,
    }
}

fn apply_export(arguments: &Arguments, lines: Box<dyn BufRead>, server: Reach) -> Exit {
    let alone = "an export is applied alone, not with other files: apply one after the other";
    let dry = "an export cannot be applied with --dry-run: its later batches need what the earlier ones write";
    let sources = "an export says for each object in the name of which source it is written: leave --source out";
    let whole = "an export cannot be applied with --per-item: each of its batches is written whole or not at all";
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
    let mut payload = Payload::default();
    // Without a dry run, each request is one batch of the server: all of it was written, or nothing.
    let most = if arguments.per_item && !arguments.dry_run { BATCH_ITEMS } else { MOST_ITEMS };
    for batch in items.chunks(most) {
        let error = match batch::apply(client, &input(arguments, batch), Answer::Results).await {
            Ok(more) => {
                payload.results.extend(more.results);
                continue;
            }
            Err(error) => error,
        };
        let written = payload.results.len();
        if written > 0 {
            conclude(arguments, kinds, &items[..written], &payload);
            eprintln!("the objects after the first {written} were not written, for this reason:");
        }
        return match error {
            ClientError::Graphql(errors) => refused::input(&errors, batch, kinds.registry()),
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

/// Says what became of the manifests.
fn conclude(arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem], payload: &Payload) -> Exit {
    let failed = payload.results.iter().any(|result| result.status == Status::Failed);
    // What an atomic batch with a refused item would have done to the others is of no interest: it did not.
    if !failed || arguments.per_item {
        report::print(kinds.registry(), items, payload, arguments.dry_run);
    }
    if !failed {
        return Exit::Done;
    }
    refused::items(items, payload, arguments.per_item, kinds.registry())
}
