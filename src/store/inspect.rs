//! Looking at a database as it is: what it is, which tables it has, whether its revisions are a chain.
//!
//! Guarantees: nothing is written; what one call gives is of one moment. It works beside a running server, and needs
//! nothing that only a sound database has.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, FromQueryResult, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Statement,
};
use underlay_entity::change::Operation;
use underlay_entity::{batch, change, revision};
use uuid::Uuid;

use super::connection::Store;
use super::error::StoreError;
use super::migrate;
use super::table::RowTable;

/// How many damages of a file are looked for.
const MOST_DAMAGES: u32 = 20;
/// How many times are asked about in one statement.
const TIMES: usize = 500;

/// How the migrations of a database stand to those that this version knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrations {
    /// Those that the database has, in order; none when it is no database of ours.
    pub applied: Vec<String>,
    /// Those that it does not have yet.
    pub missing: Vec<String>,
    /// Those that this version does not know.
    pub unknown: Vec<String>,
}

/// A batch at one end of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct End {
    pub revision: i64,
    pub batch_id: Uuid,
    pub at: DateTime<Utc>,
}

/// The ends of the chain of revisions, at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// What the row that counts revisions says; `None` when it is missing.
    pub counted: Option<End>,
    /// The oldest batch that is held.
    pub oldest: Option<End>,
    /// The newest batch.
    pub newest: Option<End>,
    /// How many changes are of revisions that were dropped: they go by and by.
    pub dropped_changes: u64,
    /// How many changes are of revisions after the newest batch.
    pub beyond: u64,
}

/// The changes of one revision, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Counted {
    pub revision: i64,
    /// How many there are.
    pub count: i64,
    /// The lowest position.
    pub first: i32,
    /// The highest position.
    pub last: i32,
}

/// A piece of the chain, at one moment.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The oldest revision that is held.
    pub oldest: i64,
    /// The revisions of the piece, in order.
    pub revisions: Vec<i64>,
    /// The changes of the revisions from the first to the last of them, in order; of one without changes nothing.
    pub changes: Vec<Counted>,
}

/// The change log, counted, at one moment.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Whether the log begins with the first revision: nothing was dropped from it.
    pub is_whole: bool,
    /// How many more objects of each kind were created than deleted, by the name of the kind.
    pub created: HashMap<String, i64>,
}

/// The changes of one kind and operation, counted.
#[derive(FromQueryResult)]
struct Operations {
    kind: String,
    operation: Operation,
    count: i64,
}

impl Store {
    /// The version of the database.
    ///
    /// # Errors
    /// [`StoreError::TooOld`], as at the start of a server.
    pub async fn version(&self) -> Result<String, StoreError> {
        super::connection::check_version(&self.reader).await?;
        let ask = match self.backend() {
            DbBackend::Postgres => "SELECT current_setting('server_version') AS version",
            _ => "SELECT sqlite_version() AS version",
        };
        let row = self.reader.query_one_raw(self.statement(ask)).await?;
        Ok(row.map(|row| row.try_get("", "version")).transpose()?.unwrap_or_default())
    }

    /// How its migrations stand to those that are known.
    pub async fn migrations(&self) -> Result<Migrations, StoreError> {
        let table = match self.backend() {
            DbBackend::Postgres => "SELECT to_regclass('seaql_migrations')::text AS name",
            _ => "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'seaql_migrations'",
        };
        let row = self.reader.query_one_raw(self.statement(table)).await?;
        let there = row.map(|row| row.try_get::<Option<String>>("", "name")).transpose()?.flatten().is_some();
        let mut applied = Vec::new();
        if there {
            let ask = self.statement("SELECT version FROM seaql_migrations ORDER BY version");
            let rows = self.reader.query_all_raw(ask).await?;
            applied = rows.iter().map(|row| row.try_get("", "version")).collect::<Result<Vec<String>, _>>()?;
        }
        let known = migrate::names();
        let missing = known.iter().filter(|name| !applied.contains(name)).cloned().collect();
        let unknown = applied.iter().filter(|name| !known.contains(name)).cloned().collect();
        Ok(Migrations { applied, missing, unknown })
    }

    /// The time at which a migration was run on the database, to the second; `None` if it was not.
    pub async fn migrated_at(&self, name: &str) -> Result<Option<DateTime<Utc>>, StoreError> {
        let ask = match self.backend() {
            DbBackend::Postgres => "SELECT applied_at FROM seaql_migrations WHERE version = $1",
            _ => "SELECT applied_at FROM seaql_migrations WHERE version = ?",
        };
        let ask = Statement::from_sql_and_values(self.backend(), ask, [name.into()]);
        let row = self.reader.query_one_raw(ask).await?;
        let seconds = row.map(|row| row.try_get::<i64>("", "applied_at")).transpose()?;
        Ok(seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0)))
    }

    /// Sees that this version may read and write the rows.
    ///
    /// # Errors
    /// [`StoreError::TooNew`], as at the start of a server.
    pub async fn check_format(&self) -> Result<(), StoreError> {
        migrate::check_format(&self.reader).await
    }

    /// What is damaged in an SQLite file, as SQLite says it: pages, and indexes that do not fit their tables. Of another
    /// database nothing is known.
    pub async fn damages(&self) -> Result<Vec<String>, StoreError> {
        self.pragma("integrity_check").await
    }

    /// The same without the indexes, which is faster.
    pub async fn rough_damages(&self) -> Result<Vec<String>, StoreError> {
        self.pragma("quick_check").await
    }

    async fn pragma(&self, check: &str) -> Result<Vec<String>, StoreError> {
        if self.backend() != DbBackend::Sqlite {
            return Ok(Vec::new());
        }
        let rows = self.reader.query_all_raw(self.statement(&format!("PRAGMA {check}({MOST_DAMAGES})"))).await?;
        let said: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
        Ok(said.into_iter().filter(|line| line != "ok").collect())
    }

    /// The ends of the chain of revisions.
    pub async fn ends(&self) -> Result<Ends, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let columns = [batch::Column::Revision, batch::Column::BatchId, batch::Column::At];
        let batches = batch::Entity::find().select_only().columns(columns);
        let oldest =
            batches.clone().order_by_asc(batch::Column::Revision).into_model::<End>().one(&transaction).await?;
        let newest = batches.order_by_desc(batch::Column::Revision).into_model::<End>().one(&transaction).await?;
        let counted = revision::Entity::find().one(&transaction).await?;
        let counted = counted.map(|row| End { revision: row.number, batch_id: row.batch_id, at: row.at });
        let before = change::Column::Revision.lt(oldest.map_or(1, |end| end.revision));
        let dropped_changes = change::Entity::find().filter(before).count(&transaction).await?;
        let after = change::Column::Revision.gt(newest.map_or(0, |end| end.revision));
        let beyond = change::Entity::find().filter(after).count(&transaction).await?;
        transaction.commit().await?;
        Ok(Ends { counted, oldest, newest, dropped_changes, beyond })
    }

    /// The next revisions after one, up to another, at most so many.
    pub async fn stretch(&self, after: i64, up_to: i64, most: u64) -> Result<Stretch, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let oldest = batch::Entity::find().select_only().column_as(batch::Column::Revision.min(), "oldest");
        let oldest: Option<i64> = oldest.into_tuple().one(&transaction).await?.flatten();
        let revisions: Vec<i64> = batch::Entity::find()
            .select_only()
            .column(batch::Column::Revision)
            .filter(batch::Column::Revision.gt(after))
            .filter(batch::Column::Revision.lte(up_to))
            .order_by_asc(batch::Column::Revision)
            .limit(most)
            .into_tuple()
            .all(&transaction)
            .await?;
        let changes = match (revisions.first(), revisions.last()) {
            (Some(first), Some(last)) => counted(&transaction, *first, *last).await?,
            _ => Vec::new(),
        };
        transaction.commit().await?;
        Ok(Stretch { oldest: oldest.unwrap_or(1), revisions, changes })
    }

    /// Those of these times at which a revision that is held was made.
    pub async fn made_at(&self, times: &[DateTime<Utc>]) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let mut found = Vec::new();
        for times in times.chunks(TIMES) {
            let made = batch::Entity::find().select_only().column(batch::Column::At);
            let made = made.filter(batch::Column::At.is_in(times.iter().copied()));
            found.extend(made.into_tuple::<DateTime<Utc>>().all(&self.reader).await?);
        }
        Ok(found)
    }

    /// Counts the changes that create and delete objects, up to a revision.
    pub async fn tally(&self, up_to: i64) -> Result<Tally, StoreError> {
        use change::Column;
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let oldest = batch::Entity::find().select_only().column_as(batch::Column::Revision.min(), "oldest");
        let oldest: Option<i64> = oldest.into_tuple().one(&transaction).await?.flatten();
        let oldest = oldest.unwrap_or(1);
        let kinds = change::Entity::find()
            .select_only()
            .columns([Column::Kind, Column::Operation])
            .column_as(Column::Position.count(), "count")
            .filter(Column::Revision.between(oldest, up_to))
            .filter(Column::Operation.ne(Operation::Updated))
            .group_by(Column::Kind)
            .group_by(Column::Operation);
        let kinds = kinds.into_model::<Operations>().all(&transaction).await?;
        transaction.commit().await?;
        let mut created = HashMap::new();
        for Operations { kind, operation, count } in kinds {
            *created.entry(kind).or_default() += if operation == Operation::Created { count } else { -count };
        }
        Ok(Tally { is_whole: oldest <= 1, created })
    }

    /// How many rows these tables have together.
    pub async fn count_rows(&self, tables: &[&'static dyn RowTable]) -> Result<u64, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let mut count = 0;
        for table in tables {
            count += table.count(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(count)
    }

    fn statement(&self, text: &str) -> Statement {
        Statement::from_string(self.backend(), text)
    }
}

async fn counted(transaction: &DatabaseTransaction, first: i64, last: i64) -> Result<Vec<Counted>, StoreError> {
    use change::Column;
    let counted = change::Entity::find()
        .select_only()
        .column(Column::Revision)
        .column_as(Column::Position.count(), "count")
        .column_as(Column::Position.min(), "first")
        .column_as(Column::Position.max(), "last")
        .filter(Column::Revision.between(first, last))
        .group_by(Column::Revision)
        .order_by_asc(Column::Revision);
    Ok(counted.into_model::<Counted>().all(transaction).await?)
}
