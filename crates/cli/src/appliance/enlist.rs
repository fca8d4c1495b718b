//! `underlay appliance enlist`: makes hosts of the machines that an appliance lists.

use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep};
use underlay_client::Client;

use crate::exit::Exit;
use crate::host::{Refused, duration, follow_of_appliance, object};
use crate::signals::Signals;
use underlay_kit::{line, printable, shown};

pub(super) const ENLIST: &str = "mutation($input: EnlistApplianceInput!) { \
     enlistAppliance(input: $input) { appliance { enlistment { number } } } }";
pub(super) const ENLISTMENT_QUERY: &str = "query($id: ID!) { node(id: $id) { ... on Appliance { \
     enlistment { number doneAt found enlisted changed message machines { name host outcome reason } } } } }";

/// The time between two looks at the enlistment.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct Arguments {
    /// The appliance whose machines become hosts.
    #[arg(value_name = "APPLIANCE")]
    appliance: String,
    /// Only machines whose names match this pattern, with * and ?. Default: the pattern of the appliance.
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<String>,
    /// Also find out the hardware of the new hosts. Their machines boot once, unless they run.
    #[arg(long)]
    discover: bool,
    /// Make the hosts that are discovered AVAILABLE. Otherwise they stay REGISTERED until they are adopted.
    #[arg(long, requires = "discover")]
    adopt: bool,
    /// Also reboot the machine if it runs, and is the only new one. Its users lose what they do.
    #[arg(long, requires = "discover")]
    force: bool,
    /// The name of the provisioner that installs the new hosts.
    #[arg(long, value_name = "NAME")]
    provisioner: Option<String>,
    /// Wait until a controller has done it, and with --discover until the new hosts are discovered.
    #[arg(long)]
    wait: bool,
    /// The longest time to wait: seconds, minutes, hours or days, such as 30m.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "6h", requires = "wait")]
    timeout: Duration,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EnlistData {
    enlist_appliance: EnlistPayload,
}

#[derive(Deserialize)]
struct EnlistPayload {
    appliance: Ordered,
}

#[derive(Deserialize)]
struct Ordered {
    enlistment: Number,
}

#[derive(Deserialize)]
struct Number {
    number: i64,
}

#[derive(Deserialize)]
struct ApplianceData {
    node: Option<ApplianceNode>,
}

#[derive(Deserialize)]
struct ApplianceNode {
    enlistment: Option<Enlistment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Enlistment {
    number: i64,
    done_at: Option<String>,
    found: Option<i64>,
    enlisted: Option<i64>,
    changed: Option<i64>,
    message: Option<String>,
    machines: Option<Vec<Machine>>,
}

/// A machine that the appliance lists, with its outcome.
#[derive(Deserialize)]
struct Machine {
    name: String,
    host: Option<String>,
    outcome: String,
    reason: Option<String>,
}

pub(super) async fn enlist(client: &Client, arguments: &Arguments) -> Result<Exit, Refused> {
    let text = arguments.appliance.strip_prefix("appliance/").unwrap_or(&arguments.appliance);
    let id = object(client, "appliance", text).await?;
    let input = json!({
        "appliance": id, "pattern": arguments.pattern, "discover": arguments.discover,
        "adopt": arguments.adopt, "force": arguments.force, "provisioner": arguments.provisioner,
    });
    let EnlistData { enlist_appliance: EnlistPayload { appliance: Ordered { enlistment } } } =
        client.query(ENLIST, json!({ "input": input })).await?;
    if !arguments.wait {
        eprintln!("a controller enlists the machines of {}; `underlay host list` shows the hosts", shown(text));
        return Ok(Exit::Done);
    }
    let deadline = Instant::now() + arguments.timeout;
    match ended(client, &id, enlistment.number, deadline).await? {
        Some(Exit::Done) if arguments.discover => {
            follow_of_appliance(client, &id, deadline.saturating_duration_since(Instant::now())).await
        }
        Some(exit) => Ok(exit),
        None => {
            eprintln!("error: no controller has enlisted the machines in time; the enlistment continues when one does");
            Ok(Exit::Failed)
        }
    }
}

/// Waits until an enlistment is done. Returns `None` if that takes too long.
async fn ended(client: &Client, id: &str, number: i64, deadline: Instant) -> Result<Option<Exit>, Refused> {
    let mut signals = Signals::listen();
    while Instant::now() < deadline {
        let ApplianceData { node } = client.query(ENLISTMENT_QUERY, json!({ "id": id })).await?;
        let Some(it) = node.and_then(|node| node.enlistment) else {
            eprintln!("error: the appliance was deleted");
            return Ok(Some(Exit::Failed));
        };
        if it.number > number {
            eprintln!("error: the appliance got another enlistment meanwhile");
            return Ok(Some(Exit::Failed));
        }
        if it.done_at.is_some() {
            return Ok(Some(report(&it)));
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            () = signals.next() => {
                eprintln!("the enlistment continues");
                return Ok(Some(Exit::Failed));
            }
        }
    }
    Ok(None)
}

fn report(it: &Enlistment) -> Exit {
    match (it.found, it.enlisted) {
        // A controller could not list them, and said why.
        (Some(0), _) if it.message.is_some() => {
            eprintln!("error: {}", printable(it.message.as_deref().unwrap_or_default()));
            Exit::Failed
        }
        (Some(found), enlisted) => {
            for machine in it.machines.iter().flatten() {
                println!("{}", sentence(machine));
            }
            let changed = it.changed.filter(|changed| *changed > 0);
            let changed = changed.map(|changed| format!(", {changed} with another address")).unwrap_or_default();
            eprintln!("the appliance lists {found} machines; {} new hosts{changed}", enlisted.unwrap_or_default());
            if let Some(message) = &it.message {
                eprintln!("note: {}", printable(message));
            }
            Exit::Done
        }
        (None, _) => {
            let message = it.message.as_deref().unwrap_or("the machines could not be listed");
            eprintln!("error: {}", printable(message));
            Exit::Failed
        }
    }
}

/// Says in a line what became of a machine.
fn sentence(machine: &Machine) -> String {
    let Machine { name, host, outcome, reason } = machine;
    let done = outcome.to_lowercase().replace('_', " ");
    let host = host.as_deref().map(|host| format!(" host/{}", line(host))).unwrap_or_default();
    let reason = reason.as_deref().map(|reason| format!(": {}", line(reason))).unwrap_or_default();
    format!("{}{host} {done}{reason}", line(name))
}
