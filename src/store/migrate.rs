//! Bringing the tables up to date, by one process at a time.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, TransactionTrait};
use sea_orm_migration::MigratorTrait;
use underlay_entity::revision;
use underlay_migration::Migrator;

use super::error::StoreError;

/// The lock that processes on one PostgreSQL take before they migrate: any number that others hardly use.
const MIGRATION_LOCK: i64 = 0x756e_6465_726c_6179;

/// The format of rows and changes that this version writes.
const WRITER_FORMAT: i32 = 1;

/// Migrates, on connections without time-outs; on PostgreSQL it takes two.
pub(super) async fn up(setup: &DatabaseConnection) -> Result<(), StoreError> {
    match setup.get_database_backend() {
        DbBackend::Postgres => {
            // The lock belongs to this transaction: it is gone with it, however the process ends.
            let lock = setup.begin().await?;
            lock.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
            Migrator::up(setup, None).await?;
            lock.commit().await?;
        }
        _ => Migrator::up(setup, None).await?,
    }
    check_format(setup).await
}

/// The names of all migrations, in order.
pub(super) fn names() -> Vec<String> {
    Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect()
}

/// Sees that the rows are of no later format than this version writes.
pub(super) async fn check_format(connection: &DatabaseConnection) -> Result<(), StoreError> {
    match revision::Entity::find().one(connection).await? {
        Some(row) if row.writer_format > WRITER_FORMAT => {
            Err(StoreError::TooNew { found: row.writer_format, known: WRITER_FORMAT })
        }
        _ => Ok(()),
    }
}
