//! The lines about machines that got their disk. They are written together, after the answers.
//!
//! Guarantee: a machine that gets its disk waits for no transaction. What waits to be written is bounded; what finds no room
//! is counted and told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;
use underlay_engine::store::{BootLine, Store};

/// The greatest number of lines that wait.
const MAX_WAITING: usize = 4_096;
/// The greatest number of lines that are written together.
const MAX_TOGETHER: usize = 1_000;
/// The time for which a line waits for others.
const GATHERING: Duration = Duration::from_secs(1);
/// The number of times that lines are written again if the database does not answer.
const MAX_ATTEMPTS: u32 = 5;

/// The way to write lines. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct BootLog {
    lines: mpsc::Sender<BootLine>,
    dropped: Arc<AtomicU64>,
}

/// Writes the lines.
#[derive(Debug)]
pub struct BootLogWriter {
    store: Store,
    lines: mpsc::Receiver<BootLine>,
    dropped: Arc<AtomicU64>,
}

impl BootLog {
    /// Returns the log of a database, and what writes it.
    pub fn new(store: Store) -> (Self, BootLogWriter) {
        let (sender, lines) = mpsc::channel(MAX_WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let log = Self { lines: sender, dropped: Arc::clone(&dropped) };
        (log, BootLogWriter { store, lines, dropped })
    }

    /// Has a line written soon.
    pub fn note(&self, line: BootLine) {
        if self.lines.try_send(line).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl BootLogWriter {
    /// Writes until the last way to write lines has gone.
    pub async fn run(mut self) {
        let mut lines = Vec::new();
        while self.lines.recv_many(&mut lines, MAX_TOGETHER).await > 0 {
            sleep(GATHERING).await;
            while lines.len() < MAX_TOGETHER
                && let Ok(line) = self.lines.try_recv()
            {
                lines.push(line);
            }
            self.write(&lines).await;
            lines.clear();
        }
    }

    async fn write(&self, lines: &[BootLine]) {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            tracing::warn!(dropped, "machines booted from their disks faster than it could be written down");
        }
        for attempt in 1..=MAX_ATTEMPTS {
            match self.store.store_boots(lines).await {
                Ok(()) => return,
                Err(error) if attempt == MAX_ATTEMPTS => {
                    tracing::warn!(lines = lines.len(), %error, "boots from disks could not be written down");
                }
                Err(_) => sleep(GATHERING * attempt).await,
            }
        }
    }
}
