//! Ordinary clients during a soak. They measure `/healthz` and a small read, and check that acknowledged writes survive
//! a kill of the server.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::client::{Connection, Prepared, ask};
use crate::measure::percentile;
use crate::problem::{Doing, LoadError, Result, within};
use crate::queries::{self, Devices};

/// The time limit of an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pause between two probes.
const REST: Duration = Duration::from_millis(25);
/// The number of devices that are looked up in turn.
const DEVICES: usize = 200;

const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: underlay\r\nconnection: close\r\n\r\n";
const WRITE: &str = "mutation($id: ID!, $text: String) {
  updatePort(id: $id, patch: {description: $text}, conflicts: FORCE) { revision }
}";
const READ: &str = "query($id: ID!) { node(id: $id) { ... on Port { description } } }";

/// The measured times in seconds.
#[derive(Debug, Default)]
pub struct Times {
    health: Vec<f64>,
    reads: Vec<f64>,
    /// The last acknowledged number.
    pub acknowledged: u64,
}

impl Times {
    /// Returns the longest time of an answer of `/healthz`.
    pub fn longest_health(&self) -> f64 {
        self.health.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the time within which 99 of 100 reads were answered.
    pub fn reads_p99(&self) -> f64 {
        percentile(self.reads.clone(), 0.99)
    }
}

/// Probes a server until a time: health, a device by its name, and every tenth time a write of the next number into the
/// description of a port.
pub async fn look(server: SocketAddr, devices: Devices, port: String, end: Instant) -> Result<Times> {
    let lookups = devices.lookups(DEVICES);
    if lookups.is_empty() {
        return Err(LoadError::Answer("the fleet is too small for a soak".to_owned()));
    }
    let mut times = Times::default();
    let mut connection = Connection::open(server).await?;
    for (turn, lookup) in lookups.iter().cycle().enumerate() {
        if Instant::now() >= end {
            break;
        }
        times.health.push(health(server).await?);
        let begin = Instant::now();
        within(PATIENCE, "an answer", connection.exchange(lookup)).await?;
        times.reads.push(begin.elapsed().as_secs_f64());
        if turn % 10 == 0 {
            let next = times.acknowledged + 1;
            let write = Prepared::graphql(WRITE, &json!({"id": port, "text": next.to_string()}));
            within(PATIENCE, "an answer", connection.exchange(&write)).await?;
            times.acknowledged = next;
        }
        sleep(REST).await;
    }
    Ok(times)
}

/// Checks that the description of a port has the acknowledged number or a later one.
pub async fn is_kept(server: SocketAddr, port: &str, acknowledged: u64) -> Result<bool> {
    let found = ask(server, READ, json!({"id": port})).await?;
    let found = found["node"]["description"].as_str().and_then(|text| text.parse::<u64>().ok());
    Ok(found.is_some_and(|found| found >= acknowledged))
}

async fn health(server: SocketAddr) -> Result<f64> {
    let begin = Instant::now();
    let exchange = async {
        let mut stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
        stream.write_all(HEALTH).await.doing(|| "ask for health".to_owned())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.doing(|| "read the health".to_owned())?;
        match answer.starts_with(b"HTTP/1.1 200 ") {
            true => Ok(()),
            false => Err(LoadError::Answer(format!("/healthz said {}", String::from_utf8_lossy(&answer)))),
        }
    };
    within(PATIENCE, "the health of a server", exchange).await?;
    Ok(begin.elapsed().as_secs_f64())
}

/// A read by name. It is defined here, so that the idle measurement and the one during the soak use the same query.
pub async fn idle(server: SocketAddr, devices: Devices, port: String, length: Duration) -> Result<Times> {
    // The first answers fill caches.
    ask(server, "{ revision }", serde_json::Value::Null).await?;
    within(PATIENCE, "an answer", async {
        let mut connection = Connection::open(server).await?;
        connection.exchange(&queries::dashboard(None)).await.map(drop)
    })
    .await?;
    look(server, devices, port, Instant::now() + length).await
}
