//! Lets people ask for the hardware of hosts to be read from their BMCs.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::json_binary_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "hardware_asked";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("host").add_column(json_binary_null(COLUMN)).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("host").drop_column(COLUMN).to_owned()).await
    }
}
