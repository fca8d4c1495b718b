//! The tables of the engine: the revision, the batches, the change log and the interned managers.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, integer, json_binary_null, small_integer, text, text_null, timestamp_with_time_zone, uuid,
};
use sea_orm_migration::sea_orm::prelude::{DateTimeUtc, Uuid};

use super::table::NewTable;

pub fn revision() -> NewTable {
    NewTable::new("revision", &["id"]).columns([
        integer("id"),
        big_integer("number"),
        uuid("batch_id"),
        timestamp_with_time_zone("at"),
        integer("reader_format"),
        integer("writer_format"),
    ])
}

/// Inserts the one row, so that taking the next revision is always an update.
pub async fn insert_revision(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut insert = Query::insert();
    insert
        .into_table("revision")
        .columns(["id", "number", "batch_id", "at", "reader_format", "writer_format"])
        .values_panic([1.into(), 0_i64.into(), Uuid::nil().into(), DateTimeUtc::UNIX_EPOCH.into(), 1.into(), 1.into()]);
    manager.execute(insert).await
}

pub fn batch() -> NewTable {
    NewTable::new("batch", &["revision"])
        .columns([
            big_integer("revision"),
            uuid("batch_id"),
            text_null("request_id"),
            text("actor"),
            text_null("source"),
            timestamp_with_time_zone("at"),
            json_binary_null("outcome"),
        ])
        .unique("batch_batch_id", &["batch_id"])
        .index(&["request_id"])
}

pub fn change() -> NewTable {
    NewTable::new("change", &["revision", "position"])
        .columns([
            big_integer("revision"),
            integer("position"),
            small_integer("format"),
            text("kind"),
            uuid("object_id"),
            text("name"),
            text("operation"),
            text_null("before"),
            text_null("after"),
            text_null("scope_before"),
            text_null("scope_after"),
            text("actor"),
            text_null("source"),
            timestamp_with_time_zone("at"),
        ])
        .index(&["object_id", "revision"])
        .index(&["at"])
}

pub fn manager() -> NewTable {
    NewTable::new("manager", &["id"]).columns([integer("id"), text("name")]).unique("manager_key", &["name"])
}
