//! Adds the column with the summary of the last report of a host: models, amounts, and what is heard.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::json_binary_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "summary";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    // A row without a summary gets one with the next report: its agent is asked for all of it.
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("facts").add_column(json_binary_null(COLUMN)).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("facts").drop_column(COLUMN).to_owned()).await
    }
}
