//! Makes copies of an SQLite database while writers continue, and checks that a file can be used as one.

use std::path::Path;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};

use super::connection::{DatabaseUrl, Store, settle_options};
use super::error::StoreError;
use super::table::Tables;

/// A summary of the content of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The revision of the copy; 0 before the first batch.
    pub revision: i64,
    /// The time at which that revision was made.
    pub at: DateTime<Utc>,
    /// The number of objects in the copy.
    pub objects: u64,
    /// The number of secrets in the copy. They are encrypted.
    pub secrets: u64,
    /// The number of reports about the hardware of hosts in the copy.
    pub facts: u64,
}

impl Store {
    /// Writes a consistent copy of an SQLite database to an empty file, without the id of its history. Writers continue
    /// meanwhile.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Its content is unusable then.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.display().to_string();
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [name.into()]);
        self.reader.execute_raw(copy).await?;
        // A server that is restored from the copy has a history of its own.
        let connection = Database::connect(settle_options(&DatabaseUrl::file(file))).await?;
        let forgotten = connection.execute_unprepared("DELETE FROM history").await;
        connection.close().await?;
        forgotten?;
        Ok(())
    }
}

/// Checks that this version can serve an SQLite file that no process has open, and returns a summary of its content.
///
/// # Errors
/// Returns [`StoreError::NoCopy`] if the file is damaged or not a database of Underlay, and [`StoreError::TooNew`] or
/// [`StoreError::UnknownMigrations`] if a newer version wrote it.
pub async fn check_copy(file: &Path, tables: Tables) -> Result<Contents, StoreError> {
    let no_copy = |reason: String| StoreError::NoCopy { file: file.display().to_string(), reason };
    let opened = Store::open_alone(file, tables).await;
    let store = opened.map_err(|error| no_copy(error.to_string()))?;
    let checked = async {
        let migrations = store.migrations().await.map_err(|error| no_copy(error.to_string()))?;
        if migrations.applied.is_empty() {
            return Err(no_copy("it is no database of Underlay".to_owned()));
        }
        if !migrations.unknown.is_empty() {
            return Err(StoreError::UnknownMigrations(migrations.unknown.join(", ")));
        }
        store.check_format().await?;
        if let Some(damage) = store.rough_damages().await?.first() {
            return Err(no_copy(format!("it is damaged: {damage}")));
        }
        let counted = store.ends().await?.counted;
        let counted = counted.ok_or_else(|| no_copy("the row that counts revisions is missing".to_owned()))?;
        let objects = store.count_rows().await?;
        // A copy by an older version has no such tables.
        let (secrets, facts) = match migrations.missing.is_empty() {
            true => (store.count_secrets().await?, store.count_facts().await?.reports),
            false => (0, 0),
        };
        Ok(Contents { revision: counted.revision, at: counted.at, objects, secrets, facts })
    };
    let contents = checked.await;
    store.close().await?;
    contents
}

/// Moves the content of the write-ahead log into its SQLite file, so that the file is complete by itself. No server may
/// have the file open.
///
/// # Errors
/// Returns an error if the file cannot be read or written.
pub async fn settle(url: &DatabaseUrl) -> Result<(), StoreError> {
    let connection = Database::connect(settle_options(url)).await?;
    let settled = connection.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await;
    connection.close().await?;
    settled?;
    Ok(())
}
