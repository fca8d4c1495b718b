//! Errors as the API shows them: a sentence, with its code, field and object in the extensions.

use async_graphql::{Error, ErrorExtensions};
use uuid::Uuid;

use crate::access::Forbidden;
use crate::inventory::{Code, Description, Refusal, Snapshot, shorten_text};
use crate::read::ReadError;

/// A refused write, as the API shows it.
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

/// Something that the caller may not do, as the API shows it.
pub fn forbidden(forbidden: &Forbidden) -> Error {
    refused(&Refusal::Forbidden(forbidden.to_string()), None, None)
}

/// A refused read, as the API shows it.
pub fn unreadable(error: &ReadError) -> Error {
    if let ReadError::Record(inside) = error {
        return internal(&inside.to_string());
    }
    let mut shown = Error::new(match error {
        ReadError::Store(inside) => {
            tracing::warn!("the change log cannot be read: {inside}");
            "the change log cannot be read now: the database does not answer".to_owned()
        }
        error => error.to_string(),
    });
    shown = shown.extend_with(|_, extensions| {
        extensions.set("code", error.code().as_str());
        if let Some(argument) = error.argument() {
            extensions.set("field", argument);
        }
        if let Some((name, revision)) = error.revision() {
            extensions.set(name, revision);
        }
    });
    shown
}

/// The kinds of these names, as an argument `kinds` gives them.
pub fn named_kinds(snapshot: &Snapshot, names: &[String]) -> Result<Vec<&'static Description>, Error> {
    let registry = snapshot.registry();
    let named = |name: &String| {
        registry.named(name).ok_or_else(|| {
            let kinds: Vec<_> = registry.kinds().map(|kind| kind.name).collect();
            let reason = format!("must hold kinds, not {:?}; the kinds are {}", shorten_text(name), kinds.join(", "));
            unreadable(&ReadError::Argument { argument: "kinds", reason })
        })
    };
    names.iter().map(named).collect()
}

/// Something that cannot be, unless the value broke its own rules: logged, and shown without its inside.
pub fn internal(what: &str) -> Error {
    let id = Uuid::new_v4();
    tracing::error!(%id, "{what}");
    Error::new(Refusal::Internal(id).to_string())
        .extend_with(|_, extensions| extensions.set("code", Code::Internal.as_str()))
}
