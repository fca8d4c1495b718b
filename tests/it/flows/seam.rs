//! The transition from catching up to live events: subscribers join, leave and return at random while many clients
//! write, and each receives the exact sequence.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rand::Rng;
use serde_json::{Value, json};

use super::replicas::{Written, servers, write};
use crate::harness::{Client, Database, HANG, Received, Server, Socket, until};

const WRITERS: usize = 6;
const WRITES: usize = 40;
const SUBSCRIBERS: usize = 200;

const EVENTS: &str = "subscription($filter: ChangeEventFilter, $after: ChangeCursor) {
    changes(filter: $filter, after: $after) { type cursor revision name change { position } } }";
/// The kind of the last changes.
pub const LAST_CHANGES_KIND: &str = "the last";

/// The position of a change: its revision, and its position within it.
pub type ChangePosition = (i64, i64);

fn dice(most: i64) -> i64 {
    rand::rng().random_range(0..=most)
}

/// Writes batches of sites and of regions at full speed; notes the newest revision.
async fn write_all(client: Client, writer: usize, newest: &AtomicI64) {
    for count in 0..WRITES {
        let items = (0..=dice(6)).map(|item| {
            let name = format!("w{writer}-{count}-{item}");
            match dice(1) {
                0 => json!({"region": {"name": name}}),
                _ => json!({"site": {"name": name, "type": "EDGE"}}),
            }
        });
        match write(&client, items.collect(), None).await {
            Written::Yes(revision) => newest.fetch_max(revision, Ordering::Relaxed),
            other => panic!("not written: {other:?}"),
        };
    }
}

/// The events that a subscriber received, and its starting position; `None` if it began with new changes.
struct Seen {
    kinds: Option<&'static str>,
    began: Option<ChangePosition>,
    positions: Vec<ChangePosition>,
}

impl Seen {
    /// The number of changes of the last revision that it must receive.
    fn ends(&self) -> usize {
        if self.kinds.is_none() { 2 } else { 1 }
    }
}

/// Follows until the changes of the last revision, which are named so; leaves and comes back meanwhile.
async fn follow(urls: Vec<String>, newest: Arc<AtomicI64>, begun: Arc<AtomicUsize>) -> Seen {
    // They come at any time, before, during and after the writes: that is the test.
    tokio::time::sleep(Duration::from_millis(dice(3_000) as u64)).await;
    let kinds = [None, Some("Region"), Some("Site")][dice(2) as usize];
    let from = (dice(2) > 0).then(|| dice(newest.load(Ordering::Relaxed)));
    let mut seen = Seen { kinds, began: from.map(|from| (from, i64::MAX)), positions: Vec::new() };
    let (mut at, mut ends, mut first) = (json!(from), 0, true);
    loop {
        let mut socket = Socket::connect(&urls[dice(urls.len() as i64 - 1) as usize]).await;
        let filter = kinds.map_or(Value::Null, |kind| json!({"kinds": [kind]}));
        socket.subscribe("1", EVENTS, json!({"filter": filter, "after": at})).await;
        if first {
            socket.subscribe("2", "{ revision }", json!({})).await;
        }
        let mut stays = dice(300);
        // A subscriber to new changes has no position to resume at until it has seen a change.
        while stays > 0 || at.is_null() || first {
            stays -= 1;
            let message = match socket.receive().await {
                Received::Message(message) => message,
                end => panic!("the server ended the connection: {end:?}"),
            };
            if message["id"] == "2" {
                if message["type"] == "complete" {
                    begun.fetch_add(1, Ordering::Relaxed);
                    first = false;
                }
                continue;
            }
            assert_eq!(message["type"], "next", "{message}");
            let event = &message["payload"]["data"]["changes"];
            at = event["cursor"].clone();
            if event["type"] == "PROGRESS" {
                continue;
            }
            let number = |value: &Value| value.as_i64().expect("a number");
            seen.positions.push((number(&event["revision"]), number(&event["change"]["position"])));
            ends += usize::from(event["name"] == LAST_CHANGES_KIND);
            if ends == seen.ends() {
                return seen;
            }
        }
    }
}

/// Returns all changes in order, with the kind of each.
pub async fn log(client: &Client) -> Vec<(ChangePosition, String)> {
    let query = "query($after: String) { changes(first: 1000, orderBy: OLDEST_FIRST, after: $after) {
        nodes { revision position kind } pageInfo { hasNextPage endCursor } } }";
    let (mut all, mut after) = (Vec::new(), Value::Null);
    loop {
        let page = client.ok(query, json!({"after": after})).await["changes"].take();
        for node in page["nodes"].as_array().expect("nodes") {
            let position = (node["revision"].as_i64().expect("a number"), node["position"].as_i64().expect("a number"));
            all.push((position, node["kind"].as_str().expect("text").to_owned()));
        }
        if page["pageInfo"]["hasNextPage"] != true {
            return all;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

async fn seam(servers: Vec<Server>) {
    let begun = Instant::now();
    let urls: Vec<String> = servers.iter().map(|server| server.url().to_owned()).collect();
    let (newest, begun_to) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicUsize::new(0)));
    let subscribers = (0..SUBSCRIBERS).map(|_| tokio::spawn(follow(urls.clone(), newest.clone(), begun_to.clone())));
    let subscribers: Vec<_> = subscribers.collect();
    join_all((0..WRITERS).map(|writer| {
        let (client, newest) = (servers[writer % servers.len()].client(), &newest);
        async move { write_all(client, writer, newest).await }
    }))
    .await;
    let written = begun.elapsed();
    until(format!("{SUBSCRIBERS} have begun"), async || {
        let begun = begun_to.load(Ordering::Relaxed);
        if begun < SUBSCRIBERS { Err(begun) } else { Ok(()) }
    })
    .await;
    let last = vec![
        json!({"region": {"name": LAST_CHANGES_KIND}}),
        json!({"site": {"name": LAST_CHANGES_KIND, "type": "EDGE"}}),
    ];
    let revisions = (WRITERS * WRITES + 1) as i64;
    assert_eq!(write(&servers[0].client(), last, None).await, Written::Yes(revisions));
    let all = log(&servers[0].client()).await;
    assert_eq!(all.last().map(|(position, _)| position.0), Some(revisions));
    let seen = tokio::time::timeout(HANG, join_all(subscribers)).await.expect("all come to the end");
    let mut total = BTreeMap::new();
    for seen in seen {
        let seen = seen.expect("a subscriber");
        let fits = |(_, kind): &&(ChangePosition, String)| seen.kinds.is_none_or(|wanted| wanted == kind);
        let fitting: Vec<ChangePosition> = all.iter().filter(fits).map(|(position, _)| *position).collect();
        // The start of a subscription to new changes is known only from its first change.
        let first = match seen.began {
            Some(began) => fitting.partition_point(|position| *position <= began),
            None => match seen.positions.first() {
                Some(first) => fitting.binary_search(first).expect("a change that there is"),
                None => fitting.len(),
            },
        };
        let expected = &fitting[first..];
        let differs = seen.positions.iter().zip(expected).position(|(seen, expected)| seen != expected);
        assert!(
            seen.positions == expected,
            "began at {:?} with {:?}: {} of {} changes, the first other one is {differs:?}",
            seen.began,
            seen.kinds,
            seen.positions.len(),
            expected.len()
        );
        *total.entry(seen.kinds).or_insert(0) += seen.positions.len();
    }
    eprintln!("{} changes, written in {written:?}; seen {total:?} in {:?}", all.len(), begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sqlite() {
    seam(vec![Server::start(Database::Sqlite).await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn on_postgres_with_three_replicas() {
    seam(servers(3).await.1).await;
}
