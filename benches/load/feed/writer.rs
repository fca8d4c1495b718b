//! The writer whose changes the subscribers wait for: so many batches a second, whatever each takes.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use super::socket::number;
use crate::client::{Connection, Prepared};
use crate::problem::{LoadError, Result};

/// A batch that was written.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The revision that it made.
    pub revision: i64,
    /// Which of the requests it was.
    pub request: usize,
    /// When the request went out.
    pub at: Instant,
}

/// A client that writes, and goes on where it was.
pub struct Writer {
    connection: Connection,
    requests: Vec<Prepared>,
    next: usize,
}

impl Writer {
    /// One that sends these requests, over and over.
    pub async fn open(server: SocketAddr, requests: Vec<Prepared>) -> Result<Self> {
        if requests.is_empty() {
            return Err(LoadError::Answer("there is nothing to write".to_owned()));
        }
        Ok(Self { connection: Connection::open(server).await?, requests, next: 0 })
    }

    /// Writes `rate` batches a second, fewer where the server does not keep up, but one at least.
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
