//! Lets an item of a run that was refused for what contains it say what that is, so that the ports of a renumbered device
//! are recognised with it.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: [&str; 2] = ["parent_external_id", "name"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let table = Table::alter().table("source_item").add_column(text_null(column)).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("source_item").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
