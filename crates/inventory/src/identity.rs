//! Finds rows that share an identity: two rows with one id, whatever their kinds, or two rows of a kind with one
//! external reference.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

use super::kind::Registry;
use super::table::externals;
use underlay_entity::row::Row;

/// Two rows that share an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Twins {
    /// Two rows have the same id.
    Id { id: Uuid, kinds: [&'static str; 2] },
    /// Two objects of a kind have the same external reference.
    External { kind: &'static str, source: String, external_id: String, objects: [Uuid; 2] },
}

impl fmt::Display for Twins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { id, kinds: [first, second] } => {
                write!(f, "the id {id} is in two places: it is that of a {first} and of a {second}")
            }
            Self::External { kind, source, external_id, objects: [first, second] } => write!(
                f,
                "the external reference {external_id} of source {source} is in two places: {kind} {first} and {second} have it"
            ),
        }
    }
}

/// Returns the rows that share an identity, at most `most` pairs. `rows` holds one list for each kind, in the order of
/// the registry.
pub fn twins(registry: &Registry, rows: &[Vec<Arc<dyn Row>>], most: usize) -> Vec<Twins> {
    let mut found = ids(registry, rows, most);
    for (kind, rows) in registry.kinds().zip(rows) {
        let mut holders = HashMap::new();
        for common in rows.iter().map(|row| row.common()) {
            for reference in externals(common.external_refs) {
                if found.len() == most {
                    return found;
                }
                let (source, external_id) = (reference.source.to_string(), reference.external_id.to_string());
                if let Some(first) = holders.insert(reference, common.id) {
                    let objects = [first, common.id];
                    found.push(Twins::External { kind: kind.name, source, external_id, objects });
                }
            }
        }
    }
    found
}

/// Returns the ids that two rows have, at most `most` of them.
pub(super) fn ids(registry: &Registry, rows: &[Vec<Arc<dyn Row>>], most: usize) -> Vec<Twins> {
    let mut kinds = HashMap::with_capacity(rows.iter().map(Vec::len).sum());
    let mut found = Vec::new();
    for (kind, rows) in registry.kinds().zip(rows) {
        for id in rows.iter().map(|row| row.common().id) {
            if let Some(first) = kinds.insert(id, kind.name).filter(|_| found.len() < most) {
                found.push(Twins::Id { id, kinds: [first, kind.name] });
            }
        }
    }
    found
}
