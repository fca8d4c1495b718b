//! The table of acts: what controllers did with the things that objects stand for. Writes make no revision.
//!
//! Guarantee: an object has at most [`MAX_KEPT_ACTS`] acts; the oldest go first.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::Order;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use underlay_entity::act::{Column, Entity, Model};
use uuid::Uuid;

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};

/// The greatest number of acts that are kept of an object.
pub const MAX_KEPT_ACTS: i64 = 1_000;
/// The greatest number of objects in a statement.
const OBJECTS_PER_STATEMENT: usize = 500;

/// An act that is to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAct {
    pub object: Uuid,
    pub at: DateTime<Utc>,
    /// The controller.
    pub by: String,
    /// The act, as one word.
    pub name: String,
    pub sentence: String,
    pub place: ActPlace,
}

/// The place of an act among those of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActPlace {
    /// After all others.
    New,
    /// In the place of the last one, which is its beginning, if that is the same act of the same controller.
    End,
}

impl Store {
    /// Stores acts after those that their objects have, in this order.
    pub async fn store_acts(&self, acts: &[StoredAct]) -> Result<(), StoreError> {
        if acts.is_empty() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut objects: Vec<Uuid> = acts.iter().map(|act| act.object).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut last: BTreeMap<Uuid, Model> = BTreeMap::new();
        for objects in objects.chunks(OBJECTS_PER_STATEMENT) {
            let select = Entity::find().filter(Column::ObjectId.is_in(objects.iter().copied()));
            let statement = self.first_of_each(select, Column::ObjectId, &[(Column::Number, Order::Desc)], 1);
            let found = step(Entity::find().from_raw_sql(statement).all(&writing.transaction)).await?;
            last.extend(found.into_iter().map(|act| (act.object_id, act)));
        }

        let mut rows: BTreeMap<(Uuid, i64), Model> = BTreeMap::new();
        for act in acts {
            let row = row(act, last.get(&act.object));
            rows.insert((row.object_id, row.number), row.clone());
            last.insert(act.object, row);
        }
        step(insert::<Entity>(&writing.transaction, &rows.values().collect::<Vec<_>>(), ConflictAction::Replaced))
            .await?;
        for (object, last) in last.iter().filter(|(_, last)| last.number > MAX_KEPT_ACTS) {
            let old = Entity::delete_many().filter(Column::ObjectId.eq(*object));
            step(old.filter(Column::Number.lte(last.number - MAX_KEPT_ACTS)).exec(&writing.transaction)).await?;
        }
        step(writing.transaction.commit()).await
    }

    /// Returns acts of each of these objects, the newest first, at most `most` of each. With `before`, only acts with
    /// lower numbers.
    pub async fn acts_of_each(
        &self,
        objects: &[Uuid],
        before: Option<i64>,
        most: u64,
    ) -> Result<Vec<Model>, StoreError> {
        let mut select = Entity::find().filter(Column::ObjectId.is_in(objects.iter().copied()));
        if let Some(before) = before {
            select = select.filter(Column::Number.lt(before));
        }
        let statement = self.first_of_each(select, Column::ObjectId, &[(Column::Number, Order::Desc)], most);
        step(Entity::find().from_raw_sql(statement).all(&self.reader)).await
    }

    /// Returns the objects that have acts.
    pub async fn objects_with_acts(&self) -> Result<Vec<Uuid>, StoreError> {
        let objects = Entity::find().select_only().column(Column::ObjectId).distinct();
        step(objects.into_tuple().all(&self.reader)).await
    }

    /// Deletes the acts of these objects.
    pub async fn forget_acts(&self, objects: &[Uuid]) -> Result<(), StoreError> {
        for objects in objects.chunks(OBJECTS_PER_STATEMENT) {
            let writing = self.begin_write().await?;
            writing.check_format().await?;
            let all = Entity::delete_many().filter(Column::ObjectId.is_in(objects.iter().copied()));
            step(all.exec(&writing.transaction)).await?;
            step(writing.transaction.commit()).await?;
        }
        Ok(())
    }
}

/// Returns the row of an act after the last one of its object.
fn row(act: &StoredAct, last: Option<&Model>) -> Model {
    let StoredAct { object, at, by, name, sentence, place } = act.clone();
    let begun = last.filter(|last| place == ActPlace::End && last.by == by && last.name == name);
    match begun {
        Some(begun) => Model { sentence, ..begun.clone() },
        None => Model { object_id: object, number: last.map_or(1, |last| last.number + 1), at, by, name, sentence },
    }
}
