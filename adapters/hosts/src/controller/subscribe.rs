//! Subscribes to the changes of hosts.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use underlay_kit::control::{BackOff, Position, stopped};

use super::Shared;
use crate::api::{Api, ApiError, Changes};

/// The time between two writes of the position to its file.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// The next position of a subscriber.
enum Next {
    /// All changes up to it are known.
    Followed(Position),
    /// The changes before it are not known, so all hosts are looked at.
    Anew(Position),
}

impl<A: Api> Shared<A> {
    /// Adds the hosts that change to the queue, until it is asked to stop. Compares the newest position with the server
    /// whenever an answer does not fit.
    pub(super) async fn subscribe(&self, mut position: Position, mut stop: watch::Receiver<bool>) {
        let mut pauses = BackOff::new(Duration::from_secs(1), Duration::from_secs(30));
        let mut kept_at = Instant::now();
        loop {
            let next = tokio::select! {
                biased;
                () = stopped(&mut stop) => break,
                next = self.next(&position) => next,
            };
            match next {
                Ok(Next::Followed(next)) => {
                    pauses.succeeded(&());
                    position = next;
                }
                Ok(Next::Anew(next)) => {
                    position = next;
                    self.lives.look_again();
                    // A replica that is behind refuses the position again.
                    drop(timeout(pauses.failed(()), stopped(&mut stop)).await);
                }
                Err(_) => drop(timeout(pauses.failed(()), stopped(&mut stop)).await),
            }
            if kept_at.elapsed() >= SAVE_INTERVAL {
                kept_at = Instant::now();
                // Each act writes the file too. This keeps it from being old when nothing is done.
                drop(self.safety.settle().await);
            }
        }
        drop(self.safety.settle().await);
    }

    async fn next(&self, position: &Position) -> Result<Next, ApiError> {
        let is_refused = tokio::select! {
            () = self.safety.doubted() => false,
            changes = self.api.changes(position) => match changes {
                Ok(changes) if changes.position.history == position.history => {
                    return Ok(Next::Followed(self.followed(changes)));
                }
                Ok(_) | Err(ApiError::NoSuchPosition) => true,
                Err(error) => return Err(error),
            },
        };
        let compared = self.compare(drop).await?;
        Ok(match compared.is_same_graph && !is_refused {
            true => Next::Followed(position.clone()),
            false => Next::Anew(compared.position),
        })
    }

    /// Adds the hosts of changes to the queue.
    fn followed(&self, changes: Changes) -> Position {
        for host in changes.hosts {
            if self.held(host).is_some() {
                self.lives.add(host);
            }
        }
        self.safety.note(&changes.position);
        changes.position
    }
}
