//! Moving what SQLite has logged into its file, aside from who writes.
//!
//! A commit lasts as soon as it is in the log beside the file. SQLite would move pages from there to the file as a part of
//! the commit that makes the log long, and who wrote that would wait for it. Here another connection does it soon after
//! commits: a page that many of them change is moved once.

use std::time::Duration;

use sea_orm::{DbBackend, sqlx};

use super::connection::Store;

/// How long after a commit the log is moved, so that the commits that follow it go along.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to wait after an error, the first time; twice as long each time after, up to the longest.
const AFTER_ERROR: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Moves the log of an SQLite file into it after commits, over and over. With another database there is nothing to do.
///
/// While it cannot, the log grows only so far: then the writer does it.
pub async fn keep_moving_log(store: Store) {
    if store.backend() != DbBackend::Sqlite {
        return;
    }
    let mut after_error = AFTER_ERROR;
    loop {
        store.written.notified().await;
        tokio::time::sleep(PAUSE).await;
        match store.move_log().await {
            Ok(()) => after_error = AFTER_ERROR,
            Err(error) => {
                tracing::warn!("the log of the database cannot be moved into its file now: {error}");
                tokio::time::sleep(after_error.mul_f64(0.75 + rand::random::<f64>() / 2.0)).await;
                after_error = (after_error * 2).min(LONGEST_PAUSE);
                store.written.notify_one();
            }
        }
    }
}

impl Store {
    /// Moves what is in the log now, as far as nobody reads what is in the file. Nobody waits for it, and it is not
    /// counted among the statements: nobody asked for it.
    async fn move_log(&self) -> Result<(), sqlx::Error> {
        let readers = self.reader.get_sqlite_connection_pool();
        sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers).await.map(drop)
    }
}
