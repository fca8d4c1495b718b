//! Creates the tables of the runs of sources: the runs, the turn of each source, what running runs have seen, what the
//! guard holds, the ledger of what was removed, what is suspected to be gone, and the id of the database's history.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, boolean_null, integer, json_binary, text, text_null,
    timestamp_with_time_zone, timestamp_with_time_zone_null, uuid, uuid_null,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn run() -> NewTable {
    NewTable::new("source_run", &["id"])
        .columns([
            uuid("id"),
            uuid("source_id"),
            text("mode"),
            text("state"),
            timestamp_with_time_zone("started_at"),
            timestamp_with_time_zone("heartbeat_at"),
            timestamp_with_time_zone_null("finished_at"),
            text("actor"),
            big_integer("base_revision"),
            boolean_null("complete"),
            boolean("renumbered"),
        ])
        .columns(
            ["seen", "created", "updated", "unchanged", "retired", "deleted", "released", "failed", "skipped_fields"]
                .map(big_integer),
        )
        .columns(["read", "put_aside", "left_out"].map(big_integer))
        .columns([
            json_binary("errors"),
            big_integer_null("first_revision"),
            big_integer_null("last_revision"),
            text_null("cursor"),
        ])
        .index(&["source_id", "started_at"])
}

fn turn() -> NewTable {
    NewTable::new("source_turn", &["source_id"]).columns([
        uuid("source_id"),
        big_integer("step"),
        big_integer("settled_revision"),
        timestamp_with_time_zone_null("last_success_at"),
    ])
}

fn seen() -> NewTable {
    NewTable::new("source_seen", &["run_id", "digest"]).columns([uuid("run_id"), uuid("digest")])
}

fn held() -> NewTable {
    NewTable::new("source_held", &["source_id", "object_id", "field"])
        .columns([
            uuid("source_id"),
            uuid("object_id"),
            text("field"),
            uuid("run_id"),
            text("kind"),
            text("name"),
            text("external_id"),
            text("reason"),
        ])
        .index(&["run_id"])
}

fn ledger() -> NewTable {
    NewTable::new("source_ledger", &["id"])
        .columns([uuid("id"), uuid("source_id"), text("kind"), timestamp_with_time_zone("at")])
        .columns(["removed", "removed_own", "emptied"].map(big_integer))
        .index(&["source_id", "at"])
}

fn item() -> NewTable {
    NewTable::new("source_item", &["run_id", "kind", "external_id"]).columns([
        uuid("run_id"),
        text("kind"),
        text("external_id"),
        uuid_null("holder_id"),
        uuid_null("created_id"),
        text_null("serial"),
    ])
}

fn suspect() -> NewTable {
    NewTable::new("source_suspect", &["source_id", "kind", "external_id"]).columns([
        uuid("source_id"),
        text("kind"),
        text("external_id"),
        timestamp_with_time_zone("at"),
    ])
}

fn history() -> NewTable {
    NewTable::new("history", &["id"]).columns([integer("id"), uuid("history")])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [run(), turn(), seen(), held(), ledger(), item(), suspect(), history()] {
            table.create(manager).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [history(), suspect(), item(), ledger(), held(), seen(), turn(), run()] {
            table.drop(manager).await?;
        }
        Ok(())
    }
}
