//! The good clients of a soak: they read, trace, compute impacts, write, and subscribe; some of them slowly.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Counts;
use crate::client::{Connection, Prepared};
use crate::feed::socket::{Socket, is_answer};
use crate::problem::{Doing, LoadError, Result, within};
use crate::queries::{self, Devices};
use crate::server::Server;

/// The time limit of an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// The number of clients that read, and of those that query the topology.
const READERS: usize = 4;
const TOPOLOGISTS: usize = 2;
/// The number of clients that write single changes.
const WRITERS: usize = 2;
/// The number of ports that single changes, and batches, change in turn.
pub const OBJECTS: usize = 200;
/// The number of changes in a batch.
const BATCH_CHANGES: usize = 50;
/// The pause of a client after an answer. Ordinary clients leave time for others, and the growing change log must fit
/// on the disk.
const REQUEST_DELAY: Duration = Duration::from_millis(20);
/// The number of subscribers that come and go, and of those that read nothing.
const SUBSCRIBERS: usize = 4;
const SLOW_SUBSCRIBERS: usize = 4;
/// The time for which a subscriber stays.
const SUBSCRIPTION_TIME: Duration = Duration::from_secs(2);
/// The number of requests over one connection.
const REQUESTS_PER_CONNECTION: usize = 500;

const TRACE: &str = "query($id: ID!) { trace(from: $id) { complete branches { steps { __typename } } } }";
const IMPACT: &str = "query($id: ID!) {
  impact(of: [$id]) { counts { kind effect count } affected(first: 10) { nodes { path rule } } }
}";
const EVENTS: &str = "subscription { changes { type revision cursor change { before after } } }";

/// Starts all good clients.
pub fn start(
    clients: &mut JoinSet<Result<()>>,
    server: &Server,
    devices: &Devices,
    counts: &Arc<Counts>,
    end: Instant,
) -> Result<()> {
    let (address, ports) = (server.address(), devices.changed(OBJECTS));
    let mut reads = devices.lookups(OBJECTS);
    reads.extend(devices.pages(OBJECTS).into_iter().map(queries::dashboard));
    reads.extend(devices.searches("CONTAINS", |name| name));
    let of_port = |query: &'static str| ports.iter().map(move |port| Prepared::graphql(query, &json!({"id": port})));
    let topology: Vec<_> = of_port(TRACE).chain(of_port(IMPACT)).collect();
    let mut ask = |requests: Vec<Prepared>, number: usize| {
        if requests.is_empty() {
            return Err(LoadError::Answer("the fleet is too small for a soak".to_owned()));
        }
        let client = Client { address, requests, next: number, counts: Arc::clone(counts) };
        clients.spawn(client.run(end));
        Ok(())
    };
    for number in 0..READERS {
        ask(reads.clone(), number * reads.len() / READERS)?;
    }
    for number in 0..TOPOLOGISTS {
        ask(topology.clone(), number * topology.len() / TOPOLOGISTS)?;
    }
    let updates = devices.updates(WRITERS, OBJECTS);
    for number in 0..WRITERS {
        ask(updates.iter().skip(number).step_by(WRITERS).cloned().collect(), 0)?;
    }
    ask(devices.batches(BATCH_CHANGES, OBJECTS), 0)?;
    for _ in 0..SUBSCRIBERS {
        clients.spawn(subscriber(address, Arc::clone(counts), end));
    }
    for number in 0..SLOW_SUBSCRIBERS {
        match number % 2 {
            0 => clients.spawn(deaf(address, Arc::clone(counts), end)),
            _ => clients.spawn(sip(address, Arc::clone(counts), end)),
        };
    }
    Ok(())
}

/// A client with one request in flight.
struct Client {
    address: SocketAddr,
    requests: Vec<Prepared>,
    next: usize,
    counts: Arc<Counts>,
}

impl Client {
    async fn run(mut self, end: Instant) -> Result<()> {
        while Instant::now() < end {
            let mut connection = Connection::open(self.address).await?;
            for _ in 0..REQUESTS_PER_CONNECTION {
                if Instant::now() >= end {
                    break;
                }
                let request = &self.requests[self.next % self.requests.len()];
                within(ANSWER_TIMEOUT, "an answer", connection.exchange(request)).await?;
                Counts::count(&self.counts.answered);
                self.next += 1;
                sleep(REQUEST_DELAY).await;
            }
        }
        Ok(())
    }
}

/// A subscriber that stays for a while, disconnects without a message, and returns.
async fn subscriber(address: SocketAddr, counts: Arc<Counts>, end: Instant) -> Result<()> {
    while Instant::now() < end {
        let mut socket = Socket::subscribe(address, EVENTS, &Value::Null).await?;
        Counts::count(&counts.answered);
        let goes = Instant::now() + SUBSCRIPTION_TIME;
        while let Ok(message) = timeout(goes.saturating_duration_since(Instant::now()), socket.message()).await {
            let message = message?;
            if !is_answer(message) {
                let text = String::from_utf8_lossy(message).into_owned();
                return Err(LoadError::Answer(format!("a subscriber received {text}")));
            }
            Counts::count(&counts.events);
        }
    }
    Ok(())
}

/// A subscriber that reads nothing.
async fn deaf(address: SocketAddr, counts: Arc<Counts>, end: Instant) -> Result<()> {
    while Instant::now() < end {
        let _socket = Socket::subscribe(address, EVENTS, &Value::Null).await?;
        Counts::count(&counts.answered);
        sleep((SUBSCRIPTION_TIME * 5).min(end.saturating_duration_since(Instant::now()))).await;
    }
    Ok(())
}

/// A reader of a large page that reads slowly, and disconnects before the end.
async fn sip(address: SocketAddr, counts: Arc<Counts>, end: Instant) -> Result<()> {
    let request = queries::dashboard(None);
    while Instant::now() < end {
        let mut stream = TcpStream::connect(address).await.doing(|| format!("connect to {address}"))?;
        stream.write_all(request.bytes()).await.doing(|| "send a request".to_owned())?;
        let goes = end.min(Instant::now() + SUBSCRIPTION_TIME);
        let mut some = [0; 64];
        while Instant::now() < goes {
            let read = stream.read(&mut some);
            within(ANSWER_TIMEOUT, "a part of an answer", async { read.await.doing(|| "read an answer".to_owned()) })
                .await?;
            sleep(Duration::from_millis(50)).await;
        }
        Counts::count(&counts.answered);
    }
    Ok(())
}
