//! `underlay apply`: writes what manifests describe.
//!
//! All manifests of a run are one batch: written together or, with `--per-item`, each by itself. Whatever is refused,
//! by the reader or by the server, is said with the file, the document and the field that it stands in.

mod refused;
mod report;

use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args};
use underlay_adapters::{Client, ClientError, ServerAddress};

use super::batch::{self, Answer, Conflicts, Input, MOST_ITEMS, Mode, Payload, Status};
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::{self, ManifestError, ManifestItem};
use super::server;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The manifests: a file, a folder with all its folders, or - for standard input. Can be given several times.
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

pub(super) fn run(arguments: Arguments, server: ServerAddress) -> Exit {
    if arguments.files.iter().filter(|file| is_standard_input(file)).count() > 1 {
        eprintln!("error: standard input (-f -) can be read only once");
        return Exit::Usage;
    }
    let kinds = KnownKinds::new();
    let items = match read(&arguments.files, &kinds) {
        Ok(items) => items,
        Err(errors) => return refused::unreadable(&errors),
    };
    if items.len() > MOST_ITEMS {
        return refused::too_many(items.len());
    }
    server::talk(server, async |client| write(&client, &arguments, &kinds, &items).await)
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// What all files hold, or all that is wrong with them.
fn read(files: &[PathBuf], kinds: &KnownKinds) -> Result<Vec<ManifestItem>, Vec<ManifestError>> {
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    for file in files {
        match manifest::read(file, kinds) {
            Ok(more) => items.extend(more),
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() { Ok(items) } else { Err(errors) }
}

async fn write(client: &Client, arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem]) -> Exit {
    let payload = match batch::apply(client, &input(arguments, items), Answer::Full).await {
        Ok(payload) => payload,
        Err(ClientError::Graphql(errors)) => return refused::input(&errors, items, kinds.registry()),
        Err(error) => return server::explain(&error),
    };
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
