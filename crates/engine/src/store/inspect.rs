//! Inspects a database: its version, its schema, and the chain of its revisions.
//!
//! Guarantees: nothing is written, and the result of each call is consistent. It works beside a running server, and on
//! a damaged database.

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

/// The number of damages at which the check of a file stops.
const MAX_DAMAGES: u32 = 20;
/// The number of times that one statement looks up.
const TIMES_PER_STATEMENT: usize = 500;

/// The migrations of a database, compared with those that this version knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrations {
    /// The migrations that were applied, in order; empty if the database is not one of Underlay.
    pub applied: Vec<String>,
    /// The known migrations that were not applied yet.
    pub missing: Vec<String>,
    /// The applied migrations that this version does not know.
    pub unknown: Vec<String>,
}

/// A batch at one end of the chain of revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct End {
    pub revision: i64,
    pub batch_id: Uuid,
    pub at: DateTime<Utc>,
}

/// The ends of the chain of revisions, read in one transaction.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The content of the row that counts revisions; `None` if the row is missing.
    pub counted: Option<End>,
    /// The oldest batch in the database.
    pub oldest: Option<End>,
    /// The newest batch in the database.
    pub newest: Option<End>,
    /// The number of changes that belong to dropped revisions. They are deleted gradually.
    pub dropped_changes: u64,
    /// The number of changes that belong to revisions after the newest batch.
    pub beyond: u64,
}

/// The number of changes of one revision, and the range of their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Counted {
    pub revision: i64,
    /// The number of changes of the revision.
    pub count: i64,
    /// The lowest position of these changes.
    pub first: i32,
    /// The highest position of these changes.
    pub last: i32,
}

/// A section of the chain of revisions, read in one transaction.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The oldest revision in the database.
    pub oldest: i64,
    /// The revisions of the section, in order.
    pub revisions: Vec<i64>,
    /// The counts for the revisions from the first to the last of the section, in order. A revision without changes has
    /// none.
    pub changes: Vec<Counted>,
}

/// The numbers of created and deleted objects in the change log, read in one transaction.
#[derive(Clone, Debug)]
pub struct Tally {
    /// True if the log begins with the first revision, so that nothing was dropped from it.
    pub is_whole: bool,
    /// The number of created minus the number of deleted objects of each kind, by the name of the kind.
    pub created: HashMap<String, i64>,
}

/// The number of changes of one kind with one operation.
#[derive(FromQueryResult)]
struct Operations {
    kind: String,
    operation: Operation,
    count: i64,
}

impl Store {
    /// Returns the version of the database server or library.
    ///
    /// # Errors
    /// Returns [`StoreError::TooOld`] under the same condition as the start of a server.
    pub async fn version(&self) -> Result<String, StoreError> {
        super::connection::check_version(&self.reader).await?;
        let ask = match self.backend() {
            DbBackend::Postgres => "SELECT current_setting('server_version') AS version",
            _ => "SELECT sqlite_version() AS version",
        };
        let row = self.reader.query_one_raw(self.statement(ask)).await?;
        Ok(row.map(|row| row.try_get("", "version")).transpose()?.unwrap_or_default())
    }

    /// Compares the migrations of the database with those that this version knows.
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

    /// Returns the time at which a migration was run on the database, to the second; `None` if it was not run.
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

    /// Checks that this version may read and write the rows.
    ///
    /// # Errors
    /// Returns [`StoreError::TooNew`] under the same condition as the start of a server.
    pub async fn check_format(&self) -> Result<(), StoreError> {
        migrate::check_format(&self.reader).await
    }

    /// Returns the damages of an SQLite file as SQLite reports them: pages, and indexes that do not match their tables.
    /// For another database, the list is empty.
    pub async fn damages(&self) -> Result<Vec<String>, StoreError> {
        self.pragma("integrity_check").await
    }

    /// Does the same without the indexes, which is faster.
    pub async fn rough_damages(&self) -> Result<Vec<String>, StoreError> {
        self.pragma("quick_check").await
    }

    async fn pragma(&self, check: &str) -> Result<Vec<String>, StoreError> {
        if self.backend() != DbBackend::Sqlite {
            return Ok(Vec::new());
        }
        let rows = self.reader.query_all_raw(self.statement(&format!("PRAGMA {check}({MAX_DAMAGES})"))).await?;
        let lines: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }

    /// Returns the ends of the chain of revisions.
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

    /// Returns the revisions after `after`, up to and including `up_to`, at most `most` of them.
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

    /// Returns those of the given times at which a revision in the database was made.
    pub async fn made_at(&self, times: &[DateTime<Utc>]) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let mut found = Vec::new();
        for times in times.chunks(TIMES_PER_STATEMENT) {
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

    /// Returns the total number of rows of all kinds.
    pub async fn count_rows(&self) -> Result<u64, StoreError> {
        let transaction = self.read_at_one_moment(&self.reader).await?;
        let mut count = 0;
        for table in self.tables {
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
