//! Remembers which objects a source emptied lately, and the values that the guard holds.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{json_binary_null, text, timestamp_with_time_zone, uuid};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn emptied() -> NewTable {
    NewTable::new("source_emptied", &["source_id", "object_id"]).columns([
        uuid("source_id"),
        uuid("object_id"),
        text("kind"),
        timestamp_with_time_zone("at"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        emptied().create(manager).await?;
        let column = json_binary_null("value");
        manager.alter_table(Table::alter().table("source_held").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("source_held").drop_column("value").to_owned()).await?;
        emptied().drop(manager).await
    }
}
