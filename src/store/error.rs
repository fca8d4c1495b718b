//! What can go wrong between this process and its database.

use sea_orm::DbErr;
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
    #[error("another process wrote revision {0} first")]
    Overtaken(i64),
    #[error("the database did not answer within {0} s")]
    TimedOut(u64),
    #[error("the change log holds something that this version cannot read: {0}")]
    Unreadable(String),
    #[error("the database file cannot be used: {0}")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl StoreError {
    /// Whether the database refused the statements themselves, rather than being out of reach.
    pub fn is_violation(&self) -> bool {
        match self {
            Self::Database(error) => error.sql_err().is_some(),
            _ => false,
        }
    }
}
