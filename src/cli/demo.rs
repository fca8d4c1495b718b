//! `underlay demo`: writes the demo fleet to a running server.
//!
//! It goes through `apply` like any other client, one batch after the other, so a fleet of any size can be written.
//! It is made for an empty inventory: to another one it is written only when that is asked for.

use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};
use underlay_adapters::{Client, ClientError, ServerAddress};

use super::batch::{self, MOST_ITEMS, Payload, Status, totals};
use super::exit::Exit;
use super::manifest::printable;
use super::server;
use crate::demo::{self, MOST_RACKS, Options};
use crate::kinds;

/// How many refused items are shown: they all have the same reason, mostly.
const MOST_SHOWN: usize = 20;

/// Every object of the other kinds needs one of these kinds.
const ROOTS: &str = "{
  regions(first: 0) { totalCount }
  sites(first: 0) { totalCount }
  providers(first: 0) { totalCount }
  clusters(first: 0) { totalCount }
}";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write it next to what the inventory holds already.
    #[arg(long)]
    force: bool,
    /// How many compute racks the fleet has.
    #[arg(long, default_value_t = Options::default().racks, value_parser = racks, value_name = "NUMBER")]
    racks: usize,
}

fn racks(text: &str) -> Result<usize, String> {
    let racks = text.parse::<usize>().ok().filter(|racks| (1..=MOST_RACKS).contains(racks));
    racks.ok_or_else(|| format!("must be a whole number from 1 to {MOST_RACKS}"))
}

pub(super) fn run(arguments: Arguments, server: ServerAddress) -> Exit {
    server::talk(server, async |client| match write(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

async fn write(client: &Client, arguments: &Arguments) -> Result<Exit, ClientError> {
    if !arguments.force {
        let found = found(client).await?;
        if !found.is_empty() {
            eprintln!("error: the inventory of {} is not empty ({found})", client.server());
            eprintln!("hint: --force writes the demo next to it; `underlay serve --demo` starts a server of its own");
            return Ok(Exit::Failed);
        }
    }
    let mut items = demo::items(&Options { racks: arguments.racks, ..Options::default() });
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut statuses = Vec::new();
    loop {
        let batch: Vec<Value> = items.by_ref().take(MOST_ITEMS).collect();
        if batch.is_empty() {
            break;
        }
        let payload = batch::apply(client, Map::from_iter([("items".to_owned(), json!(batch))])).await?;
        if payload.results.iter().any(|result| result.status == Status::Failed) {
            return Ok(refused(&batch, &payload, statuses.len()));
        }
        for kind in batch.iter().filter_map(kind) {
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
        statuses.extend(payload.results.iter().map(|result| result.status));
    }
    print(&counts, &statuses, client.server());
    Ok(Exit::Done)
}

/// What the inventory has: `sites: 3, clusters: 1`.
async fn found(client: &Client) -> Result<String, ClientError> {
    let roots: Map<String, Value> = client.query(ROOTS, json!({})).await?;
    let counts = roots.iter().map(|(kind, found)| (kind, found["totalCount"].as_u64().unwrap_or_default()));
    let found = counts.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{kind}: {count}"));
    Ok(printable(&found.collect::<Vec<_>>().join(", ")))
}

fn kind(item: &Value) -> Option<&str> {
    item.as_object()?.keys().next().map(String::as_str)
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

fn print(counts: &BTreeMap<String, usize>, statuses: &[Status], server: &ServerAddress) {
    let mut text = String::new();
    for kind in kinds::registry().kinds() {
        if let Some(count) = counts.get(kind.singular) {
            text += &format!("{count:>8} {}\n", kind.name);
        }
    }
    text += &format!("{}: see {server}/\n", totals(statuses.iter().copied()));
    // Nobody may be reading: what was done is done all the same.
    let _ = std::io::stdout().write_all(text.as_bytes());
}
