//! The row that is there while controllers may only observe: they may neither power nor install anything, nor write
//! anything outside. It makes no revision.

use std::path::Path;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, Database, EntityTrait, IntoActiveModel};
use underlay_entity::observe_only::{Column, Entity, Model};

use super::commit::step;
use super::connection::{DatabaseUrl, Store, settle_options};
use super::error::StoreError;

/// The id of the one row.
const ID: i32 = 1;

impl Store {
    /// Returns the reason why controllers may only observe; `None` if they may act.
    pub async fn observe_only(&self) -> Result<Option<Model>, StoreError> {
        step(Entity::find_by_id(ID).one(&self.reader)).await
    }

    /// Lets controllers only observe from now on. An earlier reason stays.
    pub async fn set_observe_only(&self, reason: &str, by: &str) -> Result<(), StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        step(insert(reason, by, now).exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }

    /// Lets controllers act again.
    pub async fn clear_observe_only(&self) -> Result<(), StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        step(Entity::delete_by_id(ID).exec(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }
}

/// Lets controllers only observe what an SQLite file describes that no process has open. A file of a version that knew
/// no controllers is left as it is.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub async fn set_observe_only_in(file: &Path, reason: &str, by: &str) -> Result<(), StoreError> {
    let connection = Database::connect(settle_options(&DatabaseUrl::file(file))).await?;
    let set = async {
        let tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'observe_only'";
        let backend = connection.get_database_backend();
        if connection.query_one_raw(sea_orm::Statement::from_string(backend, tables)).await?.is_some() {
            insert(reason, by, Utc::now()).exec_without_returning(&connection).await?;
        }
        Ok::<_, sea_orm::DbErr>(())
    };
    let set = set.await;
    connection.close().await?;
    set.map_err(StoreError::from)
}

fn insert(
    reason: &str,
    by: &str,
    since: DateTime<Utc>,
) -> sea_orm::InsertMany<underlay_entity::observe_only::ActiveModel> {
    let row = Model { id: ID, reason: reason.to_owned(), by: by.to_owned(), since };
    let mut there = OnConflict::column(Column::Id);
    there.do_nothing();
    Entity::insert_many([row.into_active_model()]).on_conflict(there)
}
