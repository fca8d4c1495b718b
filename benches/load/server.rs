//! The servers that are measured: the program as it is built, and this program in its part as the reference.
//!
//! They are processes of their own, started from here and ended with this process, however it ends.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::ask;
use crate::problem::{Doing, LoadError, Result};
use crate::process::{self, Process};

/// How long a server may take to be ready, with whatever it has to load.
const START: Duration = Duration::from_secs(600);
/// How long it may take to stop.
const STOP: Duration = Duration::from_secs(120);
/// How long the largest fleet may take to be written.
const WRITE: Duration = Duration::from_secs(3 * 3600);

/// What a server says when it is ready, before its address.
pub const READY: &str = "Underlay is ready at http://";

/// A running server, killed when dropped.
pub struct Server {
    process: Process,
    address: SocketAddr,
    ready_after: f64,
}

impl Server {
    /// Starts the program on a database.
    pub async fn start(database: &str) -> Result<Self> {
        let mut command = process::underlay();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--insecure-no-auth"])
            .env_remove("RUST_LOG");
        Self::launch(command).await
    }

    /// Starts the program on a database, with its data in a folder. It asks who comes, and believes only itself.
    pub async fn start_asking(database: &str, folder: &Path) -> Result<Self> {
        let mut command = process::underlay();
        command.args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--data-dir"]).arg(folder);
        command.env("UNDERLAY_RUN_DIR", folder.join("run")).env_remove("RUST_LOG");
        let (server, _) = Self::ready(command).await?;
        Ok(server)
    }

    /// Starts this program as the server that answers from constants.
    pub async fn constants(pages: &Path) -> Result<Self> {
        let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
        let mut command = Command::new(program);
        command.arg("constants").arg(pages);
        Self::launch(command).await
    }

    /// Starts this program as the server that sends every text to all who are connected.
    pub async fn broadcast() -> Result<Self> {
        let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
        let mut command = Command::new(program);
        command.arg("broadcast");
        Self::launch(command).await
    }

    async fn launch(command: Command) -> Result<Self> {
        let (server, address) = Self::ready(command).await?;
        // What it says is true: it answers. It is also then that it listens for the signal to stop.
        ask(address, "{ __typename }", Value::Null).await?;
        Ok(server)
    }

    /// Starts a process and waits until it says that it is ready, and where.
    async fn ready(command: Command) -> Result<(Self, SocketAddr)> {
        let begin = Instant::now();
        let mut process = Process::start(command, None);
        let line = process::until(START, || {
            let said = process.stdout();
            match said.split_once('\n') {
                Some((line, _)) => Some(Ok((line.to_owned(), begin.elapsed()))),
                None => process.ended().map(Err),
            }
        });
        let what = "the start of a server".to_owned();
        let (line, ready_after) = match line.await {
            Some(Ok(ready)) => ready,
            Some(Err(status)) => {
                let said = process.stderr();
                return Err(LoadError::Answer(format!("a server ended before it was ready: {status}\n{said}")));
            }
            None => return Err(LoadError::TimedOut { what, limit: START }),
        };
        let address = line.strip_prefix(READY).and_then(|rest| rest.trim_end_matches('/').parse().ok());
        let address = address.ok_or_else(|| LoadError::Answer(format!("a server said {line:?} when it was ready")))?;
        Ok((Self { process, address, ready_after: ready_after.as_secs_f64() }, address))
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Seconds from its start until it answered.
    pub fn ready_after(&self) -> f64 {
        self.ready_after
    }

    /// The bytes of memory that it holds.
    pub fn memory(&self) -> Result<u64> {
        self.status("VmRSS:")
    }

    /// The most bytes of memory that it has held so far.
    pub fn most_memory(&self) -> Result<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, what: &str) -> Result<u64> {
        let file = format!("/proc/{}/status", self.process.pid());
        let text = std::fs::read_to_string(&file).doing(|| format!("read {file}"))?;
        let line = text.lines().find_map(|line| line.strip_prefix(what));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.map(|it| it * 1024).ok_or_else(|| LoadError::Answer(format!("{file} does not tell the memory")))
    }

    /// How many files it has open, connections among them.
    pub fn open_files(&self) -> Result<usize> {
        let folder = format!("/proc/{}/fd", self.process.pid());
        Ok(std::fs::read_dir(&folder).doing(|| format!("read {folder}"))?.count())
    }

    /// The processor time that it has taken so far, in seconds.
    pub fn processor_time(&self) -> Result<f64> {
        let file = format!("/proc/{}/stat", self.process.pid());
        let text = std::fs::read_to_string(&file).doing(|| format!("read {file}"))?;
        // The name of the program comes before, in brackets, and may hold anything.
        let numbers = text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().skip(11).take(2));
        let ticks: Option<Vec<f64>> = numbers.map(|numbers| numbers.filter_map(|it| it.parse().ok()).collect());
        // SAFETY: it only reads a constant of the system.
        let tick = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as f64;
        match ticks.as_deref() {
            Some([user, system]) => Ok((user + system) / tick),
            _ => Err(LoadError::Answer(format!("{file} does not tell the processor time"))),
        }
    }

    /// The number of panics that it told of.
    pub fn panics(&self) -> usize {
        self.process.stderr().matches("panicked at").count()
    }

    /// Kills it, as a lost machine would.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Has a made-up fleet written to it, as any client can; how long that took, in seconds.
    pub async fn write_fleet(&self, racks: usize) -> Result<f64> {
        let mut command = process::underlay();
        command.args(["demo", "--racks", &racks.to_string(), "--server", &format!("http://{}", self.address)]);
        let begin = Instant::now();
        run(command, WRITE).await?;
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Asks it to stop, so that what it leaves is in order.
    pub async fn stop(mut self) -> Result<()> {
        self.process.signal(libc::SIGTERM);
        match self.process.ended_within(STOP).await {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(LoadError::Answer(format!("a server stopped with {status}\n{}", self.process.stderr())))
            }
            None => Err(LoadError::TimedOut { what: "the stop of a server".to_owned(), limit: STOP }),
        }
    }
}

/// Runs a command to its end; what it wrote to its output.
pub async fn run(command: Command, limit: Duration) -> Result<String> {
    let what = format!("{command:?}");
    let mut process = Process::start(command, None);
    match process.ended_within(limit).await {
        Some(status) if status.success() => Ok(process.stdout()),
        Some(status) => Err(LoadError::Answer(format!("{what} ended with {status}\n{}", process.stderr()))),
        None => Err(LoadError::TimedOut { what, limit }),
    }
}
