//! The errors of the database, and their classification for retries and for the operator.

use std::ffi::c_int;

use libsqlite3_sys::{
    SQLITE_BUSY, SQLITE_CONSTRAINT, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_IOERR, SQLITE_LOCKED, SQLITE_MISMATCH,
    SQLITE_NOTADB, SQLITE_RANGE, SQLITE_READONLY, SQLITE_TOOBIG,
};
use sea_orm::sqlx::error::DatabaseError;
use sea_orm::sqlx::sqlite::SqliteError;
use sea_orm::{DbErr, RuntimeErr, sqlx};
use thiserror::Error;
use uuid::Uuid;

use super::trouble::Trouble;

/// The reason for which an operation on the database failed.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(
        "the database URL {url:?} has an unknown form; use sqlite:///path/to/file or postgres://user@host/database"
    )]
    Url { url: String },
    #[error("PostgreSQL {found} is too old; version 14 or newer is required")]
    TooOld { found: String },
    #[error("the database was written by a newer version of Underlay (format {found}; this one knows {known})")]
    TooNew { found: i32, known: i32 },
    #[error("the database was written by a newer version of Underlay: this one does not know {0}")]
    UnknownMigrations(String),
    #[error("{file} cannot be used: {reason}")]
    NoCopy { file: String, reason: String },
    #[error("another process wrote revision {0} first")]
    Overtaken(i64),
    #[error("another call for the same source was stored first")]
    RunOvertaken,
    #[error("lease {lease} is no longer held under epoch {epoch}")]
    LeaseLost { lease: String, epoch: i64 },
    #[error("{holder} holds the lease {lease}")]
    LeaseExcluded { lease: String, holder: String },
    #[error("there are too many leases")]
    TooManyLeases,
    #[error("the object {0} was deleted")]
    ObjectGone(Uuid),
    #[error("the database did not answer within {0} s")]
    TimedOut(u64),
    #[error("the change log contains an entry that this version cannot read: {0}")]
    Unreadable(String),
    #[error(
        "the database {database} is served by {holder}: an SQLite file has one server; several can share a PostgreSQL database"
    )]
    Locked { database: String, holder: String },
    #[error(
        "the database {database} is served by another process, which knows the file by another path (a hard link): an SQLite file has one server"
    )]
    LockedElsewhere { database: String },
    #[error("the lock file {path} cannot be created: {error}")]
    Lock { path: String, error: std::io::Error },
    #[error("the server cannot receive notifications from the database: {0}")]
    Listen(#[source] sqlx::Error),
    #[error("{file} is not the file any more that this process opened: it was replaced or deleted")]
    Replaced { file: String },
    #[error("the database file cannot be used: {0}")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl StoreError {
    /// Returns true if the database rejected the rows themselves: a constraint, or a value that it cannot hold. A retry
    /// would fail again.
    pub fn is_violation(&self) -> bool {
        match self.driver_code() {
            Some(DriverCode::Sqlite(code)) => {
                matches!(code & PRIMARY_CODE_BITS, SQLITE_TOOBIG | SQLITE_CONSTRAINT | SQLITE_MISMATCH | SQLITE_RANGE)
            }
            // Classes of SQLSTATE: data exceptions and violated constraints.
            Some(DriverCode::Postgres(code)) => code.starts_with("22") || code.starts_with("23"),
            None => false,
        }
    }

    /// Returns true if a commit that failed with this error wrote nothing, and never will. SQLite reports a violated
    /// constraint before it writes, and a full disk before it has written the page that completes the transaction.
    /// After any other error, that page may be in its log, where the next process finds it after a crash.
    pub fn leaves_nothing(&self) -> bool {
        self.is_violation()
            || matches!(self, Self::Replaced { .. })
            || matches!(self.driver_code(), Some(DriverCode::Sqlite(code)) if code & PRIMARY_CODE_BITS == SQLITE_FULL)
    }

    /// Returns true if the database reported the error, and false if it did not answer.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Replaced { .. }) || self.answer().is_some()
    }

    /// Returns true if one of several batches that share a commit may be the cause, so that each should be retried
    /// alone.
    pub fn may_be_of_one(&self) -> bool {
        let of_all = [Trouble::Disk, Trouble::ReadOnly, Trouble::Damaged, Trouble::Replaced, Trouble::Outdated];
        self.is_answer() && !of_all.contains(&self.trouble())
    }

    /// Classifies the error by its meaning for writing.
    pub(super) fn trouble(&self) -> Trouble {
        match (self, self.driver_code()) {
            (Self::TooNew { .. } | Self::UnknownMigrations(_), _) => Trouble::Outdated,
            (Self::Replaced { .. }, _) => Trouble::Replaced,
            (Self::TimedOut(_), _) => Trouble::Slow,
            (_, Some(DriverCode::Sqlite(code))) => match code & PRIMARY_CODE_BITS {
                SQLITE_FULL => Trouble::Full,
                SQLITE_IOERR => Trouble::Disk,
                SQLITE_READONLY => Trouble::ReadOnly,
                SQLITE_CORRUPT | SQLITE_NOTADB => Trouble::Damaged,
                SQLITE_BUSY | SQLITE_LOCKED => Trouble::Slow,
                _ => Trouble::Other,
            },
            (_, Some(DriverCode::Postgres(code))) => match code.as_str() {
                "53100" => Trouble::Full,
                "58030" => Trouble::Disk,
                "25006" => Trouble::ReadOnly,
                "XX001" | "XX002" => Trouble::Damaged,
                // Locks, time-outs and conflicting transactions.
                "55P03" | "57014" | "25P03" | "40001" | "40P01" => Trouble::Slow,
                // The database accepts no connections, or no more of them, or ends the existing ones.
                "53300" | "57P01" | "57P02" | "57P03" => Trouble::Unreachable,
                code if code.starts_with("08") || code.starts_with("28") => Trouble::Unreachable,
                _ => Trouble::Other,
            },
            _ => Trouble::Unreachable,
        }
    }

    /// Returns the error code that the database reported.
    fn driver_code(&self) -> Option<DriverCode> {
        let answer = self.answer()?;
        let code = answer.code()?;
        match answer.try_downcast_ref::<SqliteError>() {
            Some(_) => code.parse().ok().map(DriverCode::Sqlite),
            None => Some(DriverCode::Postgres(code.into_owned())),
        }
    }

    fn answer(&self) -> Option<&dyn DatabaseError> {
        let Self::Database(DbErr::Exec(error) | DbErr::Query(error) | DbErr::Conn(error)) = self else { return None };
        match error {
            RuntimeErr::SqlxError(error) => error.as_database_error(),
            RuntimeErr::Internal(_) => None,
        }
    }
}

/// An error code that a database reported.
enum DriverCode {
    /// An extended result code.
    Sqlite(c_int),
    /// An SQLSTATE of five characters.
    Postgres(String),
}

/// The bits of an extended SQLite result code that contain the primary code.
const PRIMARY_CODE_BITS: c_int = 0xff;
