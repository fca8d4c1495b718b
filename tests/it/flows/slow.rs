//! Slow and dead subscribers: their cost, their effect on others, and when they are disconnected.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::subscriptions::CHANGES;
use crate::harness::{Client, Database, Received, Server, Socket, until};

const SLOW_CLIENTS: usize = 4;
/// The number of objects that a batch changes, and a text for each that soon fills the buffers of a connection.
const OBJECTS: usize = 20;
const TEXT_LENGTH: usize = 2_000;
/// The number of batches until the caches of the server, or the buffers of slow clients, are full.
const FILLING_BATCHES: usize = 75;
/// The number of batches over which memory is compared, first without slow clients and then with them.
const COMPARED_BATCHES: usize = 150;

/// Returns the memory of a process in KiB.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("read /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Writes one batch of long texts; the same objects every time, so that the inventory does not grow.
async fn write(client: &Client, round: usize) {
    let text = format!("{round} {}", "x".repeat(TEXT_LENGTH));
    let items = (0..OBJECTS).map(|it| json!({"region": {"name": format!("r{it}"), "description": text}}));
    client.apply_all(items.collect()).await;
}

/// Reads all events from the first on, from where it was when the connection is lost.
async fn read_all(url: &str, mut socket: Socket, count: usize) {
    let mut at = json!(0);
    let mut read = 0;
    while read < count {
        let event = match socket.receive().await {
            Received::Message(mut message) => message["payload"]["data"]["changes"].take(),
            Received::Lost | Received::Closed(..) => {
                socket = Socket::connect(url).await;
                socket.subscribe("1", CHANGES, json!({"after": at})).await;
                continue;
            }
        };
        at = event["cursor"].clone();
        if event["type"] != "PROGRESS" {
            let position = (&event["revision"], &event["change"]["position"]);
            assert_eq!(position, (&json!(read / OBJECTS + 1), &json!(read % OBJECTS)));
            read += 1;
        }
    }
}

/// A subscriber that receives each change before the next is written.
struct Quick {
    socket: Socket,
    rounds: usize,
}

impl Quick {
    /// Writes batches, and returns the KiB by which the memory of the server grew over the last of them.
    async fn grown_over(&mut self, server: &Server) -> u64 {
        let client = server.client();
        let mut filled = 0;
        for written in 1..=FILLING_BATCHES + COMPARED_BATCHES {
            self.rounds += 1;
            write(&client, self.rounds).await;
            for _ in 0..OBJECTS {
                assert_eq!(self.socket.event().await["revision"], self.rounds);
            }
            if written == FILLING_BATCHES {
                filled = memory(server);
            }
        }
        memory(server).saturating_sub(filled)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_subscriber_delays_nobody_and_gets_everything() {
    let server = Server::start(Database::Sqlite).await;
    let open = async || {
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": 0})).await;
        socket
    };
    let mut quick = Quick { socket: open().await, rounds: 0 };
    let alone = quick.grown_over(&server).await;
    let mut slow = Vec::new();
    for _ in 0..SLOW_CLIENTS {
        slow.push(open().await);
    }
    let grown = quick.grown_over(&server).await;
    // Each change comes with its text before and after.
    let missed = (COMPARED_BATCHES * OBJECTS * TEXT_LENGTH * 2 / 1024) as u64;
    let most = alone + missed * SLOW_CLIENTS as u64 / 4;
    assert!(grown < most, "{grown} KiB for {SLOW_CLIENTS} that missed {missed} KiB each, and {alone} KiB without them");
    let events = quick.rounds * OBJECTS;
    join_all(slow.into_iter().map(|socket| read_all(server.url(), socket, events))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_subscriber_is_dropped() {
    // It is dropped after 10 instead of 50 seconds.
    let server = Server::start(Database::Sqlite).env("UNDERLAY_TEST_TIMES", "5").await;
    let client = server.client();
    let open = async || {
        let metrics = client.get("/metrics").await.text();
        let line = metrics.lines().find_map(|line| line.strip_prefix("underlay_open_connections ")).map(str::to_owned);
        line.map_or(0.0, |number| number.parse::<f64>().expect("a number"))
    };
    // It reads nothing, so it does not answer the question whether it is there.
    let mut dead = Socket::connect(server.url()).await;
    dead.subscribe("1", CHANGES, Value::Null).await;
    let mut alive = Socket::connect(server.url()).await;
    alive.subscribe("1", CHANGES, Value::Null).await;
    assert_eq!(open().await, 2.0);
    until("the dead client is dropped", async || {
        // The other one reads meanwhile, and so answers the question whether it is there.
        tokio::select! {
            open = open() => open <= 1.0,
            _ = alive.receive() => false,
        }
    })
    .await;
    client.apply_all(vec![json!({"region": {"name": "r"}})]).await;
    assert_eq!(alive.event().await["name"], "r", "a client that answers is not dropped");
    while !matches!(dead.receive().await, Received::Lost | Received::Closed(..)) {}
}
