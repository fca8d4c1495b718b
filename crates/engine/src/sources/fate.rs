//! Decides what becomes of the objects that a source no longer has, and what falls with them. Pure code on a snapshot.
//!
//! Guarantees: nothing falls that the source still has, and nothing of which another source or a user owns fields. An
//! object that cannot go is left, with a reason that people can act on, and counts against no limit: it is in use, an
//! object that stays refers to it, or too much would fall with it.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use thiserror::Error;
use underlay_entity::row::Row;
use underlay_error::Code;
use underlay_inventory::{Description, Loss, Manager, ObjectRef, Refusal, Shape, Snapshot, Users, compare_names};
use uuid::Uuid;

use super::along::along;
use super::missing::{Gone, carries, is_retired, referrers_first};
use super::role::Prune;
use crate::write::MAX_BATCH_ITEMS;

/// The field and the word that say that an object is retired.
pub const STATUS: &str = "status";
pub const RETIRED: &str = "RETIRED";
/// A source that only reports facts. What it owns does not keep an object.
const FACTS: &str = "facts";
/// The number of objects of each kind that are named in the reason for which an object is left.
const MAX_NAMES_PER_KIND: usize = 5;

/// The treatment of an object that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is retired.
    Retire,
    /// It is deleted with everything that it contains.
    Delete,
    /// It is deleted if nothing refers to it, and released otherwise.
    DeleteAlone,
    /// It is released.
    Release,
}

/// The reason for which an object stays although its source no longer has it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Left {
    #[error(transparent)]
    InUse(Refusal),
    #[error("{what} stays: {other} would fall with it, and the source still has that")]
    StillThere { what: String, other: String },
    #[error("{what} stays: {other} would fall with it, and stays too")]
    OtherStays { what: String, other: String },
    #[error("{what} stays: more than {MAX_BATCH_ITEMS} objects would fall with it")]
    TooMany { what: String },
}

impl Left {
    /// Returns the code of the error with which the object is reported.
    pub fn code(&self) -> Code {
        match self {
            Self::InUse(refusal) => refusal.code(),
            Self::StillThere { .. } | Self::OtherStays { .. } => Code::InUse,
            Self::TooMany { .. } => Code::BatchTooLarge,
        }
    }
}

impl From<Left> for Refusal {
    fn from(left: Left) -> Self {
        match left {
            Left::InUse(refusal) => refusal,
            other => Self::Recorded { code: other.code(), field: None, message: other.to_string() },
        }
    }
}

/// An object that goes.
#[derive(Clone, Debug)]
pub struct Going {
    pub gone: Gone,
    pub action: Action,
    /// The objects that fall with it, and do not go by themselves.
    pub with: Vec<ObjectRef>,
}

/// The judgement about objects that are gone, on one snapshot.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The objects that go, in the order in which they can: each after those that may refer to it.
    pub going: Vec<Going>,
    /// The objects that stay, each with the reason.
    pub left: Vec<(Gone, Left)>,
    /// Everything that is retired, deleted or released, with what falls; later without what counts with another object.
    pub counted: HashSet<ObjectRef>,
}

impl Judgement {
    /// Returns the objects that go and are no more what they were: all but those that are released.
    pub fn leaving(&self, snapshot: &Snapshot) -> HashSet<ObjectRef> {
        let going = self.going.iter().filter(|going| going.action != Action::Release);
        going.flat_map(|going| snapshot.find(going.gone.id).into_iter().chain(going.with.iter().copied())).collect()
    }

    /// Takes what counts with another object off what counts, and returns it. `others` are objects about which somebody
    /// decided, so that what falls with them was decided too.
    pub fn take_along(
        &mut self,
        snapshot: &Snapshot,
        others: &HashSet<ObjectRef>,
        since: DateTime<Utc>,
    ) -> HashSet<Uuid> {
        let mut wholes = self.leaving(snapshot);
        wholes.extend(others);
        let along = along(snapshot, &self.counted, &wholes, since);
        self.counted.retain(|object| !along.contains(object));
        along.into_iter().filter_map(|object| snapshot.row(object).map(|row| row.common().id)).collect()
    }

    /// Judges some objects of a source. `listed` are all objects that it no longer has.
    pub fn of(snapshot: &Snapshot, source: &str, prune: Prune, mut gone: Vec<Gone>, listed: &HashSet<Uuid>) -> Self {
        referrers_first(snapshot, &mut gone);
        let removed = HashSet::new();
        let mut judge = Judge { snapshot, source, prune, listed, removed, judged: HashMap::new() };
        let mut judgement = Self::default();
        for gone in gone {
            let Some(object) = snapshot.find(gone.id) else { continue };
            match judge.judge(object) {
                None => {}
                Some(Err(left)) => judgement.left.push((gone, left)),
                Some(Ok((action, with))) => {
                    judgement.counted.insert(object);
                    judgement.counted.extend(&with);
                    judgement.going.push(Going { gone, action, with });
                }
            }
        }
        judgement
    }
}

/// The verdict about an object that others contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Released,
    Left,
}

/// The judge of the objects of one source, each after those that may refer to it.
struct Judge<'a> {
    snapshot: &'a Snapshot,
    source: &'a str,
    prune: Prune,
    listed: &'a HashSet<Uuid>,
    /// The objects that are deleted before the one that is judged.
    removed: HashSet<ObjectRef>,
    /// The judged objects that stay where they are.
    judged: HashMap<ObjectRef, Verdict>,
}

/// The way in which objects that fall keep the object that would take them with it.
enum Kept {
    /// It is left.
    Left(Left),
    /// It is released, because others own fields of what would fall.
    ByOthers,
}

impl Judge<'_> {
    /// Judges an object: the action and what falls, or the reason why it is left. `None` if the source keeps all.
    fn judge(&mut self, object: ObjectRef) -> Option<Result<(Action, Vec<ObjectRef>), Left>> {
        let row = self.snapshot.row(object)?;
        let wanted = match self.prune {
            Prune::Keep => return None,
            Prune::Release => Action::Release,
            Prune::Delete => Action::Delete,
            Prune::Retire if can_retire(self.snapshot.kind(object.kind)) => Action::Retire,
            Prune::Retire => Action::DeleteAlone,
        };
        if let Some(left) = in_use(self.snapshot, object) {
            return Some(Err(self.leave(object, Left::InUse(left))));
        }
        let is_of_others = held_by_others(self.snapshot, row.as_ref(), self.source);
        let action = if is_of_others { Action::Release } else { wanted };
        let falling = match action {
            Action::Retire => self.falls_with_retired(object),
            Action::Delete => self.falls_with_deleted(object),
            Action::DeleteAlone | Action::Release => Ok(Vec::new()),
        };
        let (action, with) = match falling {
            Ok(with) => (action, with),
            Err(Kept::ByOthers) => (Action::Release, Vec::new()),
            Err(Kept::Left(left)) => return Some(Err(self.leave(object, left))),
        };
        match action {
            Action::Release => drop(self.judged.insert(object, Verdict::Released)),
            Action::Delete => drop(self.removed.insert(object)),
            // What contains it is released if it must be, so it does not depend on this.
            Action::Retire | Action::DeleteAlone => {}
        }
        self.removed.extend(&with);
        Some(Ok((action, with)))
    }

    fn leave(&mut self, object: ObjectRef, left: Left) -> Left {
        self.judged.insert(object, Verdict::Left);
        left
    }

    /// Returns the cables that are left without an end when an object is retired: those at what it contains.
    fn falls_with_retired(&self, object: ObjectRef) -> Result<Vec<ObjectRef>, Kept> {
        let contained = self.contained(object)?;
        let (cascaded, _) = self.cascaded(&contained, 1);
        cascaded.iter().try_for_each(|other| self.check(object, *other))?;
        Ok(cascaded)
    }

    /// Returns everything that falls with a deleted object: what it contains, and the cables that are left without an
    /// end.
    fn falls_with_deleted(&self, object: ObjectRef) -> Result<Vec<ObjectRef>, Kept> {
        let contained = self.contained(object)?;
        let (cascaded, mut users) = self.cascaded(&contained, 0);
        let falling: Vec<ObjectRef> = contained.iter().skip(1).chain(&cascaded).copied().collect();
        if falling.len() >= MAX_BATCH_ITEMS {
            return Err(Kept::Left(Left::TooMany { what: self.snapshot.path(object) }));
        }
        falling.iter().try_for_each(|other| self.check(object, *other))?;
        let falls: HashSet<ObjectRef> = contained.iter().chain(&cascaded).copied().collect();
        let stays = |other: &ObjectRef| !falls.contains(other) && !self.removed.contains(other);
        users.extend(cascaded.iter().flat_map(|object| self.referrers(*object)));
        users.retain(stays);
        match users.is_empty() {
            true => Ok(falling),
            false => Err(Kept::Left(Left::InUse(self.still_in_use(object, users)))),
        }
    }

    /// Checks that an object may fall with another one.
    fn check(&self, object: ObjectRef, other: ObjectRef) -> Result<(), Kept> {
        let path = |object| self.snapshot.path(object);
        match self.judged.get(&other) {
            Some(Verdict::Released) => return Err(Kept::ByOthers),
            Some(Verdict::Left) => {
                return Err(Kept::Left(Left::OtherStays { what: path(object), other: path(other) }));
            }
            None => {}
        }
        let Some(row) = self.snapshot.row(other) else { return Ok(()) };
        let is_own = carries(row.as_ref(), self.source) && !is_retired(row.as_ref(), self.source);
        if is_own && !self.listed.contains(&row.common().id) {
            return Err(Kept::Left(Left::StillThere { what: path(object), other: path(other) }));
        }
        if let Some(refusal) = in_use(self.snapshot, other) {
            return Err(Kept::Left(Left::InUse(refusal)));
        }
        match held_by_others(self.snapshot, row.as_ref(), self.source) {
            true => Err(Kept::ByOthers),
            false => Ok(()),
        }
    }

    /// Returns an object and everything that it contains, the object first, without what is deleted before it.
    fn contained(&self, object: ObjectRef) -> Result<Vec<ObjectRef>, Kept> {
        let mut found = vec![object];
        let mut seen = HashSet::from([object]);
        let mut at = 0;
        while at < found.len() {
            for edge in self.snapshot.incoming(found[at]).iter() {
                let other = edge.other();
                if self.removed.contains(&other) {
                    continue;
                }
                let reference = self.snapshot.registry().field(edge.reference()).reference;
                let row = self.snapshot.row(other);
                let contains =
                    row.is_some_and(|row| reference.is_some_and(|reference| reference.contains(row.as_ref())));
                if contains && seen.insert(other) {
                    found.push(other);
                }
            }
            if found.len() > MAX_BATCH_ITEMS {
                return Err(Kept::Left(Left::TooMany { what: self.snapshot.path(object) }));
            }
            at += 1;
        }
        Ok(found)
    }

    /// Returns what is deleted because it would be left without an end, and the objects that keep their reference to
    /// one that is lost. The first `stay` of `contained` stay themselves, so nothing depends on them.
    fn cascaded(&self, contained: &[ObjectRef], stay: usize) -> (Vec<ObjectRef>, Vec<ObjectRef>) {
        let falls: HashSet<ObjectRef> = contained.iter().copied().collect();
        let is_lost = |object: &ObjectRef| falls.contains(object) || self.removed.contains(object);
        let lost = |id: Uuid| self.snapshot.find(id).is_some_and(|object| is_lost(&object));
        let (mut cascaded, mut kept) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for other in contained.iter().skip(stay).flat_map(|object| self.referrers(*object)) {
            if is_lost(&other) || !seen.insert(other) {
                continue;
            }
            let on_loss = self.snapshot.kind(other.kind).on_loss;
            match on_loss.zip(self.snapshot.row(other)).map(|(on_loss, row)| on_loss(row.as_ref(), &lost)) {
                Some(Loss::Cascade) => cascaded.push(other),
                Some(Loss::SetNull(_)) => {}
                Some(Loss::Restrict) | None => kept.push(other),
            }
        }
        (cascaded, kept)
    }

    fn referrers(&self, object: ObjectRef) -> Vec<ObjectRef> {
        self.snapshot.incoming(object).iter().map(|edge| edge.other()).collect()
    }

    /// Returns the reason why an object stays that others refer to.
    fn still_in_use(&self, object: ObjectRef, users: Vec<ObjectRef>) -> Refusal {
        let mut names: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        let different: HashSet<ObjectRef> = users.into_iter().collect();
        for user in different {
            let name = self.snapshot.row(user).map(|row| row.common().name.to_owned());
            names.entry(self.snapshot.kind(user.kind).name).or_default().extend(name);
        }
        let users = names.into_iter().map(|(kind, mut names)| {
            names.sort_by(|left, right| compare_names(left, right));
            let count = names.len();
            names.truncate(MAX_NAMES_PER_KIND);
            Users { kind, count, names }
        });
        Refusal::InUse { what: self.snapshot.path(object), users: users.collect() }
    }
}

/// Returns true if objects of a kind can be retired.
pub fn can_retire(kind: &Description) -> bool {
    let status = kind.field(STATUS).map(|index| kind.fields[index].shape);
    matches!(status, Some(Shape::Choice(words)) if words().contains(&RETIRED))
}

/// Returns the reason why an object that is in use outside of the inventory is not removed.
pub fn in_use(snapshot: &Snapshot, object: ObjectRef) -> Option<Refusal> {
    let (by, in_use) = snapshot.protected_by(object)?;
    let why = in_use.words(&snapshot.path(by));
    Some(Refusal::Protected { what: snapshot.path(object), field: None, why })
}

/// Returns true if another source or a user owns fields of an object. What is owned by the source of facts and by
/// controllers does not count: they report about what is there, and keep no object.
fn held_by_others(snapshot: &Snapshot, row: &dyn Row, source: &str) -> bool {
    row.common().managers.0.iter().filter_map(|holding| snapshot.manager(holding.manager)).any(|name| {
        match Manager::read(name) {
            Manager::Source(other) => other != source && other != FACTS,
            Manager::User(_) => true,
            Manager::Controller(_) => false,
        }
    })
}
