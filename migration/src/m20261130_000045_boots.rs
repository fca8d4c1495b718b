//! Creates the tables of boots from the network, which make no revision: the attempt of each host, and what its machine
//! was given at each boot.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, integer, json_binary_null, small_integer, small_integer_null, text, text_null,
    timestamp_with_time_zone, timestamp_with_time_zone_null, uuid,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn boot_attempt() -> NewTable {
    NewTable::new("boot_attempt", &["host_id"])
        .columns([
            uuid("host_id"),
            uuid("order_id"),
            small_integer("purpose"),
            small_integer("state"),
            timestamp_with_time_zone("opened_at"),
            timestamp_with_time_zone("until"),
            integer("boots"),
            text_null("token"),
            timestamp_with_time_zone_null("booted_at"),
            timestamp_with_time_zone_null("loaded_at"),
            timestamp_with_time_zone_null("text_at"),
            text_null("text"),
            timestamp_with_time_zone_null("rebooted_at"),
            timestamp_with_time_zone_null("heard_at"),
            text_null("stage"),
            small_integer_null("percent"),
            text_null("message"),
            json_binary_null("facts"),
        ])
        .index(&["token"])
}

fn boot() -> NewTable {
    NewTable::new("boot", &["host_id", "number"]).columns([
        uuid("host_id"),
        big_integer("number"),
        timestamp_with_time_zone("at"),
        small_integer("target"),
        text("reason"),
        text_null("mac"),
        text_null("address"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        boot_attempt().create(manager).await?;
        boot().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        boot().drop(manager).await?;
        boot_attempt().drop(manager).await
    }
}
