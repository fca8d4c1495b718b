//! Creates the table of strays: what exists at provisioners and is no host. It makes no revision.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{integer, json_binary, text, timestamp_with_time_zone};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn stray() -> NewTable {
    NewTable::new("stray", &["provisioner", "place"]).columns([
        text("provisioner"),
        text("place"),
        text("by"),
        timestamp_with_time_zone("seen_at"),
        integer("total"),
        json_binary("listed"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        stray().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        stray().drop(manager).await
    }
}
