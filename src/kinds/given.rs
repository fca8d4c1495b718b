//! Objects that arguments of questions name by their ids.

use std::ops::RangeInclusive;

use async_graphql::{ID, Result};
use uuid::Uuid;

use super::errors::{refused, unreadable};
use crate::inventory::{Place, Refusal, Snapshot, parse_id};
use crate::read::ReadError;

/// The object with an id.
///
/// # Errors
/// When it is no id, or nothing has it.
pub fn place(snapshot: &Snapshot, argument: &str, id: &ID) -> Result<Place> {
    let id: Uuid = parse_id(argument, id).map_err(|refusal| refused(&refusal, None, None))?;
    let missing = || Refusal::NotFound { field: argument.to_owned(), what: format!("an object with the id {id}") };
    snapshot.find(id).ok_or_else(|| refused(&missing(), None, Some(id)))
}

/// The objects of so many ids, each once.
///
/// # Errors
/// As [`place`], and when there are more or fewer ids.
pub fn places(
    snapshot: &Snapshot,
    argument: &'static str,
    ids: &[ID],
    allowed: RangeInclusive<usize>,
) -> Result<Vec<Place>> {
    if !allowed.contains(&ids.len()) {
        let reason = format!("must have {} to {} entries, not {}", allowed.start(), allowed.end(), ids.len());
        return Err(unreadable(&ReadError::Argument { argument, reason }));
    }
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.push(place(snapshot, argument, id)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
