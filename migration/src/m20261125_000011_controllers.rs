//! Creates the tables of what controllers do, which make no revision: acts on objects, the row that is there while
//! controllers may only observe, and the enlistments of appliances.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, boolean, integer, integer_null, text, text_null, timestamp_with_time_zone,
    timestamp_with_time_zone_null, uuid,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn act() -> NewTable {
    NewTable::new("act", &["object_id", "number"]).columns([
        uuid("object_id"),
        big_integer("number"),
        timestamp_with_time_zone("at"),
        text("by"),
        text("name"),
        text("sentence"),
    ])
}

fn observe_only() -> NewTable {
    NewTable::new("observe_only", &["id"]).columns([
        integer("id"),
        text("reason"),
        text("by"),
        timestamp_with_time_zone("since"),
    ])
}

fn enlistment() -> NewTable {
    NewTable::new("enlistment", &["appliance_id"]).columns([
        uuid("appliance_id"),
        big_integer("number"),
        text_null("pattern"),
        boolean("discover"),
        boolean("force"),
        text_null("provisioner"),
        text("by"),
        timestamp_with_time_zone("at"),
        timestamp_with_time_zone_null("done_at"),
        integer_null("found"),
        integer_null("enlisted"),
        text_null("sentence"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [act(), observe_only(), enlistment()] {
            table.create(manager).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [enlistment(), observe_only(), act()] {
            table.drop(manager).await?;
        }
        Ok(())
    }
}
