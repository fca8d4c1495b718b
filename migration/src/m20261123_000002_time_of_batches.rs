//! When changes were made is looked up in the batches, of which there are few: a revision has one time, and a later
//! revision no earlier one. An entry for each change would say the same over and over.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // SQLite would otherwise keep half of it when the process dies here.
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
