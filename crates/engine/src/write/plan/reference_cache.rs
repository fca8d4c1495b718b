//! Caches the meaning of references. Many items of a batch refer to the same objects, mostly by the same text.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::HashMap;
use foldhash::fast::RandomState;
use serde_json::Value as Json;
use uuid::Uuid;

use underlay_inventory::{Description, KindId};

/// The meanings of references, by their text. The same members in another order count as another text, because sorting
/// them would take longer than resolving the reference again.
#[derive(Debug, Default)]
pub(super) struct ReferenceCache {
    hasher: RandomState,
    /// The meanings by the hash of kind and text. Entries with the same hash are compared.
    meanings: HashMap<u64, Vec<Meaning>>,
}

#[derive(Debug)]
struct Meaning {
    kind: KindId,
    written: Json,
    id: Uuid,
}

impl ReferenceCache {
    /// Returns the object that a reference to a kind is known to mean.
    pub fn get(&self, kind: &Description, written: &Json) -> Option<Uuid> {
        let meanings = self.meanings.get(&self.hash(kind, written))?;
        let known = meanings.iter().find(|known| known.kind == kind.id && same(&known.written, written));
        known.map(|known| known.id)
    }

    /// Stores the meaning of a reference.
    pub fn insert(&mut self, kind: &Description, written: &Json, id: Uuid) {
        let meaning = Meaning { kind: kind.id, written: written.clone(), id };
        self.meanings.entry(self.hash(kind, written)).or_default().push(meaning);
    }

    fn hash(&self, kind: &Description, written: &Json) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        kind.id.hash(&mut hasher);
        hash(written, &mut hasher);
        hasher.finish()
    }
}

fn hash(written: &Json, hasher: &mut impl Hasher) {
    match written {
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            name.hash(hasher);
            hash(value, hasher);
        }),
        other => other.hash(hasher),
    }
}

/// Returns true if two references have the same text.
fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Object(left), Json::Object(right)) => {
            let member = |((name, value), (other, right)): ((&String, &Json), (&String, &Json))| {
                name == other && same(value, right)
            };
            left.len() == right.len() && left.iter().zip(right).all(member)
        }
        (left, right) => left == right,
    }
}
