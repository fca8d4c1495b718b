//! `underlay appliance list`: a table of appliances.

use std::io::Write;

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use serde_json::Value;
use underlay_client::{Client, ClientError, Pages, Total};

use crate::exit::Exit;
use crate::host::age;
use crate::object::{kinds, listing};
use crate::output::printed;
use crate::show::{Cell, Table, pretty};
use underlay_kit::line;

/// The GraphQL selection for an appliance.
const SELECTION: &str = "id name type url createdAt credential { name secretState } site { name } rack { name } \
     hosts(first: 0) { totalCount }";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = ApplianceOutput::Table)]
    output: ApplianceOutput,
}

/// The output format of appliances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ApplianceOutput {
    /// A table with a line for each appliance.
    Table,
    /// The appliances as JSON, for programs.
    Json,
    /// Only the names.
    Name,
}

pub(super) async fn list(client: &Client, arguments: &Arguments) -> Result<Exit, ClientError> {
    let Some(kind) = kinds().named("appliance") else { return Ok(Exit::Failed) };
    let listing = listing(kind, Value::Null, SELECTION.to_owned(), None);
    let mut pages = Pages::of(client, listing, Total::NotCounted);
    let mut found = Vec::new();
    while let Some(page) = pages.next().await? {
        found.extend(page.nodes);
    }
    let mut out = anstream::stdout();
    Ok(match arguments.output {
        ApplianceOutput::Json => printed(writeln!(out, "{}", pretty(&Value::Array(found), 0))).exit(),
        ApplianceOutput::Name => {
            let name = |node: &Value| line(node["name"].as_str().unwrap_or_default());
            printed(found.iter().try_for_each(|node| writeln!(out, "appliance/{}", name(node)))).exit()
        }
        ApplianceOutput::Table if found.is_empty() => {
            eprintln!("there are no appliances");
            Exit::Done
        }
        ApplianceOutput::Table => {
            let headings = ["NAME", "TYPE", "URL", "CREDENTIAL", "SECRETS", "SITE", "RACK", "HOSTS", "AGE"];
            let mut table = Table::new(headings.map(str::to_owned).to_vec());
            let now = Utc::now();
            let rows: Vec<Vec<Cell>> = found.iter().map(|node| row(node, now)).collect();
            printed(table.print(&rows, &mut out)).exit()
        }
    })
}

fn row(node: &Value, now: DateTime<Utc>) -> Vec<Cell> {
    let text = |value: &Value| Cell::plain(line(value.as_str().unwrap_or_default()));
    let created = node["createdAt"].as_str().and_then(|text| text.parse().ok());
    vec![
        text(&node["name"]),
        text(&node["type"]),
        text(&node["url"]),
        text(&node["credential"]["name"]),
        text(&node["credential"]["secretState"]),
        text(&node["site"]["name"]),
        text(&node["rack"]["name"]),
        Cell::plain(node["hosts"]["totalCount"].to_string()),
        Cell::plain(created.map(|at| age(at, now)).unwrap_or_default()),
    ]
}
