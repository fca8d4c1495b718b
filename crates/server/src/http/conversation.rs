//! The requests of one connection, from the arrival of their heads until their responses were sent.
//!
//! Guarantees: before a request of the connection was authenticated, few requests run at a time, and the others wait. A
//! response of which the client accepts nothing for long ends the connection. Without that, a client that opens no
//! window in HTTP/2 could collect responses for as long as it answers pings.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Request;
use axum::response::Response;
use hyper::body::{Body as _, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep};

/// The most requests that run at a time before one of the connection was authenticated. A browser asks for all files
/// of the console at once, and gets them one after the other quickly.
const MAX_UNAUTHENTICATED_REQUESTS: usize = 16;
/// The number of responses from which on those that were sent are looked for and removed.
const MIN_RESPONSES_TO_PRUNE: usize = 32;

tokio::task_local! {
    /// The conversation of the request that runs.
    static CONVERSATION: Arc<Conversation>;
}

/// The requests of one connection.
#[derive(Debug)]
pub struct Conversation {
    /// The places for requests until one of the connection was authenticated; then the semaphore is closed.
    places: Arc<Semaphore>,
    responses: Mutex<Vec<Weak<Sending>>>,
    /// The time for which the client may accept nothing.
    patience: Duration,
}

impl Conversation {
    /// Creates a conversation without requests, whose client may accept nothing for this time.
    pub fn new(patience: Duration) -> Arc<Self> {
        Arc::new(Self {
            places: Arc::new(Semaphore::new(MAX_UNAUTHENTICATED_REQUESTS)),
            responses: Mutex::default(),
            patience,
        })
    }

    /// Returns the time for which the client may accept nothing.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Answers a request, and watches its response.
    pub async fn answer<A>(
        self: Arc<Self>,
        request: Request<Body>,
        answer: impl FnOnce(Request<Body>) -> A,
    ) -> Result<Response, Infallible>
    where
        A: Future<Output = Result<Response, Infallible>>,
    {
        // Once a request was authenticated, the semaphore is closed, and requests need no place.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let response = CONVERSATION.scope(Arc::clone(&self), async { answer(request).await }).await?;
        Ok(response.map(|body| self.watch(body, place)))
    }

    /// Waits until the client has accepted nothing of a response for too long.
    pub async fn stalled(&self) {
        loop {
            sleep(self.patience / 5).await;
            let responses = self.responses().iter().filter_map(Weak::upgrade).collect::<Vec<_>>();
            if responses.iter().any(|response| response.is_stalled(self.patience)) {
                return;
            }
        }
    }

    fn watch(&self, body: Body, place: Option<OwnedSemaphorePermit>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let progress = Progress { at: Instant::now(), unsent: 0, has_more: true };
        let sending = Arc::new(Sending { progress: Mutex::new(progress), _place: place });
        let mut responses = self.responses();
        if responses.len() >= MIN_RESPONSES_TO_PRUNE {
            responses.retain(|response| response.strong_count() > 0);
        }
        responses.push(Arc::downgrade(&sending));
        drop(responses);
        Body::new(Watched { body, sending })
    }

    fn responses(&self) -> MutexGuard<'_, Vec<Weak<Sending>>> {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that the request that runs was authenticated.
pub fn authenticated() {
    // Outside of a connection there is nothing to note.
    let _ = CONVERSATION.try_with(|conversation| conversation.places.close());
}

/// A response that is being sent. It has its place until all of it was sent.
#[derive(Debug)]
struct Sending {
    progress: Mutex<Progress>,
    _place: Option<OwnedSemaphorePermit>,
}

#[derive(Clone, Copy, Debug)]
struct Progress {
    /// The time at which something of the response was sent, or made, last.
    at: Instant,
    /// The number of parts that were handed over and not sent yet.
    unsent: usize,
    /// True if there may be a further part at once. False while the server makes it, and after the last one.
    has_more: bool,
}

impl Sending {
    fn is_stalled(&self, patience: Duration) -> bool {
        let progress = self.lock();
        (progress.unsent > 0 || progress.has_more) && progress.at.elapsed() >= patience
    }

    fn note(&self, note: impl FnOnce(&mut Progress)) {
        let mut progress = self.lock();
        progress.at = Instant::now();
        note(&mut progress);
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of a response that is watched.
struct Watched {
    body: Body,
    sending: Arc<Sending>,
}

impl hyper::body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let sending = &self.sending;
        match polled {
            Poll::Ready(Some(Ok(frame))) => Poll::Ready(Some(Ok(frame.map_data(|bytes| {
                sending.note(|progress| (progress.unsent, progress.has_more) = (progress.unsent + 1, true));
                Bytes::from_owner(Part { bytes, sending: Arc::clone(sending) })
            })))),
            polled => {
                sending.note(|progress| progress.has_more = false);
                polled
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.sending.note(|progress| progress.has_more = false);
    }
}

/// A part of a response, which is dropped once it was sent.
struct Part {
    bytes: Bytes,
    sending: Arc<Sending>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.sending.note(|progress| progress.unsent -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures_util::FutureExt as _;
    use futures_util::stream;

    use super::*;

    const STALL_TIMEOUT: Duration = Duration::from_millis(100);

    async fn answered(conversation: &Arc<Conversation>, body: Body) -> Body {
        let answer = |_| async { Ok(Response::new(body)) };
        let response = Arc::clone(conversation).answer(Request::new(Body::empty()), answer).await;
        response.expect("a response").into_body()
    }

    async fn part(body: &mut Body) -> Option<Bytes> {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
        frame.expect("no error").into_data().ok()
    }

    /// Returns true if the conversation ends now that its client has accepted nothing for long.
    async fn stalls(conversation: &Conversation) -> bool {
        sleep(STALL_TIMEOUT * 2).await;
        tokio::time::timeout(STALL_TIMEOUT, conversation.stalled()).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_of_which_nothing_is_accepted_ends_the_connection() {
        let conversation = Conversation::new(STALL_TIMEOUT);
        assert!(!stalls(&conversation).await, "there is no response");
        let mut body = answered(&conversation, "some text".into()).await;
        assert!(stalls(&conversation).await, "nothing of it was asked for");
        let text = part(&mut body).await.expect("the text");
        assert!(stalls(&conversation).await, "it was not sent");
        drop(text);
        assert!(part(&mut body).await.is_none());
        assert!(!stalls(&conversation).await, "it was sent");
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_that_the_server_makes_slowly_is_waited_for() {
        let conversation = Conversation::new(STALL_TIMEOUT);
        let first = stream::once(async { Ok::<_, Infallible>("first") });
        let mut body =
            answered(&conversation, Body::from_stream(stream::StreamExt::chain(first, stream::pending()))).await;
        let first = part(&mut body).await;
        assert!(part(&mut body).now_or_never().is_none());
        drop(first);
        assert!(!stalls(&conversation).await, "there is nothing to accept");
        drop(body);
        assert!(conversation.responses().iter().all(|response| response.strong_count() == 0));
    }

    #[tokio::test]
    async fn few_requests_run_until_one_is_authenticated() {
        let conversation = Conversation::new(STALL_TIMEOUT);
        let mut bodies = Vec::new();
        for _ in 0..MAX_UNAUTHENTICATED_REQUESTS {
            bodies.push(answered(&conversation, "text".into()).await);
        }
        assert!(answered(&conversation, "text".into()).now_or_never().is_none(), "it waits");
        // A place is free once the last part was sent.
        let mut first = bodies.remove(0);
        let text = part(&mut first).await;
        drop(first);
        assert!(answered(&conversation, "text".into()).now_or_never().is_none(), "its text was not sent");
        drop(text);
        let next = answered(&conversation, "text".into()).now_or_never().expect("a place is free");
        let mut waiting = Box::pin(answered(&conversation, "text".into()));
        assert!(waiting.as_mut().now_or_never().is_none());
        CONVERSATION.scope(Arc::clone(&conversation), async { authenticated() }).await;
        assert!(waiting.now_or_never().is_some(), "nobody waits any more");
        drop(next);
    }
}
