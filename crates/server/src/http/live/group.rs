//! Groups of equal subscriptions, which share one execution and its answers.
//!
//! A group holds its last answers within bounds. Each has a position, at which subscribers join, and a number, by which
//! they take the answers after it: two answers can have the same position, as PROGRESS while nothing changes. A group
//! continues at its own pace and waits for no subscriber. It ends with its last subscriber.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::execution::{Execution, LiveOutput};
use super::request::{ExecutionKey, LiveRequest};
use super::room::{GroupRoom, Room};
use crate::http::Service;
use crate::http::json_answer::Written;
use underlay_engine::feed::{Cursor, Form, StreamPosition};

/// The most answers that a group holds.
const MAX_HELD_ANSWERS: usize = 512;
/// The most bytes of answers that a group holds.
const MAX_HELD_BYTES: usize = 4 * 1024 * 1024;
/// The number of groups from which ended groups are searched for and removed.
const MIN_GROUPS_TO_PRUNE: usize = 64;

/// All groups. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Groups {
    groups: Arc<Mutex<ByKey>>,
    room: Room,
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
    /// The number of the first of these answers.
    first: u64,
    answers: VecDeque<(Cursor, Written)>,
    bytes: usize,
    room: GroupRoom,
    over: bool,
}

/// The answer of a group to a subscriber that wants an output.
pub enum Next {
    /// The next output, and the number of the one after it.
    Is(LiveOutput, u64),
    /// There is no further output yet.
    Waits,
    /// The group no longer holds the next output.
    IsGone,
}

impl Groups {
    /// Creates the groups, of which there are none, for answers of at most so many bytes together.
    pub fn new(answers: usize) -> Self {
        Self { groups: Arc::default(), room: Room::new(answers) }
    }

    /// Returns the group of an equal subscription, if the group holds the answer after this position, and the number of
    /// that answer. If there is no group, the position is the current one, and the caller has not begun too many,
    /// creates a group.
    pub fn join(
        &self,
        service: &Service,
        request: &LiveRequest,
        position: StreamPosition,
    ) -> Option<(Arc<Group>, u64)> {
        let mut all = self.lock();
        if let Some(group) = all.groups.get(request.key()).and_then(Weak::upgrade)
            && !group.lock().over
        {
            drop(all);
            let number = group.lock().number_after(position.cursor)?;
            return Some((group, number));
        }
        if !position.live {
            return None;
        }
        let room = self.room.group(request.asker().caller.key())?;
        let group = Arc::new(Group::new(position, room));
        all.insert(request.key().clone(), &group);
        drop(all);
        let execution = Execution::begin(service, request, Some(position.cursor));
        let task = tokio::spawn(run(Arc::downgrade(&group), execution));
        // The task is set only here, once.
        let _ = group.task.set(task.abort_handle());
        Some((group, 0))
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
            LiveOutput::Next { cursor, answer } => group.add(cursor, answer),
            // Each subscriber gets the errors by an execution of its own.
            LiveOutput::Failed(_) => break,
        }
    }
    if let Some(group) = group.upgrade() {
        group.end();
    }
}

impl Group {
    fn new(position: StreamPosition, room: GroupRoom) -> Self {
        let StreamPosition { cursor: start, form, .. } = position;
        let held = Held { form, start, first: 0, answers: VecDeque::new(), bytes: 0, room, over: false };
        Self { held: Mutex::new(held), count: watch::Sender::new(0), task: OnceLock::new() }
    }

    /// Returns a receiver that reports further answers.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Returns the output with a number, or a later one, for a subscriber at a position.
    pub fn output(&self, number: u64, at: Option<Cursor>) -> Next {
        self.lock().output(number, at)
    }

    fn add(&self, cursor: Cursor, answer: Written) {
        self.lock().add(cursor, answer);
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
    /// Returns the number of the answer after a position; `None` if it is no longer held.
    fn number_after(&self, at: Cursor) -> Option<u64> {
        if self.form == Form::Events && at.is_before(&self.start) {
            return None;
        }
        Some(self.first + self.answers.partition_point(|(cursor, _)| !at.is_before(cursor)) as u64)
    }

    fn add(&mut self, cursor: Cursor, answer: Written) {
        self.bytes += answer.bytes.len();
        self.answers.push_back((cursor, answer));
        let most = match self.form {
            Form::Events => MAX_HELD_ANSWERS,
            Form::States => 1,
        };
        while (self.answers.len() > most || self.bytes > MAX_HELD_BYTES || !self.room.resize(self.bytes))
            && let Some((cursor, answer)) = self.answers.pop_front()
        {
            self.bytes -= answer.bytes.len();
            self.start = cursor;
            self.first += 1;
        }
    }

    fn output(&self, number: u64, at: Option<Cursor>) -> Next {
        // A subscriber that is ahead of the group misses nothing of what is no longer held. Of states, only the latest
        // matters.
        let misses = |at: Cursor| self.form == Form::Events && at.is_before(&self.start);
        if self.over || number < self.first && at.is_some_and(misses) {
            return Next::IsGone;
        }
        let from = number.saturating_sub(self.first) as usize;
        let Some(index) = (from..self.answers.len()).find(|index| self.is_new(*index, at)) else { return Next::Waits };
        let (cursor, answer) = &self.answers[index];
        let next = self.first + index as u64 + 1;
        Next::Is(LiveOutput::Next { cursor: *cursor, answer: answer.clone() }, next)
    }

    /// Returns true if a subscriber at a position does not have an answer yet. A subscriber can be ahead of the group
    /// when it joins. Of the answers at its own position, it has the first, by which the group came there.
    fn is_new(&self, index: usize, at: Option<Cursor>) -> bool {
        let (cursor, _) = &self.answers[index];
        let before = index.checked_sub(1).map_or(&self.start, |before| &self.answers[before].0);
        at.is_none_or(|at| at.is_before(cursor) || at == *cursor && before == cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use underlay_engine::access::Caller;
    use underlay_read::Answers;

    fn at(revision: i64) -> Cursor {
        Cursor::after_revision(revision)
    }

    fn next(held: &Held, after: i64) -> Result<Option<i64>, ()> {
        match held.output(held.number_after(at(after)).ok_or(())?, Some(at(after))) {
            Next::Is(LiveOutput::Next { cursor, .. }, _) => Ok(Some(cursor.revision)),
            Next::Is(LiveOutput::Failed(_), _) | Next::IsGone => Err(()),
            Next::Waits => Ok(None),
        }
    }

    fn held(form: Form) -> Held {
        let room = Room::new(1 << 30).group(Caller::anybody().key()).expect("room");
        Held { form, start: at(10), first: 7, answers: VecDeque::new(), bytes: 0, room, over: false }
    }

    fn answer(length: usize) -> Written {
        let answers = Answers::new(1 << 30, 1 << 30);
        Written::new(vec![b'x'; length], answers.begin(&Caller::anybody().key(), 0)).expect("it fits")
    }

    #[test]
    fn events_are_taken_one_after_the_other_from_any_place_that_is_held() {
        let mut held = held(Form::Events);
        assert_eq!((next(&held, 9), next(&held, 10), next(&held, 12)), (Err(()), Ok(None), Ok(None)));
        (11..=13).for_each(|revision| held.add(at(revision), answer(1)));
        let all = (10..=13).map(|after| next(&held, after));
        assert_eq!(all.collect::<Vec<_>>(), [Ok(Some(11)), Ok(Some(12)), Ok(Some(13)), Ok(None)]);
        (14..=10 + MAX_HELD_ANSWERS as i64 + 2).for_each(|revision| held.add(at(revision), answer(1)));
        assert_eq!((next(&held, 11), next(&held, 12)), (Err(()), Ok(Some(13))), "the first two went");
        held.add(at(9_000), answer(MAX_HELD_BYTES + 1));
        assert_eq!(
            (next(&held, 8_000), next(&held, 9_000), held.bytes),
            (Err(()), Ok(None), 0),
            "too large to be held"
        );
        held.over = true;
        assert_eq!(next(&held, 9_000), Err(()));
    }

    #[test]
    fn answers_at_the_same_position_are_each_taken() {
        let mut held = held(Form::Events);
        let (mut number, mut position) = (held.number_after(at(10)).expect("it is held"), 10);
        for revision in [10, 10, 11, 11] {
            assert!(matches!(held.output(number, Some(at(position))), Next::Waits));
            held.add(at(revision), answer(1));
            let Next::Is(LiveOutput::Next { cursor, .. }, next) = held.output(number, Some(at(position))) else {
                panic!("an answer")
            };
            assert_eq!((cursor.revision, next), (revision, number + 1));
            (number, position) = (next, revision);
        }
        assert_eq!(held.number_after(at(10)), Some(number - 2), "one who joins has those at its position");
    }

    #[test]
    fn a_subscriber_that_is_ahead_of_the_group_gets_nothing_twice() {
        let mut held = held(Form::Events);
        let ahead = held.number_after(at(12)).expect("it is held");
        for revision in 11..=12 {
            held.add(at(revision), answer(1));
            assert!(matches!(held.output(ahead, Some(at(12))), Next::Waits), "it has {revision}");
        }
        held.add(at(12), answer(1));
        assert!(matches!(held.output(ahead, Some(at(12))), Next::Is(_, next) if next == ahead + 3), "no change since");
    }

    #[test]
    fn a_group_holds_what_there_is_room_for() {
        let room = Room::new(8_000);
        let mut held = Held { room: room.group(Caller::anybody().key()).expect("room"), ..held(Form::Events) };
        (11..=14).for_each(|revision| held.add(at(revision), answer(400)));
        assert_eq!((next(&held, 11), next(&held, 12), held.bytes), (Err(()), Ok(Some(13)), 800), "half of a quarter");
        held.add(at(15), answer(1_200));
        assert_eq!((next(&held, 14), next(&held, 15), held.bytes), (Err(()), Ok(None), 0));
    }

    #[test]
    fn only_the_latest_state_is_delivered() {
        let mut held = held(Form::States);
        assert_eq!(next(&held, 3), Ok(None));
        (11..=13).for_each(|revision| held.add(at(revision), answer(1)));
        assert_eq!((next(&held, 3), next(&held, 12), next(&held, 13)), (Ok(Some(13)), Ok(Some(13)), Ok(None)));
    }
}
