//! The initial migration: the tables of all kinds, area by area, and those of the engine. A table comes after the
//! tables that it refers to.

use sea_orm_migration::prelude::*;

use self::table::NewTable;

mod compute;
mod engine;
mod outside;
mod places;
pub(super) mod table;
mod things;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the tables if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables() {
            table.create(manager).await?;
        }
        engine::insert_revision(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables().into_iter().rev() {
            table.drop(manager).await?;
        }
        Ok(())
    }
}

fn tables() -> Vec<NewTable> {
    vec![
        places::region(),
        outside::provider(),
        places::site(),
        places::location(),
        places::rack(),
        places::power_feed(),
        compute::cluster(),
        things::device(),
        things::port(),
        things::cable(),
        things::link(),
        outside::provider_network(),
        outside::circuit(),
        outside::circuit_termination(),
        compute::virtual_machine(),
        engine::revision(),
        engine::batch(),
        engine::change(),
        engine::manager(),
    ]
}
