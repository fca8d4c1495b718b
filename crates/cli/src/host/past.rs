//! `underlay host history`: what controllers did with a host.

use std::io::Write;
use std::num::NonZeroU16;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;

use super::{Refused, choose};
use crate::exit::Exit;
use crate::output::printed;
use crate::show::{Cell, Table, instant, pretty};
use underlay_kit::line;

pub(super) const QUERY: &str = "query($id: ID!, $first: Int!) { node(id: $id) { ... on Host { \
     history(first: $first) { nodes { number at by act message } } } } }";
/// The greatest number of entries that are kept of a host.
const MAX_ENTRIES: u16 = 1_000;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The host, by name, short id or id.
    #[arg(value_name = "HOST")]
    host: String,
    /// The maximum number of entries, the latest first: at most 1000, which is as many as are kept.
    #[arg(long, value_name = "NUMBER", default_value = "50")]
    limit: NonZeroU16,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = HistoryOutput::Table)]
    output: HistoryOutput,
}

/// The output format of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HistoryOutput {
    /// A table for people.
    Table,
    /// The entries as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
struct HistoryData {
    node: Option<HostNode>,
}

#[derive(Deserialize)]
struct HostNode {
    history: Option<Entries>,
}

#[derive(Deserialize)]
struct Entries {
    nodes: Vec<Value>,
}

pub(super) async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, Refused> {
    let host = choose::hosts(client, std::slice::from_ref(&arguments.host)).await?;
    let ids: Vec<&str> = host.iter().map(|host| host.id.as_str()).collect();
    let first = arguments.limit.get().min(MAX_ENTRIES);
    let HistoryData { node } = client.query(QUERY, json!({ "id": ids.first(), "first": first })).await?;
    let entries = node.and_then(|node| node.history).map(|history| history.nodes).unwrap_or_default();
    let mut out = anstream::stdout();
    if arguments.output == HistoryOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&Value::Array(entries), 0))).exit());
    }
    if entries.is_empty() {
        eprintln!("no controller has done anything with the host");
        return Ok(Exit::Done);
    }
    let text = |entry: &Value, member: &str| entry[member].as_str().unwrap_or_default().to_owned();
    let row = |entry: &Value| {
        let at = instant(&text(entry, "at"));
        [at, text(entry, "by"), text(entry, "act"), text(entry, "message")].map(|it| Cell::plain(line(&it))).to_vec()
    };
    let rows: Vec<Vec<Cell>> = entries.iter().map(row).collect();
    let mut table = Table::new(["AT", "BY", "ACT", "MESSAGE"].map(str::to_owned).to_vec());
    Ok(printed(table.print(&rows, &mut out)).exit())
}
