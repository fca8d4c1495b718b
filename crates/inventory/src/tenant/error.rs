//! The errors that can occur when the view of a tenant is made. Data cannot cause them, because rows are checked when
//! they are written.

use thiserror::Error;
use uuid::Uuid;

use crate::BuildError;

pub(super) type Result<T> = std::result::Result<T, UnseenError>;

/// The reason for which the view of a tenant cannot be made: a mistake in the description of a kind.
#[derive(Debug, Error)]
pub enum UnseenError {
    #[error("{field} of {kind} {object} cannot be shown without what is hidden in it: {error}")]
    Field { kind: &'static str, object: Uuid, field: &'static str, error: serde_json::Error },
    #[error("{kind} {object} refers to {missing}, which is not shown")]
    Dangling { kind: &'static str, object: Uuid, missing: Uuid },
    #[error(transparent)]
    Build(#[from] BuildError),
}
