//! Writes a fleet to a server, in batches.
//!
//! While the server works on a batch, another thread generates the next one. There is never more than one batch ahead,
//! so the memory of the command does not grow with the fleet.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError, ServerAddress};

use super::progress::Progress;
use super::{Arguments, kind, print};
use crate::batch::{self, BatchAnswer, Detail, Input, Status, Totals};
use crate::exit::Exit;
use underlay_demo::{Fleet, Options};
use underlay_kit::printable;

/// The number of rejected items that are printed; most have the same reason.
const SHOWN_ERRORS: usize = 20;

/// Every object of another kind needs an object of one of these kinds.
const ROOTS: &str = "{
  regions(first: 0) { totalCount }
  sites(first: 0) { totalCount }
  providers(first: 0) { totalCount }
  clusters(first: 0) { totalCount }
}";

/// A part of the fleet that is written together.
struct Batch {
    items: Vec<Value>,
    /// The progress of the fleet after this batch is generated.
    made: (usize, usize),
}

impl Batch {
    fn of(fleet: &mut Fleet, size: usize) -> Self {
        let items = fleet.by_ref().take(size).collect();
        Self { items, made: fleet.progress() }
    }
}

/// The number of objects that were written, by kind and by status.
#[derive(Default)]
struct Written {
    kinds: BTreeMap<String, usize>,
    totals: Totals,
}

pub(super) async fn run(client: &Client, options: &Options, arguments: &Arguments) -> Result<Exit, ClientError> {
    if !arguments.force {
        let found = found(client).await?;
        if !found.is_empty() {
            eprintln!("error: the inventory of {} is not empty ({found})", client.server());
            eprintln!("hint: --force writes the demo next to it; `underlay serve --demo` starts a server of its own");
            return Ok(Exit::Failed);
        }
    }
    let size = arguments.batch;
    let mut fleet = underlay_demo::items(options);
    let mut batch = Batch::of(&mut fleet, size);
    let mut written = Written::default();
    let mut progress = Progress::new();
    while !batch.items.is_empty() {
        let next = tokio::task::spawn_blocking(move || (Batch::of(&mut fleet, size), fleet));
        let payload = batch::apply(client, &Input::of(&batch.items), Detail::Results).await?;
        if payload.results.iter().any(|result| result.status == Status::Failed) {
            progress.clear();
            return Ok(refused(&batch.items, &payload, written.totals.count()));
        }
        written.add(&batch.items, &payload);
        progress.wrote(batch.items.len(), batch.made);
        (batch, fleet) = match next.await {
            Ok(next) => next,
            Err(error) => {
                eprintln!("error: the rest of the fleet cannot be made: {error}");
                return Ok(Exit::Failed);
            }
        };
    }
    progress.clear();
    print(&written.text(client.server()));
    Ok(Exit::Done)
}

/// Returns the number of objects in the inventory: `sites: 3, clusters: 1`.
async fn found(client: &Client) -> Result<String, ClientError> {
    let roots: Map<String, Value> = client.query(ROOTS, json!({})).await?;
    let counts = roots.iter().map(|(kind, found)| (kind, found["totalCount"].as_u64().unwrap_or_default()));
    let found = counts.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{kind}: {count}"));
    Ok(printable(&found.collect::<Vec<_>>().join(", ")))
}

fn refused(items: &[Value], payload: &BatchAnswer, written: usize) -> Exit {
    let refused = items.iter().zip(&payload.results).filter_map(|(item, result)| {
        let (kind, error) = (kind(item)?, result.error.as_ref()?);
        let name = item[kind]["name"].as_str().unwrap_or_default();
        Some(printable(&format!("{kind}/{name}: {} ({})", error.message, error.code)))
    });
    for line in refused.clone().take(SHOWN_ERRORS) {
        eprintln!("error: {line}");
    }
    let more = refused.count().saturating_sub(SHOWN_ERRORS);
    if more > 0 {
        eprintln!("error: and {more} more");
    }
    match written {
        0 => eprintln!("nothing was written: the demo conflicts with other objects of the inventory"),
        written => eprintln!(
            "{written} objects were written before; correct the problem and run the command again with --force"
        ),
    }
    Exit::Failed
}

impl Written {
    fn add(&mut self, items: &[Value], payload: &BatchAnswer) {
        for kind in items.iter().filter_map(kind) {
            match self.kinds.get_mut(kind) {
                Some(count) => *count += 1,
                None => {
                    self.kinds.insert(kind.to_owned(), 1);
                }
            }
        }
        payload.results.iter().for_each(|result| self.totals.add(result.status));
    }

    /// Returns the number of objects of each kind, and the totals.
    fn text(&self, server: &ServerAddress) -> String {
        let mut text = String::new();
        for kind in underlay_kinds::registry().kinds() {
            if let Some(count) = self.kinds.get(kind.singular) {
                text += &format!("{count:>8} {}\n", kind.name);
            }
        }
        text + &format!("{}: see {server}/\n", self.totals)
    }
}
