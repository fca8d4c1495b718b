//! Memos of a snapshot: derived facts about single objects that many queries need.
//!
//! A memo is stored with its dependencies: the rows that it was derived from, and the objects whose referrers it was
//! derived from. The next snapshot takes over every memo with unchanged dependencies, so a memo always equals the fact
//! that would be derived again. Making the next snapshot costs nothing extra while there are no memos; otherwise the
//! cost is proportional to the changes. The total number of dependencies is bounded, and so is the memory. If a new
//! memo exceeds the bound, all earlier memos are discarded.

use std::any::{Any, TypeId};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use imbl::Vector;

use super::edges::{Edge, ObjectRef};
use underlay_persistent::Index;

/// The greatest number of dependencies of all memos together: 64 MiB, and about the same again for the memos. A fleet
/// of 3,000,000 ports has about 1,000,000 dependencies if queries cover all of it.
const MOST_DEPENDENCIES: usize = 1 << 23;
/// The greatest number of changes that are kept between two queries. Beyond it, all memos are discarded.
const MOST_CHANGES: usize = 1 << 14;
/// Up to this number of changes, each change is searched in the dependencies of each memo. Above it, each dependency is
/// looked up in a set of the changes.
const FEW: usize = 32;

/// The dependencies of a memo.
#[derive(Clone, Debug, Default)]
pub struct Dependencies(Vec<Dependency>);

/// One dependency: the row of an object, or the set of its referrers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Dependency(u64);

impl Dependency {
    fn row(place: ObjectRef) -> Self {
        Self((u64::from(place.kind.0) << 32 | u64::from(place.slot)) << 1)
    }

    fn referrers(place: ObjectRef) -> Self {
        Self(Self::row(place).0 | 1)
    }
}

impl Dependencies {
    /// Adds the row of an object as a dependency.
    pub fn row(&mut self, place: ObjectRef) {
        self.0.push(Dependency::row(place));
    }

    /// Adds the referrers of an object as a dependency, including the rows of these referrers.
    pub fn referrers(&mut self, place: ObjectRef) {
        self.0.push(Dependency::referrers(place));
    }
}

/// The memos of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Memo(Mutex<Answers>);

/// Memos, and the changes since they were last checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    all: Index<(TypeId, ObjectRef), Answer>,
    dependencies: usize,
    changes: Vector<Dependency>,
}

#[derive(Clone, Debug)]
struct Answer {
    what: Arc<dyn Any + Send + Sync>,
    /// The dependencies, sorted and without duplicates.
    dependencies: Arc<[Dependency]>,
}

impl Memo {
    /// Returns the memos for the next snapshot; `None` if there are none.
    pub fn hand_on(&self) -> Option<Answers> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!answers.all.is_empty()).then(|| answers.clone())
    }

    pub fn get<T: Any + Send + Sync>(&self, about: ObjectRef) -> Option<Arc<T>> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.settle();
        let answer = answers.all.get(&(TypeId::of::<T>(), about))?;
        Arc::clone(&answer.what).downcast().ok()
    }

    pub fn add<T: Any + Send + Sync>(&self, about: ObjectRef, what: Arc<T>, dependencies: Dependencies) {
        let Dependencies(mut dependencies) = dependencies;
        dependencies.sort_unstable();
        dependencies.dedup();
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.settle();
        if answers.dependencies + dependencies.len() > MOST_DEPENDENCIES {
            *answers = Answers::default();
        }
        answers.dependencies += dependencies.len();
        let answer = Answer { what, dependencies: dependencies.into() };
        if let Some(before) = answers.all.insert((TypeId::of::<T>(), about), answer) {
            answers.dependencies -= before.dependencies.len();
        }
    }
}

impl Answers {
    /// Records that an object with these old or new references was put or removed.
    pub fn changed(&mut self, place: ObjectRef, references: impl Iterator<Item = Edge>) {
        self.changes.push_back(Dependency::row(place));
        self.changes.extend(references.map(|edge| Dependency::referrers(edge.other())));
        if self.changes.len() > MOST_CHANGES {
            *self = Self::default();
        }
    }

    /// Turns the memos, with the recorded changes, into those of a finished snapshot.
    pub fn taken_over(self) -> Memo {
        Memo(Mutex::new(self))
    }

    /// Discards the memos with a changed dependency.
    fn settle(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        let changes: HashSet<Dependency, RandomState> = std::mem::take(&mut self.changes).into_iter().collect();
        let stale = |answer: &Answer| match changes.len() <= FEW {
            true => changes.iter().any(|change| answer.dependencies.binary_search(change).is_ok()),
            false => answer.dependencies.iter().any(|dependency| changes.contains(dependency)),
        };
        let stale: Vec<_> = self.all.iter().filter(|(_, answer)| stale(answer)).map(|(about, _)| *about).collect();
        for about in stale {
            let answer = self.all.remove(&about);
            self.dependencies -= answer.map_or(0, |answer| answer.dependencies.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KindId, ReferenceId};

    fn place(slot: u32) -> ObjectRef {
        ObjectRef { kind: KindId(3), slot }
    }

    fn edge(to: u32) -> Edge {
        Edge::new(ReferenceId { kind: KindId(3), field: 0 }, place(to))
    }

    /// Creates memos about the first places. Each depends on the row of its place and on the referrers of the next
    /// place.
    fn answers(count: u32) -> Memo {
        let memo = Memo::default();
        for slot in 0..count {
            let mut dependencies = Dependencies::default();
            dependencies.row(place(slot));
            dependencies.referrers(place(slot + 1));
            memo.add(place(slot), Arc::new(slot), dependencies);
        }
        memo
    }

    fn known(memo: &Memo, count: u32) -> Vec<u32> {
        (0..count).filter(|slot| memo.get::<u32>(place(*slot)).is_some_and(|answer| *answer == *slot)).collect()
    }

    #[test]
    fn an_answer_is_dropped_with_its_dependencies_and_no_other_is() {
        let memo = answers(6);
        let mut next = memo.hand_on().expect("there are answers");
        next.changed(place(1), std::iter::empty());
        next.changed(place(100), [edge(4), edge(101)].into_iter());
        assert_eq!(known(&next.taken_over(), 6), [0, 2, 4, 5]);
        assert_eq!(known(&memo, 6), [0, 1, 2, 3, 4, 5], "the snapshot before keeps them");
    }

    #[test]
    fn many_changes_are_looked_at_as_few_are() {
        let mut next = answers(200).hand_on().expect("there are answers");
        (0..100).for_each(|slot| next.changed(place(slot), std::iter::empty()));
        assert_eq!(known(&next.taken_over(), 200), (100..200).collect::<Vec<_>>());
    }

    #[test]
    fn facts_with_many_changed_dependencies_are_dropped() {
        let mut next = answers(3).hand_on().expect("there are answers");
        (0..MOST_CHANGES as u32 + 1).for_each(|slot| next.changed(place(1_000 + slot), std::iter::empty()));
        assert_eq!(known(&next.taken_over(), 3), Vec::<u32>::new());
    }

    #[test]
    fn an_answer_that_does_not_fit_begins_anew() {
        let memo = answers(3);
        let mut dependencies = Dependencies::default();
        (0..MOST_DEPENDENCIES as u32 - 3).for_each(|slot| dependencies.row(place(slot)));
        memo.add(place(7), Arc::new(7_u32), dependencies);
        assert_eq!(known(&memo, 10), [7]);
    }

    #[test]
    fn kinds_of_answers_are_kept_apart() {
        let memo = answers(1);
        assert!(memo.get::<String>(place(0)).is_none());
    }
}
