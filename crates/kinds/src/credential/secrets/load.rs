//! Loads what is known of the secrets of many credentials, with one statement for all of them.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::dataloader::Loader;
use chrono::TimeDelta;
use underlay_entity::{secret, secret_read};
use uuid::Uuid;

use underlay_engine::secrets::Secrets;
use underlay_engine::store::StoreError;

/// The number of hours whose reads are loaded.
const LOADED_HOURS: i64 = 24;
/// The greatest number of counts of one credential.
const MAX_LOADED_COUNTS: usize = 1_000;

/// Loads what is known of secrets.
#[derive(Clone, Debug)]
pub struct SecretLoader(pub Secrets);

/// The key of the secrets of one credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecretsOf(pub Uuid);

/// The key of the reads of the secrets of one credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadsOf(pub Uuid);

impl Loader<SecretsOf> for SecretLoader {
    type Value = Vec<secret::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[SecretsOf]) -> Result<HashMap<SecretsOf, Self::Value>, Self::Error> {
        let _turn = self.0.store().turn_to_read().await;
        let objects: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let mut found: HashMap<SecretsOf, Self::Value> = HashMap::new();
        for row in self.0.store().secrets(&objects).await? {
            found.entry(SecretsOf(row.object_id)).or_default().push(row);
        }
        Ok(found)
    }
}

impl Loader<ReadsOf> for SecretLoader {
    type Value = Vec<secret_read::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[ReadsOf]) -> Result<HashMap<ReadsOf, Self::Value>, Self::Error> {
        let _turn = self.0.store().turn_to_read().await;
        let objects: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let store = self.0.store();
        let since = store.read_clock().await? - TimeDelta::hours(LOADED_HOURS);
        let mut found: HashMap<ReadsOf, Self::Value> = HashMap::new();
        for row in store.secret_reads(&objects, since).await? {
            let of_one = found.entry(ReadsOf(row.object_id)).or_default();
            if of_one.len() < MAX_LOADED_COUNTS {
                of_one.push(row);
            }
        }
        Ok(found)
    }
}
