//! `underlay host list`: a table of hosts.

use std::io::Write;
use std::num::NonZeroUsize;

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::{Client, Pages, Total};

use super::Refused;
use super::order::HostStateArg;
use super::read::{HOST, Host};
use crate::complete;
use crate::exit::Exit;
use crate::object::{ObjectName, find, kinds, listing};
use crate::output::{Printed, printed};
use crate::show::{Cell, Table, of_word, pretty};
use underlay_kit::line;

/// The number of seconds of each unit of an age, with the least number of that unit that is written in it.
const UNITS: [(i64, i64, &str); 3] = [(86_400, 2, "d"), (3_600, 2, "h"), (60, 2, "m")];

#[derive(Debug, Args)]
pub struct Arguments {
    /// Only hosts in one of these states, separated by commas.
    #[arg(long, value_enum, value_name = "STATE", value_delimiter = ',', ignore_case = true)]
    state: Vec<HostStateArg>,
    /// Only hosts of a class.
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Only hosts that an appliance lists.
    #[arg(long, value_name = "APPLIANCE")]
    appliance: Option<String>,
    /// Only hosts of a cluster.
    #[arg(long, value_name = "CLUSTER")]
    cluster: Option<String>,
    /// Only hosts anywhere below this object: a region, site, location or rack.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Only hosts whose labels match a selector, such as env=prod,!legacy.
    #[arg(short, long, value_name = "SELECTOR")]
    label: Option<String>,
    /// The maximum number of hosts. Default: all.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<NonZeroUsize>,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = HostOutput::Table)]
    output: HostOutput,
}

/// The output format of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HostOutput {
    /// A table with a line for each host.
    Table,
    /// A table with more columns: what is done or failed, the appliance, the short id, the purpose.
    Wide,
    /// The hosts as JSON, for programs.
    Json,
    /// Only the names, such as host/brave-otter, which other commands take.
    Name,
}

/// The width of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Narrow,
    Wide,
}

pub(super) async fn list(client: &Client, arguments: &Arguments) -> Result<Exit, Refused> {
    let kind = kinds().named("host").ok_or_else(|| Refused::Usage("there is no kind host".to_owned()))?;
    let filter = filter(client, arguments).await?;
    let listing = listing(kind, filter, HOST.to_owned(), arguments.limit);
    let mut pages = Pages::of(client, listing, Total::NotCounted);
    let (mut found, mut raw) = (Vec::new(), Vec::new());
    while let Some(page) = pages.next().await? {
        for node in page.nodes {
            match serde_json::from_value::<Host>(node.clone()) {
                Ok(host) => found.push(host),
                Err(error) => return Err(Refused::Usage(format!("the server sent a host in another form: {error}"))),
            }
            if arguments.output == HostOutput::Json {
                raw.push(node);
            }
        }
    }
    let mut out = anstream::stdout();
    Ok(match arguments.output {
        HostOutput::Json => printed(writeln!(out, "{}", pretty(&Value::Array(raw), 0))).exit(),
        HostOutput::Name => {
            let names = found.iter().try_for_each(|host| writeln!(out, "host/{}", line(&host.name)));
            printed(names).exit()
        }
        HostOutput::Table | HostOutput::Wide if found.is_empty() => {
            eprintln!("there are no such hosts");
            Exit::Done
        }
        HostOutput::Table => print(&found, Width::Narrow),
        HostOutput::Wide => print(&found, Width::Wide),
    })
}

/// Returns the filter that the arguments form together.
async fn filter(client: &Client, arguments: &Arguments) -> Result<Value, Refused> {
    let mut all: Vec<Value> = Vec::new();
    if !arguments.state.is_empty() {
        let states: Vec<String> = arguments.state.iter().map(|state| state.word()).collect();
        all.push(json!({ "state": { "in": states } }));
    }
    let named = [("class", &arguments.class), ("appliance", &arguments.appliance), ("cluster", &arguments.cluster)];
    for (member, name) in named {
        all.extend(name.as_ref().map(|name| json!({ member: { "name": { "eq": name } } })));
    }
    all.extend(arguments.label.as_ref().map(|label| json!({ "labels": label })));
    if let Some(name) = &arguments.within {
        // A host stands where its machine does.
        let id = find(client, name).await?.id;
        let stands = |kind: &str| json!({ "machine": { kind: { "within": id } } });
        all.push(json!({ "or": [stands("device"), stands("virtualMachine")] }));
    }
    Ok(match all.len() {
        0 | 1 => all.pop().unwrap_or_default(),
        _ => json!({ "and": all }),
    })
}

/// Prints hosts as a table.
pub(super) fn print(hosts: &[Host], width: Width) -> Exit {
    let mut headings = vec!["NAME", "STATE", "POWER", "CLASS", "MACHINE", "RACK", "CLUSTER", "AGE"];
    if width == Width::Wide {
        headings.extend(["DOING", "APPLIANCE", "SHORT-ID", "FOR"]);
    }
    let mut table = Table::new(headings.into_iter().map(str::to_owned).collect());
    let now = Utc::now();
    let rows: Vec<Vec<Cell>> = hosts.iter().map(|host| row(host, width, now)).collect();
    match printed(table.print(&rows, &mut anstream::stdout())) {
        Printed::Failed => Exit::Failed,
        Printed::Whole | Printed::NobodyReads => Exit::Done,
    }
}

fn row(host: &Host, width: Width, now: DateTime<Utc>) -> Vec<Cell> {
    let plain = |text: Option<&str>| Cell::plain(line(text.unwrap_or_default()));
    let state = Cell { text: line(&host.state), style: of_word(&host.state) };
    let rack = host.machine.as_ref().and_then(|machine| machine.placement.as_ref()).map(|placement| &placement.rack);
    let rack = rack.map(|rack| match width {
        Width::Narrow => rack.name.clone(),
        Width::Wide => format!("{}/{}", rack.site.name, rack.name),
    });
    let mut cells = vec![
        plain(Some(&host.name)),
        state,
        plain(Some(&host.power)),
        plain(host.class.as_ref().map(|class| class.name.as_str())),
        plain(host.machine.as_ref().map(|machine| machine.name.as_str())),
        plain(rack.as_deref()),
        plain(host.cluster.as_ref().map(|cluster| cluster.name.as_str())),
        plain(Some(&age(host.created_at, now))),
    ];
    if width == Width::Wide {
        let appliance = host.appliance.as_ref().map(|appliance| appliance.name.as_str());
        cells.extend([
            plain(doing(host).as_deref()),
            plain(appliance),
            plain(Some(&host.short_id)),
            plain(host.acquired_for.as_deref().or(host.title.as_deref())),
        ]);
    }
    cells
}

/// Returns what is done with a host, or why nothing is: its step, its failure, its maintenance.
fn doing(host: &Host) -> Option<String> {
    if let Some(step) = host.step.as_ref().filter(|step| step.of > host.generation_done) {
        return Some(step.name.clone());
    }
    if let Some(failure) = &host.failure {
        return Some(format!("failed: {}", failure.reason));
    }
    if host.deleting {
        return Some("deleting".to_owned());
    }
    if host.is_at_work() {
        return Some("waiting".to_owned());
    }
    let authors = host.maintenance.keys().cloned().collect::<Vec<_>>().join(" ");
    (!authors.is_empty()).then(|| format!("maintenance: {authors}"))
}

/// Returns the time since a time, in its largest unit: `3d`, `5h`, `12m`, `40s`.
pub(crate) fn age(since: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let seconds = (now - since).num_seconds().max(0);
    let found = UNITS.into_iter().find(|(unit, least, _)| seconds / unit >= *least);
    found.map_or_else(|| format!("{seconds}s"), |(unit, _, name)| format!("{}{name}", seconds / unit))
}

#[cfg(test)]
mod tests {
    use super::super::choose::tests::host;
    use super::*;

    #[test]
    fn ages_are_in_the_largest_unit() {
        let since = DateTime::UNIX_EPOCH;
        for (seconds, expected) in [
            (0, "0s"),
            (-5, "0s"),
            (119, "119s"),
            (120, "2m"),
            (7_199, "119m"),
            (7_200, "2h"),
            (172_799, "47h"),
            (172_800, "2d"),
            (31_536_000, "365d"),
        ] {
            assert_eq!(age(since, since + chrono::TimeDelta::seconds(seconds)), expected, "{seconds}");
        }
    }

    #[test]
    fn a_row_has_a_cell_for_each_heading_and_says_what_is_done() {
        let machine = json!({"__typename": "Device", "name": "srv-1",
            "placement": {"rack": {"name": "A1", "site": {"name": "ams1"}}}});
        let busy = host(
            "brave-otter",
            json!({"state": "INSTALLING", "power": "ON", "generation": 2, "generationDone": 1, "machine": machine,
                "class": {"name": "large"}, "cluster": {"name": "k8s"}, "acquiredFor": "training",
                "step": {"attempt": 1, "name": "install", "of": 2, "since": "2026-11-20T00:00:00Z"}}),
        );
        let now = "2026-11-20T03:00:00Z".parse().expect("a time");
        let texts = |width| row(&busy, width, now).into_iter().map(|cell| cell.text).collect::<Vec<_>>();
        let narrow = ["brave-otter", "INSTALLING", "ON", "large", "srv-1", "A1", "k8s", "3h"];
        assert_eq!(texts(Width::Narrow), narrow);
        let wide = texts(Width::Wide);
        assert_eq!(
            (wide[5].as_str(), &wide[8..]),
            ("ams1/A1", &["install", "", "h-0000001", "training"].map(str::to_owned)[..])
        );
        for (change, expected) in [
            (json!({}), None),
            (
                json!({"failure": {"during": "INSTALLING", "reason": "TimedOut", "message": "m"}}),
                Some("failed: TimedOut"),
            ),
            (json!({"generation": 1}), Some("waiting")),
            (json!({"deleting": true}), Some("deleting")),
            (json!({"maintenance": {"ann": "fan", "bob": "disk"}}), Some("maintenance: ann bob")),
        ] {
            assert_eq!(doing(&host("a", change.clone())).as_deref(), expected, "{change}");
        }
    }
}
