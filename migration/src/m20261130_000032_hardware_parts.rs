//! Creates the tables of the parts of hosts and of their stays in hosts, and the column that tells from which host a part
//! moved.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, text, text_null, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid, uuid_null,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn hardware_part() -> NewTable {
    NewTable::new("hardware_part", &["id"])
        .columns([big_integer("id"), text("kind"), text_null("manufacturer"), text("model"), text("serial")])
        .unique("hardware_part_unique", &["kind", "model", "serial"])
        .index(&["serial"])
}

fn hardware_stay() -> NewTable {
    NewTable::new("hardware_stay", &["id"])
        .columns([
            big_integer("id"),
            big_integer("part_id"),
            uuid("host_id"),
            text("place"),
            timestamp_with_time_zone("from_at"),
            timestamp_with_time_zone_null("until_at"),
            timestamp_with_time_zone_null("missing_since"),
        ])
        .index(&["part_id"])
        // The stays that have not ended are those without an end.
        .index(&["host_id", "until_at"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        hardware_part().create(manager).await?;
        hardware_stay().create(manager).await?;
        let from_host = uuid_null("from_host_id");
        manager.alter_table(Table::alter().table("hardware_event").add_column(from_host).to_owned()).await?;
        // Few events have it.
        let index = r#"CREATE INDEX "hardware_event_from_host_id_id" ON "hardware_event" ("from_host_id", "id") WHERE "from_host_id" IS NOT NULL"#;
        manager.get_connection().execute_unprepared(index).await.map(drop)
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(r#"DROP INDEX "hardware_event_from_host_id_id""#).await?;
        manager.alter_table(Table::alter().table("hardware_event").drop_column("from_host_id").to_owned()).await?;
        hardware_stay().drop(manager).await?;
        hardware_part().drop(manager).await
    }
}
