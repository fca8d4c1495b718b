//! `underlay host acquire`: takes free hosts.

use std::num::NonZeroU16;

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_client::Client;

use super::list::{self, Width};
use super::read::{HOST, Host};
use super::{Refused, choose};
use crate::complete;
use crate::exit::Exit;
use crate::object::{ObjectName, find};
use underlay_kit::line;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The class of the hosts. At least one of --class, --label and --host is needed.
    #[arg(long, value_name = "CLASS", required_unless_present_any = ["labels", "hosts"])]
    class: Option<String>,
    /// A label that the hosts have. Can be given several times.
    #[arg(short, long = "label", value_name = "NAME=VALUE", value_parser = super::variable)]
    labels: Vec<(String, String)>,
    /// A host to choose from, by name, short id or id. Can be given several times.
    #[arg(long = "host", value_name = "HOST")]
    hosts: Vec<String>,
    /// The number of hosts. Default: the number of --host, else 1.
    #[arg(long, value_name = "NUMBER")]
    count: Option<NonZeroU16>,
    /// The purpose, which people see. Default: the name of the user.
    #[arg(long = "for", value_name = "TEXT")]
    purpose: Option<String>,
    /// Only hosts whose machines stand anywhere below this object, such as site/ams1.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Spread the hosts, so that a single failure of this kind takes as few of them as possible.
    #[arg(long, value_enum, value_name = "FAILURES")]
    spread: Option<Spread>,
    /// The greatest number of hosts that one failure may take. Default: as few as possible.
    #[arg(long, value_name = "NUMBER", requires = "spread")]
    most: Option<NonZeroU16>,
}

/// The single failures over which hosts are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Spread {
    /// The racks that the machines stand in.
    Rack,
    /// Power feeds, PDUs and UPSs.
    Power,
    /// Switches and other devices that forward traffic.
    Switch,
    /// All of these, and panels and circuits.
    Failure,
}

const MUTATION: &str = "mutation($input: AcquireHostsInput!, $requestId: String) { \
     acquireHosts(input: $input, requestId: $requestId) { hosts { HOST lookAsked { at } observed { seenAt } } worst { path takes { name } } } }";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Acquired {
    acquire_hosts: AcquirePayload,
}

#[derive(Deserialize)]
struct AcquirePayload {
    hosts: Vec<AcquiredHost>,
    worst: Option<Worst>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AcquiredHost {
    #[serde(flatten)]
    host: Host,
    look_asked: Option<LookAsked>,
    observed: Option<Observed>,
}

#[derive(Deserialize)]
struct LookAsked {
    at: DateTime<Utc>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Observed {
    seen_at: DateTime<Utc>,
}

impl AcquiredHost {
    /// Returns true if controllers were asked to look at the machine, and have not looked since.
    fn is_looked_at(&self) -> bool {
        let times = self.look_asked.as_ref().zip(self.observed.as_ref());
        times.is_some_and(|(asked, observed)| observed.seen_at < asked.at)
    }
}

/// The single failure that takes the most of the hosts.
#[derive(Deserialize)]
struct Worst {
    path: String,
    takes: Vec<Value>,
}

pub(super) async fn acquire(client: &Client, arguments: &Arguments) -> Result<Exit, Refused> {
    let input = input(client, arguments).await?;
    let variables = |id: String| json!({ "input": input, "requestId": id });
    let Acquired { acquire_hosts: AcquirePayload { hosts, worst } } = client.mutate(&text(), variables).await?;
    let looked_at = hosts.iter().filter(|host| host.is_looked_at()).count();
    let hosts: Vec<Host> = hosts.into_iter().map(|acquired| acquired.host).collect();
    let exit = list::print(&hosts, Width::Narrow);
    if looked_at > 0 {
        eprintln!(
            "{looked_at} of {} were last seen more than a minute ago: controllers look at them now, and an install looks again",
            hosts.len()
        );
    }
    if let Some(worst) = worst {
        let names: Vec<String> = worst.takes.iter().filter_map(|host| host["name"].as_str()).map(line).collect();
        let (path, count) = (line(&worst.path), hosts.len());
        eprintln!("the worst single failure is {path}: it takes {} of {count}: {}", names.len(), names.join(", "));
    } else if arguments.spread.is_some() {
        eprintln!("no single failure takes any of them");
    }
    Ok(exit)
}

fn text() -> String {
    MUTATION.replace("HOST ", &format!("{HOST} "))
}

async fn input(client: &Client, arguments: &Arguments) -> Result<Value, Refused> {
    let mut input = Map::new();
    let mut set = |name: &str, value: Value| drop(input.insert(name.to_owned(), value));
    if let Some(class) = &arguments.class {
        set("class", json!({ "hostClass": class }));
    }
    if !arguments.labels.is_empty() {
        let labels = arguments.labels.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        set("labels", Value::Object(labels.collect()));
    }
    if !arguments.hosts.is_empty() {
        let hosts = choose::hosts(client, &arguments.hosts).await?;
        set("ids", hosts.into_iter().map(|host| Value::from(host.id)).collect());
    }
    let count = arguments.count.map(NonZeroU16::get);
    // With hosts, the server takes their number.
    set("count", json!(count.or(arguments.hosts.is_empty().then_some(1))));
    set("for", arguments.purpose.clone().unwrap_or_else(user).into());
    if let Some(within) = &arguments.within {
        set("within", find(client, within).await?.id.into());
    }
    let spread = arguments.spread.and_then(|spread| spread.to_possible_value());
    set("spread", json!(spread.map(|spread| spread.get_name().to_uppercase())));
    set("most", json!(arguments.most));
    Ok(Value::Object(input))
}

/// Returns the name of the user.
fn user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| "underlay host acquire".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mutation_is_valid() {
        underlay_testing::graphql::assert_valid(text());
        assert!(text().contains("shortId"));
    }
}
