//! Loads the revision and all tables at the start of a process, as of one moment.

use std::sync::Arc;

use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, EntityTrait, IsolationLevel,
    TransactionTrait,
};
use underlay_entity::{manager, revision};

use super::connection::Store;
use super::error::StoreError;
use super::migrate;
use super::table::{IdRange, RowTable};
use underlay_entity::row::Row;

/// The longest time to load the rows of one table.
const LOAD_TIMEOUT: &str = "SET LOCAL statement_timeout = '15min'";

/// The content of the database at one revision.
#[derive(Debug)]
pub struct Loaded {
    /// The revision row; `None` if it is missing.
    pub revision: Option<revision::Model>,
    /// All managers, with their interned ids.
    pub managers: Vec<manager::Model>,
    /// The rows of each kind, in the order of the kinds' ids.
    pub rows: Vec<Vec<Arc<dyn Row>>>,
}

impl Store {
    /// Reads the rows of all kinds and their revision. It uses two connections, because building rows from the
    /// results takes longer than the database needs to send them.
    ///
    /// # Errors
    /// Returns [`StoreError::Overtaken`] if another process wrote between the starts of the two transactions, and
    /// [`StoreError::TooNew`] if this version cannot read the rows.
    pub async fn load(&self) -> Result<Loaded, StoreError> {
        let (first, second) = (self.begin_load().await?, self.begin_load().await?);
        let revision = revision::Entity::find().one(&first).await?;
        if revision != revision::Entity::find().one(&second).await? {
            return Err(StoreError::Overtaken(revision.map_or(0, |row| row.number)));
        }
        revision.as_ref().map_or(Ok(()), migrate::may_read)?;
        let managers = manager::Entity::find().all(&first).await?;
        let (mut before, mut after) = (Vec::with_capacity(self.tables.len()), Vec::with_capacity(self.tables.len()));
        for table in self.tables {
            let middle = table.middle(&first).await?;
            before.push((*table, IdRange::Before(middle)));
            after.push((*table, IdRange::From(middle)));
        }
        let lower = tokio::spawn(load_parts(first, before));
        let upper = tokio::spawn(load_parts(second, after));
        let stopped = |error: tokio::task::JoinError| StoreError::Unreadable(error.to_string());
        let (lower, upper) = (lower.await.map_err(stopped)??, upper.await.map_err(stopped)??);
        let rows = lower.into_iter().zip(upper).map(|(mut lower, upper)| {
            lower.extend(upper);
            lower
        });
        Ok(Loaded { revision, managers, rows: rows.collect() })
    }

    /// Begins a transaction that reads whole tables.
    async fn begin_load(&self) -> Result<DatabaseTransaction, StoreError> {
        let transaction = self.begin_at_one_moment().await?;
        if self.backend() == DbBackend::Postgres {
            // A large table takes longer than the usual time-out of a statement.
            transaction.execute_unprepared(LOAD_TIMEOUT).await?;
        }
        Ok(transaction)
    }

    /// Begins a consistent read transaction on a connection of the replication.
    pub(super) async fn begin_at_one_moment(&self) -> Result<DatabaseTransaction, StoreError> {
        self.read_at_one_moment(&self.replication).await
    }

    /// Begins a consistent read transaction.
    pub(super) async fn read_at_one_moment(
        &self,
        connection: &DatabaseConnection,
    ) -> Result<DatabaseTransaction, StoreError> {
        // PostgreSQL needs one snapshot for all statements; an SQLite transaction always has one.
        let isolation = match self.backend() {
            DbBackend::Postgres => Some(IsolationLevel::RepeatableRead),
            _ => None,
        };
        let access = isolation.map(|_| AccessMode::ReadOnly);
        Ok(connection.begin_with_config(isolation, access).await?)
    }
}

async fn load_parts(
    transaction: DatabaseTransaction,
    parts: Vec<(&'static dyn RowTable, IdRange)>,
) -> Result<Vec<Vec<Arc<dyn Row>>>, StoreError> {
    let mut rows = Vec::with_capacity(parts.len());
    for (table, part) in parts {
        rows.push(table.load(&transaction, part).await?);
    }
    transaction.commit().await?;
    Ok(rows)
}
