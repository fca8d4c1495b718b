//! Finds what a source no longer has, decides what becomes of it, and counts what goes with it.

use std::collections::{BTreeMap, HashMap, HashSet};

use underlay_entity::row::Row;
use underlay_entity::source_held::{self, HeldReason};
use underlay_inventory::{Description, KindId, Loss, Manager, ObjectRef, Shape, Snapshot};
use uuid::Uuid;

use super::guard::{Limits, Tally, Used, fits};
use super::put_back::kept;
use super::role::Prune;

/// The greatest number of objects that are looked at because they fall with one object.
const MOST_FALLING: usize = 10_000;
/// The field and the word that say that an object is retired.
pub const STATUS: &str = "status";
pub const RETIRED: &str = "RETIRED";
/// A source that only reports facts. What it owns does not keep an object.
const FACTS: &str = "facts";

/// An object that its source no longer has.
#[derive(Clone, Debug)]
pub struct Gone {
    pub id: Uuid,
    pub kind: &'static Description,
    pub name: String,
    pub external_id: String,
}

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

/// The objects of a source, as far as they count.
#[derive(Debug, Default)]
pub struct Own {
    /// The number of objects by kind.
    pub count: HashMap<KindId, u64>,
    /// The objects that were not seen.
    pub gone: Vec<Gone>,
}

/// Finds the objects of a source, and those that were not seen. Objects that the source retired before count as
/// neither.
pub fn own(snapshot: &Snapshot, source: &str, seen: impl Fn(&str, &str) -> bool) -> Own {
    let mut own = Own::default();
    for kind in snapshot.registry().kinds() {
        for (reference, slot) in snapshot.table(kind.id).externals_of(source) {
            let Some(row) = snapshot.row(ObjectRef { kind: kind.id, slot }) else { continue };
            if is_retired(row.as_ref(), source) {
                continue;
            }
            *own.count.entry(kind.id).or_default() += 1;
            if !seen(kind.name, &reference.external_id) {
                let common = row.common();
                let (id, name) = (common.id, common.name.to_owned());
                own.gone.push(Gone { id, kind, name, external_id: reference.external_id.to_string() });
            }
        }
    }
    own
}

/// Returns the number of objects of a kind that carry the reference of a source and are not retired.
pub fn count_own(snapshot: &Snapshot, kind: &'static Description, source: &str) -> u64 {
    let own = snapshot.table(kind.id).externals_of(source);
    let place = |slot| ObjectRef { kind: kind.id, slot };
    own.filter(|(_, slot)| snapshot.row(place(*slot)).is_some_and(|row| !is_retired(row.as_ref(), source))).count()
        as u64
}

/// Returns true if a source retired the object of a row.
pub fn is_retired(row: &dyn Row, source: &str) -> bool {
    kept(row, source).is_some()
}

/// Returns true if a row carries the reference of a source.
fn carries(row: &dyn Row, source: &str) -> bool {
    row.common().external_refs.0.iter().any(|reference| reference.source == source)
}

/// Decides what becomes of an object; `None` if nothing does.
pub fn action(snapshot: &Snapshot, place: ObjectRef, prune: Prune, source: &str) -> Option<Action> {
    let kind = snapshot.kind(place.kind);
    let row = snapshot.row(place)?;
    let wanted = match prune {
        Prune::Keep => return None,
        Prune::Release => Action::Release,
        Prune::Delete => Action::Delete,
        Prune::Retire if can_retire(kind) => Action::Retire,
        Prune::Retire => Action::DeleteAlone,
    };
    let mut rows = removed_with(snapshot, place, wanted).into_iter().filter_map(|place| snapshot.row(place));
    let is_of_others = held_by_others(snapshot, row.as_ref(), source)
        || rows.any(|row| held_by_others(snapshot, row.as_ref(), source));
    Some(if is_of_others { Action::Release } else { wanted })
}

/// Returns true if objects of a kind can be retired.
pub fn can_retire(kind: &Description) -> bool {
    let status = kind.field(STATUS).map(|place| kind.fields[place].shape);
    matches!(status, Some(Shape::Choice(words)) if words().contains(&RETIRED))
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

/// Returns the objects that fall with an object: for a delete what it contains and the cables that are left without an
/// end, for a retirement only those cables.
pub fn removed_with(snapshot: &Snapshot, place: ObjectRef, action: Action) -> Vec<ObjectRef> {
    let contained = match action {
        Action::Retire | Action::Delete => contained(snapshot, place),
        Action::DeleteAlone | Action::Release => return Vec::new(),
    };
    let falls: HashSet<ObjectRef> = contained.iter().copied().collect();
    let lost = |id: Uuid| snapshot.find(id).is_some_and(|place| falls.contains(&place));
    let mut cascaded = Vec::new();
    let mut seen = HashSet::new();
    // A retired object stays, and so do the cables at the object itself. It is the first of those that it contains.
    let skipped = usize::from(action == Action::Retire);
    for place in contained.iter().skip(skipped) {
        for edge in snapshot.incoming(*place).iter() {
            let other = edge.other();
            if falls.contains(&other) || !seen.insert(other) {
                continue;
            }
            let on_loss = snapshot.kind(other.kind).on_loss;
            let loss = on_loss.zip(snapshot.row(other)).map(|(on_loss, row)| on_loss(row.as_ref(), &lost));
            if matches!(loss, Some(Loss::Cascade)) {
                cascaded.push(other);
            }
        }
    }
    match action {
        Action::Delete => contained.into_iter().skip(1).chain(cascaded).collect(),
        _ => cascaded,
    }
}

/// Returns an object and everything that it contains, the object first.
fn contained(snapshot: &Snapshot, place: ObjectRef) -> Vec<ObjectRef> {
    let mut found = vec![place];
    let mut seen = HashSet::from([place]);
    let mut at = 0;
    while at < found.len() && found.len() < MOST_FALLING {
        for edge in snapshot.incoming(found[at]).iter() {
            let reference = snapshot.registry().field(edge.reference()).reference;
            let row = snapshot.row(edge.other());
            let contains = row.is_some_and(|row| reference.is_some_and(|reference| reference.contains(row.as_ref())));
            if contains && seen.insert(edge.other()) {
                found.push(edge.other());
            }
        }
        at += 1;
    }
    found
}

/// Counts what would go, by kind.
pub fn tallies(
    snapshot: &Snapshot,
    source: &str,
    prune: Prune,
    own: &HashMap<KindId, u64>,
    gone: &[Gone],
    used: &BTreeMap<String, Used>,
) -> BTreeMap<&'static str, Tally> {
    let mut going: HashSet<ObjectRef> = HashSet::new();
    for place in gone.iter().filter_map(|gone| snapshot.find(gone.id)) {
        if let Some(action) = action(snapshot, place, prune, source) {
            let with_it = removed_with(snapshot, place, action);
            // An object in use stays, so it does not count.
            if !std::iter::once(&place).chain(&with_it).any(|place| snapshot.protected_by(*place).is_some()) {
                going.insert(place);
                going.extend(with_it);
            }
        }
    }
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for place in going {
        let kind = snapshot.kind(place.kind);
        let tally = tallies.entry(kind.name).or_insert_with(|| Tally {
            own: own.get(&kind.id).copied().unwrap_or_default(),
            used: used.get(kind.name).copied().unwrap_or_default(),
            ..Tally::default()
        });
        tally.going += 1;
        let row = snapshot.row(place);
        let counts = row.is_some_and(|row| carries(row.as_ref(), source) && !is_retired(row.as_ref(), source));
        tally.going_own += u64::from(counts);
    }
    tallies
}

/// Returns true if the limits permit what would go.
pub fn permits(limits: Limits, tallies: &BTreeMap<&'static str, Tally>) -> bool {
    tallies.values().all(|tally| fits(limits, *tally))
}

/// Sorts objects so that each comes after those that may refer to it.
pub fn referrers_first(snapshot: &Snapshot, gone: &mut [Gone]) {
    let mut ranks = HashMap::new();
    let mut depths = HashMap::new();
    gone.sort_by_cached_key(|gone| {
        let rank = rank(snapshot, gone.kind, &mut ranks);
        let depth = snapshot.find(gone.id).map_or(0, |place| snapshot.depth(place, &mut depths));
        (std::cmp::Reverse(rank), std::cmp::Reverse(depth), gone.id)
    });
}

/// Returns the length of the longest chain of references from a kind to others. A cycle is cut.
fn rank(snapshot: &Snapshot, kind: &'static Description, ranks: &mut HashMap<KindId, usize>) -> usize {
    if let Some(rank) = ranks.get(&kind.id) {
        return *rank;
    }
    // While the chain is walked, the kind counts as its end.
    ranks.insert(kind.id, 0);
    let targets = kind.references().filter_map(|(_, field)| field.reference).flat_map(|reference| reference.targets);
    let targets: Vec<_> = targets.filter_map(|name| snapshot.registry().named(name)).collect();
    let longest = targets.into_iter().map(|target| 1 + rank(snapshot, target, ranks)).max().unwrap_or_default();
    ranks.insert(kind.id, longest);
    longest
}

/// Returns the row of an object that is held.
pub fn held_row(source: Uuid, run: Uuid, gone: &Gone, reason: HeldReason) -> source_held::Model {
    source_held::Model {
        source_id: source,
        object_id: gone.id,
        field: String::new(),
        run_id: run,
        kind: gone.kind.name.to_owned(),
        name: gone.name.clone(),
        external_id: gone.external_id.clone(),
        reason,
    }
}
