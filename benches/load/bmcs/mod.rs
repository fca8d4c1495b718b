//! Polls of the power of machines: a host controller, as a process beside the server, looks again and again at BMCs
//! that speak Redfish.

mod replay;

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::replay::Bmcs;
use crate::client::ask;
use crate::fleets;
use crate::lives::Controller;
use crate::problem::{Doing, LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::queries;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};
use crate::usage;

/// The time between two polls of a machine, in seconds.
const POLL_SECONDS: u32 = 15;
/// The time limit of the first look at all machines.
const FIRST_LOOK_TIMEOUT: Duration = Duration::from_secs(180);
/// The number of hosts in a batch.
const BATCH_HOSTS: usize = 500;
const APPLY: &str =
    "mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { results { error { message } } } }";
const COUNT_QUERY: &str = "{ hosts(first: 0, filter: {power: {eq: ON}}) { totalCount } }";

/// The size of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of BMCs.
    pub bmcs: usize,
    /// The time for which their polls are watched.
    watched: Duration,
}

impl Size {
    pub const fn quick() -> Self {
        Self { bmcs: 50, watched: Duration::from_secs(20) }
    }

    pub const fn full() -> Self {
        Self { bmcs: 1_000, watched: Duration::from_secs(120) }
    }
}

/// Measures the polls of many BMCs.
pub async fn measure(report: &mut Report, folder: &Path, size: Size) -> Result<()> {
    std::fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))?;
    let bmcs = Bmcs::start(size.bmcs).await?;
    let server = Server::start(&fleets::url(&folder.join("bmcs.db"))).await?;
    let address = server.address();
    let mut controller = Controller::start(address, &folder.join("hosts.json")).await?;
    write(address, &bmcs.ports).await?;
    until_seen(address, size.bmcs, &mut controller).await?;

    let (revision, before) = (queries::revision(address).await?, bmcs.looks());
    let (begin, busy) = (Instant::now(), [controller.processor_time()?, server.processor_time()?]);
    tokio::time::sleep(size.watched).await;
    let seconds = begin.elapsed().as_secs_f64();
    let used = [controller.processor_time()? - busy[0], server.processor_time()? - busy[1]];
    let looks: Vec<u32> = bmcs.looks().iter().zip(&before).map(|(after, before)| after - before).collect();
    let revisions = queries::revision(address).await? - revision;
    let memory = controller.max_memory()?;
    controller.stop().await?;
    server.stop().await?;

    let rounds = seconds / f64::from(POLL_SECONDS);
    let plain = plain(&bmcs).await? * rounds;
    let fleet = format!("{} BMCs with Redfish", thousands(&size.bmcs.to_string()));
    let named = |what: &str| format!("power polled every {POLL_SECONDS} s: {what}");
    let row =
        Row::new(named("processor time a second of the controller"), &fleet, Quantity::Seconds(used[0] / seconds));
    let row = row.beside("the same calls by one client, without a controller", Quantity::Seconds(plain / seconds));
    report.add(row.should(Target::AtMost(Quantity::Seconds(0.5))));
    let server = Quantity::Seconds(used[1] / seconds);
    report.add(Row::new(named("processor time a second of the server"), &fleet, server));
    let least = looks.iter().min().copied().unwrap_or_default();
    // The pauses are up to a tenth longer than the interval.
    let row = Row::new(named("looks at the machine that was seen least"), &fleet, Quantity::Count(f64::from(least)));
    report.add(row.should(Target::AtLeast(Quantity::Count((rounds / 1.1).floor() - 1.0))));
    let row = Row::new(named("revisions"), &fleet, Quantity::Count(revisions as f64));
    report.add(row.should(Target::AtMost(Quantity::Count(0.0))));
    report.add(Row::new(named("memory of the controller at the most"), &fleet, Quantity::Bytes(memory as f64)));
    Ok(())
}

/// Writes an appliance and a host for each BMC.
async fn write(server: SocketAddr, ports: &[u16]) -> Result<()> {
    let appliance = json!({"appliance": {"name": "bmcs", "type": "REDFISH", "url": "redfish+http://127.0.0.1:1",
        "interval": POLL_SECONDS}});
    let host = |(number, port): (usize, &u16)| {
        json!({"host": {"name": format!("bmc-{number:04}"), "uid": replay::serial(number), "appliance": {"appliance": "bmcs"},
            "bmcUrl": format!("redfish+http://127.0.0.1:{port}/redfish/v1/Systems/1")}})
    };
    let items: Vec<Value> = std::iter::once(appliance).chain(ports.iter().enumerate().map(host)).collect();
    for items in items.chunks(BATCH_HOSTS) {
        let written = ask(server, APPLY, json!({ "items": items })).await?;
        let results = written["apply"]["results"].as_array().cloned().unwrap_or_default();
        if let Some(refused) = results.iter().find(|result| !result["error"].is_null()) {
            return Err(LoadError::Answer(format!("a host was not written: {refused}")));
        }
    }
    Ok(())
}

/// Waits until the power of all machines was seen.
async fn until_seen(server: SocketAddr, count: usize, controller: &mut Controller) -> Result<()> {
    let begin = Instant::now();
    loop {
        let seen =
            ask(server, COUNT_QUERY, Value::Null).await?["hosts"]["totalCount"].as_u64().unwrap_or_default() as usize;
        if seen == count {
            return Ok(());
        }
        controller.should_run()?;
        if begin.elapsed() > FIRST_LOOK_TIMEOUT {
            return Err(LoadError::Answer(format!("only {seen} of {count} machines were seen")));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Returns the processor time of one round of plain calls, in seconds. The BMCs, which run in this process, are part of
/// it.
async fn plain(bmcs: &Bmcs) -> Result<f64> {
    let clients: Vec<reqwest::Client> = bmcs.ports.iter().map(|_| reqwest::Client::new()).collect();
    // The first round opens the connections.
    bmcs.look_at_all(&clients).await?;
    let before = usage::processor_time(std::process::id())?;
    bmcs.look_at_all(&clients).await?;
    Ok(usage::processor_time(std::process::id())? - before)
}
