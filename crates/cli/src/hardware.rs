//! `underlay hardware`: what changed in the hardware of hosts.

use std::io::Write as _;
use std::num::NonZeroU16;

use clap::{Args, Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;
use underlay_kit::line;

use crate::exit::{EXIT_CODES, Exit};
use crate::host::{Refused, host_named};
use crate::output::printed;
use crate::server;
use crate::show::{Cell, Table, instant, pretty};
use crate::target::ServerAccess;

const EVENTS: &str = "query($first: Int!) { hardwareEvents(first: $first) { \
     nodes { at host { name } fromHost { name } part change place before after } } }";
const EVENTS_OF_HOST: &str = "query($id: ID!, $first: Int!) { node(id: $id) { ... on Host { hardwareEvents(first: $first) { \
     nodes { at host { name } fromHost { name } part change place before after } } } } }";
/// The greatest number of events in a page.
const MAX_EVENTS: u16 = 1_000;
/// The members of a part that name it in a line, the first ones first.
const NAMING: [&str; 6] = ["model", "manufacturer", "partNumber", "serial", "permanentMac", "version"];

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List what changed in the hardware of hosts between reports of their agents, the latest first.
    Events {
        /// Only of this host, by name, short id or id.
        #[arg(value_name = "HOST")]
        host: Option<String>,
        /// The maximum number of events: at most 1000.
        #[arg(long, value_name = "NUMBER", default_value = "50")]
        limit: NonZeroU16,
        /// The output format.
        #[arg(short, long, value_enum, default_value_t = EventsOutput::Table)]
        output: EventsOutput,
    },
}

/// The output format of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EventsOutput {
    /// A table for people.
    Table,
    /// The events as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Events {
    hardware_events: Option<Nodes>,
}

#[derive(Deserialize)]
struct HostData {
    node: Option<Events>,
}

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<Value>,
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let Act::Events { host, limit, output } = arguments.act;
    server::talk(server, async |client| {
        list(&client, host.as_deref(), limit, output).await.unwrap_or_else(|refused| refused.explain())
    })
}

async fn list(client: &Client, host: Option<&str>, limit: NonZeroU16, output: EventsOutput) -> Result<Exit, Refused> {
    let first = limit.get().min(MAX_EVENTS);
    let found: Option<Events> = match host {
        None => Some(client.query(EVENTS, json!({ "first": first })).await?),
        Some(host) => {
            let id = host_named(client, host).await?.id;
            let HostData { node } = client.query(EVENTS_OF_HOST, json!({ "id": id, "first": first })).await?;
            node
        }
    };
    let events = found.and_then(|found| found.hardware_events).map(|events| events.nodes).unwrap_or_default();
    let mut out = anstream::stdout();
    if output == EventsOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&Value::Array(events), 0))).exit());
    }
    if events.is_empty() {
        eprintln!("no agent has reported that anything changed");
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<Cell>> = events.iter().map(row).collect();
    let headings = ["AT", "HOST", "PART", "CHANGE", "PLACE", "BEFORE", "AFTER"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    Ok(printed(table.print(&rows, &mut out)).exit())
}

fn row(event: &Value) -> Vec<Cell> {
    let text = |member: &str| event[member].as_str().unwrap_or_default().to_owned();
    let host = event["host"]["name"].as_str().unwrap_or("(deleted)").to_owned();
    let cells = [
        instant(&text("at")),
        host,
        text("part"),
        text("change"),
        text("place"),
        before(event),
        named(&event["after"]),
    ];
    cells.map(|text| Cell::plain(line(&text))).to_vec()
}

/// Returns the part before in few words, with the host from which it moved.
fn before(event: &Value) -> String {
    let part = named(&event["before"]);
    match event["fromHost"]["name"].as_str() {
        Some(host) => format!("{part} in {host}"),
        None => part,
    }
}

/// Returns a part in few words: what names it, or its members if nothing does.
fn named(part: &Value) -> String {
    let Some(members) = part.as_object() else { return String::new() };
    let short = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let naming: Vec<String> = NAMING.iter().filter_map(|member| members.get(*member).map(short)).collect();
    match naming.is_empty() {
        false => naming.join(" "),
        true => {
            members.iter().map(|(member, value)| format!("{member}={}", short(value))).collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        for text in [EVENTS, EVENTS_OF_HOST] {
            underlay_testing::graphql::assert_valid(text);
        }
    }

    #[test]
    fn a_part_that_moved_says_from_where() {
        let moved = json!({"before": {"slot": "A1", "serial": "S"}, "fromHost": {"name": "a"}});
        assert_eq!(before(&moved), "S in a");
        assert_eq!(before(&json!({"before": {"serial": "S"}, "fromHost": null})), "S");
    }

    #[test]
    fn a_part_is_named_by_what_names_it() {
        for (part, words) in [
            (json!({"name": "sda", "model": "M", "serial": "S", "sizeBytes": 5}), "M S"),
            (json!({"carrier": false, "carrierChanges": 3}), "carrier=false carrierChanges=3"),
            (json!({"version": "1.0"}), "1.0"),
            (json!(null), ""),
        ] {
            assert_eq!(named(&part), words, "{part}");
        }
    }
}
