//! `kill -9` while a client writes and many subscribe. Checks that subscribers miss nothing and receive nothing twice,
//! and measures the time until all of them have everything.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::socket::{Socket, is_answer, number, text};
use super::writer::Writer;
use super::{PORTS, Subscribers};
use crate::client::ask;
use crate::problem::{LoadError, Result, within};
use crate::quantity::Quantity;
use crate::queries::{self, Devices};
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The time of writing before the server is killed.
const WRITING_TIME: Duration = Duration::from_secs(2);
/// The number of changes in a batch: several, so that some subscribers are interrupted within one.
const BATCH_CHANGES: usize = 20;
/// The interval between attempts to reconnect.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(20);
/// The time limit until everything has been received.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(120);

const EVENTS: &str = "subscription($after: ChangeCursor) {
  changes(after: $after) { type revision cursor change { position } }
}";
const LOG: &str = "query($from: Revision!, $after: String) {
  changes(filter: {fromRevision: $from}, first: 1000, orderBy: OLDEST_FIRST, after: $after) {
    nodes { revision position } pageInfo { hasNextPage endCursor }
  }
}";

/// The position of a change: its revision, and its position within it.
type ChangePosition = (i64, i64);

/// Kills the server of a database repeatedly.
pub async fn over_crashes(report: &mut Report, fleet: &str, database: &str, subscribers: Subscribers) -> Result<()> {
    let mut server = Server::start(database).await?;
    let devices = Devices::of(server.address()).await?;
    let from = queries::revision(server.address()).await?;
    let (at, address) = watch::channel(server.address());
    let (end, wanted) = watch::channel(None);
    let mut following = JoinSet::new();
    for _ in 0..subscribers.resumed {
        following.spawn(follow(address.clone(), wanted.clone(), from));
    }
    for _ in 0..subscribers.crashes {
        let mut writer = Writer::open(server.address(), devices.batches(BATCH_CHANGES, PORTS)).await?;
        let killed = async {
            tokio::time::sleep(WRITING_TIME).await;
            server.kill();
        };
        tokio::select! {
            error = write_on(&mut writer) => return Err(error),
            () = killed => {}
        }
        server = Server::start(database).await?;
        at.send_replace(server.address());
    }
    let back = Instant::now();
    let written = log(server.address(), from).await?;
    let last = written.last().copied();
    end.send_replace(Some(last.ok_or_else(|| LoadError::Answer("nothing was written".to_owned()))?));
    let lost = within(RECEIVE_TIMEOUT, "the last event of each subscriber", compare(following, &written)).await?;
    let took = back.elapsed().as_secs_f64();
    let what = format!("{} subscribers over {} times kill -9", subscribers.resumed, subscribers.crashes);
    for (name, count) in [("missed", lost.missed), ("received again or out of order", lost.repeated)] {
        let row = Row::new(format!("{what}, changes {name}"), fleet, Quantity::Count(count as f64));
        let received = Quantity::Count((written.len() * subscribers.resumed) as f64);
        report.add(
            row.beside("changes written, times subscribers", received).should(Target::AtMost(Quantity::Count(0.0))),
        );
    }
    let row = Row::new(format!("{what}, from ready again until all have all"), fleet, Quantity::Seconds(took));
    report.add(row.beside("start to ready", Quantity::Seconds(server.ready_after())));
    server.stop().await
}

/// Writes until a write fails. Returns the error.
async fn write_on(writer: &mut Writer) -> LoadError {
    loop {
        if let Err(error) = writer.once().await {
            return error;
        }
    }
}

/// Subscribes from a revision over all crashes, until the last change was received. Returns what was received.
async fn follow(
    server: watch::Receiver<SocketAddr>,
    mut last: watch::Receiver<Option<ChangePosition>>,
    from: i64,
) -> Vec<ChangePosition> {
    let (mut received, mut after) = (Vec::new(), json!(from));
    while !has_all(&received, *last.borrow()) {
        let address = *server.borrow();
        // The stream ends with an error when the server is killed.
        if listen(address, &mut after, &mut received, &mut last).await.is_err() {
            tokio::time::sleep(RECONNECT_INTERVAL).await;
        }
    }
    received
}

fn has_all(received: &[ChangePosition], last: Option<ChangePosition>) -> bool {
    last.is_some_and(|last| received.last().is_some_and(|received| *received >= last))
}

/// Subscribes over one connection.
async fn listen(
    server: SocketAddr,
    after: &mut Value,
    received: &mut Vec<ChangePosition>,
    last: &mut watch::Receiver<Option<ChangePosition>>,
) -> Result<()> {
    let mut socket = Socket::subscribe(server, EVENTS, &json!({"after": after})).await?;
    while !has_all(received, *last.borrow()) {
        let message = tokio::select! {
            message = socket.message() => message?,
            Ok(()) = last.changed() => continue,
        };
        if !is_answer(message) {
            return Err(LoadError::Answer(format!("no answer: {}", String::from_utf8_lossy(message))));
        }
        // An event and its cursor arrive together, so an interruption between two events loses neither.
        if let Some(cursor) = text(message, "cursor") {
            *after = json!(cursor);
        }
        if let (Some(revision), Some(position)) = (number(message, "revision"), number(message, "position")) {
            received.push((revision, position));
        }
    }
    Ok(())
}

/// The errors of all subscribers.
#[derive(Debug, Default, PartialEq)]
struct Lost {
    missed: usize,
    repeated: usize,
}

async fn compare(mut following: JoinSet<Vec<ChangePosition>>, written: &[ChangePosition]) -> Result<Lost> {
    let mut lost = Lost::default();
    while let Some(received) = following.join_next().await {
        let received = received.map_err(|error| LoadError::Answer(format!("a subscriber ended: {error}")))?;
        let of_one = lost_by(&received, written);
        lost.missed += of_one.missed;
        lost.repeated += of_one.repeated;
    }
    Ok(lost)
}

fn lost_by(received: &[ChangePosition], written: &[ChangePosition]) -> Lost {
    let seen: HashSet<&ChangePosition> = received.iter().collect();
    Lost {
        missed: written.iter().filter(|position| !seen.contains(position)).count(),
        repeated: received.windows(2).filter(|pair| pair[1] <= pair[0]).count(),
    }
}

/// Returns all changes after a revision, in order.
async fn log(server: SocketAddr, from: i64) -> Result<Vec<ChangePosition>> {
    let (mut all, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut data = ask(server, LOG, json!({"from": from + 1, "after": after})).await?;
        let page: Page = serde_json::from_value(data["changes"].take())?;
        all.extend(page.nodes.into_iter().map(|node| (node.revision, node.position)));
        match page.page_info.end_cursor.filter(|_| page.page_info.has_next_page) {
            Some(cursor) => after = json!(cursor),
            None => return Ok(all),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    nodes: Vec<Node>,
    page_info: Info,
}

#[derive(Deserialize)]
struct Node {
    revision: i64,
    position: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_events_are_counted() {
        let written = [(1, 0), (1, 1), (2, 0)];
        assert_eq!(lost_by(&written, &written), Lost::default());
        assert_eq!(lost_by(&[(1, 0), (2, 0)], &written), Lost { missed: 1, repeated: 0 });
        assert_eq!(lost_by(&[(1, 0), (1, 1), (1, 1), (2, 0)], &written), Lost { missed: 0, repeated: 1 });
        assert_eq!(lost_by(&[(1, 1), (1, 0), (2, 0)], &written), Lost { missed: 0, repeated: 1 });
    }
}
