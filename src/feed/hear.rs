//! Listening for what others commit, so that the follower looks at once and not only now and then.
//!
//! The listener tests itself: a proxy that shares connections between clients loses what they listen for without a
//! word, and so does a network that went silent. Then it says so, and begins anew; the follower goes on looking now and
//! then.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use crate::store::{DatabaseUrl, Heard, Listener, Store, StoreError};

/// How long after a test comes the next one.
const TEST: Duration = Duration::from_secs(30);
/// How long a test may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before listening anew, the first time; twice as long each time after, up to the longest.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

/// Why nothing is heard.
#[derive(Debug, Error)]
enum HearError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the connection that listens was lost")]
    Lost,
    #[error("notifications do not arrive: is there a proxy that shares connections? feed.listenUrl can go around it")]
    Deaf,
}

/// Tells the follower whenever there may be something new, over and over.
pub async fn hear(store: Store, url: DatabaseUrl, told: Arc<Notify>) {
    let mut pause = FIRST;
    loop {
        let Err(error) = listen(&store, &url, &told, &mut pause).await;
        tracing::warn!("others' changes are seen within a second, not at once: {error}");
        // Not all replicas at the same moment.
        tokio::time::sleep(pause.mul_f64(0.75 + rand::random::<f64>() / 2.0)).await;
        pause = (pause * 2).min(LONGEST);
    }
}

async fn listen(
    store: &Store,
    url: &DatabaseUrl,
    told: &Notify,
    pause: &mut Duration,
) -> Result<std::convert::Infallible, HearError> {
    let mut listener = Listener::open(url).await?;
    // Somebody may have written while nobody listened.
    told.notify_one();
    let mut sent: Option<Uuid> = None;
    let mut due = Instant::now();
    loop {
        tokio::select! {
            heard = listener.next() => match heard?.ok_or(HearError::Lost)? {
                // What this process writes it publishes itself, which may not have come about yet.
                Heard::Commit(by) if by == Some(store.process()) => {}
                Heard::Commit(_) => told.notify_one(),
                Heard::Test(mark) if sent == Some(mark) => {
                    (sent, due) = (None, Instant::now() + TEST);
                    *pause = FIRST;
                }
                // Of another process.
                Heard::Test(_) => {}
            },
            () = tokio::time::sleep_until(due) => {
                if sent.is_some() {
                    return Err(HearError::Deaf);
                }
                let mark = Uuid::new_v4();
                (sent, due) = (Some(mark), Instant::now() + PATIENCE);
                store.test_notifications(mark).await?;
            }
        }
    }
}
