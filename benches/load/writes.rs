//! Writes: large batches compared with bare SQL, single mutations compared with a bare durable insert, and both at the
//! same time.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bare::{self, Bare};
use crate::client::{Connection, Prepared};
use crate::measure::{Measured, Pace, load, median, time_of};
use crate::problem::{LoadError, Result, within};
use crate::quantity::Quantity;
use crate::queries::{self, Device, Devices};
use crate::report::Report;
use crate::table::{Row, Target};

/// The time limit of a batch.
const BATCH_TIMEOUT: Duration = Duration::from_secs(120);
/// The number of clients that write single mutations.
const CLIENTS: usize = 64;
/// The number of clients that write single mutations during large batches.
const BESIDE_BULK: usize = 16;
/// The number of objects that single mutations change in turn.
const OBJECTS: usize = 12_800;
/// The number of times that a large batch is written.
const BATCHES: usize = 5;
/// The number of bare inserts.
const INSERTS: usize = 1_000;
/// The number of devices over which the new ports of a batch are spread.
const DEVICES: usize = 500;

/// Measures single mutations of one object each, from many clients. Each of them must create a revision.
pub async fn singles(server: SocketAddr, devices: &Devices, pace: Pace) -> Result<Measured> {
    let before = queries::revision(server).await?;
    let measured = load(server, CLIENTS, devices.updates(CLIENTS, OBJECTS), pace).await?;
    let made = queries::revision(server).await? - before;
    // The first round can find values that an earlier measurement left.
    match made.unsigned_abs() * 100 >= measured.answers * 90 {
        true => Ok(measured),
        false => Err(LoadError::Answer(format!("{} mutations made {made} revisions", measured.answers))),
    }
}

/// Returns the table rows of single mutations.
pub async fn report_singles(report: &mut Report, fleet: &str, measured: Measured, scratch: &Path) -> Result<()> {
    let (p50, p99) = within(BATCH_TIMEOUT, "bare inserts", bare::durable_insert(scratch, INSERTS)).await?;
    let what = format!("single mutations, durable, {CLIENTS} clients, SQLite");
    let row = Row::new(&what, fleet, Quantity::PerSecond(measured.per_second));
    let row = row.beside("bare inserts, one after the other", Quantity::PerSecond(1.0 / p50));
    report.add(row.should(Target::AtLeast(Quantity::PerSecond(2_000.0))));
    let row = Row::new(format!("{what}, p50"), fleet, Quantity::Seconds(measured.p50));
    report.add(row.beside("bare durable insert, p50", Quantity::Seconds(p50)));
    let row = Row::new(format!("{what}, p99"), fleet, Quantity::Seconds(measured.p99));
    report.add(row.beside("bare durable insert, p99", Quantity::Seconds(p99)));
    Ok(())
}

/// The target of a large batch.
pub struct Bulk<'a> {
    pub server: SocketAddr,
    /// The database of the server, and an equal unused one.
    pub databases: [&'a str; 2],
    /// The names of the databases.
    pub database: &'static str,
    pub items: usize,
}

/// Measures new ports in large batches, and the same items again.
pub async fn large_batches(report: &mut Report, fleet: &str, bulk: &Bulk<'_>, devices: &Devices) -> Result<()> {
    let (own, equal) = (Bare::connect(bulk.databases[0]).await?, Bare::connect(bulk.databases[1]).await?);
    let mut connection = Connection::open(bulk.server).await?;
    let (mut new, mut bare, mut same, mut parsed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // The first batch meets cold caches on both sides and does not count.
    for number in 0..=BATCHES {
        let request = new_ports(&devices.spread(DEVICES), bulk.items, number, "new");
        let (took, revision) = apply(&mut connection, &request, bulk.items, "CREATED").await?;
        let revision = revision.ok_or_else(|| LoadError::Answer("a batch of new ports made no revision".to_owned()))?;
        let written = within(BATCH_TIMEOUT, "reading rows", own.written(revision)).await?;
        if written.objects() != bulk.items {
            return Err(LoadError::Answer(format!("revision {revision} wrote {} ports", written.objects())));
        }
        let bare_took = within(BATCH_TIMEOUT, "bare inserts", equal.write(&written)).await?;
        let (again, _) = apply(&mut connection, &request, bulk.items, "UNCHANGED").await?;
        if number > 0 {
            new.push(took);
            bare.push(bare_took);
            same.push(again);
            let read =
                || serde_json::Deserializer::from_slice(request.body()).into_iter::<Value>().all(|line| line.is_ok());
            parsed.push(time_of(5, read));
        }
    }
    own.close().await?;
    equal.close().await?;
    let rate = |times: Vec<f64>| Quantity::PerSecond(bulk.items as f64 / median(times));
    let row =
        Row::new(format!("new ports in batches of {} by POST /apply, {}", bulk.items, bulk.database), fleet, rate(new));
    let row = row.beside("bare multi-row inserts", rate(bare)).should(Target::RatioAtLeast(0.25));
    report.add(row.should(Target::AtLeast(Quantity::PerSecond(20_000.0))));
    let row = Row::new(format!("the same items again by POST /apply, {}", bulk.database), fleet, rate(same));
    let row = row.beside("serde_json reads the request", rate(parsed));
    report.add(row.should(Target::AtLeast(Quantity::PerSecond(100_000.0))));
    Ok(())
}

/// Measures single mutations while large batches are written without a pause.
pub async fn beside_bulk(
    report: &mut Report,
    fleet: &str,
    server: SocketAddr,
    items: usize,
    devices: &Devices,
    pace: Pace,
) -> Result<()> {
    let singles = load(server, BESIDE_BULK, devices.updates(BESIDE_BULK, OBJECTS), pace.as_one_round());
    let (singles, batches) = beside_batches(server, items, 1_000, devices, singles).await?;
    let what = format!("single mutations, {BESIDE_BULK} clients, beside batches of {items} without pause, SQLite, p99");
    let row = Row::new(what, fleet, Quantity::Seconds(singles.p99));
    let row = row.beside(format!("one such batch, median of {}", batches.len()), Quantity::Seconds(median(batches)));
    report.add(row.should(Target::RatioAtMost(2.0)));
    Ok(())
}

/// Measures something while batches of ports are written without a pause. Also returns the times of those batches.
pub async fn beside_batches<T>(
    server: SocketAddr,
    items: usize,
    number: usize,
    devices: &Devices,
    measuring: impl Future<Output = Result<T>>,
) -> Result<(T, Vec<f64>)> {
    let spread = devices.spread(DEVICES);
    let batches = [new_ports(&spread, items, number, "one text"), new_ports(&spread, items, number, "another text")];
    let stop = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn(without_pause(server, batches, items, Arc::clone(&stop)));
    let measured = measuring.await;
    stop.store(true, Ordering::Relaxed);
    let ended = writer.await.map_err(|error| LoadError::Answer(format!("the bulk client ended: {error}")))?;
    Ok((measured?, ended?))
}

/// Writes two batches in turn until it is stopped. Returns their times. They change the same ports again and again, so
/// the inventory does not grow.
async fn without_pause(
    server: SocketAddr,
    batches: [Prepared; 2],
    items: usize,
    stop: Arc<AtomicBool>,
) -> Result<Vec<f64>> {
    let mut connection = Connection::open(server).await?;
    let mut times = Vec::new();
    apply(&mut connection, &batches[1], items, "CREATED").await?;
    for batch in batches.iter().cycle() {
        let (took, _) = apply(&mut connection, batch, items, "UPDATED").await?;
        times.push(took);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(times)
}

/// Applies a batch in which every item must have the same status. Returns the time and the revision.
async fn apply(
    connection: &mut Connection,
    request: &Prepared,
    items: usize,
    status: &str,
) -> Result<(f64, Option<i64>)> {
    let begin = Instant::now();
    let body = within(BATCH_TIMEOUT, "a large batch", connection.exchange(request)).await?;
    let took = begin.elapsed().as_secs_f64();
    let lines =
        serde_json::Deserializer::from_slice(body).into_iter::<Value>().collect::<serde_json::Result<Vec<_>>>()?;
    let (end, results) = lines.split_last().ok_or_else(|| LoadError::Answer("there is no answer".to_owned()))?;
    match results.iter().filter(|result| result["status"] == status).count() {
        count if count == items => Ok((took, end["lastRevision"].as_i64())),
        count => {
            let odd = results.iter().find(|result| result["status"] != status).unwrap_or(end);
            Err(LoadError::Answer(format!("of {items} items {count} are {status}; another is {odd}")))
        }
    }
}

/// Returns new ports, spread over devices.
fn new_ports(devices: &[&Device], items: usize, number: usize, text: &str) -> Prepared {
    let port = |at: usize| {
        let device = devices[at % devices.len()];
        json!({"port": {
            "device": {"site": device.site, "device": device.name},
            "name": format!("measured-{number}/{}", at / devices.len()),
            "type": "ETHERNET", "connector": "25gbase-x-sfp28", "speedBps": 25_000_000_000_u64, "mtu": 9000,
            "description": text, "labels": {"team": "measured"},
        }})
    };
    Prepared::lines((0..items).map(port))
}
