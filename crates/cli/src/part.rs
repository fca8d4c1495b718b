//! `underlay part`: the life of a part with a serial number, in which hosts it was from when to when.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError};
use underlay_kit::{line, shown};

use crate::exit::{EXIT_CODES, Exit};
use crate::output::printed;
use crate::server;
use crate::show::{Cell, Table, instant, pretty};
use crate::target::ServerAccess;

const PART: &str = "query($serial: String!) { part(serial: $serial) { kind manufacturer model serial ambiguous \
     host { name } place since stays { host { name } place from until } } }";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// The serial number of the part, as agents report it.
    serial: String,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = PartOutput::Table)]
    output: PartOutput,
}

/// The output format of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartOutput {
    /// A table for people: a line for each time in a host, the newest first.
    Table,
    /// The parts with the serial number as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
struct PartData {
    part: Option<Vec<Value>>,
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match show(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

async fn show(client: &Client, Arguments { serial, output }: &Arguments) -> Result<Exit, ClientError> {
    let PartData { part } = client.query(PART, json!({ "serial": serial })).await?;
    let parts = part.unwrap_or_default();
    let mut out = anstream::stdout();
    if *output == PartOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&Value::Array(parts), 0))).exit());
    }
    if parts.is_empty() {
        eprintln!("no agent has reported a part with the serial number {}", shown(serial));
        return Ok(Exit::Failed);
    }
    let rows: Vec<Vec<Cell>> = parts.iter().flat_map(rows).collect();
    let headings = ["KIND", "MAKER", "MODEL", "HOST", "PLACE", "FROM", "UNTIL"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    let done = printed(table.print(&rows, &mut out));
    if parts.iter().any(|part| part["ambiguous"] == true) {
        eprintln!(
            "several hosts have it: either it moved and its old host has not reported since, or there are several"
        );
    }
    Ok(done.exit())
}

/// Returns a row for each stay of a part.
fn rows(part: &Value) -> Vec<Vec<Cell>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stays = part["stays"].as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |stay: &Value| {
        let host = stay["host"]["name"].as_str().unwrap_or("(deleted)").to_owned();
        let until = stay["until"].as_str().map(instant).unwrap_or_default();
        let [kind, maker, model] = ["kind", "manufacturer", "model"].map(|member| text(&part[member]));
        let cells = [kind, maker, model, host, text(&stay["place"]), instant(&text(&stay["from"])), until];
        cells.map(|text| Cell::plain(line(&text))).to_vec()
    };
    stays.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_valid() {
        underlay_testing::graphql::assert_valid(PART);
    }

    #[test]
    fn a_part_has_a_line_for_each_stay() {
        let stay = json!({"host": null, "place": "A1", "from": "2026-11-01T10:00:00.5Z", "until": null});
        let part = json!({"kind": "MEMORY", "manufacturer": null, "model": "N16", "stays": [stay, stay]});
        assert_eq!(rows(&part).len(), 2);
    }
}
