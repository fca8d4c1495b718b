//! The secrets of credentials in the API: what each type has, and what is known of them without their values.
//!
//! Guarantees: a value is in no answer but that of the root field `secret`, and in no error. Secrets make no revision
//! and no event.

mod fields;
mod kubeconfig;
mod load;
mod node;
mod text;

pub(super) use fields::fields;
pub use load::SecretLoader;
pub use node::{CredentialSecret, SecretReadCount, SecretState, reads_of, secrets_of, state_of};
pub(super) use text::SecretText;

use crate::errors::{internal, refused};
use underlay_engine::secrets::SecretsError;
use underlay_inventory::Refusal;

/// Converts an error of secrets to one of GraphQL.
pub(super) fn unreadable(error: &SecretsError, field: Option<&str>) -> async_graphql::Error {
    let message = match error {
        SecretsError::Store(inside) => {
            tracing::warn!("secrets cannot be read or written: {inside}");
            "the database does not answer, or cannot be written: try again later".to_owned()
        }
        SecretsError::NoChance => return internal(&error.to_string()),
        error => error.to_string(),
    };
    refused(&Refusal::Recorded { code: error.code(), field: field.map(str::to_owned), message }, None, None)
}
