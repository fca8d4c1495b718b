//! Publishes the current snapshot for readers, and the recent revisions that led to it for subscribers.
//!
//! Guarantees: a reader that sees a snapshot also finds its revision among the recent ones. The exceptions are a
//! revision that had no room and a snapshot that was loaded afresh. Snapshots and revisions are published in the same
//! order, the order of revisions.

use std::any::Any;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::ring::{Dropped, Revised, Ring, Room};
use underlay_inventory::{Head, Snapshot};

/// The maximum number of old snapshots that wait to be dropped.
const MAX_RETIRED_SNAPSHOTS: usize = 64;

/// Publishes the current snapshot and the recent revisions.
#[derive(Clone, Debug)]
pub struct CurrentSnapshot {
    current: watch::Sender<Arc<Snapshot>>,
    recent: Arc<Mutex<Ring>>,
}

impl CurrentSnapshot {
    /// Publishes a first snapshot.
    pub fn new(first: Snapshot) -> Self {
        Self::with_room(first, Room::default())
    }

    /// Publishes a first snapshot, with other limits for the recent revisions.
    pub fn with_room(first: Snapshot, room: Room) -> Self {
        Self { current: watch::Sender::new(Arc::new(first)), recent: Arc::new(Mutex::new(Ring::new(room))) }
    }

    /// Returns the current snapshot.
    pub fn get(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.borrow())
    }

    /// Returns a recent revision with its changes, if it is still held.
    pub fn recent(&self, revision: i64) -> Option<Arc<Revised>> {
        self.ring().get(revision)
    }

    /// Returns the oldest revision that is held with its changes. If none is held, returns the number after the
    /// current one.
    pub fn oldest(&self) -> i64 {
        let next = self.current.borrow().revision().saturating_add(1);
        self.ring().oldest().unwrap_or(next)
    }

    /// Returns the oldest revision for clients: the oldest one that is held with its changes, or the current one. A client
    /// never learns of a revision beyond the current one.
    pub fn oldest_for_clients(&self) -> i64 {
        let current = self.current.borrow().revision();
        self.ring().oldest().map_or(current, |oldest| oldest.min(current))
    }

    /// Drops the recent revisions before `revision`.
    pub fn forget_before(&self, revision: i64) {
        let gone = self.ring().forget_before(revision);
        if !gone.is_empty() {
            retire(gone);
        }
    }

    /// Estimates the memory that the recent revisions take, in bytes.
    pub fn about_bytes(&self) -> usize {
        self.ring().about_bytes()
    }

    /// Returns a receiver that is notified when another snapshot is published.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.current.subscribe()
    }

    /// Publishes revisions that were just committed, one after the other. If the current snapshot precedes none of
    /// them, the replication was faster. Its snapshot is at least as new and stays.
    pub fn advance(&self, revisions: Vec<Revised>) {
        let Some(next) = revisions.last().map(|last| Arc::clone(&last.after)) else { return };
        let heads: Vec<Head> = revisions.iter().map(|revised| revised.before.head()).collect();
        self.publish(next, |current| heads.contains(&current.head()), |ring, before| ring.extend(revisions, before));
    }

    /// Publishes the revisions that follow the snapshot `from`, if that is still the current one. Returns true if it
    /// was. The check ensures that no snapshot goes back in its history when several tasks publish at the same time.
    pub fn follow(&self, from: &Arc<Snapshot>, revisions: Vec<Revised>) -> bool {
        let Some(next) = revisions.last().map(|last| Arc::clone(&last.after)) else { return true };
        self.publish(next, |current| Arc::ptr_eq(current, from), |ring, before| ring.extend(revisions, before))
    }

    /// Replaces the snapshot `from` by one that was loaded afresh, if `from` is still the current one. Returns true if
    /// it was. The recent revisions are cleared, because none leads to the new snapshot.
    pub fn replace(&self, from: &Arc<Snapshot>, next: Arc<Snapshot>) -> bool {
        self.publish(next, |current| Arc::ptr_eq(current, from), |ring, _| ring.clear())
    }

    /// Publishes `next` if `fits` accepts the current snapshot. The recent revisions change while the snapshot is
    /// locked, so that no reader sees one change without the other.
    fn publish(
        &self,
        next: Arc<Snapshot>,
        fits: impl FnOnce(&Arc<Snapshot>) -> bool,
        revise: impl FnOnce(&mut Ring, &Snapshot) -> Dropped,
    ) -> bool {
        let mut gone = None;
        let published = self.current.send_if_modified(|current| {
            let fits = fits(current);
            if fits {
                let dropped = revise(&mut self.ring(), current);
                gone = Some((std::mem::replace(current, next), dropped));
            }
            fits
        });
        gone.into_iter().for_each(retire);
        published
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a revision is visible, but at most for `longest`. Returns the current snapshot in both cases.
    pub async fn wait_for(&self, revision: i64, longest: Duration) -> Arc<Snapshot> {
        let mut receiver = self.current.subscribe();
        let arrived = receiver.wait_for(|snapshot| snapshot.revision() >= revision);
        match tokio::time::timeout(longest, arrived).await {
            Ok(Ok(snapshot)) => Arc::clone(&snapshot),
            _ => self.get(),
        }
    }
}

/// Drops an old snapshot on a separate thread, because freeing large parts of a snapshot takes time.
pub(super) fn retire(value: impl Send + 'static) {
    static RETIRED: LazyLock<SyncSender<Box<dyn Any + Send>>> = LazyLock::new(|| {
        let (sender, receiver) = std::sync::mpsc::sync_channel::<Box<dyn Any + Send>>(MAX_RETIRED_SNAPSHOTS);
        std::thread::spawn(move || receiver.into_iter().for_each(drop));
        sender
    });
    // If the queue is full, the value is dropped here, together with the returned error.
    let _ = RETIRED.try_send(Box::new(value));
}

#[cfg(test)]
pub(super) mod tests {
    use chrono::DateTime;
    use underlay_entity::change;
    use uuid::Uuid;

    use super::*;
    use underlay_inventory::{Draft, Registry};

    /// Returns a snapshot without objects.
    pub fn snapshot(revision: i64, batch: u128) -> Arc<Snapshot> {
        let empty = Snapshot::empty(Arc::new(Registry::new(Vec::new())));
        let head = Head { revision, batch_id: Uuid::from_u128(batch), at: DateTime::UNIX_EPOCH };
        Arc::new(Draft::of(&empty).finish(head))
    }

    /// Returns the change record of a created object.
    pub fn change(revision: i64, position: i32) -> change::Model {
        change::Model {
            revision,
            position,
            format: 1,
            kind: "Thing".to_owned(),
            object_id: Uuid::from_u128(revision as u128 * 1_000 + position as u128),
            name: format!("{revision}.{position}"),
            operation: change::Operation::Created,
            before: None,
            after: Some("{}".to_owned()),
            scope_before: None,
            scope_after: None,
            actor: "test".to_owned(),
            source: None,
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn step(before: &Arc<Snapshot>, after: &Arc<Snapshot>) -> Revised {
        Revised { before: Arc::clone(before), after: Arc::clone(after), changes: Arc::default() }
    }

    #[test]
    fn a_snapshot_goes_back_only_into_another_history() {
        let (first, second, third) = (snapshot(1, 1), snapshot(2, 2), snapshot(3, 3));
        let current = CurrentSnapshot::new(Snapshot::clone(&first));
        let seen = current.get();
        current.advance(vec![step(&first, &second)]);
        assert_eq!(current.get().revision(), 2);
        assert!(
            !current.replace(&seen, snapshot(1, 1)),
            "a replication that read the database before the commit is late"
        );
        assert!(!current.follow(&seen, vec![step(&first, &second)]));
        // The replication has taken over some of the revisions that were committed together, all of them, or more.
        current.advance(vec![step(&first, &second), step(&second, &third)]);
        assert_eq!(current.get().revision(), 3);
        current.advance(vec![step(&first, &second)]);
        assert_eq!(current.get().revision(), 3, "the replication was faster");
        let recent = |revision| current.recent(revision).map(|it| (it.before.head(), it.head()));
        assert_eq!(recent(2), Some((first.head(), second.head())), "each once, in order");
        assert_eq!(recent(3), Some((second.head(), third.head())));
        assert_eq!(recent(1), None);
        // The database was restored.
        assert!(current.replace(&current.get(), snapshot(1, 9)));
        assert_eq!((recent(1), recent(2), recent(3)), (None, None, None));
        current.advance(vec![step(&third, &snapshot(4, 4))]);
        assert_eq!(current.get().head().batch_id, Uuid::from_u128(9), "of a history that is gone");
        assert_eq!(recent(4), None);
    }
}
