//! `underlay hosts`: shows what contradicts the inventory and what exists outside of it, and lets host controllers act
//! again after they could only observe.

mod strays;

use std::io::Write;

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;
use underlay_client::{Client, ClientError};

use crate::exit::{EXIT_CODES, Exit};
use crate::output::printed;
use crate::server;
use crate::show::{Cell, Table, instant};
use crate::target::ServerAccess;
use underlay_kit::line;

const HOSTS_STATUS: &str = "{ hostsStatus { observeOnly { reason by since } \
     contradictions { host { name state power } message } } }";
const RESUME: &str = "mutation { resumeHosts { observeOnly { reason by since } \
     contradictions { host { name state power } message } } }";

const ABOUT: &str = "\
Controllers only observe after a restore; when one of them finds that the database has another history than it knows, or
was rolled back; and when one starts without its state file while hosts are in use and no other one works. What they see
may contradict the inventory then. Look at the list, correct the inventory, and resume.";

#[derive(Debug, Args)]
#[command(after_help = format!("{ABOUT}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: HostsCommand,
}

#[derive(Debug, Subcommand)]
enum HostsCommand {
    /// Show whether controllers may act, the hosts of which what was seen contradicts the inventory, and the strays: what
    /// exists at provisioners and is no host.
    Status,
    /// Let controllers act again. Only an administrator may.
    Resume,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostsStatusData {
    hosts_status: HostsStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResumeData {
    resume_hosts: HostsStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostsStatus {
    observe_only: Option<ObserveOnly>,
    contradictions: Vec<Contradiction>,
}

#[derive(Deserialize)]
struct ObserveOnly {
    reason: String,
    by: String,
    since: String,
}

#[derive(Deserialize)]
struct Contradiction {
    host: HostOf,
    message: String,
}

#[derive(Deserialize)]
struct HostOf {
    name: String,
    state: String,
    power: String,
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match act(&client, &arguments.act).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

async fn act(client: &Client, act: &HostsCommand) -> Result<Exit, ClientError> {
    let hosts_status = match act {
        HostsCommand::Status => {
            let HostsStatusData { hosts_status } = client.query(HOSTS_STATUS, json!({})).await?;
            match &hosts_status.observe_only {
                Some(why) => eprintln!("controllers may only observe: {}", describe(why)),
                None => eprintln!("controllers may act"),
            }
            hosts_status
        }
        HostsCommand::Resume => {
            let ResumeData { resume_hosts } = client.query(RESUME, json!({})).await?;
            match &resume_hosts.observe_only {
                Some(why) => eprintln!("controllers may act again; they could only observe: {}", describe(why)),
                None => eprintln!("controllers could act already"),
            }
            resume_hosts
        }
    };
    let exit = print(&hosts_status.contradictions);
    match act {
        HostsCommand::Status if exit == Exit::Done => strays::show(client).await,
        HostsCommand::Status | HostsCommand::Resume => Ok(exit),
    }
}

fn describe(why: &ObserveOnly) -> String {
    let ObserveOnly { reason, by, since } = why;
    line(&format!("{reason} ({by}, {})", instant(since)))
}

/// Prints the hosts that contradict the inventory.
fn print(contradictions: &[Contradiction]) -> Exit {
    if contradictions.is_empty() {
        eprintln!("nothing that was seen contradicts the inventory");
        return Exit::Done;
    }
    let row = |it: &Contradiction| {
        [&it.host.name, &it.host.state, &it.host.power, &it.message].map(|text| Cell::plain(line(text))).to_vec()
    };
    let rows: Vec<Vec<Cell>> = contradictions.iter().map(row).collect();
    let mut table = Table::new(["HOST", "STATE", "POWER", "SEEN"].map(str::to_owned).to_vec());
    let mut out = anstream::stdout();
    printed(table.print(&rows, &mut out).and_then(|()| out.flush())).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        for text in [HOSTS_STATUS, RESUME, strays::STRAYS] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
