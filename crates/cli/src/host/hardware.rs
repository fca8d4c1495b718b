//! `underlay host hardware`: what was last reported of the hardware of a host, by each that reports by itself.

use std::io::Write;

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;
use underlay_facts::{Report, page};
use underlay_kit::line;

use super::list::age;
use super::order::{Order, OrderAct};
use super::{Refused, choose};
use crate::exit::Exit;
use crate::output::printed;
use crate::show::pretty;

pub(super) const QUERY: &str = "query($id: ID!) { node(id: $id) { ... on Host { hardwareConditions \
     missingHardware { measure expected found demand } facts { origin agentVersion observedAt receivedAt since stale raw } } } }";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The host, by name, short id or id.
    #[arg(value_name = "HOST")]
    host: String,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = HardwareOutput::Page)]
    output: HardwareOutput,
}

/// The output format of hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HardwareOutput {
    /// A page for people.
    Page,
    /// The answer of the server as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
struct HardwareData {
    node: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostHardware {
    missing_hardware: Vec<Missing>,
    facts: Vec<Facts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    origin: String,
    agent_version: String,
    received_at: DateTime<Utc>,
    since: DateTime<Utc>,
    stale: bool,
    raw: Value,
}

/// Hardware that a host lacks.
#[derive(Deserialize)]
struct Missing {
    measure: String,
    expected: u64,
    found: u64,
    demand: String,
}

/// Takes what was reported last for what hosts should have, and says for how many.
pub(super) async fn acknowledge(client: &Client, hosts: &[String]) -> Result<Exit, Refused> {
    let chosen = choose::hosts(client, hosts).await?;
    let ids = chosen.iter().map(|host| host.id.clone()).collect();
    Order { act: OrderAct::AcknowledgeHardware, hosts: ids, valid_for: None }.give(client).await?;

    for host in chosen {
        println!("{}: the hardware that was reported last is what it should have", line(&host.name));
    }
    Ok(Exit::Done)
}

/// Asks for the hardware of hosts to be read from their BMCs, and says for which.
pub(super) async fn ask(client: &Client, hosts: &[String]) -> Result<Exit, Refused> {
    let chosen = choose::hosts(client, hosts).await?;
    let ids = chosen.iter().map(|host| host.id.clone()).collect();
    Order { act: OrderAct::ReadHardware, hosts: ids, valid_for: None }.give(client).await?;

    for host in chosen {
        let name = line(&host.name);
        println!(
            "{name}: a controller reads its BMC soon; `underlay host hardware {name}` shows it, and `underlay host history {name}` why it could not"
        );
    }
    Ok(Exit::Done)
}

pub(super) async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, Refused> {
    let hosts = choose::hosts(client, std::slice::from_ref(&arguments.host)).await?;
    let Some(host) = hosts.first() else { return Ok(Exit::Done) };
    let HardwareData { node } = client.query(QUERY, json!({ "id": host.id })).await?;
    let node = node.unwrap_or_default();
    let mut out = anstream::stdout();
    if arguments.output == HardwareOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&node, 0))).exit());
    }

    let hardware: HostHardware = serde_json::from_value(node).map_err(|error| unknown_form(&error))?;
    if hardware.facts.is_empty() {
        eprintln!(
            "nobody has reported about the host; `underlay agent token {0}` makes a token for its agent, and `underlay host \
             read-hardware {0}` has its BMC read",
            line(&host.name)
        );
        return Ok(Exit::Done);
    }
    let pages = hardware.facts.iter().map(text);
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    let missing: String = hardware.missing_hardware.iter().map(|it| format!("{}\n", lack(it))).collect();
    let missing = if missing.is_empty() { missing } else { format!("\n{missing}") };
    Ok(printed(write!(out, "{}{missing}", pages.join("\n"))).exit())
}

/// Returns the line about hardware that a host lacks.
fn lack(missing: &Missing) -> String {
    let Missing { measure, expected, found, demand } = missing;
    let by = match demand.as_str() {
        "CLASS" => "its class demands",
        "ACKNOWLEDGED" => "was acknowledged",
        other => other,
    };
    format!("MISSING {}: {found} of {expected}, which {}", line(measure), line(by))
}

/// Returns the page of a report: who reported it when, and the hardware.
fn text(facts: &Facts) -> Result<String, Refused> {
    let report: Report = serde_json::from_value(facts.raw.clone()).map_err(|error| unknown_form(&error))?;
    let now = Utc::now();
    let (heard, since) = (age(facts.received_at, now), age(facts.since, now));
    let remark = remark(facts);
    let (origin, version) = (line(&facts.origin), line(&facts.agent_version));
    Ok(format!("{origin} {version}: heard {heard} ago{remark}, unchanged for {since}\n\n{}", page(&report)))
}

/// Returns what a reader must know of the age of a report.
fn remark(facts: &Facts) -> &'static str {
    match facts.origin.as_str() {
        _ if facts.stale => ", STALE",
        "RECORDER" => ", which reads again only when it is restarted",
        _ => "",
    }
}

fn unknown_form(error: &serde_json::Error) -> Refused {
    Refused::Usage(format!("the server sent a report in another form: {error}"))
}
