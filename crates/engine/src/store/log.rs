//! The change log: reads the changes of each revision for replication, subscribers and auditors.

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, Func, FunctionCall, Order, Query, SimpleExpr, WindowStatement};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, DbBackend, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Select, SelectModel, Selector,
};
use tokio::sync::SemaphorePermit;
use underlay_entity::change::Operation;
use underlay_entity::{batch, change, manager, revision};
use uuid::Uuid;

use super::connection::Store;
use super::error::StoreError;
use super::migrate;
use super::retention;
use super::scope::ScopeQuery;

/// The column with the number of a change among the changes of its object.
const NUMBER: &str = "number";

/// The number of changes after which no further batch is read, because all of them are in memory at once.
const MAX_LOADED_CHANGES: usize = 20_000;

/// The way in which a position that a client knows stands to the log of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The batch of the position made its revision here too.
    Held,
    /// The revision does not exist yet.
    Missing,
    /// Another batch made the revision.
    Replaced,
    /// The revision was pruned, so nobody can compare its batch.
    Pruned,
}

/// A filter for changes. A change must match every condition that is set.
#[derive(Clone, Debug, Default)]
pub struct ChangeQuery {
    pub objects: Option<Vec<Uuid>>,
    pub kinds: Option<Vec<String>>,
    pub actors: Option<Vec<String>>,
    pub sources: Option<Vec<String>>,
    pub operations: Option<Vec<Operation>>,
    pub from_revision: Option<i64>,
    pub to_revision: Option<i64>,
    pub from_time: Option<DateTime<Utc>>,
    pub to_time: Option<DateTime<Utc>>,
    /// What the object must have been in and have had before or after the change.
    pub scope: ScopeQuery,
    /// Only changes after this (revision, position), in the requested order.
    pub past: Option<(i64, i32)>,
    /// Only changes before this (revision, position), in the requested order.
    pub before: Option<(i64, i32)>,
    /// True to read from the oldest to the newest change; false to read the newest first.
    pub oldest_first: bool,
    /// True to read the last changes of the requested order, from the last one on.
    pub from_end: bool,
    /// The greatest number of changes to return.
    pub limit: u64,
}

/// A change without its fields.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Outline {
    pub revision: i64,
    pub position: i32,
    pub kind: String,
    pub object_id: Uuid,
    pub name: String,
    pub operation: Operation,
}

/// The row of a statement that counts.
#[derive(FromQueryResult)]
struct Count {
    count: i64,
}

/// The position of a change in a list that is ordered by object: object, revision, position.
pub type PositionByObject = (Uuid, i64, i32);

/// A page of the log, read in one transaction.
#[derive(Clone, Debug)]
pub struct LogPage {
    /// The oldest revision in the log.
    pub oldest: i64,
    /// The batch that made the revision at which the page begins, if the log still has it.
    pub begins_at: Option<Uuid>,
    /// The batches that made the revisions of the changes, in order.
    pub batches: Vec<Made>,
    /// The changes in the order of the log.
    pub changes: Vec<change::Model>,
}

/// A batch without the answer to its request.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Made {
    pub revision: i64,
    pub batch_id: Uuid,
    pub at: DateTime<Utc>,
}

/// A committed batch with its changes.
#[derive(Clone, Debug)]
pub struct Committed {
    pub batch: batch::Model,
    pub changes: Vec<change::Model>,
}

impl Store {
    /// Returns the changes that match a query.
    pub async fn changes(&self, query: &ChangeQuery) -> Result<Vec<change::Model>, StoreError> {
        self.all(&query.select(self.backend())).await
    }

    /// Does the same without the fields of the changes, which are most of the data.
    pub async fn outlines(&self, query: &ChangeQuery) -> Result<Vec<Outline>, StoreError> {
        use change::Column;
        let columns =
            [Column::Revision, Column::Position, Column::Kind, Column::ObjectId, Column::Name, Column::Operation];
        self.all(&query.select(self.backend()).select_only().columns(columns)).await
    }

    /// Returns the changes that match a query, grouped by object, from the oldest to the newest of each object. Every
    /// page but the first takes two statements, so that none reads the earlier pages again.
    pub async fn changes_by_object(
        &self,
        query: &ChangeQuery,
        past: Option<PositionByObject>,
    ) -> Result<Vec<change::Model>, StoreError> {
        use change::Column;
        let mut found = Vec::new();
        let mut others = change::Entity::find().filter(query.condition(self.backend()));
        if let Some((object, revision, position)) = past {
            let past = Some((revision, position));
            let rest = ChangeQuery { objects: Some(vec![object]), past, oldest_first: true, ..query.clone() };
            found = self.changes(&rest).await?;
            others = others.filter(Column::ObjectId.gt(object));
        }
        let room = query.limit.saturating_sub(found.len() as u64);
        if room > 0 {
            let others = others
                .order_by_asc(Column::ObjectId)
                .order_by_asc(Column::Revision)
                .order_by_asc(Column::Position)
                .limit(room);
            found.extend(self.all::<change::Model>(&others).await?);
        }
        Ok(found)
    }

    /// Returns the newest changes of each of these objects, up to a revision and past a position, at most `limit` of
    /// each. It takes one statement for any number of objects.
    pub async fn changes_of_each(
        &self,
        objects: &[Uuid],
        past: Option<(i64, i32)>,
        up_to: i64,
        limit: u64,
    ) -> Result<Vec<change::Model>, StoreError> {
        use change::Column;
        let query = ChangeQuery { objects: Some(objects.to_vec()), to_revision: Some(up_to), ..ChangeQuery::default() };
        let mut select = change::Entity::find().filter(query.condition(self.backend()));
        if let Some((revision, position)) = past {
            let beyond = Column::Revision.eq(revision).and(Column::Position.lt(position));
            select = select.filter(Condition::any().add(Column::Revision.lt(revision)).add(beyond));
        }
        let number = WindowStatement::partition_by(Column::ObjectId)
            .order_by(Column::Revision, Order::Desc)
            .order_by(Column::Position, Order::Desc)
            .to_owned();
        let numbered =
            QuerySelect::query(&mut select).expr_window_as(Func::cust("ROW_NUMBER"), number, NUMBER).to_owned();
        let wanted = Query::select()
            .column(sea_orm::sea_query::Asterisk)
            .from_subquery(numbered, "numbered")
            .and_where(Expr::col(NUMBER).lte(limit))
            .order_by(Column::Revision, Order::Desc)
            .order_by(Column::Position, Order::Desc)
            .to_owned();
        self.rows(self.backend().build(&wanted)).await
    }

    /// Returns the number of changes that match a query.
    pub async fn count_changes(&self, query: &ChangeQuery) -> Result<u64, StoreError> {
        let all = change::Entity::find().filter(query.condition(self.backend())).select_only();
        let counted: Vec<Count> = self.all(&all.column_as(change::Column::Revision.count(), "count")).await?;
        Ok(counted.first().map_or(0, |counted| counted.count.unsigned_abs()))
    }

    /// Returns the batches after a revision, oldest first, each complete: at most `most`, and fewer if they are large.
    pub async fn batches_after(&self, revision: i64, most: u64) -> Result<Vec<Committed>, StoreError> {
        // All reads are in one transaction, so that a batch is never seen without its changes or with a part of them.
        let transaction = self.begin_at_one_moment().await?;
        let after = batch::Entity::find().filter(batch::Column::Revision.gt(revision));
        let batches = after.order_by_asc(batch::Column::Revision).limit(most).all(&transaction).await?;
        let committed = with_changes(batches, &transaction).await?;
        transaction.commit().await?;
        Ok(committed)
    }

    /// Returns the batches up to a revision, newest first, each complete: at most `most`, and fewer if they are large.
    pub async fn batches_up_to(&self, revision: i64, most: u64) -> Result<Vec<Committed>, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let up_to = batch::Entity::find().filter(batch::Column::Revision.lte(revision));
        let batches = up_to.order_by_desc(batch::Column::Revision).limit(most).all(&transaction).await?;
        let committed = with_changes(batches, &transaction).await?;
        transaction.commit().await?;
        Ok(committed)
    }

    /// Returns the changes after a position (revision, position) up to a revision, at most `most` of them. Readers that
    /// page through the log wait for each other here, so that connections are left for others.
    pub async fn page_of_log(&self, past: (i64, i32), up_to: i64, most: u64) -> Result<LogPage, StoreError> {
        let _turn = self.turn_of_pages().await?;
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let oldest = batch::Entity::find().select_only().column_as(batch::Column::Revision.min(), "oldest");
        let oldest = oldest.into_tuple::<Option<i64>>().one(&transaction).await?.flatten();
        let begins_at = made(batch::Column::Revision.eq(past.0)).one(&transaction).await?;
        let query = ChangeQuery {
            past: Some(past),
            // Lets the database enter its index at this revision, however it treats the position within the revision.
            from_revision: Some(past.0),
            to_revision: Some(up_to),
            oldest_first: true,
            limit: most,
            ..ChangeQuery::default()
        };
        let changes = query.select(self.backend()).all(&transaction).await?;
        let batches = match (changes.first(), changes.last()) {
            (Some(first), Some(last)) => {
                let made = made(batch::Column::Revision.between(first.revision, last.revision));
                made.all(&transaction).await?
            }
            _ => Vec::new(),
        };
        transaction.commit().await?;
        Ok(LogPage { oldest: oldest.unwrap_or(1), begins_at: begins_at.map(|it| it.batch_id), batches, changes })
    }

    /// Returns the changes of a revision, in order.
    pub async fn changes_at(&self, revision: i64) -> Result<Vec<change::Model>, StoreError> {
        let changes = change::Entity::find().filter(change::Column::Revision.eq(revision));
        Ok(changes.order_by_asc(change::Column::Position).all(&self.reader).await?)
    }

    /// Returns the changes of a revision for a reader that walks through the log. It waits with those that page through
    /// the log, so that connections are left for others.
    pub async fn changes_on_a_walk(&self, revision: i64) -> Result<Vec<change::Model>, StoreError> {
        let _turn = self.turn_of_pages().await?;
        self.changes_at(revision).await
    }

    async fn turn_of_pages(&self) -> Result<SemaphorePermit<'_>, StoreError> {
        self.pages.acquire().await.map_err(|error| StoreError::Unreadable(error.to_string()))
    }

    /// Returns the last revision in the database, with the id of its batch.
    ///
    /// # Errors
    /// Returns [`StoreError::TooNew`] if a newer version has taken over the database, and this version can no longer
    /// read its format. Also returns an error if the database does not answer.
    pub async fn last_revision(&self) -> Result<(i64, Uuid), StoreError> {
        let row = revision::Entity::find().one(&self.replication).await?;
        if let Some(row) = &row {
            self.note_format(row);
            migrate::may_read(row)?;
        }
        Ok(row.map_or((0, Uuid::nil()), |row| (row.number, row.batch_id)))
    }

    /// Returns the random id of the batch that made a revision.
    pub async fn batch_id(&self, revision: i64) -> Result<Option<Uuid>, StoreError> {
        let batch = batch::Entity::find_by_id(revision).one(&self.replication).await?;
        Ok(batch.map(|batch| batch.batch_id))
    }

    /// Compares a revision and the batch that made it with the log, as the database has it now.
    pub async fn standing(&self, revision: i64, batch_id: Option<Uuid>) -> Result<Standing, StoreError> {
        if revision < 1 {
            return Ok(Standing::Held);
        }
        if let Some(made) = made(batch::Column::Revision.eq(revision)).one(&self.reader).await? {
            return Ok(if batch_id.is_none_or(|own| own == made.batch_id) {
                Standing::Held
            } else {
                Standing::Replaced
            });
        }
        // This is read afterwards, so that a revision which is pruned meanwhile is not missing.
        Ok(if revision < self.oldest_revision().await? { Standing::Pruned } else { Standing::Missing })
    }

    /// Returns all managers, in the order of their ids.
    pub async fn managers(&self) -> Result<Vec<manager::Model>, StoreError> {
        Ok(manager::Entity::find().order_by_asc(manager::Column::Id).all(&self.replication).await?)
    }
}

/// Reads the changes of batches, until there are `MAX_LOADED_CHANGES` or more.
async fn with_changes(
    batches: Vec<batch::Model>,
    transaction: &DatabaseTransaction,
) -> Result<Vec<Committed>, StoreError> {
    let mut committed = Vec::with_capacity(batches.len());
    let mut count = 0;
    for batch in batches {
        if count >= MAX_LOADED_CHANGES {
            break;
        }
        let changes = change::Entity::find()
            .filter(change::Column::Revision.eq(batch.revision))
            .order_by_asc(change::Column::Position)
            .all(transaction)
            .await?;
        count += changes.len();
        committed.push(Committed { batch, changes });
    }
    Ok(committed)
}

/// Returns the batches that match a condition, in order.
fn made(which: SimpleExpr) -> Selector<SelectModel<Made>> {
    let columns = [batch::Column::Revision, batch::Column::BatchId, batch::Column::At];
    let batches = batch::Entity::find().filter(which).order_by_asc(batch::Column::Revision);
    batches.select_only().columns(columns).into_model()
}

impl ChangeQuery {
    /// Returns the statement for one page of the matching changes, in order.
    fn select(&self, backend: DbBackend) -> Select<change::Entity> {
        use change::Column;
        let mut select = change::Entity::find().filter(self.condition(backend));
        let (later, earlier) = if self.oldest_first { (self.past, self.before) } else { (self.before, self.past) };
        // The first bound of each implies nothing new. Databases can use an index only for it.
        if let Some((revision, position)) = later {
            let beyond = Column::Revision.eq(revision).and(Column::Position.gt(position));
            select = select.filter(Column::Revision.gte(revision));
            select = select.filter(Condition::any().add(Column::Revision.gt(revision)).add(beyond));
        }
        if let Some((revision, position)) = earlier {
            let beyond = Column::Revision.eq(revision).and(Column::Position.lt(position));
            select = select.filter(Column::Revision.lte(revision));
            select = select.filter(Condition::any().add(Column::Revision.lt(revision)).add(beyond));
        }
        let select = match self.oldest_first != self.from_end {
            true => select.order_by_asc(Column::Revision).order_by_asc(Column::Position),
            false => select.order_by_desc(Column::Revision).order_by_desc(Column::Position),
        };
        select.limit(self.limit)
    }

    fn condition(&self, backend: DbBackend) -> Condition {
        use change::Column;
        let revision = || Expr::col((change::Entity, Column::Revision));
        Condition::all()
            .add(retention::held())
            .add_option(self.objects.as_ref().map(|ids| Column::ObjectId.is_in(ids.iter().copied())))
            .add_option(self.kinds.as_ref().map(|kinds| Column::Kind.is_in(kinds)))
            .add_option(self.actors.as_ref().map(|actors| Column::Actor.is_in(actors)))
            .add_option(self.sources.as_ref().map(|sources| Column::Source.is_in(sources)))
            .add_option(self.operations.as_ref().map(|operations| Column::Operation.is_in(operations.iter().copied())))
            .add_option(self.from_revision.map(|revision| Column::Revision.gte(revision)))
            .add_option(self.to_revision.map(|revision| Column::Revision.lte(revision)))
            .add_option(
                self.from_time.map(|at| revision().gte(of_batches(Func::min::<Expr>, batch::Column::At.gte(at)))),
            )
            .add_option(self.to_time.map(|at| revision().lte(of_batches(Func::max::<Expr>, batch::Column::At.lte(at)))))
            .add_option(self.was_made())
            .add_option(self.scope.condition(backend))
    }

    /// Returns the condition that the batch of a change was made between the times. The bounds of revisions are those of
    /// the times as long as the clock was never set back; it is exact where it was.
    fn was_made(&self) -> Option<SimpleExpr> {
        self.from_time.or(self.to_time)?;
        let of_change = Expr::col((change::Entity, change::Column::Revision));
        let made = Query::select()
            .expr(Expr::val(1))
            .from(batch::Entity)
            .and_where(Expr::col((batch::Entity, batch::Column::Revision)).eq(of_change))
            .and_where_option(self.from_time.map(|at| batch::Column::At.gte(at)))
            .and_where_option(self.to_time.map(|at| batch::Column::At.lte(at)))
            .to_owned();
        Some(Expr::exists(made))
    }
}

/// Returns, as a subquery, the first or last revision whose batch matches. The index on times holds the revisions too.
fn of_batches(function: fn(Expr) -> FunctionCall, fits: SimpleExpr) -> SimpleExpr {
    let of = function(Expr::col((batch::Entity, batch::Column::Revision)));
    let found = Query::select().expr(of).from(batch::Entity).and_where(fits).to_owned();
    Expr::SubQuery(None, Box::new(found.into()))
}
