//! A soak: all good and bad clients at the same time, for long. It checks if the server accumulates memory or files. No
//! write creates an object, so the inventory keeps its size.
//!
//! Good clients must be answered: an error ends the soak. Bad clients must be rejected, and must leave nothing behind.
//! Hostile clients must not delay others or lose their data.

mod good;
mod hostile;
mod hostile_connections;
mod probe;
mod rude;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use underlay_testing::scratch;

use self::probe::{Probe, Times};
use crate::access;
use crate::client::ask;
use crate::fleets::Fleet;
use crate::measure::median;
use crate::problem::{LoadError, Result};
use crate::quantity::Quantity;
use crate::queries::Devices;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The interval of samples of the server's memory and files.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum number of samples.
const MIN_SAMPLES: u32 = 40;
/// The part of the time that counts as warm-up.
const WARM_UP_SHARE: f64 = 0.1;
/// The number of samples that are combined to one number.
const SAMPLES_PER_NUMBER: usize = 5;
/// The time limit for the last requests, and for the server to notice that the clients are gone.
const END_TIMEOUT: Duration = Duration::from_secs(120);
/// The number of files that are opened on first use: database connections, threads.
const OPENED_ONCE: usize = 16;
/// The part of the time that is measured before other clients start.
const IDLE_SHARE: f64 = 0.05;
/// The tenants that query the server in turn.
const TENANTS: usize = 200;

/// The outcomes of requests.
#[derive(Debug, Default)]
struct Counts {
    /// Answered requests and subscriptions of good clients.
    answered: AtomicU64,
    /// Events that subscribers received.
    events: AtomicU64,
    /// Requests of bad clients that were rejected with an error.
    refused: AtomicU64,
    /// Connections of bad clients that could get no answer.
    cut: AtomicU64,
    /// Attempts of hostile clients, with any outcome.
    hostile: AtomicU64,
}

impl Counts {
    fn count(of: &AtomicU64) {
        of.fetch_add(1, Ordering::Relaxed);
    }
}

/// The resources of the server over time.
#[derive(Debug, Default)]
struct Seen {
    /// The seconds since the beginning, and the bytes of memory.
    memory: Vec<(f64, f64)>,
}

impl Seen {
    /// Returns the memory up to a time, combined from a few samples.
    fn until(&self, seconds: f64) -> f64 {
        let before: Vec<f64> = self.memory.iter().filter(|(at, _)| *at <= seconds).map(|(_, bytes)| *bytes).collect();
        median(before[before.len().saturating_sub(SAMPLES_PER_NUMBER)..].to_vec())
    }
}

/// Soaks a server on a copy of a fleet, and another one with authentication.
pub async fn soak(
    report: &mut Report,
    fleet: &Fleet,
    scratch_folder: &std::path::Path,
    length: Duration,
) -> Result<()> {
    let database = fleet.copy(scratch_folder, "soaked")?;
    let mut server = Server::start(&database).await?;
    let folder = scratch::folder("asking");
    let asking = Server::start_asking(&fleet.copy(scratch_folder, "asked")?, folder.path()).await?;
    let mut tokens = Vec::with_capacity(TENANTS);
    for number in 0..TENANTS {
        tokens.push(access::token(folder.path(), &["--tenant", &format!("t{number}")]).await?);
    }
    let devices = Devices::of(server.address()).await?;
    let name = devices.fleet();
    let [ledger, attacked] = others(&server, &devices).await?;
    let probe = Probe { server: server.address(), devices: devices.clone(), port: ledger.clone() };
    let idle = probe.clone().start(length.mul_f64(IDLE_SHARE))?.times().await?;
    let (files, before) = (server.open_files()?, server.memory()? + asking.memory()?);
    let (counts, begin) = (Arc::<Counts>::default(), Instant::now());
    let end = begin + length;
    let mut clients = JoinSet::new();
    good::start(&mut clients, &server, &devices, &counts, end)?;
    rude::start(&mut clients, &server, &asking, &counts, end);
    hostile::start(&mut clients, server.address(), &attacked, &counts, end);
    hostile_connections::start(&mut clients, server.address(), &counts, end);
    clients.spawn(hostile::tenants(asking.address(), tokens, Arc::clone(&counts), end));
    let looked = probe.start(length)?;
    let seen = watch([&server, &asking], &mut clients, begin, length).await?;
    let left = settled(&server, files).await?;
    // Both servers must still answer; the second one rejects requests without a token.
    ask(server.address(), "{ revision sites(first: 1) { totalCount } }", Value::Null).await?;
    rude::is_refused(asking.address()).await?;
    let looked = looked.times().await?;
    add(report, &name, &counts, length);
    add_looks(report, &name, &idle, &looked);
    let seconds = length.as_secs_f64();
    let warm = Quantity::Bytes(seen.until(seconds * WARM_UP_SHARE));
    report.add(Row::new("soak: memory after the first tenth", &name, warm));
    let at_the_end = || Row::new("soak: memory at the end", &name, Quantity::Bytes(seen.until(seconds)));
    report.add(at_the_end().beside("after the first tenth", warm).should(Target::RatioAtMost(1.1)));
    let start = Quantity::Bytes(before as f64);
    report.add(at_the_end().beside("before the clients came", start).should(Target::RatioAtMost(1.5)));
    let row = Row::new("soak: open files when the clients are gone", &name, Quantity::Count(left as f64));
    let row = row.beside("before they came", Quantity::Count(files as f64));
    report.add(row.should(Target::AtMost(Quantity::Count((files + OPENED_ONCE) as f64))));
    let panics = Quantity::Count((server.panics() + asking.panics()) as f64);
    report.add(Row::new("soak: panics", &name, panics).should(Target::AtMost(Quantity::Count(0.0))));
    server.kill();
    let server = Server::start(&database).await?;
    let kept = probe::is_kept(server.address(), &ledger, looked.acknowledged).await?;
    let lost = Quantity::Count(if kept { 0.0 } else { 1.0 });
    let row = Row::new("soak: acknowledged, and lost when it was killed", &name, lost);
    report.add(row.should(Target::AtMost(Quantity::Count(0.0))));
    asking.stop().await?;
    server.stop().await
}

/// Two ports that the good writers do not change.
async fn others(server: &Server, devices: &Devices) -> Result<[String; 2]> {
    let answer = ask(server.address(), "{ ports(last: 20) { nodes { id } } }", Value::Null).await?;
    let ids = answer["ports"]["nodes"].as_array().into_iter().flatten().filter_map(|port| port["id"].as_str());
    let changed = devices.changed(usize::MAX);
    let mut others = ids.filter(|id| !changed.contains(id)).map(str::to_owned);
    match (others.next(), others.next()) {
        (Some(one), Some(other)) => Ok([one, other]),
        _ => Err(LoadError::Answer("the fleet is too small for a soak".to_owned())),
    }
}

/// Adds the measurements of ordinary clients, compared with those before other clients started.
fn add_looks(report: &mut Report, fleet: &str, idle: &Times, looked: &Times) {
    let longest = |times: &Times| Quantity::Seconds(times.longest_health());
    let row =
        Row::new("soak: /healthz, at the longest", fleet, longest(looked)).beside("with nobody else", longest(idle));
    report.add(row.should(Target::AtMost(Quantity::Seconds(0.1))));
    let p99 = |times: &Times| Quantity::Seconds(times.reads_p99());
    let row = Row::new("soak: one device by name, p99", fleet, p99(looked)).beside("with nobody else", p99(idle));
    report.add(row.should(Target::RatioAtMost(3.0)));
}

fn add(report: &mut Report, fleet: &str, counts: &Counts, length: Duration) {
    report.add(Row::new("soak: how long", fleet, Quantity::Seconds(length.as_secs_f64())));
    for (what, count) in [
        ("requests answered", &counts.answered),
        ("events delivered", &counts.events),
        ("requests of bad clients refused", &counts.refused),
        ("connections of bad clients cut", &counts.cut),
        ("attempts of hostile clients", &counts.hostile),
    ] {
        let count = Quantity::Count(count.load(Ordering::Relaxed) as f64);
        // A part without requests has tested nothing.
        report.add(Row::new(format!("soak: {what}"), fleet, count).should(Target::AtLeast(Quantity::Count(1.0))));
    }
}

/// Samples the servers until all clients have ended.
async fn watch(
    servers: [&Server; 2],
    clients: &mut JoinSet<Result<()>>,
    begin: Instant,
    length: Duration,
) -> Result<Seen> {
    let mut ticks = interval(SAMPLE_INTERVAL.min(length / MIN_SAMPLES));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut seen = Seen::default();
    loop {
        tokio::select! {
            client = clients.join_next() => match client {
                None => return Ok(seen),
                Some(ended) => ended.map_err(|error| LoadError::Answer(format!("a client ended: {error}")))??,
            },
            _ = ticks.tick() => {
                let at = begin.elapsed();
                if at > length + END_TIMEOUT {
                    let what = "the last clients of the soak".to_owned();
                    return Err(LoadError::TimedOut { what, limit: END_TIMEOUT });
                }
                if at <= length {
                    let held = servers[0].memory()? + servers[1].memory()?;
                    seen.memory.push((at.as_secs_f64(), held as f64));
                }
            }
        }
    }
}

/// Returns the number of open files after the server has noticed that the clients are gone.
async fn settled(server: &Server, before: usize) -> Result<usize> {
    let begin = Instant::now();
    loop {
        let open = server.open_files()?;
        if open <= before || begin.elapsed() > END_TIMEOUT / 4 {
            return Ok(open);
        }
        sleep(SAMPLE_INTERVAL).await;
    }
}
