//! A soak: everything that clients do, good ones and bad ones, all at once and for long; and whether the server holds
//! more and more for them. Nothing that is written makes an object, so that the inventory stays as large as it was.
//!
//! Good clients must be answered: an error of theirs ends the soak. Bad ones must not be believed, and must cost nothing
//! that stays.

mod good;
mod rude;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::ask;
use crate::fleets::Fleet;
use crate::measure::median;
use crate::problem::{LoadError, Result};
use crate::quantity::Quantity;
use crate::queries::Devices;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};
use crate::{fleets, scratch};

/// How often it is looked what the server holds.
const GLANCE: Duration = Duration::from_secs(1);
/// How many glances there are at least.
const FEWEST_GLANCES: u32 = 40;
/// After which part of the time the server has warmed up.
const WARM: f64 = 0.1;
/// How many glances make a number.
const TOGETHER: usize = 5;
/// How long the last requests may take, and the server may take to see that the clients are gone.
const PATIENCE: Duration = Duration::from_secs(120);
/// Files that are opened once, for whatever comes first: connections to the database, threads.
const OPENED_ONCE: usize = 16;

/// What became of requests.
#[derive(Debug, Default)]
struct Counts {
    /// Requests and subscriptions of good clients that were answered.
    answered: AtomicU64,
    /// Events that came to subscribers.
    events: AtomicU64,
    /// Requests of bad clients that were refused in words.
    refused: AtomicU64,
    /// Connections of bad clients that nothing could be said to.
    cut: AtomicU64,
}

impl Counts {
    fn count(of: &AtomicU64) {
        of.fetch_add(1, Ordering::Relaxed);
    }
}

/// What the server held.
#[derive(Debug, Default)]
struct Seen {
    /// Seconds since the beginning, and bytes of memory.
    memory: Vec<(f64, f64)>,
}

impl Seen {
    /// The memory up to a time, of a few glances together.
    fn until(&self, seconds: f64) -> f64 {
        let before: Vec<f64> = self.memory.iter().filter(|(at, _)| *at <= seconds).map(|(_, bytes)| *bytes).collect();
        median(before[before.len().saturating_sub(TOGETHER)..].to_vec())
    }
}

/// Soaks a server on a copy of a fleet, and an empty one that asks who comes.
pub async fn soak(
    report: &mut Report,
    fleet: &Fleet,
    scratch_folder: &std::path::Path,
    length: Duration,
) -> Result<()> {
    let server = Server::start(&fleet.copy(scratch_folder, "soaked")?).await?;
    let folder = scratch::folder("asking");
    let asking = Server::start_asking(&fleets::url(&folder.path().join("asking.db")), folder.path()).await?;
    let devices = Devices::of(server.address()).await?;
    let name = devices.fleet();
    let files = server.open_files()?;
    let (counts, begin) = (Arc::<Counts>::default(), Instant::now());
    let mut clients = JoinSet::new();
    good::start(&mut clients, &server, &devices, &counts, begin + length)?;
    rude::start(&mut clients, &server, &asking, &counts, begin + length);
    let seen = watch(&server, &mut clients, begin, length).await?;
    let left = settled(&server, files).await?;
    // It still answers, and so does the other one: to nobody without a token, but that in words.
    ask(server.address(), "{ revision sites(first: 1) { totalCount } }", Value::Null).await?;
    rude::is_refused(asking.address()).await?;
    add(report, &name, &counts, length);
    let seconds = length.as_secs_f64();
    let warm = Quantity::Bytes(seen.until(seconds * WARM));
    report.add(Row::new("soak: memory after the first tenth", &name, warm));
    let row = Row::new("soak: memory at the end", &name, Quantity::Bytes(seen.until(seconds)));
    report.add(row.beside("after the first tenth", warm).should(Target::RatioAtMost(1.1)));
    let row = Row::new("soak: open files when the clients are gone", &name, Quantity::Count(left as f64));
    let row = row.beside("before they came", Quantity::Count(files as f64));
    report.add(row.should(Target::AtMost(Quantity::Count((files + OPENED_ONCE) as f64))));
    asking.stop().await?;
    server.stop().await
}

fn add(report: &mut Report, fleet: &str, counts: &Counts, length: Duration) {
    report.add(Row::new("soak: how long", fleet, Quantity::Seconds(length.as_secs_f64())));
    for (what, count) in [
        ("requests answered", &counts.answered),
        ("events told", &counts.events),
        ("requests of bad clients refused", &counts.refused),
        ("connections of bad clients cut", &counts.cut),
    ] {
        let count = Quantity::Count(count.load(Ordering::Relaxed) as f64);
        // A part that did nothing has soaked nothing.
        report.add(Row::new(format!("soak: {what}"), fleet, count).should(Target::AtLeast(Quantity::Count(1.0))));
    }
}

/// Looks at the server until all clients have ended.
async fn watch(server: &Server, clients: &mut JoinSet<Result<()>>, begin: Instant, length: Duration) -> Result<Seen> {
    let mut ticks = interval(GLANCE.min(length / FEWEST_GLANCES));
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
                if at > length + PATIENCE {
                    return Err(LoadError::TimedOut { what: "the last clients of the soak".to_owned(), limit: PATIENCE });
                }
                if at <= length {
                    seen.memory.push((at.as_secs_f64(), server.memory()? as f64));
                }
            }
        }
    }
}

/// How many files are open when the server has seen that the clients are gone.
async fn settled(server: &Server, before: usize) -> Result<usize> {
    let begin = Instant::now();
    loop {
        let open = server.open_files()?;
        if open <= before || begin.elapsed() > PATIENCE / 4 {
            return Ok(open);
        }
        sleep(GLANCE).await;
    }
}
