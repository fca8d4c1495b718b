//! Creates the table of what runs of sources could not write or remove, and marks what another run of the source saw.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, text, text_null, uuid};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn failure() -> NewTable {
    NewTable::new("source_failure", &["run_id", "digest"])
        .columns([
            uuid("run_id"),
            uuid("digest"),
            big_integer("number"),
            text_null("external_id"),
            text("code"),
            text("message"),
            boolean("counts"),
        ])
        .index(&["run_id", "number"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        failure().create(manager).await?;
        let mut by_other = boolean("by_other");
        by_other.default(false);
        manager.alter_table(Table::alter().table("source_seen").add_column(by_other).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("source_seen").drop_column("by_other").to_owned()).await?;
        failure().drop(manager).await
    }
}
