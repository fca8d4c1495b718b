//! Moves the index of times from changes to batches. There are fewer batches: all changes of a revision have one time,
//! and a later revision never has an earlier time. An index entry for each change would repeat the same time.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(r#"CREATE INDEX "batch_at_revision" ON "batch" ("at", "revision")"#).await?;
        connection.execute_unprepared(r#"DROP INDEX "change_at""#).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(r#"CREATE INDEX "change_at" ON "change" ("at")"#).await?;
        connection.execute_unprepared(r#"DROP INDEX "batch_at_revision""#).await?;
        Ok(())
    }
}
