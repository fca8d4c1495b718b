//! `underlay sync` as a process, observed while it runs.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use underlay_testing::{Process, within};

use crate::problem::{LoadError, Result};
use crate::program;
use crate::usage;

/// The time limit of a scan.
const SCAN_TIMEOUT: Duration = Duration::from_secs(1_800);
/// The interval of looks at a synchronizer that goes on.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A source to synchronize, as the arguments of the program and its environment describe it.
#[derive(Clone, Debug)]
pub struct Source {
    arguments: Vec<String>,
    secret: Option<(&'static str, &'static str)>,
}

impl Source {
    /// Returns a source, such as `sync netbox --url URL`.
    pub fn new<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self { arguments: arguments.into_iter().map(str::to_owned).collect(), secret: None }
    }

    /// Adds a variable that holds a secret.
    #[must_use]
    pub const fn secret(mut self, name: &'static str, value: &'static str) -> Self {
        self.secret = Some((name, value));
        self
    }
}

/// A synchronizer; killed when dropped.
pub struct Synchronizer {
    process: Process,
    begun: Instant,
}

/// The counts of a run, as the synchronizer prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    pub items: u64,
    pub created: u64,
    pub unchanged: u64,
    line: String,
}

/// A scan that ended.
pub struct Scan {
    /// The time from the start of the process to its end, in seconds.
    pub seconds: f64,
    /// The peak resident memory in bytes.
    pub max_memory: u64,
    pub counts: Counts,
}

impl Synchronizer {
    /// Starts a synchronizer that goes on.
    pub fn start(source: &Source, server: SocketAddr, state: &Path) -> Self {
        Self::with(source, server, state, &["--interval", "86400"])
    }

    fn with(source: &Source, server: SocketAddr, state: &Path, more: &[&str]) -> Self {
        let mut command = program::underlay();
        command.args(&source.arguments).args(["--server", &format!("http://{server}")]);
        command.arg("--state").arg(state).args(more).envs(source.secret).env_remove("RUST_LOG");
        Self { begun: Instant::now(), process: Process::start(command, None) }
    }

    /// Makes one full scan.
    pub async fn once(source: &Source, server: SocketAddr, state: &Path) -> Result<Scan> {
        let mut one = Self::with(source, server, state, &["--once"]);
        let (mut max_memory, deadline) = (0, Instant::now() + SCAN_TIMEOUT);
        let ended = loop {
            // The peak never falls, and the process is in the middle of its work at the last look.
            max_memory = usage::max_memory(one.process.pid()).unwrap_or(max_memory);
            if let Some(ended) = one.process.ended() {
                break ended;
            }
            if Instant::now() > deadline {
                return Err(LoadError::TimedOut { what: "a scan".to_owned(), limit: SCAN_TIMEOUT });
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        };
        let seconds = one.begun.elapsed().as_secs_f64();
        // Its output is read by threads, which end a little later.
        one.process.ended_within(SCAN_TIMEOUT).await;
        let counts = Counts::of(&one.process.stdout());
        match counts {
            Some(counts) if ended.success() => Ok(Scan { seconds, max_memory, counts }),
            _ => Err(one.failed(&format!("ended with {ended}"))),
        }
    }

    /// Waits for the end of the first full scan.
    pub async fn scanned(&mut self) -> Result<Counts> {
        let line = within(SCAN_TIMEOUT, || {
            let ended = self.process.ended();
            match (Counts::of(&self.process.stdout()), ended) {
                (Some(counts), None) => Some(Ok(counts)),
                (_, Some(ended)) => Some(Err(format!("ended with {ended}"))),
                (None, None) => None,
            }
        });
        match line.await {
            Some(Ok(counts)) => Ok(counts),
            Some(Err(reason)) => Err(self.failed(&reason)),
            None => Err(LoadError::TimedOut { what: "a scan".to_owned(), limit: SCAN_TIMEOUT }),
        }
    }

    fn failed(&self, reason: &str) -> LoadError {
        let (out, error) = (self.process.stdout(), self.process.stderr());
        LoadError::Answer(format!("a synchronizer {reason}\n{out}{error}"))
    }
}

impl Counts {
    /// Reads the first line about a full run.
    fn of(text: &str) -> Option<Self> {
        let line = text.lines().find(|line| line.contains(": full run"))?;
        let of = |word: &str| {
            let (before, _) = line.split_once(&format!(" {word}"))?;
            before.rsplit(' ').next()?.parse::<u64>().ok()
        };
        Some(Self {
            items: of("items").unwrap_or_default(),
            created: of("created").unwrap_or_default(),
            unchanged: of("unchanged").unwrap_or_default(),
            line: line.to_owned(),
        })
    }

    /// Checks that a scan found what it should.
    pub fn should(&self, are: bool, what: &str) -> Result<()> {
        if are { Ok(()) } else { Err(LoadError::Answer(format!("a scan should have {what}, but: {}", self.line))) }
    }
}
