//! Creates the tables of encrypted secrets, and of how often they are read.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, text, timestamp_with_time_zone, uuid};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

// No reference to the table of a kind: a row whose unique columns change is deleted and inserted again, and would take
// its secrets with it.
fn secret() -> NewTable {
    NewTable::new("secret", &["object_id", "field"]).columns([
        uuid("object_id"),
        text("field"),
        text("key_id"),
        text("sealed"),
        text("digest"),
        timestamp_with_time_zone("set_at"),
        text("set_by"),
    ])
}

fn secret_read() -> NewTable {
    NewTable::new("secret_read", &["reader", "object_id", "hour"])
        .columns([text("reader"), uuid("object_id"), timestamp_with_time_zone("hour"), big_integer("reads")])
        .index(&["object_id", "hour"])
        .index(&["hour"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        secret().create(manager).await?;
        secret_read().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        secret_read().drop(manager).await?;
        secret().drop(manager).await
    }
}
