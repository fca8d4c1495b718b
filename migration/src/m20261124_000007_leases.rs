//! Creates the table of leases, by which controllers divide their work.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, text, timestamp_with_time_zone};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn lease() -> NewTable {
    NewTable::new("lease", &["name"]).columns([
        text("name"),
        text("holder"),
        big_integer("epoch"),
        timestamp_with_time_zone("until"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        lease().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        lease().drop(manager).await
    }
}
