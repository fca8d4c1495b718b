//! Receives PostgreSQL notifications of commits on a separate connection.
//!
//! A notification says only that something changed. If one is lost, the change is found later by the regular check; no
//! change is ever lost.

use std::time::Duration;

use sea_orm::sqlx::postgres::PgListener;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use uuid::Uuid;

use super::connection::{DatabaseUrl, Store};
use super::error::StoreError;
use super::shared_names::{CHANNEL, COMMITTER_PREFIX};

/// The longest time to connect and listen, in seconds.
const CONNECTION_SECONDS: u64 = 5;

/// A connection that receives notifications.
#[derive(Debug)]
pub struct Listener {
    connection: PgListener,
}

/// A notification that was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notification {
    /// A process committed: the one with this id ([`Store::process`]), or an unknown one.
    Commit(Option<Uuid>),
    /// A process tests whether notifications arrive, with this mark: [`Store::test_notifications`].
    Test(Uuid),
}

impl Listener {
    /// Connects and starts to listen.
    ///
    /// # Errors
    /// Returns an error if the database does not answer in time.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let open = async {
            let mut connection = PgListener::connect(url.text()).await?;
            // No silent reconnection: after a loss, the caller must look for the changes that it missed.
            connection.eager_reconnect(false);
            connection.listen(CHANNEL).await?;
            Ok(Self { connection })
        };
        let opened = tokio::time::timeout(Duration::from_secs(CONNECTION_SECONDS), open).await;
        opened.map_err(|_| StoreError::TimedOut(CONNECTION_SECONDS))?.map_err(StoreError::Listen)
    }

    /// Waits for the next notification; `None` if the connection was lost.
    ///
    /// # Errors
    /// Returns an error if the connection cannot be read.
    pub async fn next(&mut self) -> Result<Option<Notification>, StoreError> {
        let notification = self.connection.try_recv().await.map_err(StoreError::Listen)?;
        Ok(notification.map(|it| Notification::of(it.payload())))
    }
}

impl Notification {
    fn of(payload: &str) -> Self {
        match payload.strip_prefix(COMMITTER_PREFIX) {
            Some(process) => Self::Commit(Uuid::parse_str(process).ok()),
            None => Uuid::parse_str(payload).map_or(Self::Commit(None), Self::Test),
        }
    }
}

/// Returns the statement that notifies others of a commit by a process.
pub(super) fn notify(process: Uuid) -> String {
    format!("NOTIFY {CHANNEL}, '{COMMITTER_PREFIX}{process}'")
}

impl Store {
    /// Returns the id of this process in its notifications of commits.
    pub fn process(&self) -> Uuid {
        self.process
    }

    /// Sends a test notification, which shows that notifications arrive.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn test_notifications(&self, mark: Uuid) -> Result<(), StoreError> {
        let values = [CHANNEL.into(), mark.to_string().into()];
        let notify = Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_notify($1, $2)", values);
        self.replication.query_one_raw(notify).await?;
        Ok(())
    }
}
