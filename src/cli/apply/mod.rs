//! `underlay apply`: writes what manifests, or the lines of tables, describe.
//!
//! All objects of a run are one batch: written together or, with `--per-item`, each by itself. Whatever is refused, by
//! the reader or by the server, is said with the file, the document or line, and the field or column that it stands in.

mod refused;
mod report;

use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args};
use underlay_adapters::{Client, ClientError, ServerAddress};

use super::batch::{self, Answer, Conflicts, Input, MOST_ITEMS, Mode, Payload, Status};
use super::csv;
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::{self, ManifestError, ManifestItem, printable};
use super::server;
use crate::inventory::Description;

/// What `--help` says of tables.
pub(super) const TABLES: &str = include_str!("tables.txt");

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The manifests: a file, a folder with all its folders, or - for standard input. Can be given several times.
    /// With --kind tables instead: files of comma-separated values.
    #[arg(short = 'f', long = "file", required = true, action = ArgAction::Append, value_name = "FILE|DIR|-")]
    files: Vec<PathBuf>,
    /// The files are tables (CSV) with an object of this kind on each line, such as device.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
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
    /// in batches of 10,000; those in a later batch can refer to those in an earlier one.
    #[arg(long)]
    per_item: bool,
}

pub(super) fn run(arguments: Arguments, server: ServerAddress) -> Exit {
    if arguments.files.iter().filter(|file| is_standard_input(file)).count() > 1 {
        eprintln!("error: standard input (-f -) can be read only once");
        return Exit::Usage;
    }
    let kinds = KnownKinds::new();
    let Read { items, errors } = match &arguments.kind {
        None => read(&arguments.files, &kinds),
        Some(kind) => match kinds.meant(kind) {
            Ok(kind) => read_tables(&arguments.files, kind, &kinds),
            Err(reason) => {
                eprintln!("error: --kind: {reason}");
                return Exit::Usage;
            }
        },
    };
    // One by one, the good lines of a table are written whatever the others are.
    let part = arguments.kind.is_some() && arguments.per_item && !items.is_empty();
    if !errors.is_empty() && !part {
        return refused::unreadable(&errors);
    }
    if items.len() > MOST_ITEMS && (!arguments.per_item || arguments.dry_run) {
        return refused::too_many(items.len(), arguments.per_item);
    }
    let exit = server::talk(server, async |client| write(&client, &arguments, &kinds, &items).await);
    match (errors.is_empty(), exit) {
        (false, Exit::Done | Exit::Failed) => refused::left_out(&errors),
        (_, exit) => exit,
    }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// What was read.
#[derive(Default)]
struct Read {
    items: Vec<ManifestItem>,
    errors: Vec<ManifestError>,
}

/// What all manifests hold, or all that is wrong with them.
fn read(files: &[PathBuf], kinds: &KnownKinds) -> Read {
    let mut read = Read::default();
    for file in files {
        if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
            read.errors.push(ManifestError::of_file(
                &printable(&file.to_string_lossy()),
                "is a table, it seems: say with --kind KIND what its lines are",
            ));
            continue;
        }
        match manifest::read(file, kinds) {
            Ok(more) => read.items.extend(more),
            Err(more) => read.errors.extend(more),
        }
    }
    read
}

/// What all tables hold: the items of good lines, and what is wrong with the others.
fn read_tables(files: &[PathBuf], kind: &'static Description, kinds: &KnownKinds) -> Read {
    let mut read = Read::default();
    for file in files {
        let table = csv::read(file, kind, kinds);
        read.items.extend(table.items);
        read.errors.extend(table.errors);
    }
    read
}

async fn write(client: &Client, arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem]) -> Exit {
    let mut payload = Payload::default();
    for batch in items.chunks(MOST_ITEMS) {
        let error = match batch::apply(client, &input(arguments, batch), Answer::Full).await {
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
    refused::items(items, payload, arguments.per_item)
}
