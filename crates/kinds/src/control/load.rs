//! Loads what the database holds of many objects, with one statement for all of them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, Result};
use underlay_entity::{act, boot, boot_attempt, enlistment, observation};
use uuid::Uuid;

use super::unanswered;
use crate::request::Request;
use underlay_engine::store::{Store, StoreError};

/// Loads what controllers reported.
#[derive(Clone, Debug)]
pub struct ControlLoader(pub Store);

/// The key of what was last seen of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeenOf(pub Uuid);

/// The key of a page of the acts on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActsOf {
    pub object: Uuid,
    pub before: Option<i64>,
    pub most: u64,
}

/// The key of the last enlistment of an appliance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnlistmentOf(pub Uuid);

/// The key of the attempt of a host to boot from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BootAttemptOf(pub Uuid);

/// The key of the last boots of a host from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BootsOf {
    pub host: Uuid,
    pub most: u64,
}

/// Loads the value of a key together with those of other objects. Returns `None` if there is none, or if the caller sees
/// only a part of the inventory.
///
/// # Errors
/// Returns an error if the database does not answer.
pub async fn load<K>(context: &Context<'_>, key: K) -> Result<Option<<ControlLoader as Loader<K>>::Value>>
where
    K: Send + Sync + Hash + Eq + Clone + 'static,
    ControlLoader: Loader<K, Error = Arc<StoreError>>,
{
    if Request::of(context).view.log().is_none() {
        return Ok(None);
    }
    // Every caller who sees everything has a loader.
    let loader: &DataLoader<ControlLoader> = context.data_unchecked();
    loader.load_one(key).await.map_err(|error| unanswered(&error))
}

impl Loader<SeenOf> for ControlLoader {
    type Value = observation::Model;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[SeenOf]) -> Result<HashMap<SeenOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let objects: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let seen = self.0.observations(&objects).await?;
        Ok(seen.into_iter().map(|(object, seen)| (SeenOf(object), seen)).collect())
    }
}

impl Loader<ActsOf> for ControlLoader {
    type Value = Vec<act::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[ActsOf]) -> Result<HashMap<ActsOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let mut forms: HashMap<(Option<i64>, u64), Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry((key.before, key.most)).or_default().push(key.object);
        }
        let mut found: HashMap<ActsOf, Self::Value> = HashMap::new();
        for ((before, most), objects) in forms {
            for act in self.0.acts_of_each(&objects, before, most).await? {
                found.entry(ActsOf { object: act.object_id, before, most }).or_default().push(act);
            }
        }
        Ok(found)
    }
}

impl Loader<EnlistmentOf> for ControlLoader {
    type Value = enlistment::Model;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[EnlistmentOf]) -> Result<HashMap<EnlistmentOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let listers: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let found = self.0.enlistments_of(&listers).await?;
        Ok(found.into_iter().map(|it| (EnlistmentOf(it.appliance_id), it)).collect())
    }
}

impl Loader<BootAttemptOf> for ControlLoader {
    type Value = boot_attempt::Model;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[BootAttemptOf]) -> Result<HashMap<BootAttemptOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let hosts: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let found = self.0.boot_attempts(&hosts).await?;
        Ok(found.into_iter().map(|it| (BootAttemptOf(it.host_id), it)).collect())
    }
}

impl Loader<BootsOf> for ControlLoader {
    type Value = Vec<boot::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[BootsOf]) -> Result<HashMap<BootsOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let mut forms: HashMap<u64, Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry(key.most).or_default().push(key.host);
        }
        let mut found: HashMap<BootsOf, Self::Value> = HashMap::new();
        for (most, hosts) in forms {
            for boot in self.0.boots_of_each(&hosts, most).await? {
                found.entry(BootsOf { host: boot.host_id, most }).or_default().push(boot);
            }
        }
        Ok(found)
    }
}
