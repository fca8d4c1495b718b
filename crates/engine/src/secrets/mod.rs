//! The secrets of objects: passwords, tokens and private keys, which only callers with a role of their own may read.
//!
//! A secret is encrypted with AES-256-GCM before it is stored. The ciphertext is bound to its object and field, so a
//! row that was copied to another object cannot be decrypted there. The keys are configured, and are never in the
//! database. New secrets are encrypted with the first key; all keys decrypt.
//!
//! Guarantees: no value leaves this module but to a caller that asked for it, and no error, log line or debug output
//! contains one. A read is counted before it is answered. Without a key, secrets can be neither read nor set, and
//! everything else works. Nothing in this module knows a kind by name.

mod error;
mod keys;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{EntityTrait, ModelTrait};
use underlay_entity::row::Row;
use underlay_entity::secret::Model;
use uuid::Uuid;

pub use error::{KeysError, SecretsError};
pub use keys::Keys;
pub use value::SecretValue;

use crate::access::CallerKey;
use crate::store::{SecretChanges, Store};
use keys::SecretRef;

/// The number of secrets that are encrypted anew in one transaction.
const RENEWED_TOGETHER: u64 = 500;

/// The way to the secrets. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Secrets {
    store: Store,
    keys: Keys,
}

/// A change of one secret.
#[derive(Clone, Debug)]
pub struct SecretChange {
    /// The object of the secret.
    pub object: Uuid,
    /// The name of the secret within its object.
    pub field: &'static str,
    /// The new value; `None` removes the secret.
    pub value: Option<SecretValue>,
}

/// The effect of a call that sets secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The number of secrets that have another value than before.
    pub set: usize,
    /// The number of secrets that had the value already, or were absent already.
    pub unchanged: usize,
    /// The number of secrets that were removed.
    pub removed: usize,
}

/// The effect of a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotated {
    /// The number of secrets that were encrypted anew.
    pub rotated: usize,
    /// The number of secrets that no configured key decrypts.
    pub unreadable: usize,
}

impl Secrets {
    /// Creates the way to the secrets in a database.
    pub fn new(store: Store, keys: Keys) -> Self {
        Self { store, keys }
    }

    /// Returns the way for a caller, who waits for its turn to read.
    pub fn for_caller(&self, caller: CallerKey) -> Self {
        Self { store: self.store.for_caller(caller), keys: self.keys.clone() }
    }

    /// Returns the database.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns true if the server has a key.
    pub fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Returns true if a configured key can decrypt a secret.
    pub fn can_open(&self, secret: &Model) -> bool {
        self.keys.knows(&secret.key_id)
    }

    /// Sets and removes secrets of objects of one kind, all of them or none. A value that is equal to the stored one
    /// changes nothing. Of several changes of one secret, the last one counts.
    ///
    /// # Errors
    /// Returns an error if the server has no key, an object was deleted meanwhile, or the database does not answer.
    pub async fn set<E>(&self, changes: Vec<SecretChange>, actor: &str) -> Result<Changed, SecretsError>
    where
        E: EntityTrait,
        E::Model: Row + ModelTrait<Entity = E>,
    {
        if !self.has_keys() {
            return Err(SecretsError::NoKey);
        }
        let changes: BTreeMap<(Uuid, &'static str), Option<SecretValue>> =
            changes.into_iter().map(|change| ((change.object, change.field), change.value)).collect();
        let objects: BTreeSet<Uuid> = changes.keys().map(|(object, _)| *object).collect();
        let mut changed = Changed::default();
        let (keys, counted) = (&self.keys, &mut changed);
        let change = move |there: Vec<Model>, now| {
            let there: BTreeMap<(Uuid, &str), &Model> =
                there.iter().map(|row| ((row.object_id, row.field.as_str()), row)).collect();
            let mut stored = SecretChanges::default();
            for ((object, field), value) in changes {
                let reference = SecretRef { object, field };
                match (there.get(&(object, field)), value) {
                    (None, None) => counted.unchanged += 1,
                    (Some(_), None) => {
                        counted.removed += 1;
                        stored.remove.insert((object, field.to_owned()));
                    }
                    (Some(row), Some(value)) if keys.is_equal(row, &value) => counted.unchanged += 1,
                    (_, Some(value)) => {
                        counted.set += 1;
                        stored.put.push(keys.seal(reference, &value, now, actor)?);
                    }
                }
            }
            Ok::<_, SecretsError>(stored)
        };
        self.store.change_secrets::<E, _>(&objects, change).await??;
        Ok(changed)
    }

    /// Reads the secrets of an object on behalf of a reader. The read is counted first.
    ///
    /// # Errors
    /// Returns an error if a secret cannot be decrypted, or the database does not answer.
    pub async fn read(&self, object: Uuid, reader: &str) -> Result<BTreeMap<String, SecretValue>, SecretsError> {
        if !self.has_keys() {
            return Err(SecretsError::NoKey);
        }
        self.store.count_secret_read(reader, object).await?;
        let rows = self.store.secrets(&[object]).await?;
        let open = |row: Model| self.keys.open(&row).map(|value| (row.field, value));
        rows.into_iter().map(open).collect()
    }

    /// Encrypts all secrets anew with the first key. A rotation that was interrupted goes on when it is repeated.
    ///
    /// # Errors
    /// Returns an error if the server has no key, or the database does not answer.
    pub async fn rotate(&self) -> Result<Rotated, SecretsError> {
        let current = self.keys.current().ok_or(SecretsError::NoKey)?;
        let (mut rotated, mut after) = (Rotated::default(), None);
        // Each round passes at least one secret, and new secrets have the first key.
        loop {
            let renew = |row: &Model| self.keys.renew(row).ok();
            let some = self.store.renew_secrets(after.as_ref(), current, RENEWED_TOGETHER, renew).await?;
            rotated.rotated += some.renewed;
            rotated.unreadable += some.unreadable;
            match some.next {
                Some(next) => after = Some(next),
                None => return Ok(rotated),
            }
        }
    }
}
