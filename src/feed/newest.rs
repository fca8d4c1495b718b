//! The newest value, for readers to take.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::watch;

use crate::inventory::{Head, Snapshot};

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

    /// Publishes a value that was just committed, made from the values with the heads `from`, in order. Where none of
    /// those is the newest any more, a follower has been faster: what it has is as new, and stays.
    pub fn advance(&self, from: &[Head], next: Arc<Snapshot>) {
        self.publish(next, |current| from.contains(&current.head()));
    }

    /// Publishes a value in the place of the one that it was worked out from, unless that is no longer the newest;
    /// gives whether it was. So no value ever goes back in its history, whoever publishes at the same time.
    pub fn replace(&self, from: &Arc<Snapshot>, next: Arc<Snapshot>) -> bool {
        self.publish(next, |current| Arc::ptr_eq(current, from))
    }

    fn publish(&self, next: Arc<Snapshot>, fits: impl FnOnce(&Arc<Snapshot>) -> bool) -> bool {
        let mut before = None;
        let published = self.current.send_if_modified(|current| {
            let fits = fits(current);
            if fits {
                before = Some(std::mem::replace(current, next));
            }
            fits
        });
        before.into_iter().for_each(retire);
        published
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
pub(super) fn retire(value: Arc<Snapshot>) {
    static RETIRED: LazyLock<SyncSender<Arc<Snapshot>>> = LazyLock::new(|| {
        let (sender, receiver) = std::sync::mpsc::sync_channel::<Arc<Snapshot>>(MOST_RETIRED);
        std::thread::spawn(move || receiver.into_iter().for_each(drop));
        sender
    });
    // When the queue is full the value is dropped here, by going out of scope with the error.
    let _ = RETIRED.try_send(value);
}

#[cfg(test)]
pub(super) mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::inventory::{Draft, Registry};

    /// A value without objects.
    pub fn value(revision: i64, batch: u128) -> Arc<Snapshot> {
        let empty = Snapshot::empty(Arc::new(Registry::new(Vec::new())));
        let head = Head { revision, batch_id: Uuid::from_u128(batch), at: DateTime::UNIX_EPOCH };
        Arc::new(Draft::of(&empty).finish(head))
    }

    #[test]
    fn a_value_goes_back_only_into_another_history() {
        let (first, second, third) = (value(1, 1), value(2, 2), value(3, 3));
        let newest = Newest::new(Snapshot::clone(&first));
        let seen = newest.get();
        newest.advance(&[first.head()], second.clone());
        assert_eq!(newest.get().revision(), 2);
        assert!(!newest.replace(&seen, value(1, 1)), "a follower that read the database before the commit is late");
        // A follower has taken over a part of what was committed together, or all of it, or more.
        newest.advance(&[first.head(), second.head()], third.clone());
        assert_eq!(newest.get().revision(), 3);
        newest.advance(&[first.head()], second.clone());
        assert_eq!(newest.get().revision(), 3, "the follower was faster");
        // A restored database.
        assert!(newest.replace(&newest.get(), value(1, 9)));
        newest.advance(&[third.head()], value(4, 4));
        assert_eq!(newest.get().head().batch_id, Uuid::from_u128(9), "of a history that is gone");
    }
}
