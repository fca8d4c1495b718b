//! Creates the table of the tokens with which machines enrol their agents.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    boolean, integer, text, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid, uuid_null,
};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

// No reference to the tables of sites and classes: a row whose unique columns change is deleted and inserted again.
fn enrolment_token() -> NewTable {
    NewTable::new("enrolment_token", &["id"]).columns([
        uuid("id"),
        text("digest"),
        uuid_null("site_id"),
        uuid_null("class_id"),
        boolean("registers"),
        integer("most"),
        integer("used"),
        timestamp_with_time_zone("ends_at"),
        timestamp_with_time_zone("issued_at"),
        text("issued_to"),
        timestamp_with_time_zone_null("revoked_at"),
    ])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        enrolment_token().create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        enrolment_token().drop(manager).await
    }
}
