//! Finds what a source no longer has, and counts what goes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use underlay_entity::row::Row;
use underlay_entity::source_held::{self, HeldReason};
use underlay_inventory::{Description, KindId, ObjectRef, Snapshot};
use uuid::Uuid;

use super::guard::{Limits, Tally, Uses, fits};
use super::put_back::kept;

/// An object that its source no longer has.
#[derive(Clone, Debug)]
pub struct Gone {
    pub id: Uuid,
    pub kind: &'static Description,
    pub name: String,
    pub external_id: String,
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
/// neither. An object that stands for a source is never gone: with it would go what was counted against its limits.
pub fn own(snapshot: &Snapshot, source: &str, seen: impl Fn(&str, &str) -> bool) -> Own {
    let mut own = Own::default();
    for kind in snapshot.registry().kinds() {
        for (reference, slot) in snapshot.table(kind.id).externals_of(source) {
            let Some(row) = snapshot.row(ObjectRef { kind: kind.id, slot }) else { continue };
            if is_retired(row.as_ref(), source) {
                continue;
            }
            *own.count.entry(kind.id).or_default() += 1;
            if kind.reserves.is_none() && !seen(kind.name, &reference.external_id) {
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
    let object = |slot| ObjectRef { kind: kind.id, slot };
    own.filter(|(_, slot)| snapshot.row(object(*slot)).is_some_and(|row| !is_retired(row.as_ref(), source))).count()
        as u64
}

/// Returns true if a source retired the object of a row.
pub fn is_retired(row: &dyn Row, source: &str) -> bool {
    kept(row, source).is_some()
}

/// Returns true if a row carries the reference of a source.
pub fn carries(row: &dyn Row, source: &str) -> bool {
    row.common().external_refs.0.iter().any(|reference| reference.source == source)
}

/// Counts the objects that a source no longer has, by kind.
pub fn absent(gone: &[Gone]) -> HashMap<KindId, u64> {
    let mut absent = HashMap::new();
    for gone in gone {
        *absent.entry(gone.kind.id).or_default() += 1;
    }
    absent
}

/// Counts what would go, by kind. `absent` are the objects that the source no longer has, whether they would go or not.
pub fn tallies(
    snapshot: &Snapshot,
    source: &str,
    own: &HashMap<KindId, u64>,
    going: &HashSet<ObjectRef>,
    absent: &HashMap<KindId, u64>,
    used: &Uses,
) -> BTreeMap<&'static str, Tally> {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let is_emptied = |object: ObjectRef| snapshot.row(object).is_some_and(|row| used.has_emptied(row.common().id));
    for object in going {
        let kind = snapshot.kind(object.kind);
        let tally = tallies.entry(kind.name).or_insert_with(|| Tally {
            own: own.get(&kind.id).copied().unwrap_or_default(),
            used: used.of_kind(kind.name),
            absent_own: absent.get(&kind.id).copied().unwrap_or_default(),
            ..Tally::default()
        });
        tally.going += 1;
        // It was counted when it was emptied.
        tally.used.emptied = tally.used.emptied.saturating_sub(u64::from(is_emptied(*object)));
        let row = snapshot.row(*object);
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
    let (mut ranks, mut depths, mut chains) = (HashMap::new(), HashMap::new(), HashMap::new());
    gone.sort_by_cached_key(|gone| {
        let rank = rank(snapshot, gone.kind, &mut ranks);
        let object = snapshot.find(gone.id);
        let depth = object.map_or(0, |object| snapshot.depth(object, &mut depths));
        // Objects of one kind refer to each other too: the members of an aggregate go before it.
        let chain = object.map_or(0, |object| snapshot.chain_in_kind(object, &mut chains));
        (Reverse(rank), Reverse(depth), Reverse(chain), gone.id)
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
        value: None,
    }
}
