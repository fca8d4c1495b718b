//! Listens for the commits of other processes, so that the follower reads them at once and does not wait for its next
//! poll.
//!
//! The listener tests itself, because notifications can get lost without an error. This happens behind a proxy that
//! shares connections between clients, and on a network that went silent. If a test fails, the listener logs a warning
//! and reconnects. Meanwhile the follower continues to poll.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use crate::runtime::BackOff;
use crate::store::{DatabaseUrl, Listener, Notification, Store, StoreError};

/// The time between the arrival of one test notification and the sending of the next.
const TEST_INTERVAL: Duration = Duration::from_secs(30);
/// The time within which a test notification must arrive.
const TEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The least wait before the first reconnection. The wait doubles after each failure, up to [`MAX_RETRY_DELAY`].
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(750);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(40);

/// An error that ends one connection of the listener.
#[derive(Debug, Error)]
enum NotifyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the connection for notifications was lost")]
    Lost,
    #[error(
        "notifications do not arrive, perhaps because of a proxy that shares connections; feed.listenUrl can give a URL that avoids the proxy"
    )]
    Deaf,
}

/// Notifies `wake` whenever the database may hold new revisions. Never returns.
pub async fn notify(store: Store, url: DatabaseUrl, wake: Arc<Notify>) {
    let mut pauses = BackOff::new(FIRST_RETRY_DELAY, MAX_RETRY_DELAY);
    loop {
        let Err(error) = listen(&store, &url, &wake, &mut pauses).await;
        tracing::warn!("others' changes are seen within a second, not at once: {error}");
        tokio::time::sleep(pauses.failed()).await;
    }
}

async fn listen(
    store: &Store,
    url: &DatabaseUrl,
    wake: &Notify,
    pauses: &mut BackOff,
) -> Result<std::convert::Infallible, NotifyError> {
    let mut listener = Listener::open(url).await?;
    // Another process may have committed while this one did not listen.
    wake.notify_one();
    let mut sent: Option<Uuid> = None;
    let mut due = Instant::now();
    loop {
        tokio::select! {
            notification = listener.next() => match notification?.ok_or(NotifyError::Lost)? {
                // This process publishes its own commits itself. It may not have done so yet.
                Notification::Commit(by) if by == Some(store.process()) => {}
                Notification::Commit(_) => wake.notify_one(),
                Notification::Test(mark) if sent == Some(mark) => {
                    (sent, due) = (None, Instant::now() + TEST_INTERVAL);
                    pauses.succeeded();
                }
                // A test notification of another process.
                Notification::Test(_) => {}
            },
            () = tokio::time::sleep_until(due) => {
                if sent.is_some() {
                    return Err(NotifyError::Deaf);
                }
                let mark = Uuid::new_v4();
                (sent, due) = (Some(mark), Instant::now() + TEST_TIMEOUT);
                store.test_notifications(mark).await?;
            }
        }
    }
}
