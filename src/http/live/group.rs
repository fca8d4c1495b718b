//! Groups of equal subscriptions, which share one execution and its answers.
//!
//! A group holds its last answers, each with its position, within bounds. It continues at its own pace and waits for no
//! subscriber. It ends with its last subscriber.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use axum::body::Bytes;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::execution::{Execution, LiveOutput};
use super::request::{ExecutionKey, LiveRequest};
use crate::feed::{Cursor, Form, Stand};
use crate::http::Service;

/// The most answers that a group holds.
const MOST_ANSWERS: usize = 512;
/// The most bytes of answers that a group holds.
const MAX_HELD_BYTES: usize = 4 * 1024 * 1024;
/// The number of groups from which ended groups are searched for and removed.
const MIN_GROUPS_TO_PRUNE: usize = 64;

/// All groups. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    groups: Arc<Mutex<ByKey>>,
}

#[derive(Debug, Default)]
struct ByKey {
    groups: HashMap<ExecutionKey, Weak<Group>>,
    /// The number of groups at which ended groups are removed next.
    sweep_at: usize,
}

/// A group of equal subscriptions.
#[derive(Debug)]
pub struct Group {
    held: Mutex<Held>,
    /// The number of answers so far.
    count: watch::Sender<u64>,
    task: OnceLock<AbortHandle>,
}

/// The last answers of a group.
#[derive(Debug)]
struct Held {
    form: Form,
    /// The position before the first of these answers.
    start: Cursor,
    answers: VecDeque<(Cursor, Bytes)>,
    bytes: usize,
    over: bool,
}

/// The answer of a group to a subscriber at a position.
pub enum Next {
    /// The next output.
    Is(LiveOutput),
    /// There is no further output yet.
    Waits,
    /// The group no longer holds the next output.
    IsGone,
}

impl Groups {
    /// Returns the group of an equal subscription, if the group holds the answer after this position. If there is no
    /// group, and the position is the current one, creates a group.
    pub fn join(&self, service: &Service, request: &LiveRequest, stand: Stand) -> Option<Arc<Group>> {
        let mut all = self.lock();
        if let Some(group) = all.groups.get(request.key()).and_then(Weak::upgrade)
            && !group.lock().over
        {
            drop(all);
            return Some(group).filter(|group| group.lock().holds_after(stand.cursor));
        }
        if !stand.live {
            return None;
        }
        let group = Arc::new(Group::new(stand));
        all.insert(request.key().clone(), &group);
        drop(all);
        let execution = Execution::begin(service, request, Some(stand.cursor));
        let task = tokio::spawn(run(Arc::downgrade(&group), execution));
        // The task is set only here, once.
        let _ = group.task.set(task.abort_handle());
        Some(group)
    }

    fn lock(&self) -> MutexGuard<'_, ByKey> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ByKey {
    fn insert(&mut self, key: ExecutionKey, group: &Arc<Group>) {
        if self.groups.len() >= self.sweep_at.max(MIN_GROUPS_TO_PRUNE) {
            self.groups.retain(|_, group| group.strong_count() > 0);
            self.sweep_at = self.groups.len() * 2;
        }
        self.groups.insert(key, Arc::downgrade(group));
    }
}

/// Executes for a group, as long as it has a subscriber.
async fn run(group: Weak<Group>, mut execution: Execution) {
    while let Some(output) = execution.next().await {
        let Some(group) = group.upgrade() else { return };
        match output {
            LiveOutput::Next { cursor, bytes } => group.add(cursor, bytes),
            // Each subscriber gets the errors by an execution of its own.
            LiveOutput::Failed(_) => break,
        }
    }
    if let Some(group) = group.upgrade() {
        group.end();
    }
}

impl Group {
    fn new(stand: Stand) -> Self {
        let Stand { cursor: start, form, .. } = stand;
        let held = Held { form, start, answers: VecDeque::new(), bytes: 0, over: false };
        Self { held: Mutex::new(held), count: watch::Sender::new(0), task: OnceLock::new() }
    }

    /// Returns a receiver that reports further answers.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Returns the output after a position.
    pub fn after(&self, at: Option<Cursor>) -> Next {
        self.lock().after(at)
    }

    fn add(&self, cursor: Cursor, bytes: Bytes) {
        self.lock().add(cursor, bytes);
        self.count.send_modify(|count| *count += 1);
    }

    fn end(&self) {
        self.lock().over = true;
        self.count.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.task.get().into_iter().for_each(AbortHandle::abort);
    }
}

impl Held {
    fn holds_after(&self, at: Cursor) -> bool {
        self.form == Form::States || !at.is_before(&self.start)
    }

    fn add(&mut self, cursor: Cursor, bytes: Bytes) {
        self.bytes += bytes.len();
        self.answers.push_back((cursor, bytes));
        let most = match self.form {
            Form::Events => MOST_ANSWERS,
            Form::States => 1,
        };
        while (self.answers.len() > most || self.bytes > MAX_HELD_BYTES)
            && let Some((cursor, bytes)) = self.answers.pop_front()
        {
            self.bytes -= bytes.len();
            self.start = cursor;
        }
    }

    fn after(&self, at: Option<Cursor>) -> Next {
        let at = at.unwrap_or(self.start);
        if self.over || !self.holds_after(at) {
            return Next::IsGone;
        }
        let next = self.answers.partition_point(|(cursor, _)| !at.is_before(cursor));
        match self.answers.get(next) {
            Some((cursor, bytes)) => Next::Is(LiveOutput::Next { cursor: *cursor, bytes: bytes.clone() }),
            None => Next::Waits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(revision: i64) -> Cursor {
        Cursor::after_revision(revision)
    }

    fn next(held: &Held, after: i64) -> Result<Option<i64>, ()> {
        match held.after(Some(at(after))) {
            Next::Is(LiveOutput::Next { cursor, .. }) => Ok(Some(cursor.revision)),
            Next::Is(LiveOutput::Failed(_)) | Next::IsGone => Err(()),
            Next::Waits => Ok(None),
        }
    }

    fn held(form: Form) -> Held {
        Held { form, start: at(10), answers: VecDeque::new(), bytes: 0, over: false }
    }

    #[test]
    fn events_are_taken_one_after_the_other_from_any_place_that_is_held() {
        let mut held = held(Form::Events);
        assert_eq!((next(&held, 9), next(&held, 10), next(&held, 12)), (Err(()), Ok(None), Ok(None)));
        (11..=13).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        let all = (10..=13).map(|after| next(&held, after));
        assert_eq!(all.collect::<Vec<_>>(), [Ok(Some(11)), Ok(Some(12)), Ok(Some(13)), Ok(None)]);
        (14..=10 + MOST_ANSWERS as i64 + 2).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        assert_eq!((next(&held, 11), next(&held, 12)), (Err(()), Ok(Some(13))), "the first two went");
        held.add(at(9_000), Bytes::from(vec![0; MAX_HELD_BYTES + 1]));
        assert_eq!(
            (next(&held, 8_000), next(&held, 9_000), held.bytes),
            (Err(()), Ok(None), 0),
            "too large to be held"
        );
        held.over = true;
        assert_eq!(next(&held, 9_000), Err(()));
    }

    #[test]
    fn only_the_latest_state_is_delivered() {
        let mut held = held(Form::States);
        assert_eq!(next(&held, 3), Ok(None));
        (11..=13).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        assert_eq!((next(&held, 3), next(&held, 12), next(&held, 13)), (Ok(Some(13)), Ok(Some(13)), Ok(None)));
    }
}
