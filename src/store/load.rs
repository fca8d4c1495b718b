//! Reading everything at start: the revision and all tables, as of one moment.

use std::sync::Arc;

use sea_orm::{AccessMode, EntityTrait, IsolationLevel, TransactionTrait};
use underlay_entity::{manager, revision};

use super::connection::Store;
use super::error::StoreError;
use super::row::Row;
use super::table::RowTable;

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
            sea_orm::DbBackend::Postgres => Some(IsolationLevel::RepeatableRead),
            _ => None,
        };
        let access = isolation.map(|_| AccessMode::ReadOnly);
        let transaction = self.reader.begin_with_config(isolation, access).await?;
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
