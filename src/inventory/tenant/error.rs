//! Why what a tenant sees cannot be told. None of it can come from data: rows were checked when they were written.

use thiserror::Error;
use uuid::Uuid;

use crate::inventory::BuildError;

/// Why what a tenant sees cannot be told.
#[derive(Debug, Error)]
pub enum UnseenError {
    #[error("{field} of {kind} {object} cannot be shown without what is hidden in it: {error}")]
    Field { kind: &'static str, object: Uuid, field: &'static str, error: serde_json::Error },
    #[error("{kind} {object} refers to {missing}, which is not shown")]
    Dangling { kind: &'static str, object: Uuid, missing: Uuid },
    #[error(transparent)]
    Build(#[from] BuildError),
}
