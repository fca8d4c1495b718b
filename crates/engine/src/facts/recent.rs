//! The newest events of hardware in memory, and the way to follow them.
//!
//! Guarantees: events are followed in the order of their ids, none is skipped and none comes twice, whichever process
//! stored it. The memory is bounded; who is further behind reads the database. Who is so far behind that events were
//! dropped since is told so.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::watch;
use underlay_entity::hardware_event::Model;

use super::Facts;
use super::error::EventsError;
use crate::store::StoreError;

/// The greatest number of events in memory.
const MAX_HELD: usize = 1_000;
/// The greatest size of what is in memory, counted as JSON.
const MAX_HELD_BYTES: usize = 4 * 1_024 * 1_024;
/// The greatest number of events that are read at a time.
const MAX_READ: usize = 500;

/// The newest events.
#[derive(Debug)]
pub(super) struct RecentEvents {
    held: RwLock<Held>,
    /// The id of the newest event; 0 if there is none.
    newest: watch::Sender<i64>,
}

impl Default for RecentEvents {
    fn default() -> Self {
        Self { held: RwLock::default(), newest: watch::Sender::new(0) }
    }
}

#[derive(Debug, Default)]
struct Held {
    /// The id of the event before the first one that is held.
    start: i64,
    /// The events, each with its size.
    events: VecDeque<(Arc<Model>, usize)>,
    bytes: usize,
}

impl RecentEvents {
    /// Holds the events that come after an id, of which there are none yet.
    fn restart(&self, newest: i64) {
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Held { start: newest, ..Held::default() };
        self.newest.send_replace(newest);
    }

    /// Adds events that come after the newest one, the oldest first.
    fn extend(&self, events: Vec<Model>) {
        let Some(newest) = events.last().map(|event| event.id) else { return };
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            held.add(event);
        }
        drop(held);
        self.newest.send_replace(newest);
    }

    /// Returns events after a position, if these are held.
    fn after(&self, after: i64) -> Option<Vec<Arc<Model>>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let from = held.events.partition_point(|(event, _)| event.id <= after);
        let events = held.events.range(from..).take(MAX_READ).map(|(event, _)| Arc::clone(event));
        (after >= held.start).then(|| events.collect())
    }
}

impl Held {
    fn add(&mut self, event: Model) {
        // A process that follows and one that stores may both have read it.
        let last = self.events.back().map_or(self.start, |(last, _)| last.id);
        if event.id <= last {
            return;
        }
        let size = [&event.before, &event.after].into_iter().flatten().map(|part| part.to_string().len()).sum();
        self.bytes += size;
        self.events.push_back((Arc::new(event), size));
        while (self.events.len() > MAX_HELD || self.bytes > MAX_HELD_BYTES)
            && let Some((event, size)) = self.events.pop_front()
        {
            self.bytes -= size;
            self.start = event.id;
        }
    }
}

impl Facts {
    /// Returns a receiver of the id of the newest event.
    pub fn watch_events(&self) -> watch::Receiver<i64> {
        self.0.recent.newest.subscribe()
    }

    /// Returns events after a position, the oldest first; none if there is none yet.
    ///
    /// # Errors
    /// Returns an error if there is no such position, if events after it were dropped, or if the database does not
    /// answer.
    pub async fn events_after(&self, after: i64) -> Result<Vec<Arc<Model>>, EventsError> {
        let newest = *self.0.recent.newest.borrow();
        if after < 0 || after > newest {
            return Err(EventsError::Unknown { after, newest });
        }
        if let Some(held) = self.0.recent.after(after) {
            return Ok(held);
        }
        let read = self.0.store.events_after(after, MAX_READ as u64).await?;
        // The ids have no gaps.
        match read.first().map_or(newest + 1, |first| first.id) {
            oldest if oldest > after + 1 => Err(EventsError::Dropped { after, oldest }),
            _ => Ok(read.into_iter().map(Arc::new).collect()),
        }
    }

    /// Begins to hold the events that come from now on.
    pub(super) async fn begin_events(&self) -> Result<(), StoreError> {
        self.0.recent.restart(self.0.store.newest_event().await?);
        Ok(())
    }

    /// Reads the events that were stored since the last time.
    pub(super) async fn follow_events(&self) -> Result<(), StoreError> {
        let newest = self.0.store.newest_event().await?;
        if newest < *self.0.recent.newest.borrow() {
            // The database was restored under this process: the ids of its events are those of others now.
            self.0.recent.restart(newest);
        }
        loop {
            let known = *self.0.recent.newest.borrow();
            if known >= newest {
                return Ok(());
            }
            let read = self.0.store.events_after(known, MAX_READ as u64).await?;
            if read.is_empty() {
                // They were dropped meanwhile.
                self.0.recent.restart(newest);
            }
            self.0.recent.extend(read);
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;
    use underlay_entity::hardware_event::{HardwareChange, HardwarePart};
    use uuid::Uuid;

    use super::*;

    fn event(id: i64, bytes: usize) -> Model {
        Model {
            id,
            host_id: Uuid::from_u128(1),
            from_host_id: None,
            serial: None,
            serial_before: None,
            origin: 0,
            part: HardwarePart::Disk,
            change: HardwareChange::Added,
            place: String::new(),
            before: None,
            after: Some(json!("x".repeat(bytes))),
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn ids(recent: &RecentEvents, after: i64) -> Option<Vec<i64>> {
        recent.after(after).map(|events| events.iter().map(|event| event.id).collect())
    }

    #[test]
    fn the_newest_events_are_held_in_order_and_once() {
        let recent = RecentEvents::default();
        recent.restart(6);
        assert_eq!((ids(&recent, 5), ids(&recent, 6)), (None, Some(vec![])));
        recent.extend(vec![event(7, 1), event(8, 1)]);
        recent.extend(vec![event(8, 1), event(9, 1)]);
        assert_eq!((ids(&recent, 6), ids(&recent, 8)), (Some(vec![7, 8, 9]), Some(vec![9])));
        assert_eq!(*recent.newest.borrow(), 9);
        recent.restart(2);
        assert_eq!((ids(&recent, 1), ids(&recent, 2)), (None, Some(vec![])));
    }

    #[test]
    fn the_memory_is_bounded_by_number_and_by_size() {
        let recent = RecentEvents::default();
        recent.extend((1..=MAX_HELD as i64 + 2).map(|id| event(id, 1)).collect());
        assert_eq!(ids(&recent, 1), None);
        assert_eq!(ids(&recent, 2).map(|ids| (ids[0], ids.len())), Some((3, MAX_READ)));
        recent.extend(vec![event(5_000, MAX_HELD_BYTES - 100)]);
        let held = recent.held.read().expect("held");
        assert!(held.bytes <= MAX_HELD_BYTES && held.events.len() < MAX_HELD && held.start > 2, "{}", held.bytes);
    }
}
