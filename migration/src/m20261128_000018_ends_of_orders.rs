//! Gives hosts the end of their last order, and the knowledge that they were installed since they were acquired; and
//! enlistments the word if hosts that are discovered are adopted.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{boolean, json_binary_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("host").add_column(json_binary_null("last_order")).to_owned()).await?;
        // A host that was installed before is not known to be so. Its release then asks for force while it runs.
        manager
            .alter_table(Table::alter().table("host").add_column(boolean("was_installed").default(false)).to_owned())
            .await?;
        manager
            .alter_table(Table::alter().table("enlistment").add_column(boolean("adopt").default(false)).to_owned())
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("enlistment").drop_column("adopt").to_owned()).await?;
        manager.alter_table(Table::alter().table("host").drop_column("was_installed").to_owned()).await?;
        manager.alter_table(Table::alter().table("host").drop_column("last_order").to_owned()).await
    }
}
