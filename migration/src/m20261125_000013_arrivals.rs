//! Lets a source decide the state of the hosts that it brings.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "hosts_arrive";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Older processes insert sources without the column.
        let column = text(COLUMN).default("REGISTERED").take();
        manager.alter_table(Table::alter().table("source").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("source").drop_column(COLUMN).to_owned()).await
    }
}
