//! `underlay run hosts` as a process.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use underlay_testing::{Process, within};

use crate::problem::{LoadError, Result};
use crate::program;
use crate::usage;

/// The time limit of the start and of the stop.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// The interval of looks at a controller that starts.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The text before the address of the metrics.
const NOTE: &str = "health checks and metrics at ";
/// The metric of a controller that holds all leases.
const ALL_LEASES: &str = "underlay_control_leases{controller=\"hosts\"} 64";
/// The beginning of the metric that counts the work that failed.
const FAILED: &str = "underlay_control_work_total{controller=\"hosts\",result=\"failed\"} ";

/// A host controller; killed when dropped.
pub struct Controller {
    process: Process,
    /// The address of its metrics.
    health: String,
}

impl Controller {
    /// Starts a controller of a server, and waits until it holds all leases.
    pub async fn start(server: SocketAddr, state: &Path) -> Result<Self> {
        let mut command = program::underlay();
        command.args(["run", "hosts", "--listen", "127.0.0.1:0", "--server", &format!("http://{server}"), "--state"]);
        // The BMCs of other measurements are on this machine.
        command.arg(state).args(["--allowed-addresses", "127.0.0.0/8"]).env_remove("RUST_LOG");
        let mut process = Process::start(command, None);
        let note = within(START_TIMEOUT, || {
            let printed = process.stderr();
            let health = printed.split_once(NOTE).and_then(|(_, rest)| rest.split_once('\n'));
            match (health, process.ended()) {
                (_, Some(status)) => Some(Err(LoadError::Answer(format!("a controller ended: {status}\n{printed}")))),
                (Some((health, _)), None) => Some(Ok(health.to_owned())),
                (None, None) => None,
            }
        });
        let health = note.await.unwrap_or_else(|| Err(late("the start of a controller")))?;
        let mut controller = Self { process, health };
        let deadline = Instant::now() + START_TIMEOUT;
        while !controller.metrics().await?.contains(ALL_LEASES) {
            controller.should_run()?;
            if Instant::now() > deadline {
                return Err(late("the leases of a controller"));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(controller)
    }

    async fn metrics(&self) -> Result<String> {
        let failed = |error: reqwest::Error| LoadError::Answer(format!("the metrics of a controller: {error}"));
        let answer = reqwest::get(format!("{}/metrics", self.health)).await.map_err(failed)?;
        answer.text().await.map_err(failed)
    }

    /// Returns the number of times that its work on a host failed.
    pub async fn failures(&self) -> Result<f64> {
        let metrics = self.metrics().await?;
        let count = metrics.lines().find_map(|line| line.strip_prefix(FAILED)).map(str::parse);
        count.unwrap_or(Ok(0.0)).map_err(|_| LoadError::Answer(format!("a controller has odd metrics:\n{metrics}")))
    }

    /// Checks that the controller has not ended.
    pub fn should_run(&mut self) -> Result<()> {
        match self.process.ended() {
            None => Ok(()),
            Some(status) => Err(LoadError::Answer(format!("a controller ended: {status}\n{}", self.process.stderr()))),
        }
    }

    /// Returns the peak resident memory so far, in bytes.
    pub fn max_memory(&self) -> Result<u64> {
        usage::max_memory(self.process.pid())
    }

    /// Returns the processor time used so far, in seconds.
    pub fn processor_time(&self) -> Result<f64> {
        usage::processor_time(self.process.pid())
    }

    /// Stops the controller cleanly.
    pub async fn stop(mut self) -> Result<()> {
        self.should_run()?;
        self.process.signal(libc::SIGTERM);
        match self.process.ended_within(START_TIMEOUT).await {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(LoadError::Answer(format!("a controller stopped with {status}\n{}", self.process.stderr())))
            }
            None => Err(late("the stop of a controller")),
        }
    }
}

fn late(what: &str) -> LoadError {
    LoadError::TimedOut { what: what.to_owned(), limit: START_TIMEOUT }
}
