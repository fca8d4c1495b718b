//! Adds the columns that tell which faults the last report of a host shows.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::boolean;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: [&str; 2] = ["disk_failing", "memory_errors"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in COLUMNS {
            let column = boolean(name).default(false).to_owned();
            manager.alter_table(Table::alter().table("facts").add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in COLUMNS {
            manager.alter_table(Table::alter().table("facts").drop_column(name).to_owned()).await?;
        }
        Ok(())
    }
}
