//! The tokens with which machines enrol their agents.

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;
use underlay_kit::line;

use super::write_token;
use crate::exit::Exit;
use crate::host::{Refused, duration};
use crate::output::printed;
use crate::show::{Cell, Table, instant};

const ISSUE: &str = "mutation($input: IssueEnrolmentTokenInput!) { issueEnrolmentToken(input: $input) { token \
     enrolmentToken { id count endsAt } } }";
const REVOKE: &str = "mutation($id: ID!) { revokeEnrolmentToken(id: $id) { enrolmentToken { id } } }";
const LIST: &str =
    "{ enrolmentTokens { id site { name } class { name } registers count used endsAt issuedTo revokedAt } }";

/// The machines that a token is for.
#[derive(Debug, Args)]
pub(super) struct Terms {
    /// The number of machines that it is for.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    count: i32,
    /// The time for which it is accepted, such as 8h or 30d: at most 365 days.
    #[arg(long = "for", value_name = "TIME", default_value = "24h", value_parser = duration)]
    time: Duration,
    /// Only for hosts of this site: its id, or a path such as site/gent-1.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Only for hosts of this class, which new hosts get: its id, or a path such as hostClass/gpu-large.
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Register a machine that is no known host.
    #[arg(long, conflicts_with = "site")]
    register: bool,
    /// Write the token to this file, which only its owner can read, in place of printing it.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IssueData {
    issue_enrolment_token: Issued,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issued {
    token: String,
    enrolment_token: New,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct New {
    id: String,
    count: i32,
    ends_at: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RevokeData {
    revoke_enrolment_token: Revoked,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Revoked {
    enrolment_token: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListData {
    enrolment_tokens: Vec<Token>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Token {
    id: String,
    site: Option<Named>,
    class: Option<Named>,
    registers: bool,
    count: i32,
    used: i32,
    ends_at: DateTime<Utc>,
    issued_to: String,
    revoked_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Makes a token.
pub(super) async fn issue(client: &Client, terms: &Terms) -> Result<Exit, Refused> {
    let Terms { count, time, site, class, register, file } = terms;
    let ends_at = (Utc::now() + *time).to_rfc3339_opts(SecondsFormat::Millis, true);
    let input = json!({ "count": count, "endsAt": ends_at, "site": site, "class": class, "registers": register });
    let IssueData { issue_enrolment_token: Issued { token, enrolment_token } } =
        client.query(ISSUE, json!({ "input": input })).await?;
    let New { id, count, ends_at } = enrolment_token;
    let exit = write_token(&token, file.as_deref(), "the token of an enrolment")?;
    eprintln!("it is for {count} machines until {}; its id is {}", line(&ends_at), line(&id));
    Ok(exit)
}

/// Revokes a token.
pub(super) async fn revoke(client: &Client, id: &str) -> Result<Exit, Refused> {
    let RevokeData { revoke_enrolment_token: Revoked { enrolment_token } } =
        client.query(REVOKE, json!({ "id": id })).await?;
    match enrolment_token {
        Some(_) => eprintln!("the token of an enrolment {} is revoked; agents keep their tokens", line(id)),
        None => return Err(Refused::Usage(format!("there is no token of an enrolment with the id {}", line(id)))),
    }
    Ok(Exit::Done)
}

/// Lists the tokens.
pub(super) async fn list(client: &Client) -> Result<Exit, Refused> {
    let ListData { enrolment_tokens } = client.query(LIST, json!({})).await?;
    if enrolment_tokens.is_empty() {
        eprintln!("there is no token of an enrolment; `underlay agent enrol-token` makes one");
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<Cell>> = enrolment_tokens.into_iter().map(|token| row(token, Utc::now())).collect();
    let headings = ["ID", "SITE", "CLASS", "REGISTERS", "USED", "ENDS", "STATE", "ISSUED-TO"];
    let mut table = Table::new(headings.map(str::to_owned).to_vec());
    Ok(printed(table.print(&rows, &mut anstream::stdout())).exit())
}

fn row(token: Token, now: DateTime<Utc>) -> Vec<Cell> {
    let state = match token.revoked_at {
        Some(_) => "revoked",
        None if token.ends_at <= now => "ended",
        None if token.used >= token.count => "used up",
        None => "accepted",
    };
    let name = |named: Option<Named>| named.map(|it| it.name).unwrap_or_default();
    let cells = [
        token.id,
        name(token.site),
        name(token.class),
        if token.registers { "yes" } else { "no" }.to_owned(),
        format!("{} of {}", token.used, token.count),
        instant(&token.ends_at.to_rfc3339_opts(SecondsFormat::Secs, true)),
        state.to_owned(),
        token.issued_to,
    ];
    cells.map(|text| Cell::plain(line(&text))).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        for text in [ISSUE, REVOKE, LIST] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
