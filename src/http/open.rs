//! Connections that last: how many there are, and that they end in order when the server stops.

use std::sync::Arc;

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

/// How many there may be at a time.
const MOST: usize = 20_000;
/// The name of their number in the metrics.
pub const OPEN: &str = "underlay_open_connections";

/// The connections that last.
#[derive(Clone, Debug)]
pub struct Opened {
    room: Arc<Semaphore>,
    stopping: watch::Receiver<bool>,
    /// Held by each of them: who has the other end sees when all are gone.
    open: mpsc::Sender<()>,
}

/// One of them.
#[derive(Debug)]
pub struct Open {
    _room: OwnedSemaphorePermit,
    stopping: watch::Receiver<bool>,
    _open: mpsc::Sender<()>,
}

impl Opened {
    /// They end when the server is said to stop; the receiver ends with the last of them.
    pub fn new(stopping: watch::Receiver<bool>) -> (Self, mpsc::Receiver<()>) {
        let (open, ended) = mpsc::channel(1);
        (Self { room: Arc::new(Semaphore::new(MOST)), stopping, open }, ended)
    }

    /// One more; `None` when there are too many.
    pub fn begin(&self) -> Option<Open> {
        let room = Arc::clone(&self.room).try_acquire_owned().ok()?;
        gauge!(OPEN).increment(1);
        Some(Open { _room: room, stopping: self.stopping.clone(), _open: self.open.clone() })
    }
}

impl Open {
    /// Tells when the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        gauge!(OPEN).decrement(1);
    }
}

/// Waits until the server stops, also where it does so without a word.
pub async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
