//! `underlay source`: approves and rejects what a source may not remove by itself, pauses and resumes sources, and
//! lists what may be one machine.

use std::io::Write as _;

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;
use underlay_client::{Client, ClientError};

use super::exit::{EXIT_CODES, Exit};
use super::output::printed;
use super::server;
use super::show::{Cell, Table};
use super::target::ServerAccess;
use underlay_kit::{line, shown};

const EXAMPLES: &str = "\
Examples:
  underlay get sources
  underlay describe source/netbox
  underlay source approve netbox
  underlay source reject netbox
  underlay source pause netbox
  underlay source suggestions bcm";

const FIND: &str =
    "query($name: String!) { source(name: $name) { id holdingRuns(first: 1000) { id renumbered heldCount } } }";
const APPROVE: &str = "mutation($run: ID!, $adopt: Boolean!) { approveRun(input: {run: $run, adopt: $adopt}) { \
    run { state retired deleted released heldCount } } }";
const REJECT: &str = "mutation($run: ID!) { rejectRun(input: {run: $run}) { run { state } } }";
const PAUSE_MUTATION: &str = "mutation($id: ID!, $paused: Boolean!) { \
    updateSource(id: $id, patch: {paused: $paused}) { source { paused } } }";

const SUGGESTIONS: &str = "query($name: String!) { source(name: $name) { suggestions(first: 1000) { \
    path otherPath by value } } }";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: SourceCommand,
}

#[derive(Debug, Subcommand)]
enum SourceCommand {
    /// Remove the objects of a source that are held, and empty the fields that are held.
    Approve {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
        /// Give renumbered objects their new external ids instead of removing them.
        #[arg(long)]
        adopt: bool,
    },
    /// Leave everything that is held of a source as it is. The next full run is judged anew.
    Reject {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
    },
    /// Pause a source: no runs of it are started.
    Pause {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
    },
    /// Resume a source that was paused.
    Resume {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
    },
    /// List devices and hosts of a source that may be the same machine as an object from elsewhere.
    Suggestions {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
    },
}

#[derive(Deserialize)]
struct SourceData {
    source: Option<Source>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    id: String,
    holding_runs: Vec<Holding>,
}

#[derive(Deserialize)]
struct Suggesting {
    source: Option<Suggestions>,
}

#[derive(Deserialize)]
struct Suggestions {
    suggestions: Vec<Suggestion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suggestion {
    path: String,
    other_path: String,
    by: String,
    value: String,
}

/// A run with which something is held.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Holding {
    id: String,
    renumbered: bool,
    held_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Approved {
    approve_run: ApprovePayload,
}

#[derive(Deserialize)]
struct ApprovePayload {
    run: Removed,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Removed {
    state: String,
    retired: u64,
    deleted: u64,
    released: u64,
    held_count: u64,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match act(&client, &arguments.act).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

async fn act(client: &Client, act: &SourceCommand) -> Result<Exit, ClientError> {
    let (SourceCommand::Approve { name, .. }
    | SourceCommand::Reject { name }
    | SourceCommand::Pause { name }
    | SourceCommand::Resume { name }
    | SourceCommand::Suggestions { name }) = act;
    if matches!(act, SourceCommand::Suggestions { .. }) {
        return suggest(client, name).await;
    }
    let SourceData { source } = client.query(FIND, json!({ "name": name })).await?;
    let Some(source) = source else { return Ok(unknown(name)) };
    match act {
        SourceCommand::Pause { .. } | SourceCommand::Resume { .. } => {
            let paused = matches!(act, SourceCommand::Pause { .. });
            let _: serde_json::Value =
                client.query(PAUSE_MUTATION, json!({ "id": source.id, "paused": paused })).await?;
            eprintln!("source {} is {}", shown(name), if paused { "paused" } else { "resumed" });
            Ok(Exit::Done)
        }
        SourceCommand::Approve { adopt, .. } => decide(client, name, &source.holding_runs, Some(*adopt)).await,
        SourceCommand::Reject { .. } | SourceCommand::Suggestions { .. } => {
            decide(client, name, &source.holding_runs, None).await
        }
    }
}

/// Approves what is held of a source, run by run, or rejects it. `approves` says whether renumbered objects get their
/// new ids; `None` rejects.
async fn decide(client: &Client, name: &str, runs: &[Holding], approves: Option<bool>) -> Result<Exit, ClientError> {
    if runs.is_empty() {
        eprintln!("error: no run of source {} is held", shown(name));
        return Ok(Exit::Failed);
    }
    // Only renumbered objects have ids to give; what else is held waits. If there are none, the server says so.
    let adopts = approves == Some(true) && runs.iter().any(|run| run.renumbered);
    for held in runs.iter().filter(|run| run.renumbered || !adopts) {
        let Some(adopt) = approves else {
            let _: serde_json::Value = client.query(REJECT, json!({ "run": held.id })).await?;
            eprintln!("rejected the list of run {}: {} objects and fields stay as they are", held.id, held.held_count);
            continue;
        };
        let variables = json!({ "run": held.id, "adopt": adopt });
        let Approved { approve_run: ApprovePayload { run } } = client.query(APPROVE, variables).await?;
        eprintln!(
            "run {} is {}: it has retired {}, deleted {} and released {} objects; {} are held",
            held.id, run.state, run.retired, run.deleted, run.released, run.held_count
        );
    }
    Ok(Exit::Done)
}

/// Says that there is no such source.
fn unknown(name: &str) -> Exit {
    eprintln!("error: there is no source {}; `underlay get sources` lists them", shown(name));
    Exit::Failed
}

/// Prints what may be one machine.
async fn suggest(client: &Client, name: &str) -> Result<Exit, ClientError> {
    let Suggesting { source } = client.query(SUGGESTIONS, json!({ "name": name })).await?;
    let Some(Suggestions { suggestions }) = source else { return Ok(unknown(name)) };
    if suggestions.is_empty() {
        eprintln!("nothing of source {} has the serial number, UUID, BMC or boot MAC of another object", shown(name));
        return Ok(Exit::Done);
    }
    let row = |it: &Suggestion| {
        let by = it.by.to_lowercase().replace('_', " ");
        [&it.path, &it.other_path, &by, &it.value].map(|text| Cell::plain(line(text))).to_vec()
    };
    let rows: Vec<Vec<Cell>> = suggestions.iter().map(row).collect();
    let mut table = Table::new(["OBJECT", "MAY BE", "SAME", "VALUE"].map(str::to_owned).to_vec());
    let mut out = anstream::stdout();
    let exit = printed(table.print(&rows, &mut out).and_then(|()| out.flush())).exit();
    eprintln!(
        "nothing is joined by itself: give one of the two the external reference of the other, and delete the other"
    );
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_read() {
        for text in [FIND, APPROVE, REJECT, PAUSE_MUTATION, SUGGESTIONS] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
