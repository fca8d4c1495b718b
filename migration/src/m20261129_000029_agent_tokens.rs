//! Creates the table of the tokens with which the agents of hosts report.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{text, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

// No reference to the table of hosts: a row whose unique columns change is deleted and inserted again.
fn agent_token() -> NewTable {
    NewTable::new("agent_token", &["host_id"])
        .columns([
            uuid("host_id"),
            uuid("token_id"),
            text("digest"),
            timestamp_with_time_zone("issued_at"),
            text("issued_to"),
            timestamp_with_time_zone_null("revoked_at"),
            timestamp_with_time_zone("written_at"),
        ])
        .index(&["written_at"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        agent_token().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        agent_token().drop(manager).await
    }
}
