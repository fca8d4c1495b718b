//! `underlay hardware`: what changed in the hardware of hosts, and the models of their parts.

mod models;

use std::io::Write as _;
use std::num::NonZeroU16;

use clap::{Args, Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{ChangeEvent, ChangeStream, Client, ClientError};
use underlay_kit::line;

use crate::exit::{EXIT_CODES, Exit};
use crate::follow::{AtStart, Followed, Follower};
use crate::host::{Refused, host_named};
use crate::output::{Printed, printed};
use crate::print::Printer;
use crate::server;
use crate::show::{Cell, Table, instant, pretty};
use crate::signals::Signals;
use crate::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay hardware events
  underlay hardware events brave-otter --part DISK
  underlay hardware events --serial S64HNE0T512345
  underlay hardware events --change FAILING --change LINK_DOWN --follow
  underlay hardware list --kind DISK --model PM1733 --hosts";

const EVENTS: &str = "query($filter: HardwareEventFilter, $first: Int!) { hardwareEvents(filter: $filter, first: $first) { \
     nodes { cursor at host { name } fromHost { name } part change place before after } } }";
const NEW_EVENTS: &str = "subscription($filter: HardwareEventFilter, $after: String) { \
     hardwareEvents(filter: $filter, after: $after) { cursor at host { name } fromHost { name } part change place before after } }";
const NEWEST: &str = "{ hardwareEvents(first: 1) { nodes { cursor } } }";
/// The cursor before the first event.
const START: &str = "0";
/// The greatest number of events in a page.
const MAX_EVENTS: u16 = 1_000;
/// The members of a part that name it in a line, the first ones first.
const NAMING: [&str; 6] = ["model", "manufacturer", "partNumber", "serial", "permanentMac", "version"];

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List what changed in the hardware of hosts between reports of their agents, the latest first.
    Events(EventsArguments),
    /// List the models of the parts of all hosts, with the number of parts, those with the most parts first.
    List(models::Arguments),
}

#[derive(Debug, Args)]
struct EventsArguments {
    /// Only of this host, by name, short id or id.
    #[arg(value_name = "HOST")]
    host: Option<String>,
    /// Only of this kind of part, such as DISK. Can be given several times.
    #[arg(long = "part", value_name = "PART", value_parser = word)]
    parts: Vec<String>,
    /// Only this change, such as FAILING. Can be given several times.
    #[arg(long = "change", value_name = "CHANGE", value_parser = word)]
    changes: Vec<String>,
    /// Only of the part with this serial number, and of the one that took its place.
    #[arg(long, value_name = "SERIAL")]
    serial: Option<String>,
    /// The maximum number of events: at most 1000.
    #[arg(long, value_name = "NUMBER", default_value = "50")]
    limit: NonZeroU16,
    /// Go on with further events as they come, in lines, the oldest first.
    #[arg(short, long)]
    follow: bool,
    /// The output format. With --follow, JSON has one event in a line.
    #[arg(short, long, value_enum, default_value_t = EventsOutput::Table)]
    output: EventsOutput,
}

/// The output format of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EventsOutput {
    /// A table for people, or lines with --follow.
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
struct Nodes {
    nodes: Vec<HardwareEvent>,
}

/// An event as the server has it.
#[derive(Clone, Debug, Deserialize)]
struct HardwareEvent {
    cursor: String,
    #[serde(flatten)]
    content: Value,
}

impl ChangeEvent for HardwareEvent {
    fn cursor(&self) -> &str {
        &self.cursor
    }
}

impl Followed for HardwareEvent {
    type Position = String;

    fn position(&self) -> String {
        format!("event {}", self.cursor)
    }
}

/// Reads a word of the API. The server says which ones there are.
fn word(text: &str) -> Result<String, String> {
    let word = text.to_ascii_uppercase().replace('-', "_");
    let is_word = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    if is_word { Ok(word) } else { Err("it must be a word such as DISK or LINK_DOWN".to_owned()) }
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    match arguments.act {
        Act::Events(arguments) => server::talk(server, async |client| {
            events(&client, &arguments).await.unwrap_or_else(|refused| refused.explain())
        }),
        Act::List(arguments) => models::run(&arguments, server),
    }
}

async fn events(client: &Client, arguments: &EventsArguments) -> Result<Exit, Refused> {
    let filter = filter(client, arguments).await?;
    // What comes while the list is read is followed too.
    let newest: Option<String> = if arguments.follow { Some(newest(client).await?) } else { None };
    let first = arguments.limit.get().min(MAX_EVENTS);
    let Events { hardware_events } = client.query(EVENTS, json!({ "filter": filter, "first": first })).await?;
    let listed = hardware_events.map(|events| events.nodes).unwrap_or_default();
    match newest {
        None => Ok(list(&listed, arguments.output)),
        Some(newest) => Ok(follow(client, arguments.output, filter, &listed, newest).await),
    }
}

async fn filter(client: &Client, arguments: &EventsArguments) -> Result<Value, Refused> {
    let mut filter = json!({});
    if let Some(host) = &arguments.host {
        filter["host"] = host_named(client, host).await?.id.into();
    }
    if let Some(serial) = &arguments.serial {
        filter["serial"] = json!(serial);
    }
    for (member, words) in [("parts", &arguments.parts), ("changes", &arguments.changes)] {
        if !words.is_empty() {
            filter[member] = json!(words);
        }
    }
    Ok(filter)
}

/// Returns the cursor of the newest event, of any host.
async fn newest(client: &Client) -> Result<String, ClientError> {
    let Events { hardware_events } = client.query(NEWEST, json!({})).await?;
    let event = hardware_events.and_then(|events| events.nodes.into_iter().next());
    Ok(event.map_or_else(|| START.to_owned(), |event| event.cursor))
}

fn list(events: &[HardwareEvent], output: EventsOutput) -> Exit {
    let mut out = anstream::stdout();
    if output == EventsOutput::Json {
        let events = events.iter().map(|event| event.content.clone()).collect();
        return printed(writeln!(out, "{}", pretty(&Value::Array(events), 0))).exit();
    }
    if events.is_empty() {
        eprintln!("no such change was reported");
        return Exit::Done;
    }
    let rows: Vec<Vec<Cell>> = events.iter().map(|event| row(&event.content).map(Cell::plain).to_vec()).collect();
    let headings = ["AT", "HOST", "PART", "CHANGE", "PLACE", "BEFORE", "AFTER"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    printed(table.print(&rows, &mut out)).exit()
}

/// Prints the events that were listed, the oldest first, and those that come after a position.
async fn follow(
    client: &Client,
    output: EventsOutput,
    filter: Value,
    listed: &[HardwareEvent],
    newest: String,
) -> Exit {
    let mut signals = Signals::listen();
    let printer = match Printer::start() {
        Ok(printer) => printer,
        Err(error) => return printed(Err(error)).exit(),
    };
    let mut earlier = listed.iter().rev().filter(|event| is_at_or_before(&event.cursor, &newest)).cloned();
    let position = format!("event {newest}");
    let changes = ChangeStream::new(client.clone(), NEW_EVENTS.to_owned(), json!({ "filter": filter }), newest.clone());
    let mut follower: Follower<'_, HardwareEvent> = Follower::new(client, changes, position, AtStart::Fail);
    loop {
        let event = match earlier.next() {
            Some(event) => Ok(event),
            None => tokio::select! {
                biased;
                () = signals.next() => return Exit::Done,
                event = follower.next() => event,
            },
        };
        let text = match event {
            Ok(event) if output == EventsOutput::Json => format!("{}\n", event.content),
            Ok(event) => in_line(&event.content),
            Err(error) => return server::explain(&error),
        };
        tokio::select! {
            biased;
            written = printer.print(text) => match printed(written) {
                Printed::Whole => {}
                ended => return ended.exit(),
            },
            () = signals.next() => return Exit::Done,
        }
    }
}

/// Returns true if a cursor is not after another one. Cursors of events of hardware are their numbers.
fn is_at_or_before(cursor: &str, other: &str) -> bool {
    let number = |cursor: &str| cursor.parse::<i64>().ok();
    number(cursor).zip(number(other)).is_none_or(|(one, other)| one <= other)
}

/// Returns an event in a line.
fn in_line(event: &Value) -> String {
    let [at, host, part, change, place, before, after] = row(event);
    let parts = [before, after].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" -> ");
    let words = [at, host, part, change, place, parts];
    words.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("  ") + "\n"
}

/// Returns what is shown of an event.
fn row(event: &Value) -> [String; 7] {
    let text = |member: &str| event[member].as_str().unwrap_or_default().to_owned();
    let host = event["host"]["name"].as_str().unwrap_or("(deleted)").to_owned();
    let texts = [
        instant(&text("at")),
        host,
        text("part"),
        text("change"),
        text("place"),
        before(event),
        named(&event["after"]),
    ];
    texts.map(|text| line(&text))
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
        for text in [EVENTS, NEW_EVENTS, NEWEST] {
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
