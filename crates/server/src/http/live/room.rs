//! The room for groups of subscriptions and the answers that they hold.
//!
//! The bytes of held answers also count in `limits.answers`. Groups have only a part of that, because they would hold
//! it for as long as they have subscribers. A group without room holds fewer answers, and its slower subscribers catch
//! up alone; a subscription without a group runs alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use underlay_engine::access::CallerKey;

/// The part of all answers that groups may hold, as a divisor.
const ANSWERS_DIVISOR: usize = 4;
/// The most groups that one caller has begun at a time.
const MAX_CALLER_GROUPS: usize = 1_000;

/// The room for all groups. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Room {
    /// The most bytes that all groups hold. One caller's groups hold at most half of them.
    max_bytes: usize,
    used: Arc<Mutex<Used>>,
}

#[derive(Debug, Default)]
struct Used {
    bytes: usize,
    callers: HashMap<CallerKey, OfCaller>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OfCaller {
    groups: usize,
    bytes: usize,
}

/// The room of one group, which is given back when this is dropped.
#[derive(Debug)]
pub struct GroupRoom {
    room: Room,
    caller: CallerKey,
    bytes: usize,
}

impl Room {
    /// Creates the room, of which nothing is used, when all answers together have at most `answers` bytes.
    pub fn new(answers: usize) -> Self {
        Self { max_bytes: answers / ANSWERS_DIVISOR, used: Arc::default() }
    }

    /// Returns the room of a further group that a caller begins. Returns `None` if the caller has too many groups.
    pub fn group(&self, caller: CallerKey) -> Option<GroupRoom> {
        let mut used = self.lock();
        let own = used.callers.entry(caller.clone()).or_default();
        if own.groups >= MAX_CALLER_GROUPS {
            return None;
        }
        own.groups += 1;
        drop(used);
        Some(GroupRoom { room: self.clone(), caller, bytes: 0 })
    }

    fn lock(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GroupRoom {
    /// Sets the number of bytes that the group holds. Returns false if there is no room for them.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let mut used = self.room.lock();
        let Used { bytes: all, callers } = &mut *used;
        let own = &mut callers.entry(self.caller.clone()).or_default().bytes;
        let (all_after, own_after) = (*all - self.bytes + bytes, *own - self.bytes + bytes);
        if bytes > self.bytes && (all_after > self.room.max_bytes || own_after > self.room.max_bytes / 2) {
            return false;
        }
        (*all, *own, self.bytes) = (all_after, own_after, bytes);
        true
    }
}

impl Drop for GroupRoom {
    fn drop(&mut self) {
        self.resize(0);
        let mut used = self.room.lock();
        if let Some(own) = used.callers.get_mut(&self.caller) {
            own.groups -= 1;
            if own.groups == 0 {
                used.callers.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use underlay_engine::access::Caller;

    fn caller(name: &str) -> CallerKey {
        Caller::named(name).key()
    }

    #[test]
    fn groups_hold_a_part_of_all_answers_and_one_caller_half_of_that() {
        let room = Room::new(4_000);
        let [mut first, mut second] = [(); 2].map(|()| room.group(caller("one")).expect("room"));
        assert!(first.resize(300) && second.resize(200) && !second.resize(201), "half is 500");
        let mut third = room.group(caller("two")).expect("room");
        assert!(third.resize(500) && !third.resize(501));
        assert!(!room.group(caller("three")).expect("room").resize(1), "all of it is used");
        assert!(first.resize(100) && second.resize(400), "what is given back can be used");
        drop((first, second, third));
        assert!(room.lock().callers.is_empty() && room.lock().bytes == 0);
    }

    #[test]
    fn the_groups_of_a_caller_are_bounded() {
        let room = Room::new(1 << 20);
        let mut groups: Vec<_> = (0..MAX_CALLER_GROUPS).map(|_| room.group(caller("one")).expect("room")).collect();
        assert!(room.group(caller("one")).is_none() && room.group(caller("two")).is_some());
        groups.pop();
        assert!(room.group(caller("one")).is_some());
    }
}
