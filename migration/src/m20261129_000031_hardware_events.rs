//! Creates the table of the events of hardware, and the columns that tell which parts were missing in the last report.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, boolean, json_binary_null, small_integer, text, timestamp_with_time_zone, uuid,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn hardware_event() -> NewTable {
    NewTable::new("hardware_event", &["id"])
        .columns([
            big_integer("id"),
            uuid("host_id"),
            small_integer("origin"),
            text("part"),
            text("change"),
            text("place"),
            json_binary_null("before"),
            json_binary_null("after"),
            timestamp_with_time_zone("at"),
        ])
        .index(&["host_id", "id"])
        .index(&["at"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        hardware_event().create(manager).await?;
        let pending = boolean("pending").default(false).to_owned();
        manager.alter_table(Table::alter().table("facts").add_column(pending).to_owned()).await?;
        let missing = json_binary_null("missing");
        manager.alter_table(Table::alter().table("facts_body").add_column(missing).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("facts_body").drop_column("missing").to_owned()).await?;
        manager.alter_table(Table::alter().table("facts").drop_column("pending").to_owned()).await?;
        hardware_event().drop(manager).await
    }
}
