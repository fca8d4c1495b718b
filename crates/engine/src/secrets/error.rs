//! The errors of secrets and of the keys that encrypt them. None contains a value or a key.

use thiserror::Error;
use uuid::Uuid;

use crate::store::StoreError;
use underlay_error::Code;

/// The reason why a secret is not read or not set.
#[derive(Debug, Error)]
pub enum SecretsError {
    #[error(
        "the server has no key for secrets: configure secrets.keyFile or UNDERLAY_SECRETS_KEYS, and start it again"
    )]
    NoKey,
    #[error(
        "the secret {field} was encrypted with the key {key_id}, which the server does not have: add that key to its \
         configuration, or set the secret again"
    )]
    UnknownKey { field: String, key_id: String },
    #[error("the secret {field} cannot be decrypted: its row was changed, or belongs to another object; set it again")]
    Damaged { field: String },
    #[error("a secret cannot be encrypted: the random number generator of the system failed")]
    NoChance,
    #[error("the object {0} was deleted meanwhile")]
    Gone(Uuid),
    #[error("secrets cannot be read or written now: {0}")]
    Store(#[source] StoreError),
}

impl SecretsError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::NoKey | Self::UnknownKey { .. } | Self::Damaged { .. } => Code::Unreadable,
            Self::Gone(_) => Code::NotFound,
            Self::NoChance | Self::Store(_) => Code::Unavailable,
        }
    }
}

impl From<StoreError> for SecretsError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::ObjectGone(object) => Self::Gone(object),
            error => Self::Store(error),
        }
    }
}

/// The reason why keys cannot be used. `number` counts the keys from 1.
#[derive(Debug, Error)]
pub enum KeysError {
    #[error("the file of keys {file} cannot be read: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("the file of keys {file} is larger than {most} bytes")]
    TooLarge { file: String, most: u64 },
    #[error(
        "other users may read the file of keys {file}; run chmod 600 {file}, and replace the keys if others have read them"
    )]
    Open { file: String },
    #[error("there is no key; make one with: openssl rand -base64 32")]
    Empty,
    #[error("key {number} must be 32 bytes in Base64, such as `openssl rand -base64 32` prints")]
    Form { number: usize },
    #[error("key {number} is the same as an earlier one")]
    Twice { number: usize },
    #[error("there are {found} keys; at most {most} are allowed")]
    TooMany { found: usize, most: usize },
    #[error("key {number} cannot be used by the cryptographic library")]
    Unusable { number: usize },
}
