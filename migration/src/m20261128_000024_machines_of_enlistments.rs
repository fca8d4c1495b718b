//! Lets an enlistment say what became of each machine.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{integer_null, json_binary_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [integer_null("changed"), json_binary_null("machines")] {
            manager.alter_table(Table::alter().table("enlistment").add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["machines", "changed"] {
            manager.alter_table(Table::alter().table("enlistment").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
