//! Synchronizers: the first scan of a NetBox beside `underlay apply` of the same objects, a scan in which nothing
//! changed, and the time from a hint to the event of its change. Also the scans of an Ironic.
//!
//! NetBox is a recording that is replayed on this machine, so a scan measures the synchronizer and the server, and not
//! NetBox, which is slower.

mod ironic;
mod recorded;
mod replay;
mod synchronizer;

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::replay::Replay;
use self::synchronizer::{Source, Synchronizer};
use crate::client::{Connection, Prepared, ask};
use crate::feed::socket::{Socket, is_answer, number};
use crate::fleets;
use crate::measure::{median, percentile};
use crate::problem::{Doing, LoadError, Result, within};
use crate::program;
use crate::quantity::{Quantity, thousands};
use crate::queries;
use crate::report::Report;
use crate::server::{self, Server};
use crate::table::{Row, Target};

/// The time limit of the commands beside a synchronizer.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(1_800);
/// The time limit from a change to its event: the log of changes is read every 10 s.
const EVENT_TIMEOUT: Duration = Duration::from_secs(60);
/// The interval of looks at the health of the source, which the server writes every 10 s.
const HEALTH_CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The number of scans in which nothing changed, and of reads of all pages.
const SCANS: usize = 3;
const PORTS: &str = "{ ports(first: 0) { totalCount } cables(first: 0) { totalCount } }";
/// The subscription. The type comes first, because it tells events from PROGRESS.
const EVENTS: &str = "subscription { changes { type revision } }";
/// The beginning of a PROGRESS event.
const SIGN_OF_LIFE: &[u8] = br#"{"id":"1","type":"next","payload":{"data":{"changes":{"type":"PROGRESS""#;

/// The size of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of copies of the recording, which has 4,733 objects.
    pub copies: u64,
    /// The number of changes at the source.
    pub changes: usize,
    /// The number of nodes of the Ironic.
    pub nodes: usize,
}

/// Measures synchronizers of a NetBox and of an Ironic.
pub async fn measure(report: &mut Report, folder: &Path, size: Size) -> Result<()> {
    netbox(report, folder, size).await?;
    ironic::measure(report, folder, size.nodes).await
}

/// Returns the source of a replayed NetBox.
fn source_of(replay: &Replay) -> Source {
    Source::new(["sync", "netbox", "--url", &replay.served.url]).secret("NETBOX_TOKEN", "replayed")
}

async fn netbox(report: &mut Report, folder: &Path, size: Size) -> Result<()> {
    std::fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))?;
    let replay = Replay::start(recorded::copies(size.copies)?)?;
    let server = Server::start(&fleets::url(&folder.join("synchronized.db"))).await?;
    let state = folder.join("netbox.state");
    let address = server.address();

    let first = Synchronizer::once(&source_of(&replay), address, &state).await?;
    let items = first.counts.items;
    first.counts.should(items > 0 && first.counts.created == items, "created all items")?;
    let source = format!("NetBox, {} objects", thousands(&items.to_string()));
    let applied = apply(address, folder).await?;
    let row = Row::new("first scan of a source", &source, Quantity::Seconds(first.seconds));
    let row = row.beside("`underlay apply` of the same objects as a file", Quantity::Seconds(applied));
    report.add(row.should(Target::RatioAtMost(1.5)));
    let row = Row::new("first scan, memory of the synchronizer at the most", &source, memory(first.max_memory));
    report.add(row.should(Target::AtMost(Quantity::Bytes(250e6))));

    unchanged(report, &source, &replay, address, &state, items).await?;
    hints(report, &source, &replay, address, &state, size.changes).await?;
    server.stop().await
}

fn memory(bytes: u64) -> Quantity {
    Quantity::Bytes(bytes as f64)
}

/// Writes an item, which the server must accept.
async fn write(server: SocketAddr, item: &Value) -> Result<()> {
    let mut connection = Connection::open(server).await?;
    let request = Prepared::lines([item.clone()]);
    let answer = within(EVENT_TIMEOUT, "a mutation", connection.exchange(&request)).await?;
    let line = answer.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match serde_json::from_slice::<Value>(line) {
        Ok(outcome) if outcome["error"].is_null() => Ok(()),
        _ => Err(LoadError::Answer(format!("{item} was refused: {}", String::from_utf8_lossy(line)))),
    }
}

/// Writes what a server has into another one, by a file. Returns the time of `underlay apply` in seconds.
async fn apply(from: SocketAddr, folder: &Path) -> Result<f64> {
    let (file, server) = (folder.join("same.jsonl"), Server::start(&fleets::url(&folder.join("applied.db"))).await?);
    let command = |server: SocketAddr, arguments: [&str; 2]| {
        let mut command = program::underlay();
        command.args(arguments).arg(&file).args(["--server", &format!("http://{server}")]).env_remove("RUST_LOG");
        command
    };
    server::run(command(from, ["export", "-o"]), COMMAND_TIMEOUT).await?;
    let begin = Instant::now();
    server::run(command(server.address(), ["apply", "-f"]), COMMAND_TIMEOUT).await?;
    let took = begin.elapsed().as_secs_f64();
    let [there, here] = [ask(from, PORTS, Value::Null).await?, ask(server.address(), PORTS, Value::Null).await?];
    if there != here {
        return Err(LoadError::Answer(format!("`underlay apply` wrote {here}, not {there}")));
    }
    server.stop().await?;
    Ok(took)
}

/// Measures scans in which nothing changed. They make no revision.
async fn unchanged(
    report: &mut Report,
    source: &str,
    replay: &Replay,
    server: SocketAddr,
    state: &Path,
    items: u64,
) -> Result<()> {
    fresh(server).await?;
    let before = queries::revision(server).await?;
    let (mut scans, mut reads, mut max_memory) = (Vec::new(), Vec::new(), 0);
    for _ in 0..SCANS {
        let scan = Synchronizer::once(&source_of(replay), server, state).await?;
        scan.counts.should(scan.counts.items == items && scan.counts.unchanged == items, "found nothing changed")?;
        scans.push(scan.seconds);
        max_memory = max_memory.max(scan.max_memory);
        reads.push(read(replay).await?);
    }
    let made = queries::revision(server).await? - before;
    let row = Row::new("scan in which nothing changed", source, Quantity::Seconds(median(scans)));
    let row = row.beside("all pages, read one after the other and parsed", Quantity::Seconds(median(reads)));
    report.add(row.should(Target::AtMost(Quantity::Seconds(10.0))));
    let row = Row::new("scans in which nothing changed, revisions", source, Quantity::Count(made as f64));
    report.add(row.should(Target::AtMost(Quantity::Count(0.0))));
    let row =
        Row::new("scan in which nothing changed, memory of the synchronizer at the most", source, memory(max_memory));
    report.add(row.should(Target::AtMost(Quantity::Bytes(250e6))));
    Ok(())
}

/// Waits until the server has written that the source is fresh, which is a revision of its own.
async fn fresh(server: SocketAddr) -> Result<()> {
    within(EVENT_TIMEOUT, "the health of the source", async {
        loop {
            let data = ask(server, "{ source(name: \"netbox\") { health } }", Value::Null).await?;
            if data["source"]["health"] == "FRESH" {
                return Ok(());
            }
            tokio::time::sleep(HEALTH_CHECK_INTERVAL).await;
        }
    })
    .await
}

/// Reads all lists as a client that does nothing with them. Returns the time in seconds.
async fn read(replay: &Replay) -> Result<f64> {
    #[derive(serde::Deserialize)]
    struct Page {
        next: Option<String>,
        results: Vec<Identified>,
    }
    #[derive(serde::Deserialize)]
    struct Identified {
        id: u64,
    }
    let failed = |error: reqwest::Error| LoadError::Answer(format!("the replay: {error}"));
    let (client, begin) = (reqwest::Client::new(), Instant::now());
    for list in replay.lists() {
        let mut after = Some(0);
        while let Some(id) = after {
            let url = format!("{}/api/{list}/?ordering=id&limit=1000&id__gt={id}", replay.served.url);
            let body = client.get(url).send().await.map_err(failed)?.bytes().await.map_err(failed)?;
            let page: Page = serde_json::from_slice(&body)?;
            after = page.next.and(page.results.last().map(|last| last.id));
        }
    }
    Ok(begin.elapsed().as_secs_f64())
}

/// Measures changes at the source, from the answer that hints at each to its event.
async fn hints(
    report: &mut Report,
    source: &str,
    replay: &Replay,
    server: SocketAddr,
    state: &Path,
    changes: usize,
) -> Result<()> {
    let mut synchronizer = Synchronizer::start(&source_of(replay), server, state);
    synchronizer.scanned().await?;
    let mut socket = Socket::subscribe(server, EVENTS, &Value::Null).await?;
    let (mut delays, mut direct) = (Vec::new(), Vec::new());
    let mut connection = Connection::open(server).await?;
    for nth in 0..changes {
        let own = Prepared::lines([json!({"site": {"name": format!("beside-{nth}"), "type": "OTHER"}})]);
        let sent = Instant::now();
        let body = within(EVENT_TIMEOUT, "a mutation", connection.exchange(&own)).await?;
        let revision = number(body, "lastRevision")
            .ok_or_else(|| LoadError::Answer(format!("no revision: {}", String::from_utf8_lossy(body))))?;
        direct.push((event(&mut socket, revision).await? - sent).as_secs_f64());

        let text = json!(format!("changed {nth}"));
        let (list, of) = [("dcim/interfaces", "dcim.interface"), ("dcim/devices", "dcim.device")][nth % 2];
        // The places are far apart, in different copies of the recording.
        let change = replay.change(list, of, nth * 10_007, "description", &text)?;
        let seen = event(&mut socket, revision + 1).await?;
        let hint = replay.shown(change);
        let hint = hint.ok_or_else(|| LoadError::Answer("an event came before the hint of its change".to_owned()))?;
        delays.push((seen - hint).as_secs_f64());
    }
    let what = "from the hint of a change at the source to its event";
    for (quantile, name) in [(0.5, "p50"), (1.0, "at the longest")] {
        let [measured, beside] = [&delays, &direct].map(|times| Quantity::Seconds(percentile(times.clone(), quantile)));
        let row = Row::new(format!("{what}, {name} of {changes}"), source, measured);
        report
            .add(row.beside("a batch of one sent to its event", beside).should(Target::AtMost(Quantity::Seconds(1.0))));
    }
    Ok(())
}

/// Waits for an event of a revision or a later one. Returns the time when it was received.
async fn event(socket: &mut Socket, revision: i64) -> Result<Instant> {
    within(EVENT_TIMEOUT, "an event", async {
        loop {
            let message = socket.message().await?;
            if message.starts_with(SIGN_OF_LIFE) {
                continue;
            }
            if !is_answer(message) {
                return Err(LoadError::Answer(format!("no event: {}", String::from_utf8_lossy(message))));
            }
            if number(message, "revision").is_some_and(|it| it >= revision) {
                return Ok(Instant::now());
            }
        }
    })
    .await
}
