//! The writer whose changes the subscribers receive: a fixed number of batches per second.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use super::socket::number;
use crate::client::{Connection, Prepared};
use crate::problem::{LoadError, Result};

/// A batch that was written.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The revision that the batch created.
    pub revision: i64,
    /// The index of the request.
    pub request: usize,
    /// The time when the request was sent.
    pub at: Instant,
}

/// A client that writes, and continues its sequence in each call.
pub struct Writer {
    connection: Connection,
    requests: Vec<Prepared>,
    next: usize,
}

impl Writer {
    /// Returns a writer that sends these requests in a loop.
    pub async fn open(server: SocketAddr, requests: Vec<Prepared>) -> Result<Self> {
        if requests.is_empty() {
            return Err(LoadError::Answer("there is nothing to write".to_owned()));
        }
        Ok(Self { connection: Connection::open(server).await?, requests, next: 0 })
    }

    /// Writes `rate` batches per second, or fewer if the server is slower, but at least one.
    pub async fn write(&mut self, rate: u32, length: Duration) -> Result<Vec<Sent>> {
        let mut ticks = interval(Duration::from_secs(1) / rate);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let (begin, mut sent) = (Instant::now(), Vec::new());
        let planned = (length.as_secs_f64() * f64::from(rate)) as usize;
        while sent.is_empty() || sent.len() < planned && begin.elapsed() < length {
            ticks.tick().await;
            sent.push(self.once().await?);
        }
        Ok(sent)
    }

    /// Writes the next batch.
    pub async fn once(&mut self) -> Result<Sent> {
        let request = self.next;
        self.next = (self.next + 1) % self.requests.len();
        let at = Instant::now();
        let answer = self.connection.exchange(&self.requests[request]).await?;
        let revision = number(answer, "revision")
            .ok_or_else(|| LoadError::Answer(format!("no revision: {}", String::from_utf8_lossy(answer))))?;
        Ok(Sent { revision, request, at })
    }
}
