//! Lives of hosts: simulated machines are enlisted, discovered, acquired, installed and released by a host controller
//! that runs as a process beside the server, and then rest. The machines have the delays that everybody gets without
//! asking for others.

mod controller;
mod hosts;
mod plain;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

pub use self::controller::Controller;
use self::hosts::Hosts;
use crate::client::ask;
use crate::fleets;
use crate::problem::{Doing, LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::queries;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

const CHANGES: &str = "query($after: Revision!) {
  changes(first: 0, filter: {kinds: [\"Host\"], fromRevision: $after}) { totalCount }
}";

/// The seconds of a rest in which every host is polled at least once: each is polled every 300 s, more or less a tenth.
pub const POLL_SECONDS: u32 = 340;

/// The size of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub hosts: usize,
    /// The time that the lives should take at most.
    most: Duration,
    /// The time after which they are given up.
    limit: Duration,
    /// The time for which hosts are watched at rest.
    pub idle: Duration,
    /// The time for which server and controller are watched without hosts, and the pause before hosts rest.
    settle: Duration,
}

impl Size {
    pub const fn quick() -> Self {
        let most = Duration::from_secs(180);
        Self { hosts: 200, most, limit: most, idle: Duration::from_secs(5), settle: Duration::from_secs(2) }
    }

    pub const fn full() -> Self {
        Self {
            hosts: 10_000,
            most: Duration::from_secs(600),
            limit: Duration::from_secs(1_800),
            // A look at all hosts comes every 600 s, more or less a tenth.
            idle: Duration::from_secs(660),
            settle: Duration::from_secs(30),
        }
    }
}

/// The cost of the lives of all hosts.
struct Lived {
    /// The seconds of each part.
    parts: [(&'static str, f64); 4],
    revisions: i64,
    /// The number of changes of hosts.
    changes: i64,
    /// The processor time of the controller and of the server, in seconds.
    busy: [f64; 2],
}

/// The cost of a time without orders.
struct Rested {
    seconds: f64,
    revisions: i64,
    /// The processor time a second of the controller and of the server, in seconds.
    busy: [f64; 2],
    /// The number of hosts that were seen in this time.
    seen: usize,
}

/// Everything that was measured.
struct Measured {
    /// The seconds until all hosts were enlisted.
    enlisted: f64,
    lived: Lived,
    /// The seconds of the same number of plain writes.
    plain: f64,
    /// The peak memory of the controller and of the server, in bytes.
    max_memory: [u64; 2],
    /// The number of times that the work of the controller on a host failed.
    failures: f64,
    without_hosts: Rested,
    rested: Rested,
}

/// Measures lives of hosts, and hosts at rest.
pub async fn measure(report: &mut Report, folder: &Path, size: Size) -> Result<()> {
    std::fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))?;
    let server = Server::start(&fleets::url(&folder.join("lives.db"))).await?;
    let address = server.address();
    let mut controller = Controller::start(address, &folder.join("hosts.json")).await?;
    let without_hosts = rest(&Hosts::none(address), &server, &mut controller, size.settle).await?;
    let begin = Instant::now();
    let hosts = Hosts::enlist(address, size.hosts, &mut controller, begin + size.limit).await?;
    let enlisted = begin.elapsed().as_secs_f64();
    let lived = live(&hosts, &server, &mut controller, size.limit).await?;
    hosts.should_rest().await?;
    tokio::time::sleep(size.settle).await;
    let rested = rest(&hosts, &server, &mut controller, size.idle).await?;
    hosts.should_rest().await?;

    let max_memory = [controller.max_memory()?, server.max_memory()?];
    let failures = controller.failures().await?;
    controller.stop().await?;
    let plain = plain::write(address, &hosts.names, lived.revisions, lived.changes).await?;
    server.stop().await?;
    let measured = Measured { enlisted, lived, plain, max_memory, failures, without_hosts, rested };
    measured.add_lives(report, size);
    measured.add_rest(report, size);
    Ok(())
}

/// Leads all hosts through a life.
async fn live(hosts: &Hosts, server: &Server, controller: &mut Controller, limit: Duration) -> Result<Lived> {
    let end = Instant::now() + limit;
    let before = queries::revision(server.address()).await?;
    let busy = busy(controller, server)?;
    let mut begin = Instant::now();
    let mut ended = |part: &'static str| {
        let seconds = begin.elapsed().as_secs_f64();
        begin = Instant::now();
        eprintln!("  all {part} in {seconds:.1} s");
        (part, seconds)
    };
    hosts.discover(controller, end).await?;
    let discovered = ended("discovered");
    hosts.acquire().await?;
    let acquired = ended("acquired");
    hosts.install(controller, end).await?;
    let installed = ended("installed");
    hosts.release(controller, end).await?;
    let parts = [discovered, acquired, installed, ended("released")];
    let used = self::busy(controller, server)?;
    let revisions = queries::revision(server.address()).await? - before;
    let changes = ask(server.address(), CHANGES, json!({"after": before + 1})).await?;
    let changes = changes["changes"]["totalCount"].as_i64();
    let changes = changes.ok_or_else(|| LoadError::Answer("the server does not count changes".to_owned()))?;
    Ok(Lived { parts, revisions, changes, busy: [used[0] - busy[0], used[1] - busy[1]] })
}

/// Watches hosts without orders for a time.
async fn rest(hosts: &Hosts, server: &Server, controller: &mut Controller, time: Duration) -> Result<Rested> {
    let (since, before) = (hosts.now().await?, queries::revision(server.address()).await?);
    let (begin, busy) = (Instant::now(), busy(controller, server)?);
    tokio::time::sleep(time).await;
    let (seconds, used) = (begin.elapsed().as_secs_f64(), self::busy(controller, server)?);
    controller.should_run()?;
    let revisions = queries::revision(server.address()).await? - before;
    let seen = hosts.seen_since(since).await?;
    Ok(Rested { seconds, revisions, busy: [0, 1].map(|at| (used[at] - busy[at]) / seconds), seen })
}

/// Returns the processor time of the controller and of the server so far, in seconds.
fn busy(controller: &Controller, server: &Server) -> Result<[f64; 2]> {
    Ok([controller.processor_time()?, server.processor_time()?])
}

/// Returns the name of hosts in the table.
fn fleet(hosts: usize) -> String {
    format!("{} simulated hosts", thousands(&hosts.to_string()))
}

impl Measured {
    fn add_lives(&self, report: &mut Report, size: Size) {
        let (fleet, lived, count) = (fleet(size.hosts), &self.lived, size.hosts as f64);
        let seconds: f64 = lived.parts.iter().map(|(_, seconds)| seconds).sum();
        let row = Row::new("lives: discovered, acquired, installed and released", &fleet, Quantity::Seconds(seconds));
        let revisions = thousands(&lived.revisions.to_string());
        let beside = format!("the same changes in as many batches ({revisions}), written one after the other");
        let row = row.beside(beside, Quantity::Seconds(self.plain));
        report.add(row.should(Target::AtMost(Quantity::Seconds(size.most.as_secs_f64()))));
        let mut add = |what: &str, quantity: Quantity, target: Option<Target>| {
            let row = Row::new(format!("lives: {what}"), &fleet, quantity);
            report.add(target.into_iter().fold(row, Row::should));
        };
        add("enlisted", Quantity::Seconds(self.enlisted), None);
        for (part, seconds) in lived.parts {
            add(part, Quantity::Seconds(seconds), None);
        }
        add("hosts a second", Quantity::PerSecond(count / seconds), None);
        let [controller, server] = lived.busy;
        add("processor time of the controller for a life", Quantity::Seconds(controller / count), None);
        add("processor time of the server for a life", Quantity::Seconds(server / count), None);
        add("changes of hosts", Quantity::Count(lived.changes as f64), None);
        let [controller, server] = self.max_memory.map(|bytes| Quantity::Bytes(bytes as f64));
        let most = Target::AtMost(Quantity::Bytes(400e6));
        add("memory of the controller at the most", controller, Some(most));
        add("memory of the server at the most", server, None);
        let none = Target::AtMost(Quantity::Count(0.0));
        add("work of the controller that failed", Quantity::Count(self.failures), Some(none));
    }

    fn add_rest(&self, report: &mut Report, size: Size) {
        let (fleet, rested) = (fleet(size.hosts), &self.rested);
        let named = |what: &str| format!("rest of {:.0} s: {what}", rested.seconds);
        let row = Row::new(named("revisions"), &fleet, Quantity::Count(rested.revisions as f64));
        report.add(row.should(Target::AtMost(Quantity::Count(0.0))));
        let row = Row::new(named("hosts seen"), &fleet, Quantity::Count(rested.seen as f64));
        let all = Target::AtLeast(Quantity::Count(size.hosts as f64));
        report.add(if rested.seconds >= f64::from(POLL_SECONDS) { row.should(all) } else { row });
        let of = |busy: [f64; 2]| {
            let [controller, server] = busy;
            [controller, server, controller + server].map(Quantity::Seconds)
        };
        let whose = ["of the controller", "of the server", "of both"];
        for (index, (busy, alone)) in of(rested.busy).into_iter().zip(of(self.without_hosts.busy)).enumerate() {
            let row = Row::new(named(&format!("processor time a second {}", whose[index])), &fleet, busy);
            let row = row.beside("without hosts", alone);
            let most = Target::AtMost(Quantity::Seconds(0.1));
            report.add(if index == 2 { row.should(most) } else { row });
        }
    }
}
