//! `underlay sync --dry-run`: what a full scan would change, in the form of `underlay diff`.
//!
//! Objects that the source does not have any more are not shown: the server works them out in a run.

use std::io::Write as _;

use serde_json::{Value, json};
use underlay_client::Client;
use underlay_kit::line;
use underlay_kit::sync::{Adapter, Emitted, Item, Sink};

use crate::cli::batch::{self, Conflicts, Detail, Input, MOST_ITEMS, Mode, Status};
use crate::cli::diff;
use crate::cli::exit::Exit;
use crate::cli::server;

/// The number of items that a scan may be ahead.
const AHEAD: usize = 1_000;

/// Prints what a full scan of a source would change.
pub(super) async fn dry_run<A: Adapter>(client: &Client, source: &str, adapter: &A) -> Exit {
    let (sink, mut emitted) = Sink::new(AHEAD);
    let scan = async {
        let mut sink = sink;
        adapter.scan(&mut sink).await
    };
    let compare = async {
        let (mut exit, mut batch) = (Exit::Done, Vec::new());
        while let Some(one) = emitted.recv().await {
            match one {
                Emitted::Item(item) => batch.push(value(&item)),
                // The preview does not show if a secret would change.
                Emitted::Secret(_) => {}
                Emitted::Bad(thing) => {
                    eprintln!("error: {source}: {}: {}", line(&thing.external_id), line(&thing.message));
                    exit = Exit::Failed;
                }
            }
            if batch.len() >= MOST_ITEMS {
                exit = worse(exit, show(client, source, &batch).await);
                batch.clear();
            }
        }
        worse(exit, show(client, source, &batch).await)
    };
    let (scanned, exit) = tokio::join!(scan, compare);
    match scanned {
        Ok(_) => exit,
        Err(error) => {
            eprintln!("error: {source}: {}", line(&error.to_string()));
            let error = underlay_kit::sync::SyncError::from(error);
            if error.is_unreachable() { Exit::Unreachable } else { Exit::Failed }
        }
    }
}

/// The item as the mutation takes it.
fn value(item: &Item) -> Value {
    json!({ item.id().kind.clone(): item.fields() })
}

/// Compares a batch. A batch does not see what the one before it would have created, so that a refusal for something
/// that is missing may be none in a run.
async fn show(client: &Client, source: &str, items: &[Value]) -> Exit {
    if items.is_empty() {
        return Exit::Done;
    }
    let input = Input {
        mode: Mode::PerItem,
        dry_run: true,
        source: Some(source),
        conflicts: Some(Conflicts::Skip),
        ..Input::of(items)
    };
    let payload = match batch::apply(client, &input, Detail::Changes).await {
        Ok(payload) => payload,
        Err(error) => return server::explain(&error),
    };
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    for (style, text) in payload.changes.iter().flat_map(diff::lines) {
        // Nobody may be reading: the exit code says it all the same.
        let _ = writeln!(out, "{style}{}{style:#}", line(&text));
    }
    let mut exit = Exit::Done;
    for result in payload.results.iter().filter(|result| result.status == Status::Failed) {
        let name = result.name.as_deref().unwrap_or_default();
        let reason = result.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
        eprintln!("error: {source}: {}: {}", line(name), line(reason));
        exit = Exit::Failed;
    }
    exit
}

fn worse(one: Exit, other: Exit) -> Exit {
    if one == Exit::Done { other } else { one }
}
