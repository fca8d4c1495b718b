//! Creates the table of observations: what was last seen of an object, which changes by itself and makes no revision.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, json_binary_null, text, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn observation() -> NewTable {
    NewTable::new("observation", &["object_id"])
        .columns([
            uuid("object_id"),
            text("kind"),
            timestamp_with_time_zone("seen_at"),
            text("by"),
            timestamp_with_time_zone_null("power_at"),
            json_binary_null("detail"),
            big_integer("conditions"),
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
        observation().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        observation().drop(manager).await
    }
}
