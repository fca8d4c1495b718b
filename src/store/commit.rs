//! Writing a group of planned batches, all or nothing.

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
use super::error::StoreError;
use super::insert::{Clash, insert};
use super::listen::notify;
use super::migrate;
use super::row::Row;
use super::table::RowTable;
use super::transaction::Transaction;

/// The id of the one row that counts revisions.
const COUNTER: i32 = 1;
/// How long a step of a transaction may take here, in seconds: a little longer than the server gives it.
const STEP_SECONDS: u64 = 40;

/// The rows of one kind that a group of batches leaves behind.
#[derive(Debug)]
pub struct RowChanges {
    /// The table of the kind.
    pub table: &'static dyn RowTable,
    /// Rows that are gone, and rows whose unique columns change: those make way first.
    pub delete: Vec<Uuid>,
    /// Rows that are new, or have made way.
    pub insert: Vec<Arc<dyn Row>>,
    /// Rows that take the place of those with the same id.
    pub replace: Vec<Arc<dyn Row>>,
}

impl RowChanges {
    /// No change to a table.
    pub fn none(table: &'static dyn RowTable) -> Self {
        Self { table, delete: Vec::new(), insert: Vec::new(), replace: Vec::new() }
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.delete.is_empty() && self.insert.is_empty() && self.replace.is_empty()
    }
}

/// A group of batches to be committed together.
#[derive(Debug, Default)]
pub struct Group {
    /// The revision that they were planned on, and the batch that made it.
    pub planned_on: (i64, Uuid),
    /// The batches, each with its own revision, in order.
    pub batches: Vec<batch::Model>,
    /// The rows that they leave behind.
    pub rows: Vec<RowChanges>,
    /// Managers that were not known before.
    pub managers: Vec<manager::Model>,
    /// The named requests that are answered with the commit, also those that write nothing.
    pub requests: Vec<request::Model>,
    /// The time before which requests are forgotten: their names can be given again.
    pub forgotten: DateTime<Utc>,
}

impl Group {
    /// Whether there is nothing to store.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.requests.is_empty()
    }
}

/// A transaction of the writer.
#[derive(Debug)]
pub struct Writing {
    pub(super) transaction: Transaction,
    /// Told when it is committed.
    written: Arc<Notify>,
    /// Who commits.
    process: Uuid,
}

impl Store {
    /// Begins to write. On SQLite nobody else writes from now on.
    pub async fn begin_write(&self) -> Result<Writing, StoreError> {
        let transaction = step(Transaction::begin(self)).await?;
        Ok(Writing { transaction, written: Arc::clone(&self.written), process: self.process })
    }

    /// The same as [`Writing::find_request`], outside a transaction.
    pub async fn find_request(
        &self,
        request_id: &str,
        actor: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<request::Model>, StoreError> {
        step(request(request_id, actor, since).one(&self.writer)).await
    }

    /// Forgets requests that were answered before a time, at most so many; gives how many they were.
    pub async fn forget_requests(&self, before: DateTime<Utc>, most: u64) -> Result<u64, StoreError> {
        let forgotten = self.forget(before, most).await;
        match &forgotten {
            // Nothing was written.
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

    /// The last revision in the database, with the id of its batch, for the writer.
    ///
    /// # Errors
    /// [`StoreError::TooNew`] when a newer version has taken over; when the database does not answer.
    pub async fn last_written(&self) -> Result<(i64, Uuid), StoreError> {
        let row = step(revision::Entity::find_by_id(COUNTER).one(&self.writer)).await?;
        row.as_ref().map_or(Ok(()), migrate::may_write)?;
        Ok(row.map_or((0, Uuid::nil()), |row| (row.number, row.batch_id)))
    }
}

impl Writing {
    /// Takes the revision row, so that nobody else writes until this transaction ends. Whatever another connection
    /// was about to commit is committed now, or never will be.
    ///
    /// # Errors
    /// [`StoreError::TooNew`] when a newer version has taken over; when the database does not answer.
    pub async fn hold(&self) -> Result<(), StoreError> {
        let held = step(revision::Entity::find_by_id(COUNTER).lock_exclusive().one(&self.transaction)).await?;
        held.as_ref().map_or(Ok(()), migrate::may_write)
    }

    /// Sees that this version may write, where no revision is taken.
    pub(super) async fn check_format(&self) -> Result<(), StoreError> {
        let row = step(revision::Entity::find_by_id(COUNTER).one(&self.transaction)).await?;
        row.as_ref().map_or(Ok(()), migrate::may_write)
    }

    /// The batch with a random id, when it was committed. Certain only while the revision row is held.
    pub async fn find_batch(&self, batch_id: Uuid) -> Result<Option<batch::Model>, StoreError> {
        step(batch::Entity::find().filter(batch::Column::BatchId.eq(batch_id)).one(&self.transaction)).await
    }

    /// The request of an actor that was answered under a name since a time.
    pub async fn find_request(
        &self,
        request_id: &str,
        actor: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<request::Model>, StoreError> {
        step(request(request_id, actor, since).one(&self.transaction)).await
    }

    /// Writes a group that was planned on the last revision, without the records of what it changed.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] when another process has written since, or a newer version has taken over: then
    /// [`Self::hold`] says so.
    pub async fn write(&self, group: &Group) -> Result<(), StoreError> {
        let (revision, batch_id) = group.planned_on;
        // The batch too: a restored database may have come to the same number another way.
        let same = Condition::all()
            .add(revision::Column::Id.eq(COUNTER))
            .add(revision::Column::Number.eq(revision))
            .add(revision::Column::BatchId.eq(batch_id))
            .add(migrate::writable());
        let take = revision::Entity::update_many().filter(same);
        let take = match group.batches.last() {
            Some(last) => take
                .col_expr(revision::Column::Number, Expr::value(last.revision))
                .col_expr(revision::Column::BatchId, Expr::value(last.batch_id))
                .col_expr(revision::Column::At, Expr::value(last.at)),
            // Answers that write nothing must not rest on an old revision either, and wait for who writes one.
            None => take.col_expr(revision::Column::Number, Expr::value(revision)),
        };
        if step(take.exec(&self.transaction)).await?.rows_affected == 0 {
            return Err(StoreError::Overtaken(revision + 1));
        }
        for rows in &group.rows {
            step(rows.table.delete(&self.transaction, &rows.delete)).await?;
        }
        for rows in &group.rows {
            step(rows.table.insert(&self.transaction, &rows.insert, Clash::Refused)).await?;
            step(rows.table.insert(&self.transaction, &rows.replace, Clash::Replaced)).await?;
        }
        self.insert::<manager::Entity>(&group.managers).await?;
        self.insert::<batch::Entity>(&group.batches).await?;
        self.remember(group).await
    }

    /// Stores the requests that are answered with the commit.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] when another process has answered a request of the same name.
    async fn remember(&self, group: &Group) -> Result<(), StoreError> {
        use request::Column::{Actor, At, Digest, Outcome, RequestId, Revision};
        if group.requests.is_empty() {
            return Ok(());
        }
        let mut forgotten = OnConflict::columns([Actor, RequestId]);
        forgotten
            .update_columns([Digest, Revision, At, Outcome])
            .action_and_where(Expr::col((request::Entity, At)).lt(group.forgotten));
        let rows = group.requests.iter().cloned().map(IntoActiveModel::into_active_model);
        let insert = request::Entity::insert_many(rows).on_conflict(forgotten);
        let stored = step(insert.exec_without_returning(&self.transaction)).await?;
        match stored == group.requests.len() as u64 {
            true => Ok(()),
            false => Err(StoreError::Overtaken(group.planned_on.0)),
        }
    }

    /// Writes the records of what the batches of a group changed, those of many batches in one statement.
    pub async fn record(&self, changes: &[Arc<Vec<change::Model>>]) -> Result<(), StoreError> {
        let changes: Vec<_> = changes.iter().flat_map(|changes| changes.iter()).collect();
        step(insert::<change::Entity>(&self.transaction, &changes, Clash::Refused)).await
    }

    /// Makes all of it last.
    pub async fn commit(self) -> Result<(), StoreError> {
        if self.transaction.get_database_backend() == DbBackend::Postgres {
            // Other processes are told when it is committed, and not before.
            step(self.transaction.execute_unprepared(&notify(self.process))).await?;
        }
        step(self.transaction.commit()).await?;
        self.written.notify_one();
        Ok(())
    }

    /// Lets go of everything.
    pub async fn roll_back(self) -> Result<(), StoreError> {
        step(self.transaction.roll_back()).await
    }

    async fn insert<E>(&self, models: &[E::Model]) -> Result<(), StoreError>
    where
        E: EntityTrait,
        E::Model: ModelTrait<Entity = E> + Sync,
    {
        step(insert::<E>(&self.transaction, &models.iter().collect::<Vec<_>>(), Clash::Refused)).await
    }
}

fn request(request_id: &str, actor: &str, since: DateTime<Utc>) -> Select<request::Entity> {
    request::Entity::find_by_id((actor.to_owned(), request_id.to_owned())).filter(request::Column::At.gte(since))
}

/// Waits for a step of a transaction, within bounds.
pub(super) async fn step<T, E: Into<StoreError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, StoreError> {
    match tokio::time::timeout(Duration::from_secs(STEP_SECONDS), work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(StoreError::TimedOut(STEP_SECONDS)),
    }
}
