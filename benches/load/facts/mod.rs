//! Reports of agents about the hardware of hosts: how fast all of them are stored, what they take of small reads, and
//! what the facts of a host cost in the file and in memory.

mod agents;

use std::path::{Path, PathBuf};
use std::time::Duration;

use self::agents::Agents;
use crate::bare::{self, Bare};
use crate::fleets::{self, Fleet};
use crate::measure::{Measured, Pace, load};
use crate::problem::{Doing, LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::queries::Devices;
use crate::reads::{LOOKUPS, MANY_CONNECTIONS, clients};
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The time in seconds between two messages of an agent, unless the server is told another one.
const PERIOD: f64 = 300.0;
/// Beside reads, agents send this many times as often.
const HASTE: f64 = 10.0;
/// The number of bare inserts.
const INSERTS: usize = 1_000;

/// The size of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub hosts: usize,
    /// The number of reports that are sent at the same time.
    in_flight: usize,
    /// The rounds of reads, each with and without agents. The server writes the times of unchanged reports every 10 s,
    /// so a round is longer than that.
    pace: Pace,
    /// The time before a round without agents, in which the last of these times are written.
    pause: Duration,
    /// The time for which the server rests before its memory is read.
    rest: Duration,
}

impl Size {
    pub const fn quick() -> Self {
        let (short, round) = (Duration::from_millis(200), Duration::from_millis(500));
        let pace = Pace { warm_up: short, round, rounds: 2 };
        Self { hosts: 500, in_flight: 250, pace, pause: short, rest: short }
    }

    pub const fn full() -> Self {
        let pace = Pace { warm_up: Duration::from_secs(2), round: Duration::from_secs(20), rounds: 5 };
        let (pause, rest) = (Duration::from_secs(11), Duration::from_secs(40));
        Self { hosts: 10_000, in_flight: 1_000, pace, pause, rest }
    }

    /// Returns the messages per second beside reads.
    fn rate(&self) -> f64 {
        self.hosts as f64 / PERIOD * HASTE
    }
}

/// Measures agents of new hosts, on a fleet.
pub async fn measure(report: &mut Report, fleet: &Fleet, scratch: &Path, size: Size) -> Result<()> {
    let database = fleet.copy(scratch, "reported")?;
    let server = Server::start(&database).await?;
    let devices = Devices::of(server.address()).await?;
    let mut agents = Agents::of_new_hosts(server.address(), size.hosts).await?;
    tokio::time::sleep(size.rest).await;
    let before = server.memory()?;
    let stored_in = agents.report_all(size.in_flight).await?;
    let file = facts_file(scratch);
    let commits = Bare::connect(&fleets::url(&file)).await?.commits_of_facts().await?;
    tokio::time::sleep(size.rest).await;
    let after = server.memory()?;
    let (reads, sent) = reads_beside(&mut agents, &server, &devices, size).await?;
    // A server that stops leaves everything in the file.
    server.stop().await?;
    let bytes = std::fs::metadata(&file).doing(|| format!("look at {}", file.display()))?.len();
    let (insert, _) = bare::durable_insert(scratch, INSERTS).await?;

    let name = format!("{}, {} hosts with agents", devices.fleet(), thousands(&size.hosts.to_string()));
    let count = size.hosts as f64;
    let what = format!("whole reports stored, {} at a time", thousands(&size.in_flight.to_string()));
    let row = Row::new(&what, &name, Quantity::PerSecond(count / stored_in));
    report.add(row.beside("bare inserts, one after the other", Quantity::PerSecond(1.0 / insert)));
    report.add(Row::new(format!("{what}, commits"), &name, Quantity::Count(commits as f64)));
    add_reads(report, &name, reads, sent, size);
    report.add(Row::new("facts in the file, for each host", &name, Quantity::Bytes(bytes as f64 / count)));
    let row = Row::new("memory after all hosts have reported", &name, Quantity::Bytes(after as f64));
    report.add(row.beside("before", Quantity::Bytes(before as f64)));
    Ok(())
}

/// Returns the file with the facts that belong to the copy of the fleet.
fn facts_file(scratch: &Path) -> PathBuf {
    scratch.join("reported.facts.db")
}

/// Measures small reads with and without agents in turn. Also returns the messages per second of the agents.
async fn reads_beside(
    agents: &mut Agents,
    server: &Server,
    devices: &Devices,
    size: Size,
) -> Result<([Measured; 2], f64)> {
    let (requests, pace) = (devices.lookups(LOOKUPS), Pace { rounds: 1, ..size.pace });
    let reads = || load(server.address(), MANY_CONNECTIONS, requests.clone(), pace);
    let (mut alone, mut beside, mut sent) = (Vec::new(), Vec::new(), f64::INFINITY);
    for _ in 0..size.pace.rounds {
        tokio::time::sleep(size.pause).await;
        alone.push(reads().await?);
        let (measured, rate) = agents.beside(size.rate(), pace.warm_up + pace.round, reads()).await?;
        beside.push(measured);
        sent = sent.min(rate);
    }
    match beside.iter().all(|round| round.answers > 0) {
        true => Ok(([Measured::of_rounds(&beside), Measured::of_rounds(&alone)], sent)),
        false => Err(LoadError::Answer("no read was answered".to_owned())),
    }
}

fn add_reads(report: &mut Report, fleet: &str, reads: [Measured; 2], sent: f64, size: Size) {
    let [beside, alone] = reads;
    let what = format!("one device by name with 20 ports, {}, beside agents", clients(MANY_CONNECTIONS));
    let row = Row::new(&what, fleet, Quantity::PerSecond(beside.per_second));
    let row = row.beside("without agents", Quantity::PerSecond(alone.per_second));
    report.add(row.should(Target::RatioAtLeast(0.9)));
    for (percentile, beside, alone) in [("p50", beside.p50, alone.p50), ("p99", beside.p99, alone.p99)] {
        let row = Row::new(format!("{what}, {percentile}"), fleet, Quantity::Seconds(beside));
        report.add(row.beside("without agents", Quantity::Seconds(alone)));
    }
    let row = Row::new("messages of these agents, 5 % of them changed reports", fleet, Quantity::PerSecond(sent));
    report.add(row.should(Target::AtLeast(Quantity::PerSecond(size.rate() * 0.9))));
}
