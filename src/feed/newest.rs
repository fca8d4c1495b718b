//! The newest value, for readers to take.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::watch;

use super::follow::CaughtUp;
use crate::inventory::Snapshot;

/// How many old values may wait to be dropped.
const MOST_RETIRED: usize = 64;

/// Where the newest value is published.
#[derive(Clone, Debug)]
pub struct Newest {
    current: watch::Sender<Arc<Snapshot>>,
}

impl Newest {
    /// Publishes a first value.
    pub fn new(first: Snapshot) -> Self {
        Self { current: watch::Sender::new(Arc::new(first)) }
    }

    /// The newest value.
    pub fn get(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.borrow())
    }

    /// Publishes the next value. One that is not later than the newest is left aside: it is known already.
    pub fn advance(&self, next: Arc<Snapshot>) {
        let mut before = None;
        self.current.send_if_modified(|current| {
            let later = next.revision() > current.revision();
            if later {
                before = Some(std::mem::replace(current, Arc::clone(&next)));
            }
            later
        });
        retire(before);
    }

    /// Publishes a value that was loaded afresh, whatever was there before.
    pub fn replace(&self, next: Arc<Snapshot>) {
        retire(Some(self.current.send_replace(next)));
    }

    /// Publishes a value that came from the database.
    pub fn take_over(&self, value: CaughtUp) {
        match value {
            CaughtUp::Followed(value) => self.advance(value),
            CaughtUp::Reloaded(value) => self.replace(value),
        }
    }

    /// Waits until a revision is there, but not longer than a time. Gives the newest value either way.
    pub async fn wait_for(&self, revision: i64, longest: Duration) -> Arc<Snapshot> {
        let mut receiver = self.current.subscribe();
        let arrived = receiver.wait_for(|value| value.revision() >= revision);
        match tokio::time::timeout(longest, arrived).await {
            Ok(Ok(value)) => Arc::clone(&value),
            _ => self.get(),
        }
    }
}

/// Drops an old value on a thread of its own: whoever holds the last reference to large parts of it pays for them.
fn retire(value: Option<Arc<Snapshot>>) {
    static RETIRED: LazyLock<SyncSender<Arc<Snapshot>>> = LazyLock::new(|| {
        let (sender, receiver) = std::sync::mpsc::sync_channel::<Arc<Snapshot>>(MOST_RETIRED);
        std::thread::spawn(move || receiver.into_iter().for_each(drop));
        sender
    });
    if let Some(value) = value {
        // When the queue is full the value is dropped here, by going out of scope with the error.
        let _ = RETIRED.try_send(value);
    }
}
