//! An ordinary client during a soak. It measures `/healthz` and a small read, and checks that acknowledged writes
//! survive a kill of the server.
//!
//! It runs on a thread of its own, which gets a processor as soon as it wants one, as if it ran on a machine of its own.
//! All other clients share one thread. A wait for that thread, or for a processor for the probe, is no wait for the
//! server.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::client::{Connection, Prepared, ask};
use crate::measure::percentile;
use crate::problem::{Doing, LoadError, Result, within};
use crate::queries::{self, Devices};

/// The time limit of an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// The pause between two probes.
const PROBE_DELAY: Duration = Duration::from_millis(25);
/// The number of devices that are looked up in turn.
const DEVICES: usize = 200;

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

/// The probed server and objects.
#[derive(Clone)]
pub struct Probe {
    pub server: SocketAddr,
    pub devices: Devices,
    /// The port whose description is written.
    pub port: String,
}

/// A probe that runs.
pub struct Probing(oneshot::Receiver<Result<Times>>);

impl Probe {
    /// Probes for some time, on a new thread.
    pub fn start(self, length: Duration) -> Result<Probing> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.doing(|| "start a probe".to_owned())?;
        let (sender, times) = oneshot::channel();
        let thread = std::thread::Builder::new().name("probe".to_owned());
        let work = move || {
            if let Err(error) = run_before_others() {
                eprintln!("the times of the probe include its waits for a processor: {error}");
            }
            // Without a receiver the soak has failed, and nobody needs the times.
            drop(sender.send(runtime.block_on(look(self, length))));
        };
        thread.spawn(work).doing(|| "start a probe".to_owned())?;
        Ok(Probing(times))
    }
}

/// Gives this thread the lowest real-time priority, which is above that of all usual threads.
#[cfg(target_os = "linux")]
fn run_before_others() -> io::Result<()> {
    // SAFETY: zero is a valid value for each field, and the call reads the parameters and nothing else. Linux changes
    // the thread that calls, unlike what the standard says of processes.
    let changed = unsafe {
        let mut parameters: libc::sched_param = std::mem::zeroed();
        parameters.sched_priority = 1;
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameters)
    };
    if changed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn run_before_others() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Probing {
    /// Returns the times at the end.
    pub async fn times(self) -> Result<Times> {
        self.0.await.unwrap_or_else(|_| Err(LoadError::Answer("the probe ended without an answer".to_owned())))
    }
}

/// Probes a server: health, a device by its name, and every tenth time a write of the next number into the description
/// of a port. The first answers fill caches and are not counted.
async fn look(Probe { server, devices, port }: Probe, length: Duration) -> Result<Times> {
    let lookups = devices.lookups(DEVICES);
    if lookups.is_empty() {
        return Err(LoadError::Answer("the fleet is too small for a soak".to_owned()));
    }
    let mut times = Times::default();
    let mut connection = Connection::open(server).await?;
    within(ANSWER_TIMEOUT, "an answer", connection.exchange(&queries::dashboard(None))).await?;
    let end = Instant::now() + length;
    for (turn, lookup) in lookups.iter().cycle().enumerate() {
        if Instant::now() >= end {
            break;
        }
        times.health.push(health(server).await?);
        let begin = Instant::now();
        within(ANSWER_TIMEOUT, "an answer", connection.exchange(lookup)).await?;
        times.reads.push(begin.elapsed().as_secs_f64());
        if turn % 10 == 0 {
            let next = times.acknowledged + 1;
            let write = Prepared::graphql(WRITE, &json!({"id": port, "text": next.to_string()}));
            within(ANSWER_TIMEOUT, "an answer", connection.exchange(&write)).await?;
            times.acknowledged = next;
        }
        sleep(PROBE_DELAY).await;
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
        stream.write_all(Prepared::get("/healthz").bytes()).await.doing(|| "ask for health".to_owned())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.doing(|| "read the health".to_owned())?;
        match answer.starts_with(b"HTTP/1.1 200 ") {
            true => Ok(()),
            false => Err(LoadError::Answer(format!("/healthz answered {}", String::from_utf8_lossy(&answer)))),
        }
    };
    within(ANSWER_TIMEOUT, "the health of a server", exchange).await?;
    Ok(begin.elapsed().as_secs_f64())
}
