//! Creates the tables of the facts of hosts.
//!
//! PostgreSQL keeps facts in them. With SQLite, the tables of a file beside the inventory hold the facts, so that their
//! writes do not wait for those of the inventory; the tables of the inventory hold them only in a backup.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{integer, small_integer, text, timestamp_with_time_zone, uuid};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn facts() -> NewTable {
    NewTable::new("facts", &["host_id", "origin"])
        .columns([
            uuid("host_id"),
            small_integer("origin"),
            text("digest"),
            text("program"),
            timestamp_with_time_zone("observed_at"),
            timestamp_with_time_zone("received_at"),
            timestamp_with_time_zone("since"),
            timestamp_with_time_zone("written_at"),
        ])
        .index(&["written_at"])
}

fn facts_body() -> NewTable {
    NewTable::new("facts_body", &["host_id", "origin"]).columns([
        uuid("host_id"),
        small_integer("origin"),
        ColumnDef::new("body").blob().not_null().take(),
    ])
}

fn facts_history() -> NewTable {
    NewTable::new("facts_history", &["id"]).columns([integer("id"), uuid("history")])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        facts().create(manager).await?;
        facts_body().create(manager).await?;
        facts_history().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        facts_history().drop(manager).await?;
        facts_body().drop(manager).await?;
        facts().drop(manager).await
    }
}
