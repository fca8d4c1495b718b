//! Creates the table of sources: outside systems whose synchronizers keep a part of the inventory true.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{boolean, integer, json_binary, text, text_null};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn source() -> NewTable {
    NewTable::kind("source")
        .columns([
            text("type"),
            text_null("url"),
            integer("interval_seconds"),
            text("prune"),
            json_binary("limits"),
            boolean("paused"),
            text("health"),
            boolean("reserved"),
        ])
        .unique("source_key", &["name"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        source().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        source().drop(manager).await
    }
}
