//! Lets a failure of a run say which object is the machine of the item that was refused.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::json_binary_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = json_binary_null("same_machine");
        manager.alter_table(Table::alter().table("source_failure").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("source_failure").drop_column("same_machine").to_owned()).await
    }
}
