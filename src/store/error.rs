//! What can go wrong between this process and its database.

use sea_orm::{DbErr, RuntimeErr, sqlx};
use thiserror::Error;

/// An error of the database.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(
        "the database URL {url:?} is of no known form; use sqlite:///path/to/file or postgres://user@host/database"
    )]
    Url { url: String },
    #[error("PostgreSQL {found} is too old: version 14 or newer is needed")]
    TooOld { found: String },
    #[error("the database was written by a newer version of Underlay (format {found}; this one knows {known})")]
    TooNew { found: i32, known: i32 },
    #[error("the database was written by a newer version of Underlay: this one does not know {0}")]
    UnknownMigrations(String),
    #[error("{file} cannot be used: {reason}")]
    NoCopy { file: String, reason: String },
    #[error("another process wrote revision {0} first")]
    Overtaken(i64),
    #[error("the database did not answer within {0} s")]
    TimedOut(u64),
    #[error("the change log holds something that this version cannot read: {0}")]
    Unreadable(String),
    #[error(
        "the database {database} is served by {holder}: an SQLite file has one server; several can share a PostgreSQL database"
    )]
    Claimed { database: String, holder: String },
    #[error(
        "the database {database} is served by another process, which knows the file by another path (a hard link): an SQLite file has one server"
    )]
    ClaimedElsewhere { database: String },
    #[error("the lock {path} cannot be made: {error}")]
    Lock { path: String, error: std::io::Error },
    #[error("the database cannot be listened to: {0}")]
    Listen(#[source] sqlx::Error),
    #[error("the database file cannot be used: {0}")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl StoreError {
    /// Whether the database refused the rows themselves: a constraint, or a value that it cannot hold. It would do so
    /// again.
    pub fn is_violation(&self) -> bool {
        let code = self.answer().and_then(|answer| answer.code());
        let Some(code) = code.as_deref() else { return false };
        match code.parse::<u32>() {
            // SQLite: the low byte is the kind of error; TOOBIG, CONSTRAINT, MISMATCH, RANGE.
            Ok(number) if code.len() < 5 => matches!(number & 0xff, 18..=20 | 25),
            // PostgreSQL: classes of SQLSTATE; data exceptions and constraints.
            _ => code.starts_with("22") || code.starts_with("23"),
        }
    }

    /// Whether the database said what is wrong, rather than not answering.
    pub fn is_answer(&self) -> bool {
        self.answer().is_some()
    }

    fn answer(&self) -> Option<&dyn sqlx::error::DatabaseError> {
        let Self::Database(DbErr::Exec(error) | DbErr::Query(error) | DbErr::Conn(error)) = self else { return None };
        match error {
            RuntimeErr::SqlxError(error) => error.as_database_error(),
            RuntimeErr::Internal(_) => None,
        }
    }
}
