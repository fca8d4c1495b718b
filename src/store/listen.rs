//! Being told that somebody wrote: PostgreSQL's notifications, on a connection of their own.
//!
//! A notification says only that there is something to look at. One that is lost costs the time until somebody looks
//! anyway, and never a change.

use std::time::Duration;

use sea_orm::sqlx::postgres::PgListener;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use uuid::Uuid;

use super::connection::{DatabaseUrl, Store};
use super::error::StoreError;

/// Where commits are told of.
const CHANNEL: &str = "underlay_revision";
/// What stands before the process that committed.
const BY: &str = "by ";
/// How long it may take to begin to listen, in seconds.
const CONNECTION_SECONDS: u64 = 5;

/// A connection that is told.
#[derive(Debug)]
pub struct Listener {
    connection: PgListener,
}

/// What is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Somebody wrote: the process that [`Store::process`] names so, or one that does not say.
    Commit(Option<Uuid>),
    /// Somebody sees whether notifications arrive: [`Store::test_notifications`].
    Test(Uuid),
}

impl Listener {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the database does not answer in time.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let open = async {
            let mut connection = PgListener::connect(url.text()).await?;
            // Whoever listens has to look at what it missed meanwhile, and so must know.
            connection.eager_reconnect(false);
            connection.listen(CHANNEL).await?;
            Ok(Self { connection })
        };
        let opened = tokio::time::timeout(Duration::from_secs(CONNECTION_SECONDS), open).await;
        opened.map_err(|_| StoreError::TimedOut(CONNECTION_SECONDS))?.map_err(StoreError::Listen)
    }

    /// Waits for the next notification; `None` when the connection was lost.
    ///
    /// # Errors
    /// When the connection cannot be read.
    pub async fn next(&mut self) -> Result<Option<Heard>, StoreError> {
        let notification = self.connection.try_recv().await.map_err(StoreError::Listen)?;
        Ok(notification.map(|it| Heard::of(it.payload())))
    }
}

impl Heard {
    fn of(payload: &str) -> Self {
        match payload.strip_prefix(BY) {
            Some(process) => Self::Commit(Uuid::parse_str(process).ok()),
            None => Uuid::parse_str(payload).map_or(Self::Commit(None), Self::Test),
        }
    }
}

/// The statement that tells of a commit by a process.
pub(super) fn notify(process: Uuid) -> String {
    format!("NOTIFY {CHANNEL}, '{BY}{process}'")
}

impl Store {
    /// What this process calls itself when it tells others of a commit.
    pub fn process(&self) -> Uuid {
        self.process
    }

    /// Sends a notification that only says that notifications arrive.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn test_notifications(&self, mark: Uuid) -> Result<(), StoreError> {
        let values = [CHANNEL.into(), mark.to_string().into()];
        let notify = Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_notify($1, $2)", values);
        self.follower.query_one_raw(notify).await?;
        Ok(())
    }
}
