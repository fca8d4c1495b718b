//! The table of strays: what exists outside and the inventory does not know, the last look at each lister. It makes no
//! revision.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use sea_orm::{EntityTrait, QueryOrder, QuerySelect};
use underlay_entity::stray::{Column, Entity, Model, Stray, Strays};

use super::commit::{Writing, step};
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};

/// The maximum number of strays that are listed for a lister.
pub const MAX_STRAYS: usize = 1_000;
/// The maximum number of listers. Of more, the one that nobody looked at for the longest time is forgotten.
const MAX_LISTERS: usize = 200;

/// The strays that a look saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenStrays {
    /// The name of what lists them.
    pub lister: String,
    /// The id of the place of the lister, or nothing. At each place a lister can be another one.
    pub place: String,
    /// The controller that looked.
    pub by: String,
    /// The strays, at most [`MAX_STRAYS`], each since now.
    pub listed: Vec<Stray>,
    /// The number of all strays.
    pub total: i32,
}

impl Store {
    /// Stores what a look saw, in the place of what the last look at the same lister saw. Returns the strays that the
    /// last look did not list. The others keep the time when they were first seen.
    pub async fn store_strays(&self, seen: SeenStrays, now: DateTime<Utc>) -> Result<Vec<Stray>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let SeenStrays { lister, place, by, mut listed, total } = seen;
        let last = step(Entity::find_by_id((lister.clone(), place.clone())).one(&writing.transaction)).await?;
        if last.is_none() {
            writing.make_room_for_lister().await?;
        }
        let before = last.map(|row| row.listed.0).unwrap_or_default();
        let since: HashMap<&str, DateTime<Utc>> = before.iter().map(|it| (it.name.as_str(), it.since)).collect();
        let mut new = Vec::new();
        for stray in &mut listed {
            match since.get(stray.name.as_str()) {
                Some(since) => stray.since = *since,
                None => new.push(stray.clone()),
            }
        }
        let row = Model { provisioner: lister, place, by, seen_at: now, total, listed: Strays(listed) };
        step(insert::<Entity>(&writing.transaction, &[&row], ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(new)
    }

    /// Returns the strays of all listers, in the order of their names and places.
    pub async fn strays(&self) -> Result<Vec<Model>, StoreError> {
        step(Entity::find().order_by_asc(Column::Provisioner).order_by_asc(Column::Place).all(&self.reader)).await
    }

    /// Returns the number of strays by the name of their lister, at all places together.
    pub async fn count_strays(&self) -> Result<BTreeMap<String, i64>, StoreError> {
        let counts = Entity::find().select_only().columns([Column::Provisioner, Column::Total]);
        let rows: Vec<(String, i32)> = step(counts.into_tuple().all(&self.reader)).await?;
        let mut counts = BTreeMap::new();
        for (lister, total) in rows {
            *counts.entry(lister).or_default() += i64::from(total);
        }
        Ok(counts)
    }
}

impl Writing {
    async fn make_room_for_lister(&self) -> Result<(), StoreError> {
        let keys = Entity::find().select_only().columns([Column::Provisioner, Column::Place]);
        let oldest_first = keys.order_by_asc(Column::SeenAt);
        let names: Vec<(String, String)> = step(oldest_first.into_tuple().all(&self.transaction)).await?;
        let extra = (names.len() + 1).saturating_sub(MAX_LISTERS);
        for name in names.into_iter().take(extra) {
            step(Entity::delete_by_id(name).exec(&self.transaction)).await?;
        }
        Ok(())
    }
}
