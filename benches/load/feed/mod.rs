//! The feed: the delay from a commit to its subscribers, the number of subscribers, and that none misses an event when
//! the server is killed.
//!
//! A client cannot observe the moment of a commit. The measurement begins earlier, when the request is sent, so it is
//! longer than the time from commit to event.

pub mod broadcast;
mod crash;
mod crowd;
mod many;
pub mod socket;
mod writer;

use std::net::SocketAddr;
use std::path::Path;

use serde_json::json;
use underlay_testing::postgres::Postgres;

pub use crash::over_crashes;
pub use many::{fan_out, idle};

use crate::bare;
use crate::measure::{Pace, percentile};
use crate::problem::Result;
use crate::quantity::Quantity;
use crate::queries::Devices;
use crate::report::Report;
use crate::run::Scale;
use crate::server::Server;
use crate::table::{Row, Target};
use crowd::Crowd;
use writer::Writer;

/// The number of batches per second.
const BATCHES_PER_SECOND: u32 = 100;
/// The number of changes in a batch while one subscriber listens.
const BATCH_CHANGES: usize = 10;
/// The number of commits of the reference.
const COMMITS: usize = 500;
/// The number of ports that change in turn.
const PORTS: usize = 2_000;

/// The number of subscribers of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Subscribers {
    /// The number of idle subscribers.
    pub idle: usize,
    /// The number of subscribers of which a tenth receives each change.
    pub busy: usize,
    /// The number of subscribers that return after the server was killed.
    pub resumed: usize,
    /// The number of times that the server is killed.
    pub crashes: usize,
}

/// Measures the time from sending a batch to its events on the same server, compared with a bare commit.
pub async fn same_replica(
    report: &mut Report,
    fleet: &str,
    server: SocketAddr,
    devices: &Devices,
    pace: Pace,
    scratch: &Path,
) -> Result<()> {
    let (p50, p99) = bare::durable_insert(scratch, COMMITS).await?;
    let delays = delays(server, server, devices, pace).await?;
    add(report, fleet, "on the same replica, SQLite", &delays, [p50, p99], 5e-3);
    Ok(())
}

/// Measures the same over two servers on one PostgreSQL: one writes, a subscriber listens to the other.
pub async fn other_replica(report: &mut Report, scale: &Scale, postgres: &Postgres, racks: usize) -> Result<()> {
    let database = postgres.create_database().await;
    let (one, other) = (Server::start(&database).await?, Server::start(&database).await?);
    one.write_fleet(racks).await?;
    let devices = Devices::of(one.address()).await?;
    let fleet = devices.fleet();
    let bare = postgres.create_database().await;
    let (p50, p99) = bare::durable_insert_into(&bare, COMMITS).await?;
    for (what, listened, most) in
        [("on the same replica, PostgreSQL", &one, 5e-3), ("on another replica, PostgreSQL", &other, 50e-3)]
    {
        let delays = delays(one.address(), listened.address(), &devices, scale.pace).await?;
        add(report, &fleet, what, &delays, [p50, p99], most);
    }
    other.stop().await?;
    one.stop().await
}

/// The results of batches that were sent at [`BATCHES_PER_SECOND`].
struct Delays {
    /// The seconds from sending each batch until its last event was received.
    each: Vec<f64>,
    /// The number of batches that could be sent per second.
    rate: f64,
}

/// Sends batches to one server and receives their events from another one.
async fn delays(writes: SocketAddr, listens: SocketAddr, devices: &Devices, pace: Pace) -> Result<Delays> {
    let mut writer = Writer::open(writes, devices.batches(BATCH_CHANGES, PORTS)).await?;
    let after = writer.once().await?.revision;
    let crowd = Crowd::gather(listens, 1, |_| json!({"after": after})).await?;
    let warm = writer.write(BATCHES_PER_SECOND, pace.warm_up).await?;
    crowd.until(&warm, BATCH_CHANGES, |_, _| true).await?;
    crowd.forget();
    let length = pace.as_one_round().round;
    let sent = writer.write(BATCHES_PER_SECOND, length).await?;
    let each = crowd.delivered(&sent, BATCH_CHANGES, |_, _| true).await?.delays;
    Ok(Delays { each, rate: sent.len() as f64 / length.as_secs_f64() })
}

/// Adds a row with the actual rate of batches.
fn add_rate(report: &mut Report, fleet: &str, of: &str, delays: &Delays) {
    let row = Row::new(format!("{of}, batches sent"), fleet, Quantity::PerSecond(delays.rate));
    report.add(row.should(Target::AtLeast(Quantity::PerSecond(0.9 * f64::from(BATCHES_PER_SECOND)))));
}

fn add(report: &mut Report, fleet: &str, which: &str, delays: &Delays, bare: [f64; 2], most: f64) {
    let what = format!("from a batch of {BATCH_CHANGES} sent to its events {which}, {BATCHES_PER_SECOND} a second");
    for (quantile, name, bare) in [(0.5, "p50", bare[0]), (0.99, "p99", bare[1])] {
        let measured = Quantity::Seconds(percentile(delays.each.clone(), quantile));
        let row = Row::new(format!("{what}, {name}"), fleet, measured);
        let row = row.beside(format!("bare durable commit, {name}"), Quantity::Seconds(bare));
        report.add(match name {
            "p50" => row.should(Target::AtMost(Quantity::Seconds(most))),
            _ => row,
        });
    }
    add_rate(report, fleet, &what, delays);
}
