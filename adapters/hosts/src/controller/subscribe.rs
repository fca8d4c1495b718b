//! Subscribes to the changes of hosts.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use underlay_kit::control::{BackOff, Position, stopped};

use super::Shared;
use crate::api::{Api, ApiError};

/// The time between two writes of the position to its file.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

impl<A: Api> Shared<A> {
    /// Adds the hosts that change to the queue, until it is asked to stop.
    pub(super) async fn subscribe(&self, mut position: Position, mut stop: watch::Receiver<bool>) {
        let mut pauses = BackOff::new(Duration::from_secs(1), Duration::from_secs(30));
        let (mut kept, mut kept_at) = (position.clone(), Instant::now());
        loop {
            let read = tokio::select! {
                biased;
                () = stopped(&mut stop) => break,
                read = self.read_once(&position) => read,
            };
            match read {
                Ok(next) => {
                    pauses.succeeded(&());
                    position = next;
                }
                Err(_) => sleep(pauses.failed(())).await,
            }
            if position != kept && kept_at.elapsed() >= SAVE_INTERVAL {
                (kept, kept_at) = (position.clone(), Instant::now());
                // The changes after a position that is too old are read again, which costs time and nothing else.
                drop(self.safety.keep(&position));
            }
        }
        drop(self.safety.keep(&position));
    }

    async fn read_once(&self, position: &Position) -> Result<Position, ApiError> {
        match self.api.changes(position).await {
            Ok(changes) if changes.position.history != position.history => self.other_history().await,
            Err(ApiError::OtherHistory) => self.other_history().await,
            Ok(changes) => {
                for host in changes.hosts {
                    if self.held(host).is_some() {
                        self.lives.add(host);
                    }
                }
                Ok(changes.position)
            }
            Err(error) => Err(error),
        }
    }
}
