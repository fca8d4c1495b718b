//! `underlay apply`: writes what manifests describe.
//!
//! All manifests of a run are one batch: written together or, with `--per-item`, each by itself. Whatever is refused,
//! by the reader or by the server, is said with the file, the document and the field that it stands in.
//!
//! What `underlay export` wrote is recognised by its first line and written as a stream of batches.

pub(super) mod refused;
mod report;
mod stream;

use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args, ValueEnum};
use serde_json::{Map, Value, json};
use underlay_adapters::{Client, ClientError, ServerAddress};

use super::batch::{self, MOST_ITEMS, Payload, Status};
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::{self, ManifestError, ManifestItem};
use super::server;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The manifests: a file, a folder with all its folders, or - for standard input. Can be given several times.
    /// What export wrote is recognised by its first line; it is applied alone, in many batches, and safe to repeat.
    #[arg(short = 'f', long = "file", required = true, action = ArgAction::Append, value_name = "FILE|DIR|-")]
    files: Vec<PathBuf>,
    /// Only say what would change.
    #[arg(long)]
    dry_run: bool,
    /// Write in the name of a source: it becomes the manager of the fields, and externalId is of it.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    source: Option<String>,
    /// What happens to fields that somebody else manages. Default: skip with a source, fail without.
    #[arg(long, value_enum)]
    conflicts: Option<Conflicts>,
    /// Write each manifest by itself: what is refused keeps nothing else from being written.
    #[arg(long)]
    per_item: bool,
}

/// What happens to a field that another manager holds.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Conflicts {
    /// They are left alone, and reported.
    Skip,
    /// The manifest is refused.
    Fail,
    /// They are taken over.
    Force,
}

impl Conflicts {
    /// The word of the API.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Skip => "SKIP",
            Self::Fail => "FAIL",
            Self::Force => "FORCE",
        }
    }
}

pub(super) fn run(arguments: Arguments, server: ServerAddress) -> Exit {
    if is_read_twice(&arguments.files) {
        return Exit::Usage;
    }
    let kinds = KnownKinds::new();
    let items = match read(&arguments.files, &kinds) {
        Read::Items(items) => items,
        Read::Bad(errors) => return refused::unreadable(&errors),
        Read::Export(lines) => return apply_export(&arguments, lines, server),
    };
    if items.len() > MOST_ITEMS {
        return refused::too_many(items.len());
    }
    server::talk(server, async |client| write(&client, &arguments, &kinds, &items).await)
}

/// Whether standard input is asked for twice, which is said.
pub(super) fn is_read_twice(files: &[PathBuf]) -> bool {
    let twice = files.iter().filter(|file| is_standard_input(file)).count() > 1;
    if twice {
        eprintln!("error: standard input (-f -) can be read only once");
    }
    twice
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// What files hold.
pub(super) enum Read {
    /// Manifests.
    Items(Vec<ManifestItem>),
    /// Manifests that cannot be read: all that is wrong with them.
    Bad(Vec<ManifestError>),
    /// The lines of an export, which are read as they are written.
    Export(Box<dyn BufRead>),
}

/// What all files hold, up to the first export among them.
pub(super) fn read(files: &[PathBuf], kinds: &KnownKinds) -> Read {
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    for file in files {
        match read_one(file, kinds) {
            Read::Items(more) => items.extend(more),
            Read::Bad(more) => errors.extend(more),
            export @ Read::Export(_) => return export,
        }
    }
    if errors.is_empty() { Read::Items(items) } else { Read::Bad(errors) }
}

fn read_one(path: &Path, kinds: &KnownKinds) -> Read {
    let manifests = |read| match read {
        Ok(items) => Read::Items(items),
        Err(errors) => Read::Bad(errors),
    };
    if is_standard_input(path) {
        return match stream::begin(io::stdin().lock()) {
            (true, lines) => Read::Export(Box::new(lines)),
            (false, text) => manifests(manifest::read_from(manifest::STANDARD_INPUT, text, kinds)),
        };
    }
    // A pipe named on the command line (`-f <(…)`) can be read only once, as standard input can.
    let is_folder = fs::metadata(path).is_ok_and(|it| it.is_dir());
    let is_file = fs::metadata(path).is_ok_and(|it| it.is_file());
    match File::open(path) {
        Ok(file) if !is_folder => match stream::begin(file) {
            (true, lines) => Read::Export(Box::new(lines)),
            (false, text) if !is_file => manifests(manifest::read_from(&path.to_string_lossy(), text, kinds)),
            (false, _) => manifests(manifest::read(path, kinds)),
        },
        _ => manifests(manifest::read(path, kinds)),
    }
}

fn apply_export(arguments: &Arguments, lines: Box<dyn BufRead>, server: ServerAddress) -> Exit {
    let alone = "an export is applied alone, not with other files: apply one after the other";
    let dry = "an export cannot be applied with --dry-run: its later batches need what the earlier ones write";
    let sources = "an export says for each object in the name of which source it is written: leave --source out";
    let whole = "an export cannot be applied with --per-item: each of its batches is written whole or not at all";
    let usage = [
        (arguments.files.len() > 1, alone),
        (arguments.dry_run, dry),
        (arguments.source.is_some(), sources),
        (arguments.per_item, whole),
    ];
    if let Some((_, reason)) = usage.iter().find(|(wrong, _)| *wrong) {
        eprintln!("error: {reason}");
        return Exit::Usage;
    }
    let conflicts = arguments.conflicts.map(Conflicts::word);
    server::talk(server, async |client| stream::apply(&client, lines, conflicts).await)
}

async fn write(client: &Client, arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem]) -> Exit {
    let payload = match batch::apply(client, input(arguments, items)).await {
        Ok(payload) => payload,
        Err(ClientError::Graphql(errors)) => return refused::input(&errors, items, kinds.registry()),
        Err(error) => return server::explain(&error),
    };
    conclude(arguments, kinds, items, &payload)
}

fn input(arguments: &Arguments, items: &[ManifestItem]) -> Map<String, Value> {
    let items: Vec<&Value> = items.iter().map(|item| &item.item).collect();
    let mode = if arguments.per_item { "PER_ITEM" } else { "ATOMIC" };
    let mut input = Map::new();
    input.insert("items".to_owned(), json!(items));
    input.insert("mode".to_owned(), mode.into());
    input.insert("dryRun".to_owned(), arguments.dry_run.into());
    input.extend(arguments.source.as_ref().map(|source| ("source".to_owned(), source.as_str().into())));
    input.extend(arguments.conflicts.map(|conflicts| ("conflicts".to_owned(), conflicts.word().into())));
    input
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
