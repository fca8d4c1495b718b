//! Gives named requests a table of their own. The table also remembers requests that wrote nothing, and the digest of
//! each request, which is compared if its name is used again. The old columns of batches stay for older binaries.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer_null, json_binary, text, text_null, timestamp_with_time_zone};

use super::m20261120_000001_inventory::table::NewTable;

/// The statement that copies the named requests from the batches.
const TAKEN_OVER: &str = r#"
    INSERT INTO "request" ("actor", "request_id", "revision", "at", "outcome")
    SELECT "actor", "request_id", "revision", "at", "outcome" FROM "batch" WHERE "revision" IN (
        SELECT MAX("revision") FROM "batch"
        WHERE "request_id" IS NOT NULL AND "outcome" IS NOT NULL GROUP BY "actor", "request_id"
    )"#;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let request = NewTable::new("request", &["actor", "request_id"]).columns([
            text("actor"),
            text("request_id"),
            text_null("digest"),
            big_integer_null("revision"),
            timestamp_with_time_zone("at"),
            json_binary("outcome"),
        ]);
        request.index(&["at"]).create(manager).await?;
        manager.get_connection().execute_unprepared(TAKEN_OVER).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(r#"DROP TABLE "request""#).await?;
        Ok(())
    }
}
