//! Runs the checkpoints of SQLite in the background, so that writers do not wait for them.
//!
//! A commit is durable as soon as it is in the write-ahead log beside the database file. By itself, SQLite would move
//! pages from the log to the file during the commit that makes the log too long, and that writer would wait. Here,
//! another connection moves them soon after commits. A page that many commits change is moved once.

use std::time::Duration;

use sea_orm::{DbBackend, sqlx};

use super::connection::Store;
use crate::runtime::BackOff;

/// The delay between a commit and the checkpoint, so that the checkpoint covers the commits that follow.
const CHECKPOINT_DELAY: Duration = Duration::from_millis(100);
/// The least delay after the first error. It doubles with each further error, up to `MAX_RETRY_DELAY`.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(750);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(40);

/// Runs checkpoints after commits, without end. If the database is not SQLite, it returns at once.
///
/// If checkpoints fail, the log grows only up to a bound. From then on, the writer runs them.
pub async fn keep_moving_log(store: Store) {
    if store.backend() != DbBackend::Sqlite {
        return;
    }
    let mut pauses = BackOff::new(FIRST_RETRY_DELAY, MAX_RETRY_DELAY);
    loop {
        store.written.notified().await;
        tokio::time::sleep(CHECKPOINT_DELAY).await;
        match store.move_log().await {
            Ok(()) => pauses.succeeded(),
            Err(error) => {
                tracing::warn!("the log of the database cannot be moved into its file now: {error}");
                tokio::time::sleep(pauses.failed()).await;
                store.written.notify_one();
            }
        }
    }
}

impl Store {
    /// Runs a passive checkpoint: it moves the pages that no reader still needs in the file. No request waits for it,
    /// so [`Store::statements`] does not count it.
    async fn move_log(&self) -> Result<(), sqlx::Error> {
        let readers = self.reader.get_sqlite_connection_pool();
        sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers).await.map(drop)
    }
}
