//! The fields of a credential that describe its secrets without their values.

use std::hash::Hash;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, Enum, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_entity::credential::Model;
use underlay_entity::long::Long;

use super::fields::fields;
use super::load::{ReadsOf, SecretLoader, SecretsOf};
use crate::errors::{forbidden, internal, refused};
use crate::request::Request;
use underlay_engine::store::StoreError;
use underlay_inventory::Refusal;

/// The state of the secrets of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum SecretState {
    /// No secret is stored.
    Missing,
    /// All stored secrets can be decrypted.
    Readable,
    /// The server has no key, or not the one that encrypted a secret.
    Unreadable,
}

/// A secret of a credential, without its value.
#[derive(Clone, Debug, SimpleObject)]
pub struct CredentialSecret {
    /// The name of the secret, such as `password`.
    pub field: &'static str,
    /// The state of the secret.
    pub state: SecretState,
    /// The time when the value was set. Null if none is stored.
    pub set_at: Option<DateTime<Utc>>,
    /// The caller that set the value. Null if none is stored.
    pub set_by: Option<String>,
}

/// The number of times that one caller read the secrets of a credential in an hour.
#[derive(Clone, Debug, SimpleObject)]
pub struct SecretReadCount {
    /// The caller that read.
    pub reader: String,
    /// The beginning of the hour.
    pub hour: DateTime<Utc>,
    /// The number of reads.
    pub reads: Long,
}

/// Returns the secrets that a credential of its type has.
pub async fn secrets_of(context: &Context<'_>, credential: &Model) -> Result<Vec<CredentialSecret>> {
    let stored = load(context, SecretsOf(credential.id)).await?.unwrap_or_default();
    let loader = loader(context)?;
    let secret = |name: &'static str| match stored.iter().find(|row| row.field == name) {
        Some(row) => CredentialSecret {
            field: name,
            state: if loader.loader().0.can_open(row) { SecretState::Readable } else { SecretState::Unreadable },
            set_at: Some(row.set_at),
            set_by: Some(row.set_by.clone()),
        },
        None => CredentialSecret { field: name, state: SecretState::Missing, set_at: None, set_by: None },
    };
    Ok(fields(credential.r#type).iter().map(|field| secret(field.name)).collect())
}

/// Returns the state of all secrets of a credential together.
pub async fn state_of(context: &Context<'_>, credential: &Model) -> Result<SecretState> {
    let secrets = secrets_of(context, credential).await?;
    let is = |state: SecretState| move |secret: &CredentialSecret| secret.state == state;
    Ok(match loader(context)?.loader().0.has_keys() {
        false => SecretState::Unreadable,
        true if secrets.iter().any(is(SecretState::Unreadable)) => SecretState::Unreadable,
        true if secrets.iter().all(is(SecretState::Missing)) => SecretState::Missing,
        true => SecretState::Readable,
    })
}

/// Returns how often the secrets of a credential were read within the last 24 hours.
pub async fn reads_of(context: &Context<'_>, credential: &Model) -> Result<Vec<SecretReadCount>> {
    let reads = load(context, ReadsOf(credential.id)).await?.unwrap_or_default();
    let count = |row: underlay_entity::secret_read::Model| {
        let underlay_entity::secret_read::Model { reader, hour, reads, .. } = row;
        SecretReadCount { reader, hour, reads: Long(reads) }
    };
    Ok(reads.into_iter().map(count).collect())
}

fn loader<'a>(context: &Context<'a>) -> Result<&'a DataLoader<SecretLoader>> {
    // Credentials are in no tenant's snapshot, so no tenant gets here. The log is the mark of a view of everything.
    Request::of(context).log().map_err(|it| forbidden(&it))?;
    context.data().map_err(|_| internal("a request without a loader of secrets"))
}

/// Loads the value of a key together with those of other credentials.
async fn load<K>(context: &Context<'_>, key: K) -> Result<Option<<SecretLoader as Loader<K>>::Value>>
where
    K: Send + Sync + Hash + Eq + Clone + 'static,
    SecretLoader: Loader<K, Error = Arc<StoreError>>,
{
    loader(context)?.load_one(key).await.map_err(|error| {
        tracing::warn!("secrets cannot be read: {error}");
        refused(&Refusal::Unavailable("the database does not answer: try again later".to_owned()), None, None)
    })
}
