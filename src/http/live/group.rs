//! Subscriptions that ask the same: one execution, whose answers all of them take.
//!
//! A group holds its last answers, each with its place in the order, within bounds. It goes on at its own pace and waits
//! for nobody; it ends with the last that is in it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use axum::body::Bytes;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::asked::{Asked, Key};
use super::execution::{Execution, Output};
use crate::feed::{Cursor, Form, Stand};
use crate::http::Service;

/// How many answers a group holds, and how many bytes of them.
const MOST_ANSWERS: usize = 512;
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// From how many groups on those that have ended are looked for.
const FEW: usize = 64;

/// All groups.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    groups: Arc<Mutex<ByKey>>,
}

#[derive(Debug, Default)]
struct ByKey {
    groups: HashMap<Key, Weak<Group>>,
    /// With how many those that have ended are taken out.
    sweep_at: usize,
}

/// Subscriptions that ask the same.
#[derive(Debug)]
pub struct Group {
    held: Mutex<Held>,
    /// How many answers there were.
    count: watch::Sender<u64>,
    task: OnceLock<AbortHandle>,
}

/// The last answers.
#[derive(Debug)]
struct Held {
    form: Form,
    /// The place before the first of them.
    start: Cursor,
    answers: VecDeque<(Cursor, Bytes)>,
    bytes: usize,
    over: bool,
}

/// What comes after a place.
pub enum Next {
    /// This.
    Is(Output),
    /// Nothing yet.
    Waits,
    /// Something that is not held any more.
    IsGone,
}

impl Groups {
    /// The group of those who ask the same, if it holds what comes next here; a new one where there is none and nothing
    /// was left out.
    pub fn join(&self, service: &Service, asked: &Asked, stand: Stand) -> Option<Arc<Group>> {
        let mut all = self.lock();
        if let Some(group) = all.groups.get(asked.key()).and_then(Weak::upgrade)
            && !group.lock().over
        {
            drop(all);
            return Some(group).filter(|group| group.lock().holds_after(stand.cursor));
        }
        if !stand.live {
            return None;
        }
        let group = Arc::new(Group::new(stand));
        all.insert(asked.key().clone(), &group);
        drop(all);
        let execution = Execution::begin(service, asked, Some(stand.cursor));
        let task = tokio::spawn(run(Arc::downgrade(&group), execution));
        // Set once, here.
        let _ = group.task.set(task.abort_handle());
        Some(group)
    }

    fn lock(&self) -> MutexGuard<'_, ByKey> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ByKey {
    fn insert(&mut self, key: Key, group: &Arc<Group>) {
        if self.groups.len() >= self.sweep_at.max(FEW) {
            self.groups.retain(|_, group| group.strong_count() > 0);
            self.sweep_at = self.groups.len() * 2;
        }
        self.groups.insert(key, Arc::downgrade(group));
    }
}

/// Executes for a group, as long as somebody is in it.
async fn run(group: Weak<Group>, mut execution: Execution) {
    while let Some(output) = execution.next().await {
        let Some(group) = group.upgrade() else { return };
        match output {
            Output::Next { cursor, bytes } => group.add(cursor, bytes),
            // Each of them is told by an execution of its own.
            Output::Failed(_) => break,
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

    /// Tells when there is another answer.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// What comes after a place.
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
        while (self.answers.len() > most || self.bytes > MOST_BYTES)
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
            Some((cursor, bytes)) => Next::Is(Output::Next { cursor: *cursor, bytes: bytes.clone() }),
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

    fn given(held: &Held, after: i64) -> Result<Option<i64>, ()> {
        match held.after(Some(at(after))) {
            Next::Is(Output::Next { cursor, .. }) => Ok(Some(cursor.revision)),
            Next::Is(Output::Failed(_)) | Next::IsGone => Err(()),
            Next::Waits => Ok(None),
        }
    }

    fn held(form: Form) -> Held {
        Held { form, start: at(10), answers: VecDeque::new(), bytes: 0, over: false }
    }

    #[test]
    fn events_are_taken_one_after_the_other_from_any_place_that_is_held() {
        let mut held = held(Form::Events);
        assert_eq!((given(&held, 9), given(&held, 10), given(&held, 12)), (Err(()), Ok(None), Ok(None)));
        (11..=13).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        let all = (10..=13).map(|after| given(&held, after));
        assert_eq!(all.collect::<Vec<_>>(), [Ok(Some(11)), Ok(Some(12)), Ok(Some(13)), Ok(None)]);
        (14..=10 + MOST_ANSWERS as i64 + 2).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        assert_eq!((given(&held, 11), given(&held, 12)), (Err(()), Ok(Some(13))), "the first two went");
        held.add(at(9_000), Bytes::from(vec![0; MOST_BYTES + 1]));
        assert_eq!(
            (given(&held, 8_000), given(&held, 9_000), held.bytes),
            (Err(()), Ok(None), 0),
            "too large to be held"
        );
        held.over = true;
        assert_eq!(given(&held, 9_000), Err(()));
    }

    #[test]
    fn of_states_only_the_latest_is_given() {
        let mut held = held(Form::States);
        assert_eq!(given(&held, 3), Ok(None));
        (11..=13).for_each(|revision| held.add(at(revision), Bytes::from_static(b"x")));
        assert_eq!((given(&held, 3), given(&held, 12), given(&held, 13)), (Ok(Some(13)), Ok(Some(13)), Ok(None)));
    }
}
