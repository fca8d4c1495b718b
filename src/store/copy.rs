//! Copies of an SQLite database: making one while writers go on, and seeing that a file is one that can be used.

use std::path::Path;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};

use super::connection::{DatabaseUrl, Store, settle_options};
use super::error::StoreError;
use super::table::RowTable;

/// What a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The revision that it is of; 0 before the first.
    pub revision: i64,
    /// When that was made.
    pub at: DateTime<Utc>,
    /// How many objects there are.
    pub objects: u64,
}

impl Store {
    /// Writes a copy of an SQLite database, as it is at this moment, to a file that is empty. Writers go on meanwhile.
    ///
    /// # Errors
    /// When the file cannot be written. What is in it then is of no use.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let file = file.display().to_string();
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [file.into()]);
        self.reader.execute_raw(copy).await?;
        Ok(())
    }
}

/// What an SQLite file holds that nobody has open, once it is seen that this version can serve it.
///
/// # Errors
/// [`StoreError::NoCopy`] when it is damaged, or no database of ours; [`StoreError::TooNew`] and
/// [`StoreError::UnknownMigrations`] when a newer version wrote it.
pub async fn check_copy(file: &Path, tables: &[&'static dyn RowTable]) -> Result<Contents, StoreError> {
    let no_copy = |reason: String| StoreError::NoCopy { file: file.display().to_string(), reason };
    let opened = Store::open_alone(file).await;
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
        let objects = store.count_rows(tables).await?;
        Ok(Contents { revision: counted.revision, at: counted.at, objects })
    };
    let contents = checked.await;
    store.close().await?;
    contents
}

/// Moves into an SQLite file what stands in the file beside it, so that it is whole by itself. No server may have it.
///
/// # Errors
/// When it cannot be written, or read.
pub async fn settle(url: &DatabaseUrl) -> Result<(), StoreError> {
    let connection = Database::connect(settle_options(url)).await?;
    let settled = connection.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await;
    connection.close().await?;
    settled?;
    Ok(())
}
