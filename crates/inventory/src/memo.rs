//! Memos of a snapshot: derived facts about single objects that many queries need.
//!
//! A memo is stored with its dependencies: the rows that it was derived from, and the objects whose referrers it was
//! derived from. A later snapshot uses a memo only if its dependencies did not change since, so a memo always equals the
//! fact that would be derived again. Memos are checked one by one when they are asked for, so a write costs the number
//! of its changes, and a query the dependencies of what it asks for, however many memos there are. The lock is held for
//! a few accesses only: a thread with a low priority that holds it would otherwise stop those that answer requests.
//!
//! The total number of dependencies is bounded, and so is the memory. If a new memo exceeds the bound, all earlier memos
//! are discarded. A memo that nobody asked for during `MIN_KEPT_CHANGES` changes is not used any more.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::edges::{Edge, ObjectRef};
use underlay_persistent::Index;

/// The greatest number of dependencies of all memos together: 64 MiB, and about the same again for the memos. A fleet
/// of 3,000,000 ports has about 1,000,000 dependencies if queries cover all of it.
const MAX_DEPENDENCIES: usize = 1 << 23;
/// The number of changed dependencies that are kept at least, and half of those that are kept at most.
const MIN_KEPT_CHANGES: usize = 1 << 16;
/// The number of dependencies of a memo from which it is noted that they were checked. Checking fewer costs less than
/// the note.
const MANY_DEPENDENCIES: usize = 32;

/// The dependencies of a memo.
#[derive(Clone, Debug, Default)]
pub struct Dependencies(Vec<Dependency>);

/// One dependency: the row of an object, or the set of its referrers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Dependency(u64);

impl Dependency {
    fn row(object: ObjectRef) -> Self {
        Self((u64::from(object.kind.0) << 32 | u64::from(object.slot)) << 1)
    }

    fn referrers(object: ObjectRef) -> Self {
        Self(Self::row(object).0 | 1)
    }
}

impl Dependencies {
    /// Adds the row of an object as a dependency.
    pub fn row(&mut self, object: ObjectRef) {
        self.0.push(Dependency::row(object));
    }

    /// Adds the referrers of an object as a dependency, including the rows of these referrers.
    pub fn referrers(&mut self, object: ObjectRef) {
        self.0.push(Dependency::referrers(object));
    }
}

/// The memos of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Memo(Mutex<Answers>);

/// Memos, and the changes since they were checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    all: Index<(TypeId, ObjectRef), Answer>,
    dependencies: usize,
    changes: Changes,
}

#[derive(Clone, Debug)]
struct Answer {
    what: Arc<dyn Any + Send + Sync>,
    /// The dependencies, sorted and without duplicates.
    dependencies: Arc<[Dependency]>,
    /// The number of the last change up to which none of the dependencies changed.
    checked: u64,
}

/// The last changes of dependencies. Each change has a number, and later ones have greater numbers.
#[derive(Clone, Debug, Default)]
struct Changes {
    /// The number of the last change.
    last: u64,
    /// Changes up to this number may be missing in the maps.
    forgotten: u64,
    /// The dependencies that changed last, each with the number of its last change.
    recent: Index<Dependency, u64>,
    /// The same for those before them. No change of `recent` is earlier than these.
    earlier: Index<Dependency, u64>,
    /// The number of the last change in `earlier`.
    turned: u64,
}

impl Changes {
    fn add(&mut self, dependency: Dependency) {
        if self.recent.len() >= MIN_KEPT_CHANGES {
            self.forgotten = self.turned;
            self.turned = self.last;
            self.earlier = std::mem::take(&mut self.recent);
        }
        self.last += 1;
        self.recent.insert(dependency, self.last);
    }

    /// Returns true if none of an answer's dependencies is known to have changed since it was checked.
    fn leave(&self, answer: &Answer) -> bool {
        let changed = |dependency| self.recent.get(dependency).or_else(|| self.earlier.get(dependency));
        let is_unchanged = |dependency| changed(dependency).is_none_or(|number| *number <= answer.checked);
        answer.checked == self.last || answer.checked >= self.forgotten && answer.dependencies.iter().all(is_unchanged)
    }

    /// Returns true if it is worth a note that an answer was checked.
    fn are_worth_a_note(&self, answer: &Answer) -> bool {
        let passed = self.last - answer.checked;
        passed > 0 && (answer.dependencies.len() >= MANY_DEPENDENCIES || passed >= MIN_KEPT_CHANGES as u64 / 2)
    }
}

impl Memo {
    /// Returns the memos for the next snapshot; `None` if there are none.
    pub fn hand_on(&self) -> Option<Answers> {
        let answers = self.lock();
        (!answers.all.is_empty()).then(|| answers.clone())
    }

    pub fn get<T: Any + Send + Sync>(&self, about: ObjectRef) -> Option<Arc<T>> {
        let key = (TypeId::of::<T>(), about);
        let (answer, changes) = {
            let answers = self.lock();
            (answers.all.get(&key)?.clone(), answers.changes.clone())
        };
        if !changes.leave(&answer) {
            self.lock().remove(&key);
            return None;
        }
        if changes.are_worth_a_note(&answer)
            && let Some(noted) = self.lock().all.get_mut(&key)
        {
            noted.checked = changes.last;
        }
        answer.what.downcast().ok()
    }

    pub fn add<T: Any + Send + Sync>(&self, about: ObjectRef, what: Arc<T>, dependencies: Dependencies) {
        let Dependencies(mut dependencies) = dependencies;
        dependencies.sort_unstable();
        dependencies.dedup();
        let mut answers = self.lock();
        if answers.dependencies + dependencies.len() > MAX_DEPENDENCIES {
            (answers.all, answers.dependencies) = Default::default();
        }
        let key = (TypeId::of::<T>(), about);
        answers.remove(&key);
        answers.dependencies += dependencies.len();
        let answer = Answer { what, dependencies: dependencies.into(), checked: answers.changes.last };
        answers.all.insert(key, answer);
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    /// Records that an object with these old or new references was put or removed.
    pub fn changed(&mut self, object: ObjectRef, references: impl Iterator<Item = Edge>) {
        self.changes.add(Dependency::row(object));
        references.for_each(|edge| self.changes.add(Dependency::referrers(edge.other())));
    }

    /// Turns the memos, with the recorded changes, into those of a finished snapshot.
    pub fn taken_over(self) -> Memo {
        Memo(Mutex::new(self))
    }

    fn remove(&mut self, key: &(TypeId, ObjectRef)) {
        if let Some(answer) = self.all.remove(key) {
            self.dependencies -= answer.dependencies.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KindId, ReferenceId};

    fn object(slot: u32) -> ObjectRef {
        ObjectRef { kind: KindId(3), slot }
    }

    fn edge(to: u32) -> Edge {
        Edge::new(ReferenceId { kind: KindId(3), field: 0 }, object(to))
    }

    /// Creates memos about the first objects. Each depends on the row of its object and on the referrers of the next
    /// object.
    fn answers(count: u32) -> Memo {
        let memo = Memo::default();
        for slot in 0..count {
            let mut dependencies = Dependencies::default();
            dependencies.row(object(slot));
            dependencies.referrers(object(slot + 1));
            memo.add(object(slot), Arc::new(slot), dependencies);
        }
        memo
    }

    fn known(memo: &Memo, count: u32) -> Vec<u32> {
        (0..count).filter(|slot| memo.get::<u32>(object(*slot)).is_some_and(|answer| *answer == *slot)).collect()
    }

    #[test]
    fn an_answer_is_dropped_with_its_dependencies_and_no_other_is() {
        let memo = answers(6);
        let mut next = memo.hand_on().expect("there are answers");
        next.changed(object(1), std::iter::empty());
        next.changed(object(100), [edge(4), edge(101)].into_iter());
        assert_eq!(known(&next.taken_over(), 6), [0, 2, 4, 5]);
        assert_eq!(known(&memo, 6), [0, 1, 2, 3, 4, 5], "the snapshot before keeps them");
    }

    #[test]
    fn many_changes_are_looked_at_as_few_are() {
        let mut next = answers(200).hand_on().expect("there are answers");
        (0..100).for_each(|slot| next.changed(object(slot), std::iter::empty()));
        assert_eq!(known(&next.taken_over(), 200), (100..200).collect::<Vec<_>>());
    }

    /// Returns the memos of a later snapshot, after so many changes of other objects.
    fn later(memo: &Memo, changes: usize) -> Memo {
        let mut next = memo.hand_on().expect("there are answers");
        let first = 1_000_000 + next.changes.last as u32;
        (0..changes as u32).for_each(|slot| next.changed(object(first + slot), std::iter::empty()));
        next.taken_over()
    }

    #[test]
    fn an_answer_is_used_after_any_number_of_changes_if_somebody_asks_meanwhile() {
        let mut memo = answers(3);
        for _ in 0..6 {
            memo = later(&memo, MIN_KEPT_CHANGES / 2 + 7);
            assert_eq!(known(&memo, 2), [0, 1]);
        }
        // Nobody asked for the third answer, and the changes since are not known any more.
        assert_eq!(known(&memo, 3), [0, 1]);
        assert_eq!(memo.lock().dependencies, 4);
        assert!(memo.lock().changes.recent.len() <= MIN_KEPT_CHANGES);
    }

    #[test]
    fn a_change_is_found_however_many_changes_follow() {
        for after in [0, 1, MIN_KEPT_CHANGES - 1, MIN_KEPT_CHANGES, 2 * MIN_KEPT_CHANGES, 3 * MIN_KEPT_CHANGES] {
            let mut next = answers(3).hand_on().expect("there are answers");
            next.changed(object(1), std::iter::empty());
            assert!(!known(&later(&next.taken_over(), after), 3).contains(&1), "{after}");
        }
    }

    #[test]
    fn an_answer_with_many_dependencies_is_checked_against_each_change() {
        let memo = Memo::default();
        let mut dependencies = Dependencies::default();
        (0..MANY_DEPENDENCIES as u32).for_each(|slot| dependencies.row(object(slot)));
        memo.add(object(0), Arc::new(0_u32), dependencies);
        let memo = later(&memo, 10);
        assert_eq!(known(&memo, 1), [0]);
        let last = memo.lock().changes.last;
        assert!(memo.lock().all.iter().all(|(_, answer)| answer.checked == last), "it is noted");
        let mut next = memo.hand_on().expect("there are answers");
        next.changed(object(31), std::iter::empty());
        assert_eq!(known(&next.taken_over(), 1), Vec::<u32>::new());
        assert_eq!(known(&memo, 1), [0]);
    }

    #[test]
    fn an_answer_that_does_not_fit_begins_anew() {
        let memo = answers(3);
        let mut dependencies = Dependencies::default();
        (0..MAX_DEPENDENCIES as u32 - 3).for_each(|slot| dependencies.row(object(slot)));
        memo.add(object(7), Arc::new(7_u32), dependencies);
        assert_eq!(known(&memo, 10), [7]);
    }

    #[test]
    fn kinds_of_answers_are_kept_apart() {
        let memo = answers(1);
        assert!(memo.get::<String>(object(0)).is_none());
    }
}
