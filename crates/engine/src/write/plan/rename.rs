//! Finds the items that rename objects: which item gives up the name that another one takes, and which items exchange
//! their names in a ring.
//!
//! When items are planned one by one, an item that takes a name comes after the item that gives it up. The items of a
//! ring are written together or not at all.

use std::collections::BTreeMap;

use foldhash::HashMap;
use serde_json::Value as Json;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::write::batch::Item;
use crate::write::fields::Fields;
use underlay_inventory::{Description, KeyOf, KindId, ObjectRef, Refusal, Snapshot};

/// The items of a batch that rename objects, which they identify by id or external id.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// The items, by the names that they give up.
    by_name: HashMap<(KindId, SmolStr), Vec<usize>>,
    /// For an item that takes the key of another item's object, that other item.
    gives_room: BTreeMap<usize, usize>,
}

impl Renames {
    /// Finds the renames in a batch, compared with the snapshot on which it is planned.
    pub fn of(base: &Snapshot, items: &[Item], source: Option<&str>) -> Self {
        let mut renames = Self::default();
        let (mut leaves, mut takes) = (BTreeMap::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let Item::Write { kind, fields, .. } = item else { continue };
            let name = fields.get("name").and_then(Json::as_str);
            let object = name.and_then(|_| identified(base, kind, fields, source));
            let (Some(name), Some(row)) = (name, object.and_then(|object| base.row(object))) else { continue };
            let key = KeyOf::of(kind, row.as_ref());
            if key.name == name {
                continue;
            }
            renames.by_name.entry((kind.id, key.name.clone())).or_default().push(at);
            takes.push((at, (kind.id, KeyOf { name: name.into(), ..key.clone() })));
            leaves.entry((kind.id, key)).or_insert(at);
        }
        let room = takes.into_iter().filter_map(|(at, key)| Some((at, *leaves.get(&key)?)));
        renames.gives_room = room.collect();
        renames
    }

    /// Returns the items that give up the name that an item takes.
    pub fn before(&self, at: usize, kind: &Description, name: Option<&str>) -> Vec<usize> {
        match self.gives_room.get(&at) {
            Some(other) => vec![*other],
            None => {
                let giving = name.and_then(|name| self.by_name.get(&(kind.id, name.into())));
                giving.cloned().unwrap_or_default()
            }
        }
    }

    /// Returns the items that exchange their names with this one, in order; only this one if there is no ring.
    pub fn ring(&self, at: usize) -> Vec<usize> {
        let mut ring = vec![at];
        let mut next = at;
        // Each item is visited once before the ring closes or ends.
        while let Some(other) = self.gives_room.get(&next).copied().filter(|_| ring.len() <= self.gives_room.len()) {
            if other == at {
                ring.sort_unstable();
                return ring;
            }
            ring.push(other);
            next = other;
        }
        vec![at]
    }
}

/// Returns the object that an item identifies by id, or else by the external id of the batch's source.
fn identified(base: &Snapshot, kind: &Description, fields: &Fields, source: Option<&str>) -> Option<ObjectRef> {
    let text = |member: &str| fields.get(member).and_then(Json::as_str);
    if let Some(id) = text("id") {
        return base.find(Uuid::parse_str(id).ok()?).filter(|object| object.kind == kind.id);
    }
    let slot = base.table(kind.id).by_external(source?, text("externalId")?)?;
    Some(ObjectRef { kind: kind.id, slot })
}

/// Returns the refusal of an item in a ring of names of which another item was refused.
pub(super) fn depends_on(refused: usize) -> Refusal {
    let reason = format!("belongs to a ring of names that are exchanged, and item {refused} of it was refused");
    Refusal::Invalid { field: "name".to_owned(), reason }
}
