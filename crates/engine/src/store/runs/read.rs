//! Reads the state of a run for a call, by the connection of the writer.

use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use underlay_entity::{
    history, source_emptied, source_held, source_item, source_ledger, source_run, source_seen, source_turn,
};
use uuid::Uuid;

use super::{held, newest_first};
use crate::store::commit::step;
use crate::store::connection::Store;
use crate::store::error::StoreError;

/// The id of the one row with the history.
const HISTORY_ROW_ID: i32 = 1;

impl Store {
    /// Returns a run.
    pub async fn run(&self, id: Uuid) -> Result<Option<source_run::Model>, StoreError> {
        step(source_run::Entity::find_by_id(id).one(&self.writer)).await
    }

    /// Returns the runs of a source that were not ended yet, newest first.
    pub async fn open_runs(&self, source: Uuid) -> Result<Vec<source_run::Model>, StoreError> {
        let open = newest_first(source).filter(source_run::Column::FinishedAt.is_null());
        step(open.all(&self.writer)).await
    }

    /// Returns the turn of a source, if a run of it was started.
    pub async fn find_turn(&self, source: Uuid) -> Result<Option<source_turn::Model>, StoreError> {
        step(source_turn::Entity::find_by_id(source).one(&self.writer)).await
    }

    /// Returns the ledger of a source since a time.
    pub async fn ledger(&self, source: Uuid, since: DateTime<Utc>) -> Result<Vec<source_ledger::Model>, StoreError> {
        let own = source_ledger::Entity::find().filter(source_ledger::Column::SourceId.eq(source));
        step(own.filter(source_ledger::Column::At.gt(since)).all(&self.writer)).await
    }

    /// Returns the objects that the runs of a source emptied since a time.
    pub async fn emptied(&self, source: Uuid, since: DateTime<Utc>) -> Result<Vec<source_emptied::Model>, StoreError> {
        let own = source_emptied::Entity::find().filter(source_emptied::Column::SourceId.eq(source));
        step(own.filter(source_emptied::Column::At.gt(since)).all(&self.writer)).await
    }

    /// Returns everything that the guard holds of a source, in the order of names.
    pub async fn held_of(&self, source: Uuid) -> Result<Vec<source_held::Model>, StoreError> {
        step(held(source).order_by_asc(source_held::Column::Name).all(&self.writer)).await
    }

    /// Returns the digests of everything that a run saw.
    pub async fn seen(&self, run: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let digests = source_seen::Entity::find().select_only().column(source_seen::Column::Digest);
        let own = digests.filter(source_seen::Column::RunId.eq(run));
        step(own.into_tuple::<Uuid>().all(&self.writer)).await
    }

    /// Returns the items of a run that created objects or were refused as duplicates.
    pub async fn run_items(&self, run: Uuid) -> Result<Vec<source_item::Model>, StoreError> {
        step(source_item::Entity::find().filter(source_item::Column::RunId.eq(run)).all(&self.writer)).await
    }

    /// Returns the number of these items.
    pub async fn count_run_items(&self, run: Uuid) -> Result<u64, StoreError> {
        step(source_item::Entity::find().filter(source_item::Column::RunId.eq(run)).count(&self.writer)).await
    }

    /// Returns the id of the history of the database, which is made when it is first asked for. A restored copy has
    /// another one.
    pub async fn history(&self) -> Result<Uuid, StoreError> {
        let find = || history::Entity::find_by_id(HISTORY_ROW_ID).one(&self.writer);
        if let Some(row) = step(find()).await? {
            return Ok(row.history);
        }
        let row = history::Model { id: HISTORY_ROW_ID, history: Uuid::new_v4() };
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut there = OnConflict::column(history::Column::Id);
        there.do_nothing();
        let insert = history::Entity::insert_many([row.clone().into_active_model()]).on_conflict(there);
        step(insert.exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(step(find()).await?.unwrap_or(row).history)
    }

    /// Returns the id of the history of the database, if it was made.
    pub async fn kept_history(&self) -> Result<Option<Uuid>, StoreError> {
        let row = step(history::Entity::find_by_id(HISTORY_ROW_ID).one(&self.reader)).await?;
        Ok(row.map(|row| row.history))
    }

    /// Gives a source its turn if it has none, and returns it.
    pub async fn turn(&self, source: Uuid) -> Result<source_turn::Model, StoreError> {
        if let Some(turn) = self.find_turn(source).await? {
            return Ok(turn);
        }
        let turn = source_turn::Model { source_id: source, step: 0, settled_revision: 0, last_success_at: None };
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut there = OnConflict::column(source_turn::Column::SourceId);
        there.do_nothing();
        let insert = source_turn::Entity::insert_many([turn.clone().into_active_model()]).on_conflict(there);
        step(insert.exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(self.find_turn(source).await?.unwrap_or(turn))
    }
}
