//! Converts errors to GraphQL errors: a message, with the code, field and object in the extensions. The details of an
//! internal error are logged and never sent to the client.

use std::collections::HashSet;

use async_graphql::{Error, ErrorExtensions};
use uuid::Uuid;

use underlay_engine::access::Forbidden;
use underlay_error::Code;
use underlay_inventory::{Description, Refusal, Snapshot, shorten_text};
use underlay_read::{MAX_FILTER_ENTRIES, ReadError};

/// Converts the refusal of a write to a GraphQL error.
pub fn refused(refusal: &Refusal, kind: Option<&str>, id: Option<Uuid>) -> Error {
    Error::new(refusal.to_string()).extend_with(|_, extensions| {
        extensions.set("code", refusal.code().as_str());
        if let Some(field) = refusal.field() {
            extensions.set("field", field);
        }
        if let Some(kind) = kind {
            extensions.set("kind", kind);
        }
        if let Some(id) = id {
            extensions.set("id", id.to_string());
        }
    })
}

/// Converts a failed authorization check to a GraphQL error.
pub fn forbidden(forbidden: &Forbidden) -> Error {
    refused(&Refusal::Forbidden(forbidden.to_string()), None, None)
}

/// Converts the error of a read to a GraphQL error.
pub fn unreadable(error: &ReadError) -> Error {
    if let ReadError::Record(inside) = error {
        return internal(&inside.to_string());
    }
    error.shown(match error {
        ReadError::Store(inside) => {
            tracing::warn!("the change log cannot be read: {inside}");
            "the change log cannot be read now: the database does not answer".to_owned()
        }
        error => error.to_string(),
    })
}

/// Returns the kinds that an argument `kinds` names, or an error that lists the known kinds.
pub fn named_kinds(snapshot: &Snapshot, names: &[String]) -> Result<Vec<&'static Description>, Error> {
    let registry = snapshot.registry();
    let named = |name: &String| {
        registry.named(name).ok_or_else(|| {
            let kinds: Vec<_> = registry.kinds().map(|kind| kind.name).collect();
            let reason = format!("must hold kinds, not {:?}; the kinds are {}", shorten_text(name), kinds.join(", "));
            unreadable(&ReadError::Argument { argument: "kinds", reason })
        })
    };
    few("kinds", names.len())?;
    let mut kinds = names.iter().map(named).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    kinds.retain(|kind| seen.insert(kind.id));
    Ok(kinds)
}

/// Refuses a list of an argument that has too many entries. Each entry is a value in a statement of the database, and
/// databases allow different numbers of them.
pub fn few(argument: &'static str, count: usize) -> Result<(), Error> {
    if count <= MAX_FILTER_ENTRIES {
        return Ok(());
    }
    let reason = format!("has {count} entries; at most {MAX_FILTER_ENTRIES} are allowed");
    Err(unreadable(&ReadError::Argument { argument, reason }))
}

/// Returns the error for a query that needs more work than the server allows.
pub fn too_complex(message: impl Into<String>) -> Error {
    Error::new(message).extend_with(|_, extensions| extensions.set("code", Code::TooComplex.as_str()))
}

/// Returns the error for a broken invariant of the snapshot. The details are logged; the client gets only the id of the
/// log entry.
pub fn internal(what: &str) -> Error {
    let id = Uuid::new_v4();
    tracing::error!(%id, "{what}");
    Error::new(Refusal::Internal(id).to_string())
        .extend_with(|_, extensions| extensions.set("code", Code::Internal.as_str()))
}
