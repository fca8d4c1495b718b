//! The change log: what each revision changed, as followers and auditors read it.

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, Func, Order, Query, SimpleExpr, WindowStatement};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Select, SelectModel, Selector,
};
use underlay_entity::change::Operation;
use underlay_entity::{batch, change, manager, revision};
use uuid::Uuid;

use super::connection::Store;
use super::error::StoreError;
use super::migrate;
use super::retention;

/// The column with the number of a change among those of its object.
const NUMBER: &str = "number";

/// How many changes are enough to take over at a time: they are all in memory.
const MOST_CHANGES: usize = 20_000;

/// Which changes are asked for. Everything that is set must fit.
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
    /// Only changes past this (revision, position), in the order asked for.
    pub past: Option<(i64, i32)>,
    /// From the oldest to the newest, rather than newest first.
    pub oldest_first: bool,
    /// At most so many.
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

/// The place of a change among those of some objects: object, revision, position.
pub type PlaceOfObject = (Uuid, i64, i32);

/// A short piece of the log, all of one moment.
#[derive(Clone, Debug)]
pub struct LogPage {
    /// The oldest revision that is held.
    pub oldest: i64,
    /// The batch that made the revision at which the piece begins, if that is held.
    pub begins_at: Option<Uuid>,
    /// What made the revisions of the changes, in order.
    pub batches: Vec<Made>,
    /// The changes, in order.
    pub changes: Vec<change::Model>,
}

/// A batch without what was answered.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Made {
    pub revision: i64,
    pub batch_id: Uuid,
    pub at: DateTime<Utc>,
}

/// A committed batch with what it changed.
#[derive(Clone, Debug)]
pub struct Committed {
    pub batch: batch::Model,
    pub changes: Vec<change::Model>,
}

impl Store {
    /// The changes that fit a query.
    pub async fn changes(&self, query: &ChangeQuery) -> Result<Vec<change::Model>, StoreError> {
        Ok(query.select().all(&self.reader).await?)
    }

    /// The same without their fields, which are most of what there is to read.
    pub async fn outlines(&self, query: &ChangeQuery) -> Result<Vec<Outline>, StoreError> {
        use change::Column;
        let columns =
            [Column::Revision, Column::Position, Column::Kind, Column::ObjectId, Column::Name, Column::Operation];
        let outlines = query.select().select_only().columns(columns).into_model::<Outline>();
        Ok(outlines.all(&self.reader).await?)
    }

    /// The changes that fit a query, those of one object after those of another, from the oldest to the newest of each.
    /// Two statements for each page but the first, so that none looks again at what came before.
    pub async fn changes_by_object(
        &self,
        query: &ChangeQuery,
        past: Option<PlaceOfObject>,
    ) -> Result<Vec<change::Model>, StoreError> {
        use change::Column;
        let mut found = Vec::new();
        let mut others = change::Entity::find().filter(query.condition());
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
            found.extend(others.all(&self.reader).await?);
        }
        Ok(found)
    }

    /// The newest changes of each of these objects, up to a revision and past a spot, at most so many of each: one
    /// statement, however many objects they are.
    pub async fn changes_of_each(
        &self,
        objects: &[Uuid],
        past: Option<(i64, i32)>,
        up_to: i64,
        limit: u64,
    ) -> Result<Vec<change::Model>, StoreError> {
        use change::Column;
        let query = ChangeQuery { objects: Some(objects.to_vec()), to_revision: Some(up_to), ..ChangeQuery::default() };
        let mut select = change::Entity::find().filter(query.condition());
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
        let statement = self.reader.get_database_backend().build(&wanted);
        Ok(change::Entity::find().from_raw_sql(statement).all(&self.reader).await?)
    }

    /// How many changes fit a query.
    pub async fn count_changes(&self, query: &ChangeQuery) -> Result<u64, StoreError> {
        use sea_orm::PaginatorTrait;
        Ok(change::Entity::find().filter(query.condition()).count(&self.reader).await?)
    }

    /// The batches after a revision, oldest first, each whole, at most so many; fewer when they are large.
    pub async fn batches_after(&self, revision: i64, most: u64) -> Result<Vec<Committed>, StoreError> {
        // All of one moment, so that a batch is never seen without its changes, nor with a part of them.
        let transaction = self.begin_at_one_moment().await?;
        let after = batch::Entity::find().filter(batch::Column::Revision.gt(revision));
        let batches = after.order_by_asc(batch::Column::Revision).limit(most).all(&transaction).await?;
        let committed = with_changes(batches, &transaction).await?;
        transaction.commit().await?;
        Ok(committed)
    }

    /// The batches up to a revision, newest first, each whole, at most so many; fewer when they are large.
    pub async fn batches_up_to(&self, revision: i64, most: u64) -> Result<Vec<Committed>, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let up_to = batch::Entity::find().filter(batch::Column::Revision.lte(revision));
        let batches = up_to.order_by_desc(batch::Column::Revision).limit(most).all(&transaction).await?;
        let committed = with_changes(batches, &transaction).await?;
        transaction.commit().await?;
        Ok(committed)
    }

    /// The changes past a place (revision, position) up to a revision, at most so many. Those who read page after page wait
    /// for each other here, so that they leave connections to everybody else.
    pub async fn page_of_log(&self, past: (i64, i32), up_to: i64, most: u64) -> Result<LogPage, StoreError> {
        let stopped = |error: tokio::sync::AcquireError| StoreError::Unreadable(error.to_string());
        let _turn = self.pages.acquire().await.map_err(stopped)?;
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let oldest = batch::Entity::find().select_only().column_as(batch::Column::Revision.min(), "oldest");
        let oldest = oldest.into_tuple::<Option<i64>>().one(&transaction).await?.flatten();
        let begins_at = made(batch::Column::Revision.eq(past.0)).one(&transaction).await?;
        let query = ChangeQuery {
            past: Some(past),
            // So that the index is entered there, whatever is made of the place within the revision.
            from_revision: Some(past.0),
            to_revision: Some(up_to),
            oldest_first: true,
            limit: most,
            ..ChangeQuery::default()
        };
        let changes = query.select().all(&transaction).await?;
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

    /// What a revision changed, in order.
    pub async fn changes_at(&self, revision: i64) -> Result<Vec<change::Model>, StoreError> {
        let changes = change::Entity::find().filter(change::Column::Revision.eq(revision));
        Ok(changes.order_by_asc(change::Column::Position).all(&self.reader).await?)
    }

    /// The last revision in the database, with the id of its batch.
    ///
    /// # Errors
    /// [`StoreError::TooNew`] when a newer version has taken over, and this one can no longer read what it writes; when
    /// the database does not answer.
    pub async fn last_revision(&self) -> Result<(i64, Uuid), StoreError> {
        let row = revision::Entity::find().one(&self.follower).await?;
        if let Some(row) = &row {
            self.note_format(row);
            migrate::may_read(row)?;
        }
        Ok(row.map_or((0, Uuid::nil()), |row| (row.number, row.batch_id)))
    }

    /// The random id of the batch that made a revision.
    pub async fn batch_id(&self, revision: i64) -> Result<Option<Uuid>, StoreError> {
        let batch = batch::Entity::find_by_id(revision).one(&self.follower).await?;
        Ok(batch.map(|batch| batch.batch_id))
    }

    /// All managers.
    pub async fn managers(&self) -> Result<Vec<manager::Model>, StoreError> {
        Ok(manager::Entity::find().order_by_asc(manager::Column::Id).all(&self.follower).await?)
    }
}

/// Batches with their changes, until there are many.
async fn with_changes(
    batches: Vec<batch::Model>,
    transaction: &DatabaseTransaction,
) -> Result<Vec<Committed>, StoreError> {
    let mut committed = Vec::with_capacity(batches.len());
    let mut count = 0;
    for batch in batches {
        if count >= MOST_CHANGES {
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

/// The batches that fit, in order.
fn made(which: SimpleExpr) -> Selector<SelectModel<Made>> {
    let columns = [batch::Column::Revision, batch::Column::BatchId, batch::Column::At];
    let batches = batch::Entity::find().filter(which).order_by_asc(batch::Column::Revision);
    batches.select_only().columns(columns).into_model()
}

impl ChangeQuery {
    /// The changes that fit, in order, of one page.
    fn select(&self) -> Select<change::Entity> {
        use change::Column;
        let mut select = change::Entity::find().filter(self.condition());
        if let Some((revision, position)) = self.past {
            let (from, further, beyond) = match self.oldest_first {
                true => (Column::Revision.gte(revision), Column::Revision.gt(revision), Column::Position.gt(position)),
                false => (Column::Revision.lte(revision), Column::Revision.lt(revision), Column::Position.lt(position)),
            };
            // The first bound is in the second, but only of the first do databases see that an index serves it.
            let past = Condition::any().add(further).add(Column::Revision.eq(revision).and(beyond));
            select = select.filter(from).filter(past);
        }
        let select = match self.oldest_first {
            true => select.order_by_asc(Column::Revision).order_by_asc(Column::Position),
            false => select.order_by_desc(Column::Revision).order_by_desc(Column::Position),
        };
        select.limit(self.limit)
    }

    fn condition(&self) -> Condition {
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
            .add_option(self.from_time.map(|at| revision().gte(outermost(batch::Column::At.gte(at), Order::Asc))))
            .add_option(self.to_time.map(|at| revision().lte(outermost(batch::Column::At.lte(at), Order::Desc))))
    }
}

/// The first revision in the order of their times whose batch fits, within a statement. A later revision has no earlier
/// time, so that what is on one side of it in time is on the same side by number.
fn outermost(fits: SimpleExpr, order: Order) -> SimpleExpr {
    let first = Query::select()
        .column(batch::Column::Revision)
        .from(batch::Entity)
        .and_where(fits)
        .order_by(batch::Column::At, order.clone())
        .order_by(batch::Column::Revision, order)
        .limit(1)
        .to_owned();
    Expr::SubQuery(None, Box::new(first.into()))
}
