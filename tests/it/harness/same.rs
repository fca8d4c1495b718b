//! Compares two snapshots in everything that a reader can see, whatever slots their objects have.

use std::collections::{BTreeMap, BTreeSet};

use underlay_inventory::{Edges, KindId, ObjectRef, Snapshot};
use uuid::Uuid;

/// Compares two snapshots: objects, packed states, indexes, references in both directions, counts, managers and the
/// last batch.
#[track_caller]
pub fn assert_same(left: &Snapshot, right: &Snapshot) {
    assert_eq!(left.head(), right.head(), "the last batch");
    let managers =
        |snapshot: &Snapshot| snapshot.managers().map(|(id, name)| (id, name.to_string())).collect::<BTreeMap<_, _>>();
    assert_eq!(managers(left), managers(right), "managers");
    assert_same_objects(left, right);
}

/// Compares without unused managers and the last batch, because an undo leaves those.
#[track_caller]
pub fn assert_same_objects(left: &Snapshot, right: &Snapshot) {
    assert_eq!(left.len(), right.len(), "the number of objects");
    for kind in left.registry().kinds() {
        same_kind(kind.name, kind.id, left, right);
    }
}

#[track_caller]
fn same_kind(name: &str, kind: KindId, left: &Snapshot, right: &Snapshot) {
    let (mine, other) = (left.table(kind), right.table(kind));
    assert_eq!(mine.len(), other.len(), "the count of {name}");
    assert_eq!(mine.is_empty(), mine.rows(0).next().is_none(), "whether there is a {name}");
    assert_eq!(mine.rows(0).count(), mine.len(), "the rows of {name}");
    assert_eq!(other.rows(0).count(), other.len(), "the rows of {name}");
    for (slot, row) in mine.rows(0) {
        let id = row.common().id;
        assert_eq!(left.find(id), Some(ObjectRef { kind, slot }), "where {name} {id} is");
        let object = right.find(id).unwrap_or_else(|| panic!("{name} {id} is only in the first"));
        let there = right.row(object).unwrap_or_else(|| panic!("{name} {id} has no row in the second"));
        assert!(row.equals(there.as_ref()), "{name} {id} differs:\n{row:#?}\n{there:#?}");
        assert_eq!(
            listed(left, left.outgoing(ObjectRef { kind, slot })),
            listed(right, right.outgoing(object)),
            "what {name} {id} refers to"
        );
        assert_eq!(
            sorted(left, left.incoming(ObjectRef { kind, slot })),
            sorted(right, right.incoming(object)),
            "what refers to {name} {id}"
        );
    }
    for value in [left, right] {
        let (table, description) = (value.table(kind), value.registry().get(kind));
        for slot in 0..table.slots() {
            let of_row = table.row(slot).map_or(0, |row| (description.packed_state)(row.as_ref()));
            assert_eq!(table.packed_state(slot), of_row, "what is kept beside the row of {name} in slot {slot}");
        }
    }
    let id = |snapshot: &Snapshot, slot: u32| snapshot.table(kind).row(slot).map(|row| row.common().id);
    let keys = |snapshot: &Snapshot| -> Vec<_> {
        let keys = snapshot
            .table(kind)
            .keys()
            .map(|(key, slot)| (key.parent, key.family, key.name.to_string(), id(snapshot, slot)));
        keys.collect()
    };
    assert_eq!(keys(left), keys(right), "the keys of {name}");
    assert_eq!(keys(left).len(), mine.len(), "each {name} has a key");
    let externals = |snapshot: &Snapshot| -> Vec<_> {
        let all = snapshot.table(kind).externals();
        all.map(|(it, slot)| (it.source.to_string(), it.external_id.to_string(), id(snapshot, slot))).collect()
    };
    assert_eq!(externals(left), externals(right), "the external references of {name}");
    let uniques = |snapshot: &Snapshot| -> Vec<_> {
        let all = snapshot.table(kind).uniques();
        all.map(|(it, slot)| (it.rule, it.value.to_string(), id(snapshot, slot))).collect()
    };
    assert_eq!(uniques(left), uniques(right), "the unique values of {name}");
    let texts = |snapshot: &Snapshot| -> BTreeSet<_> {
        let all = snapshot.table(kind).texts().from("");
        all.flat_map(|(text, slots)| slots.iter().map(move |slot| (text.to_owned(), id(snapshot, slot)))).collect()
    };
    assert_eq!(texts(left), texts(right), "the texts of {name}");
    assert!(texts(left).len() >= mine.len(), "each {name} is found by its name");
    let versions = |snapshot: &Snapshot| -> BTreeSet<_> {
        let all = snapshot.table(kind).versions_in(..);
        all.flat_map(|(version, slots)| slots.iter().map(move |slot| (version, id(snapshot, slot)))).collect()
    };
    assert_eq!(versions(left), versions(right), "the versions of {name}");
    assert_eq!(versions(left).len(), mine.len(), "each {name} has a version");
}

type Relation = (u8, u8, Option<Uuid>);

fn listed(snapshot: &Snapshot, edges: &Edges) -> Vec<Relation> {
    let other = |object| snapshot.row(object).map(|row| row.common().id);
    let relation =
        |edge: underlay_inventory::Edge| (edge.reference().kind.0, edge.reference().field, other(edge.other()));
    edges.iter().map(relation).collect()
}

fn sorted(snapshot: &Snapshot, edges: &Edges) -> Vec<Relation> {
    let mut relations = listed(snapshot, edges);
    relations.sort_unstable();
    relations
}
