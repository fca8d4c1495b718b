//! The table of observations: what was last seen of objects. Writes make no revision and touch no other table.
//!
//! Guarantees: the rows of a call are written together. Rows are written in the order of their ids, so calls of several
//! processes never block each other in a cycle.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use serde_json::Value as Json;
use thiserror::Error;
use underlay_entity::observation::{Column, Entity, Model};
use uuid::Uuid;

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};

/// The greatest number of observations in one call.
pub const MAX_OBSERVATIONS: usize = 1_000;
/// The greatest size of the detail of an observation as JSON, in bytes.
pub const MAX_DETAIL_BYTES: usize = 4 * 1_024;

/// An observation of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub object: Uuid,
    /// The name of the object's kind.
    pub kind: String,
    pub seen_at: DateTime<Utc>,
    /// The party that saw it.
    pub by: String,
    pub power_at: Option<DateTime<Utc>>,
    pub detail: Option<Json>,
    /// A set of conditions, by their bits.
    pub conditions: i64,
}

/// The reason why observations cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnfitObservations {
    #[error("has {count} entries; at most {MAX_OBSERVATIONS} are allowed")]
    TooMany { count: usize },
    #[error("has {bytes} bytes as JSON; at most {MAX_DETAIL_BYTES} are allowed")]
    Detail { object: Uuid, bytes: usize },
}

/// Observations that can be written in one call: each object once.
#[derive(Clone, Debug, Default)]
pub struct Observations(BTreeMap<Uuid, Observation>);

impl Observations {
    /// Checks the bounds of observations. Of several for one object, the last one counts.
    ///
    /// # Errors
    /// Returns an error if there are too many, or if one is too large.
    pub fn of(observations: Vec<Observation>) -> Result<Self, UnfitObservations> {
        if observations.len() > MAX_OBSERVATIONS {
            return Err(UnfitObservations::TooMany { count: observations.len() });
        }
        for Observation { object, detail, .. } in &observations {
            let bytes = detail.as_ref().map_or(0, |detail| detail.to_string().len());
            if bytes > MAX_DETAIL_BYTES {
                return Err(UnfitObservations::Detail { object: *object, bytes });
            }
        }
        Ok(Self(observations.into_iter().map(|it| (it.object, it)).collect()))
    }

    /// Returns the observations, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = &Observation> {
        self.0.values()
    }
}

/// The part of an observation that is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub at: DateTime<Utc>,
    /// A set of conditions, by their bits.
    pub conditions: i64,
    /// The time when it was written, by the clock of the database.
    pub written_at: DateTime<Utc>,
}

impl Store {
    /// Writes observations, which replace those of the same objects. Returns the time at which they were written.
    pub async fn observe(&self, observations: &Observations) -> Result<DateTime<Utc>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let written_at = step(writing.transaction.now()).await?;
        let rows: Vec<Model> = observations.iter().map(|it| row(it, written_at)).collect();
        let rows: Vec<&Model> = rows.iter().collect();
        step(insert::<Entity>(&writing.transaction, &rows, ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(written_at)
    }

    /// Returns the observations of these objects, by their ids.
    pub async fn observations(&self, objects: &[Uuid]) -> Result<BTreeMap<Uuid, Model>, StoreError> {
        let mut found = BTreeMap::new();
        for objects in objects.chunks(MAX_OBSERVATIONS) {
            let named = Entity::find().filter(Column::ObjectId.is_in(objects.iter().copied()));
            found.extend(step(named.all(&self.reader)).await?.into_iter().map(|row| (row.object_id, row)));
        }
        Ok(found)
    }

    /// Returns the parts to keep in memory of the observations that were written after a time; of all if there is none.
    pub async fn seen_since(&self, after: Option<DateTime<Utc>>) -> Result<Vec<(Uuid, Seen)>, StoreError> {
        let columns = [Column::ObjectId, Column::SeenAt, Column::Conditions, Column::WrittenAt];
        let mut rows = Entity::find().select_only().columns(columns);
        if let Some(after) = after {
            rows = rows.filter(Column::WrittenAt.gt(after));
        }
        let rows = step(rows.into_tuple::<(Uuid, DateTime<Utc>, i64, DateTime<Utc>)>().all(&self.reader)).await?;
        let seen = |(object, at, conditions, written_at)| (object, Seen { at, conditions, written_at });
        Ok(rows.into_iter().map(seen).collect())
    }

    /// Deletes the observations of these objects that were written before a time.
    pub async fn forget_observations(&self, objects: &[Uuid], before: DateTime<Utc>) -> Result<(), StoreError> {
        let mut objects = objects.to_vec();
        objects.sort_unstable();
        for objects in objects.chunks(MAX_OBSERVATIONS) {
            let writing = self.begin_write().await?;
            writing.check_format().await?;
            let old = Entity::delete_many().filter(Column::ObjectId.is_in(objects.iter().copied()));
            step(old.filter(Column::WrittenAt.lt(before)).exec(&writing.transaction)).await?;
            step(writing.transaction.commit()).await?;
        }
        Ok(())
    }
}

fn row(observation: &Observation, written_at: DateTime<Utc>) -> Model {
    let it = observation.clone();
    Model {
        object_id: it.object,
        kind: it.kind,
        seen_at: it.seen_at,
        by: it.by,
        power_at: it.power_at,
        detail: it.detail,
        conditions: it.conditions,
        written_at,
    }
}
