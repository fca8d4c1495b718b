//! Lets operators say which sources may refer to a credential.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::json_binary;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "sources";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Older processes insert credentials without the column.
        let column = json_binary(COLUMN).default("[]").take();
        manager.alter_table(Table::alter().table("credential").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("credential").drop_column(COLUMN).to_owned()).await
    }
}
