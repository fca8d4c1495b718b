//! What references were found to mean: many items of a batch refer to the same objects, and mostly in the same words.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::HashMap;
use foldhash::fast::RandomState;
use serde_json::Value as Json;
use uuid::Uuid;

use underlay_inventory::{Description, KindId};

/// The meanings of references, by how they are written. The same members in another order are another writing: to put
/// them in order first would take longer than to look once more.
#[derive(Debug, Default)]
pub(super) struct ReferenceCache {
    hasher: RandomState,
    /// By the hash of kind and writing; those of the same hash are compared.
    meanings: HashMap<u64, Vec<Meaning>>,
}

#[derive(Debug)]
struct Meaning {
    kind: KindId,
    written: Json,
    id: Uuid,
}

impl ReferenceCache {
    /// The object of a kind that a reference was found to mean.
    pub fn get(&self, kind: &Description, written: &Json) -> Option<Uuid> {
        let meanings = self.meanings.get(&self.hash(kind, written))?;
        let known = meanings.iter().find(|known| known.kind == kind.id && same(&known.written, written));
        known.map(|known| known.id)
    }

    /// Remembers what a reference means.
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

/// Whether two references are written the same.
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
