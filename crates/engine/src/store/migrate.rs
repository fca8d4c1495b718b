//! Runs the migrations, in one process at a time, and checks the format of the database.

use sea_orm::sea_query::SimpleExpr;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, TransactionTrait};
use sea_orm_migration::MigratorTrait;
use underlay_entity::revision;
use underlay_migration::{FactsMigrator, Migrator};

use super::error::StoreError;
use super::shared_names::MIGRATION_LOCK;

/// The format of rows and changes that this version reads, and the one that it writes. A later version that changes a
/// format raises the least format in the revision row with a migration. Processes of this version may still run then;
/// they check the row with every revision that they take or replicate.
const READER_FORMAT: i32 = 1;
const WRITER_FORMAT: i32 = 1;

/// Runs the missing migrations, on connections without time-outs. On PostgreSQL this takes two connections.
pub(super) async fn up(setup: &DatabaseConnection) -> Result<(), StoreError> {
    match setup.get_database_backend() {
        DbBackend::Postgres => {
            // The lock belongs to this transaction, so the end of the process always releases it.
            let lock = setup.begin().await?;
            lock.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
            Migrator::up(setup, None).await?;
            lock.commit().await?;
        }
        _ => Migrator::up(setup, None).await?,
    }
    check_format(setup).await
}

/// Runs the missing migrations of a file that holds facts alone.
pub(super) async fn up_facts(setup: &DatabaseConnection) -> Result<(), StoreError> {
    Ok(FactsMigrator::up(setup, None).await?)
}

/// Returns the names of all migrations, in order.
pub(super) fn names() -> Vec<String> {
    Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect()
}

/// Checks that this version may read and write the rows.
pub(super) async fn check_format(connection: &DatabaseConnection) -> Result<(), StoreError> {
    match revision::Entity::find().one(connection).await? {
        Some(row) => may_read(&row).and_then(|()| may_write(&row)),
        None => Ok(()),
    }
}

/// Checks against the revision row that this version may read the rows.
pub(super) fn may_read(row: &revision::Model) -> Result<(), StoreError> {
    known(row.reader_format, READER_FORMAT)
}

/// Checks against the revision row that this version may write rows.
pub(super) fn may_write(row: &revision::Model) -> Result<(), StoreError> {
    known(row.writer_format, WRITER_FORMAT)
}

/// Returns a condition for the statement that takes the next revision: this version may write rows.
pub(super) fn writable() -> SimpleExpr {
    revision::Column::WriterFormat.lte(WRITER_FORMAT)
}

fn known(found: i32, known: i32) -> Result<(), StoreError> {
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A higher format needs a migration that raises the format in the revision row, and code that reads older rows.
    #[test]
    fn rows_and_changes_keep_their_formats() {
        assert_eq!((READER_FORMAT, WRITER_FORMAT), (1, 1));
    }
}
