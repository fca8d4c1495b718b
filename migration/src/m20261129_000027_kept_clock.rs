//! Creates the table of the time by which old changes are dropped.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{integer, timestamp_with_time_zone, timestamp_with_time_zone_null};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn kept_clock() -> NewTable {
    NewTable::new("kept_clock", &["id"]).columns([
        integer("id"),
        timestamp_with_time_zone("at"),
        timestamp_with_time_zone("read_at"),
        timestamp_with_time_zone_null("jumped_at"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        kept_clock().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        kept_clock().drop(manager).await
    }
}
