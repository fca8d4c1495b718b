//! A fleet to a server, in batches.
//!
//! While the server works on a batch the next one is made, on a thread of its own; never more than that one, so that
//! the memory of the command does not grow with the fleet.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError, ServerAddress};

use super::progress::Progress;
use super::{Arguments, kind, print};
use crate::cli::batch::{self, Answer, Input, Payload, Status, Totals};
use crate::cli::exit::Exit;
use crate::kinds;
use underlay_demo::{Fleet, Options};
use underlay_kit::printable;

/// How many refused items are shown: they all have the same reason, mostly.
const MOST_SHOWN: usize = 20;

/// Every object of the other kinds needs one of these kinds.
const ROOTS: &str = "{
  regions(first: 0) { totalCount }
  sites(first: 0) { totalCount }
  providers(first: 0) { totalCount }
  clusters(first: 0) { totalCount }
}";

/// A part of the fleet that is written together.
struct Batch {
    items: Vec<Value>,
    /// How much of the fleet is made with it.
    made: (usize, usize),
}

impl Batch {
    fn of(fleet: &mut Fleet, size: usize) -> Self {
        let items = fleet.by_ref().take(size).collect();
        Self { items, made: fleet.progress() }
    }
}

/// What was written so far.
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
        let payload = batch::apply(client, &Input::of(&batch.items), Answer::Results).await?;
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

/// What the inventory has: `sites: 3, clusters: 1`.
async fn found(client: &Client) -> Result<String, ClientError> {
    let roots: Map<String, Value> = client.query(ROOTS, json!({})).await?;
    let counts = roots.iter().map(|(kind, found)| (kind, found["totalCount"].as_u64().unwrap_or_default()));
    let found = counts.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{kind}: {count}"));
    Ok(printable(&found.collect::<Vec<_>>().join(", ")))
}

fn refused(items: &[Value], payload: &Payload, written: usize) -> Exit {
    let refused = items.iter().zip(&payload.results).filter_map(|(item, result)| {
        let (kind, error) = (kind(item)?, result.error.as_ref()?);
        let name = item[kind]["name"].as_str().unwrap_or_default();
        Some(printable(&format!("{kind}/{name}: {} ({})", error.message, error.code)))
    });
    for line in refused.clone().take(MOST_SHOWN) {
        eprintln!("error: {line}");
    }
    let more = refused.count().saturating_sub(MOST_SHOWN);
    if more > 0 {
        eprintln!("error: and {more} more");
    }
    match written {
        0 => eprintln!("nothing was written: something else in the inventory stands in the way of the demo"),
        written => eprintln!("{written} objects were written before; run it again with --force when this is corrected"),
    }
    Exit::Failed
}

impl Written {
    fn add(&mut self, items: &[Value], payload: &Payload) {
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

    /// How many objects of which kind, and what became of them.
    fn text(&self, server: &ServerAddress) -> String {
        let mut text = String::new();
        for kind in kinds::registry().kinds() {
            if let Some(count) = self.kinds.get(kind.singular) {
                text += &format!("{count:>8} {}\n", kind.name);
            }
        }
        text + &format!("{}: see {server}/\n", self.totals)
    }
}
