//! The reasons why a measurement can fail.

use std::time::Duration;

use thiserror::Error;

/// The reason why a measurement failed.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error("{what}: {error}")]
    Io { what: String, error: std::io::Error },
    #[error("{what} took longer than {} s", .limit.as_secs())]
    TimedOut { what: String, limit: Duration },
    /// The other side gave an unexpected answer.
    #[error("{0}")]
    Answer(String),
    #[error("the database: {0}")]
    Database(#[from] sea_orm::DbErr),
    #[error("the database: {0}")]
    Store(#[from] underlay_engine::store::StoreError),
    #[error("the inventory cannot be loaded: {0}")]
    Load(#[from] underlay_engine::feed::FollowError),
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the plot cannot be drawn: {0}")]
    Plot(String),
}

/// The result of a measurement.
pub type Result<T> = std::result::Result<T, LoadError>;

/// Adds a description of the operation to an I/O error.
pub trait Doing<T> {
    /// Adds the description of the operation.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Doing<T> for std::io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| LoadError::Io { what: what(), error })
    }
}

/// Waits for a result, at most for a time limit.
pub async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(limit, work).await {
        Ok(result) => result,
        Err(_) => Err(LoadError::TimedOut { what: what.to_owned(), limit }),
    }
}
