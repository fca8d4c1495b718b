//! `underlay source`: approves and rejects what a source may not remove by itself, and pauses and resumes sources.

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;
use underlay_client::{Client, ClientError};

use super::exit::{EXIT_CODES, Exit};
use super::server;
use super::target::ServerAccess;
use underlay_kit::shown;

const EXAMPLES: &str = "\
Examples:
  underlay get sources
  underlay describe source/netbox
  underlay source approve netbox
  underlay source reject netbox
  underlay source pause netbox";

const FIND: &str =
    "query($name: String!) { source(name: $name) { id runs(first: 1000) { nodes { id state heldCount } } } }";
const APPROVE: &str = "mutation($run: ID!, $adopt: Boolean!) { approveRun(input: {run: $run, adopt: $adopt}) { \
    run { state retired deleted released heldCount } } }";
const REJECT: &str = "mutation($run: ID!) { rejectRun(input: {run: $run}) { run { state } } }";
const PAUSE: &str = "mutation($id: ID!, $paused: Boolean!) { updateSource(id: $id, patch: {paused: $paused}) { \
    source { paused } } }";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(super) struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Remove what the held run of a source lists, and empty the fields that it lists.
    Approve {
        /// The name of the source.
        #[arg(value_name = "SOURCE")]
        name: String,
        /// Give renumbered objects their new external ids instead of removing them.
        #[arg(long)]
        adopt: bool,
    },
    /// Remove nothing of what the held run of a source lists. The next full run is judged anew.
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
}

#[derive(Deserialize)]
struct Found {
    source: Option<Source>,
}

#[derive(Deserialize)]
struct Source {
    id: String,
    runs: Runs,
}

#[derive(Deserialize)]
struct Runs {
    nodes: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    id: String,
    state: String,
    held_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Approved {
    approve_run: Payload,
}

#[derive(Deserialize)]
struct Payload {
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

async fn act(client: &Client, act: &Act) -> Result<Exit, ClientError> {
    let (Act::Approve { name, .. } | Act::Reject { name } | Act::Pause { name } | Act::Resume { name }) = act;
    let Found { source } = client.query(FIND, json!({ "name": name })).await?;
    let Some(source) = source else {
        eprintln!("error: there is no source {}; `underlay get sources` lists them", shown(name));
        return Ok(Exit::Failed);
    };
    match act {
        Act::Pause { .. } | Act::Resume { .. } => {
            let paused = matches!(act, Act::Pause { .. });
            let _: serde_json::Value = client.query(PAUSE, json!({ "id": source.id, "paused": paused })).await?;
            eprintln!("source {} is {}", shown(name), if paused { "paused" } else { "resumed" });
            return Ok(Exit::Done);
        }
        Act::Approve { .. } | Act::Reject { .. } => {}
    }
    let Some(held) = source.runs.nodes.iter().find(|run| run.state == "HELD" && run.held_count > 0) else {
        eprintln!("error: no run of source {} is held", shown(name));
        return Ok(Exit::Failed);
    };
    if let Act::Approve { adopt, .. } = act {
        let variables = json!({ "run": held.id, "adopt": adopt });
        let Approved { approve_run: Payload { run } } = client.query(APPROVE, variables).await?;
        eprintln!(
            "run {} is {}: it has retired {}, deleted {} and released {} objects; {} are held",
            held.id, run.state, run.retired, run.deleted, run.released, run.held_count
        );
        return Ok(Exit::Done);
    }
    let _: serde_json::Value = client.query(REJECT, json!({ "run": held.id })).await?;
    eprintln!("rejected what run {} held: {} objects and fields stay as they are", held.id, held.held_count);
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_read() {
        for text in [FIND, APPROVE, REJECT, PAUSE] {
            assert!(async_graphql::parser::parse_query(text).is_ok(), "{text}");
        }
    }
}
