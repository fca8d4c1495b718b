//! Bringing the tables up to date, by one process at a time.

use sea_orm::sea_query::SimpleExpr;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, TransactionTrait};
use sea_orm_migration::MigratorTrait;
use underlay_entity::revision;
use underlay_migration::Migrator;

use super::error::StoreError;

/// The lock that processes on one PostgreSQL take before they migrate: any number that others hardly use.
const MIGRATION_LOCK: i64 = 0x756e_6465_726c_6179;

/// The format of rows and changes that this version reads, and the one that it writes. A later version that changes one of
/// them raises the least format in the revision row by a migration, while processes of this version may still run: they
/// look at it with every revision that they take or follow.
const READER_FORMAT: i32 = 1;
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

/// Sees that this version may read and write the rows.
pub(super) async fn check_format(connection: &DatabaseConnection) -> Result<(), StoreError> {
    match revision::Entity::find().one(connection).await? {
        Some(row) => may_read(&row).and_then(|()| may_write(&row)),
        None => Ok(()),
    }
}

/// Sees that this version may read the rows, as the revision row says it.
pub(super) fn may_read(row: &revision::Model) -> Result<(), StoreError> {
    known(row.reader_format, READER_FORMAT)
}

/// Sees that this version may write rows, as the revision row says it.
pub(super) fn may_write(row: &revision::Model) -> Result<(), StoreError> {
    known(row.writer_format, WRITER_FORMAT)
}

/// That this version may write rows: a condition within the statement that takes the next revision.
pub(super) fn writable() -> SimpleExpr {
    revision::Column::WriterFormat.lte(WRITER_FORMAT)
}

fn known(found: i32, known: i32) -> Result<(), StoreError> {
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}
