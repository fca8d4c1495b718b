//! Commits a group of planned batches in one transaction, completely or not at all.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select,
};
use tokio::sync::Notify;
use underlay_entity::{batch, change, manager, request, revision};
use uuid::Uuid;

use super::connection::Store;
use super::database_file::DatabaseFile;
use super::error::StoreError;
use super::fence::Fence;
use super::insert::{ConflictAction, insert};
use super::listen::notify;
use super::migrate;
use super::run_changes::RunChanges;
use super::table::RowTable;
use super::transaction::Transaction;
use super::trouble;
use underlay_entity::row::Row;

/// The id of the one row that counts revisions.
const COUNTER_ROW_ID: i32 = 1;
/// The time-out of one step of a transaction, in seconds. It is a little longer than the time-out of the database
/// server.
const STEP_SECONDS: u64 = 40;

/// The changes that a group of batches makes to the rows of one kind.
#[derive(Debug)]
pub struct RowChanges {
    /// The table of the kind.
    table: &'static dyn RowTable,
    /// The ids of deleted rows, and of rows whose unique columns change. These are deleted first.
    pub delete: Vec<Uuid>,
    /// New rows, and rows that were deleted because a unique column changed.
    pub insert: Vec<Arc<dyn Row>>,
    /// Rows that replace the rows with the same ids.
    pub replace: Vec<Arc<dyn Row>>,
}

impl RowChanges {
    /// Creates an empty change to a table.
    fn none(table: &'static dyn RowTable) -> Self {
        Self { table, delete: Vec::new(), insert: Vec::new(), replace: Vec::new() }
    }

    /// Returns the ids of the rows that are deleted, and not only written anew.
    fn gone(&self) -> Vec<Uuid> {
        let anew: HashSet<Uuid> = self.insert.iter().map(|row| row.common().id).collect();
        self.delete.iter().copied().filter(|id| !anew.contains(id)).collect()
    }

    /// Returns true if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.delete.is_empty() && self.insert.is_empty() && self.replace.is_empty()
    }
}

/// A group of batches that is committed in one transaction.
#[derive(Debug, Default)]
pub struct Group {
    /// The revision on which the batches were planned, and the batch that made it.
    pub planned_on: (i64, Uuid),
    /// The batches in order, each with its own revision.
    pub batches: Vec<batch::Model>,
    /// The changes to the rows of each kind.
    pub rows: Vec<RowChanges>,
    /// Managers that the database does not have yet.
    pub managers: Vec<manager::Model>,
    /// The named requests that are answered with the commit, including those that write nothing.
    pub requests: Vec<request::Model>,
    /// The changes that a run of a source stores with its batch, even if the batch changes nothing.
    pub run: Option<RunChanges>,
    /// The leases that must still be held when the group is stored.
    pub fences: Vec<Fence>,
    /// The time before which requests are forgotten. The names of older requests can be used again.
    pub forgotten: DateTime<Utc>,
}

impl Group {
    /// Returns true if there is nothing to store.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.requests.is_empty() && self.run.is_none() && self.fences.is_empty()
    }
}

/// An open transaction of the writer.
#[derive(Debug)]
pub struct Writing {
    pub(super) transaction: Transaction,
    /// Notified when the transaction is committed.
    written: Arc<Notify>,
    /// The file of an SQLite database.
    file: Option<DatabaseFile>,
    /// The id of the process that commits.
    process: Uuid,
}

impl Store {
    /// Creates an empty change to the table of each kind, in the order of the kinds' ids.
    pub fn no_changes(&self) -> Vec<RowChanges> {
        self.tables.iter().map(|table| RowChanges::none(*table)).collect()
    }

    /// Begins a write transaction. On SQLite, no other connection can write until it ends.
    pub async fn begin_write(&self) -> Result<Writing, StoreError> {
        self.check_file()?;
        let transaction = step(Transaction::begin(self)).await?;
        if let Some(file) = &self.file {
            file.note_companions();
        }
        let (written, file) = (Arc::clone(&self.written), self.file.clone());
        Ok(Writing { transaction, written, file, process: self.process })
    }

    /// Does the same as [`Writing::find_request`], outside a transaction.
    pub async fn find_request(
        &self,
        request_id: &str,
        actor: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<request::Model>, StoreError> {
        step(request(request_id, actor, since).one(&self.writer)).await
    }

    /// Deletes at most `most` requests that were answered before a time. Returns the number of deleted requests.
    pub async fn forget_requests(&self, before: DateTime<Utc>, most: u64) -> Result<u64, StoreError> {
        let forgotten = self.forget(before, most).await;
        match &forgotten {
            // Nothing was written, so the result says nothing about writing.
            Ok(0) => {}
            Ok(_) => self.wrote(),
            Err(error) => self.failed_to_tidy(error),
        }
        forgotten
    }

    async fn forget(&self, before: DateTime<Utc>, most: u64) -> Result<u64, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let old = request::Entity::find()
            .select_only()
            .columns([request::Column::Actor, request::Column::RequestId])
            .filter(request::Column::At.lt(before))
            .order_by_asc(request::Column::At)
            .limit(most);
        let names = Expr::tuple([request::Column::Actor, request::Column::RequestId].map(Expr::col));
        let forget = request::Entity::delete_many().filter(names.in_subquery(old.into_query()));
        let count = step(forget.exec(&writing.transaction)).await?.rows_affected;
        step(writing.transaction.commit()).await?;
        Ok(count)
    }

    /// Returns the last revision in the database, with the id of its batch, for the writer.
    ///
    /// # Errors
    /// Returns [`StoreError::TooNew`] if a newer version has taken over the database, or an error if the database does
    /// not answer.
    pub async fn last_written(&self) -> Result<(i64, Uuid), StoreError> {
        let row = step(revision::Entity::find_by_id(COUNTER_ROW_ID).one(&self.writer)).await?;
        row.as_ref().map_or(Ok(()), migrate::may_write)?;
        Ok(row.map_or((0, Uuid::nil()), |row| (row.number, row.batch_id)))
    }
}

impl Writing {
    /// Locks the revision row, so that no other process can write until this transaction ends. Once the lock is held,
    /// every commit of another connection has either succeeded or will never succeed.
    ///
    /// # Errors
    /// Returns [`StoreError::TooNew`] if a newer version has taken over the database, or an error if the database does
    /// not answer.
    pub async fn hold(&self) -> Result<(), StoreError> {
        let held = step(revision::Entity::find_by_id(COUNTER_ROW_ID).lock_exclusive().one(&self.transaction)).await?;
        held.as_ref().map_or(Ok(()), migrate::may_write)
    }

    /// Checks that a revision is the newest one. It stays so until this transaction ends.
    ///
    /// # Errors
    /// Returns [`StoreError::Overtaken`] with the newest revision if it is another one.
    pub(super) async fn hold_revision(&self, planned_on: (i64, Uuid)) -> Result<(), StoreError> {
        let held = step(revision::Entity::find_by_id(COUNTER_ROW_ID).lock_shared().one(&self.transaction)).await?;
        match held.map_or((0, Uuid::nil()), |row| (row.number, row.batch_id)) {
            newest if newest == planned_on => Ok(()),
            (newest, _) => Err(StoreError::Overtaken(newest)),
        }
    }

    /// Checks that this version may write, for a transaction that takes no revision.
    pub(super) async fn check_format(&self) -> Result<(), StoreError> {
        let row = step(revision::Entity::find_by_id(COUNTER_ROW_ID).one(&self.transaction)).await?;
        row.as_ref().map_or(Ok(()), migrate::may_write)
    }

    /// Returns the batch with a random id, if it was committed. The result is certain only while the revision row is
    /// locked.
    pub async fn find_batch(&self, batch_id: Uuid) -> Result<Option<batch::Model>, StoreError> {
        step(batch::Entity::find().filter(batch::Column::BatchId.eq(batch_id)).one(&self.transaction)).await
    }

    /// Returns the request that an actor sent under a name, if it was answered at or after a time.
    pub async fn find_request(
        &self,
        request_id: &str,
        actor: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<request::Model>, StoreError> {
        step(request(request_id, actor, since).one(&self.transaction)).await
    }

    /// Writes a group that was planned on the last revision, without its change records.
    ///
    /// # Errors
    /// Returns [`StoreError::Overtaken`] if another process has written since, or if a newer version has taken over. In
    /// the second case, [`Self::hold`] returns the reason. Returns [`StoreError::RunOvertaken`] if another call for the
    /// same source was stored since, and [`StoreError::LeaseLost`] if a lease of the group's fences is not held any
    /// more.
    pub async fn write(&self, group: &Group) -> Result<(), StoreError> {
        let (revision, batch_id) = group.planned_on;
        // The batch is compared too: a restored database may have reached the same number with other batches.
        let same = Condition::all()
            .add(revision::Column::Id.eq(COUNTER_ROW_ID))
            .add(revision::Column::Number.eq(revision))
            .add(revision::Column::BatchId.eq(batch_id))
            .add(migrate::writable());
        let take = revision::Entity::update_many().filter(same);
        let take = match group.batches.last() {
            Some(last) => take
                .col_expr(revision::Column::Number, Expr::value(last.revision))
                .col_expr(revision::Column::BatchId, Expr::value(last.batch_id))
                .col_expr(revision::Column::At, Expr::value(last.at)),
            // An answer that writes nothing must not depend on an old revision either. This update waits for a
            // concurrent writer.
            None => take.col_expr(revision::Column::Number, Expr::value(revision)),
        };
        if step(take.exec(&self.transaction)).await?.rows_affected == 0 {
            return Err(StoreError::Overtaken(revision + 1));
        }
        self.check_fences(&group.fences).await?;
        for rows in &group.rows {
            step(rows.table.delete(&self.transaction, &rows.delete)).await?;
            if rows.table.has_secrets() {
                self.delete_secrets(&rows.gone()).await?;
            }
        }
        for rows in &group.rows {
            step(rows.table.insert(&self.transaction, &rows.insert, ConflictAction::Refused)).await?;
            step(rows.table.insert(&self.transaction, &rows.replace, ConflictAction::Replaced)).await?;
        }
        self.insert::<manager::Entity>(&group.managers).await?;
        self.insert::<batch::Entity>(&group.batches).await?;
        if let Some(run) = &group.run {
            self.write_run(run).await?;
        }
        match self.remember(&group.requests, group.forgotten).await? {
            true => Ok(()),
            false => Err(StoreError::Overtaken(revision)),
        }
    }

    /// Stores the requests that are answered with the commit. Those before `before` are forgotten. Returns false if
    /// another process has answered a request with the same name.
    pub(super) async fn remember(
        &self,
        requests: &[request::Model],
        before: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        use request::Column::{Actor, At, Digest, Outcome, RequestId, Revision};
        if requests.is_empty() {
            return Ok(true);
        }
        let mut forgotten = OnConflict::columns([Actor, RequestId]);
        forgotten
            .update_columns([Digest, Revision, At, Outcome])
            .action_and_where(Expr::col((request::Entity, At)).lt(before));
        let rows = requests.iter().cloned().map(IntoActiveModel::into_active_model);
        let insert = request::Entity::insert_many(rows).on_conflict(forgotten);
        let stored = step(insert.exec_without_returning(&self.transaction)).await?;
        Ok(stored == requests.len() as u64)
    }

    /// Writes the change records of a group. The records of many batches share one statement.
    pub async fn record(&self, changes: &[Arc<Vec<change::Model>>]) -> Result<(), StoreError> {
        let changes: Vec<_> = changes.iter().flat_map(|changes| changes.iter()).collect();
        step(insert::<change::Entity>(&self.transaction, &changes, ConflictAction::Refused)).await
    }

    /// Commits the transaction, and notifies the checkpoint task and other processes.
    pub async fn commit(self) -> Result<(), StoreError> {
        if self.transaction.get_database_backend() == DbBackend::Postgres {
            // Other processes receive the notification after the commit, and not before.
            step(self.transaction.execute_unprepared(&notify(self.process))).await?;
        }
        trouble::check(self.file.as_ref())?;
        step(self.transaction.commit()).await?;
        self.written.notify_one();
        Ok(())
    }

    /// Rolls the transaction back, so that nothing is written.
    pub async fn roll_back(self) -> Result<(), StoreError> {
        step(self.transaction.roll_back()).await
    }

    async fn insert<E>(&self, models: &[E::Model]) -> Result<(), StoreError>
    where
        E: EntityTrait,
        E::Model: ModelTrait<Entity = E> + Sync,
    {
        step(insert::<E>(&self.transaction, &models.iter().collect::<Vec<_>>(), ConflictAction::Refused)).await
    }
}

fn request(request_id: &str, actor: &str, since: DateTime<Utc>) -> Select<request::Entity> {
    request::Entity::find_by_id((actor.to_owned(), request_id.to_owned())).filter(request::Column::At.gte(since))
}

/// Waits for one step of a transaction, up to `STEP_SECONDS`.
pub(super) async fn step<T, E: Into<StoreError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, StoreError> {
    match tokio::time::timeout(Duration::from_secs(STEP_SECONDS), work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(StoreError::TimedOut(STEP_SECONDS)),
    }
}
