//! Looks up the objects that arguments name by their ids.

use std::ops::RangeInclusive;

use async_graphql::{ID, Result};
use uuid::Uuid;

use super::errors::{refused, unreadable};
use crate::read::ReadError;
use underlay_inventory::{ObjectRef, Refusal, Snapshot, parse_id};

/// Returns a reference to the object with an id.
///
/// # Errors
/// Returns an error if the text is not an id, or if no object has it.
pub fn find_object(snapshot: &Snapshot, argument: &str, id: &ID) -> Result<ObjectRef> {
    let id: Uuid = parse_id(argument, id).map_err(|refusal| refused(&refusal, None, None))?;
    let missing = || Refusal::NotFound { field: argument.to_owned(), what: format!("an object with the id {id}") };
    snapshot.find(id).ok_or_else(|| refused(&missing(), None, Some(id)))
}

/// Returns references to the objects with these ids, each once. `allowed` bounds the number of ids.
///
/// # Errors
/// Returns an error if [`find_object`] does, or if the number of ids is not allowed.
pub fn find_objects(
    snapshot: &Snapshot,
    argument: &'static str,
    ids: &[ID],
    allowed: RangeInclusive<usize>,
) -> Result<Vec<ObjectRef>> {
    if !allowed.contains(&ids.len()) {
        let reason = format!("must have {} to {} entries, not {}", allowed.start(), allowed.end(), ids.len());
        return Err(unreadable(&ReadError::Argument { argument, reason }));
    }
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.push(find_object(snapshot, argument, id)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
