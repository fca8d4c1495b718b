//! `underlay agent`: the tokens with which the agents on hosts report their hardware, and those with which machines enrol
//! their agents.

mod enrolment;

use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, Pages, Total};
use underlay_durable::{Durability, replace_file};
use underlay_kit::line;

use crate::exit::{EXIT_CODES, Exit};
use crate::host::{Refused, age, host_named};
use crate::object::{kinds, listing};
use crate::output::printed;
use crate::server;
use crate::show::{Cell, Table};
use crate::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay agent token brave-otter --file agent.token
  underlay-agent run --server https://underlay.example --token-file agent.token
  underlay agent list
  underlay agent revoke brave-otter
  underlay agent enrol-token --count 40 --for 8h --site site/gent-1 --file enrolment.token";

const ISSUE: &str = "mutation($host: ID!) { issueAgentToken(host: $host) { token } }";
const REVOKE: &str = "mutation($host: ID!) { revokeAgentToken(host: $host) { revoked } }";
/// The GraphQL selection for a host with an agent.
const AGENT: &str =
    "name state hardwareConditions agentToken { issuedTo revokedAt } facts { origin agentVersion receivedAt }";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List the hosts whose agents have reported, or have a token to report with.
    List,
    /// Make a token with which the agent on a host reports, and which can do nothing else.
    ///
    /// The token that the host had is not accepted any more.
    Token {
        /// The host, by name, short id or id.
        #[arg(value_name = "HOST")]
        host: String,
        /// Write the token to this file, which only its owner can read, in place of printing it.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Revoke the token of the agent on a host. What it reported stays.
    Revoke {
        /// The host, by name, short id or id.
        #[arg(value_name = "HOST")]
        host: String,
    },
    /// Make a token with which machines enrol their agents.
    ///
    /// Each machine gets the token of the host that it is, by its MAC addresses, UUID and serial number: run
    /// `underlay-agent enrol` there. A host that has or had a token is not enrolled again before it is released.
    EnrolToken(enrolment::Terms),
    /// List the tokens with which machines enrol their agents.
    EnrolTokens,
    /// Revoke a token with which machines enrol their agents. The agents keep their own tokens.
    RevokeEnrolToken {
        /// The id of the token, which the list shows.
        #[arg(value_name = "ID")]
        id: String,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IssueData {
    issue_agent_token: Issued,
}

#[derive(Deserialize)]
struct Issued {
    token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RevokeData {
    revoke_agent_token: Revoked,
}

#[derive(Deserialize)]
struct Revoked {
    revoked: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostAgent {
    name: String,
    state: String,
    hardware_conditions: Vec<String>,
    agent_token: Option<Token>,
    facts: Vec<Facts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Token {
    issued_to: String,
    revoked_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    origin: String,
    agent_version: String,
    received_at: DateTime<Utc>,
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| {
        let done = match &arguments.act {
            Act::List => list(&client).await,
            Act::Token { host, file } => token(&client, host, file.as_deref()).await,
            Act::Revoke { host } => revoke(&client, host).await,
            Act::EnrolToken(terms) => enrolment::issue(&client, terms).await,
            Act::EnrolTokens => enrolment::list(&client).await,
            Act::RevokeEnrolToken { id } => enrolment::revoke(&client, id).await,
        };
        done.unwrap_or_else(|refused| refused.explain())
    })
}

async fn token(client: &Client, host: &str, file: Option<&Path>) -> Result<Exit, Refused> {
    let host = host_named(client, host).await?;
    let IssueData { issue_agent_token: Issued { token } } = client.query(ISSUE, json!({ "host": host.id })).await?;
    write_token(&token, file, &format!("the token of {}", line(&host.name)))
}

/// Writes a token to a file that only its owner can read; without a file, prints it.
fn write_token(token: &str, file: Option<&Path>, what: &str) -> Result<Exit, Refused> {
    let Some(file) = file else {
        return Ok(printed(writeln!(std::io::stdout(), "{token}")).exit());
    };
    let written = replace_file(file, Durability::Content, format!("{token}\n").as_bytes());
    written.map_err(|error| Refused::Usage(format!("the token cannot be written to {}: {error}", file.display())))?;
    eprintln!("wrote {what} to {}", file.display());
    Ok(Exit::Done)
}

async fn revoke(client: &Client, host: &str) -> Result<Exit, Refused> {
    let host = host_named(client, host).await?;
    let RevokeData { revoke_agent_token: Revoked { revoked } } =
        client.query(REVOKE, json!({ "host": host.id })).await?;
    match revoked {
        true => eprintln!("the token of the agent on {} is revoked", line(&host.name)),
        false => eprintln!("the agent on {} never had a token", line(&host.name)),
    }
    Ok(Exit::Done)
}

async fn list(client: &Client) -> Result<Exit, Refused> {
    let kind = kinds().named("host").ok_or_else(|| Refused::Usage("there is no kind host".to_owned()))?;
    let listing = listing(kind, json!({ "hasAgent": true }), AGENT.to_owned(), None);
    let mut pages = Pages::of(client, listing, Total::NotCounted);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    while let Some(page) = pages.next().await? {
        for node in page.nodes {
            rows.push(row(node)?);
        }
    }
    if rows.is_empty() {
        eprintln!("no host has an agent; `underlay agent token HOST` makes a token for one");
        return Ok(Exit::Done);
    }
    let headings = ["HOST", "STATE", "HEARD", "VERSION", "CONDITIONS", "TOKEN", "ISSUED-TO"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    Ok(printed(table.print(&rows, &mut anstream::stdout())).exit())
}

fn row(node: Value) -> Result<Vec<Cell>, Refused> {
    let host: HostAgent = serde_json::from_value(node)
        .map_err(|error| Refused::Usage(format!("the server sent a host in another form: {error}")))?;
    let facts = host.facts.iter().find(|facts| facts.origin == "AGENT");
    let heard = facts.map_or_else(|| "never".to_owned(), |facts| age(facts.received_at, Utc::now()));
    let token = match &host.agent_token {
        None => "none",
        Some(Token { revoked_at: Some(_), .. }) => "revoked",
        Some(Token { revoked_at: None, .. }) => "accepted",
    };
    let version = facts.map(|facts| facts.agent_version.clone()).unwrap_or_default();
    let issued_to = host.agent_token.as_ref().map(|token| token.issued_to.clone()).unwrap_or_default();
    let cells =
        [host.name, host.state, heard, version, host.hardware_conditions.join(","), token.to_owned(), issued_to];
    Ok(cells.map(|text| Cell::plain(line(&text))).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        let list = format!("query($filter: HostFilter) {{ hosts(filter: $filter) {{ nodes {{ {AGENT} }} }} }}");
        for text in [ISSUE, REVOKE, &list] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
