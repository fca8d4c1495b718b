//! Reading everything at start: the revision and all tables, as of one moment.

use std::sync::Arc;

use sea_orm::{AccessMode, ConnectionTrait, DbBackend, EntityTrait, IsolationLevel, TransactionTrait};
use underlay_entity::{manager, revision};

use super::connection::Store;
use super::error::StoreError;
use super::row::Row;
use super::table::RowTable;

/// How long the rows of one table may take.
const LOAD_TIMEOUT: &str = "SET LOCAL statement_timeout = '15min'";

/// Everything in the database as of one revision.
#[derive(Debug)]
pub struct Loaded {
    /// The revision row.
    pub revision: Option<revision::Model>,
    /// All managers.
    pub managers: Vec<manager::Model>,
    /// The rows of each table, in the order of the tables.
    pub rows: Vec<Vec<Arc<dyn Row>>>,
}

impl Store {
    /// Reads all rows of these tables, and the revision that they are of.
    pub async fn load(&self, tables: &[&'static dyn RowTable]) -> Result<Loaded, StoreError> {
        // On PostgreSQL one snapshot for all statements; an SQLite transaction is one by nature.
        let isolation = match self.backend() {
            DbBackend::Postgres => Some(IsolationLevel::RepeatableRead),
            _ => None,
        };
        let access = isolation.map(|_| AccessMode::ReadOnly);
        let transaction = self.follower.begin_with_config(isolation, access).await?;
        if isolation.is_some() {
            // A large table takes longer than any other statement may.
            transaction.execute_unprepared(LOAD_TIMEOUT).await?;
        }
        let revision = revision::Entity::find().one(&transaction).await?;
        let managers = manager::Entity::find().all(&transaction).await?;
        let mut rows = Vec::with_capacity(tables.len());
        for table in tables {
            rows.push(table.load(&transaction).await?);
        }
        transaction.commit().await?;
        Ok(Loaded { revision, managers, rows })
    }
}
