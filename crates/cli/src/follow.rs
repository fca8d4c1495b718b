//! Follows events of a server, such as its changes, and reconnects after lost connections and server restarts.
//!
//! Guarantee: each event is the one after the last event returned, whatever happens between the two. A refusal by the
//! server ends the stream.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use underlay_client::{ChangeEvent, ChangeStream, Client, ClientError, Pauses};

use underlay_kit::printable;

/// A server drops a subscriber that reads nothing for about a minute. A subscriber that was busy for longer than this
/// reconnects without a message.
const MAX_BUSY_TIME: Duration = Duration::from_secs(10);

/// The behaviour of a watch that finds no server when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtStart {
    /// The watch fails, as every other command does.
    Fail,
    /// The watch waits for a server, because nobody is there to start the watch again.
    Wait,
}

/// An event that can be followed.
pub(super) trait Followed: ChangeEvent {
    /// The position of an event, as messages to the user have it.
    type Position: fmt::Display;

    /// Returns the position after the event.
    fn position(&self) -> Self::Position;
}

/// A stream of events that survives lost connections.
pub(super) struct Follower<'a, E: Followed> {
    client: &'a Client,
    changes: ChangeStream,
    position: E::Position,
    at_start: AtStart,
    /// The pauses of the failed connections since the last event.
    pauses: Pauses,
    /// The earliest time for the next connection.
    not_before: Option<Instant>,
    /// True if the lost connection was reported to the user.
    has_reported: bool,
    /// The time when the last event was returned.
    last_event: Option<Instant>,
    /// True if the caller was busy for so long that the server may have dropped the subscription.
    was_busy: bool,
    events: PhantomData<E>,
}

impl<'a, E: Followed> Follower<'a, E> {
    /// Returns a follower of the events of a stream, which begins after a position. Sends nothing yet.
    pub(super) fn new(client: &'a Client, changes: ChangeStream, position: E::Position, at_start: AtStart) -> Self {
        Self {
            client,
            changes,
            position,
            at_start,
            pauses: Pauses::default(),
            not_before: None,
            has_reported: false,
            last_event: None,
            was_busy: false,
            events: PhantomData,
        }
    }

    /// Waits for the next event. Cancelling the wait loses no event.
    ///
    /// # Errors
    /// Returns an error if the server refuses the subscription. If `at_start` is [`AtStart::Fail`], also returns an
    /// error if there is no server at the start.
    pub(super) async fn next(&mut self) -> Result<E, ClientError> {
        if let Some(last_event) = self.last_event.take() {
            self.was_busy = last_event.elapsed() > MAX_BUSY_TIME;
        }
        loop {
            match self.try_next().await {
                Ok(event) => {
                    self.position = event.position();
                    (self.pauses, self.was_busy, self.last_event) = (Pauses::default(), false, Some(Instant::now()));
                    return Ok(event);
                }
                Err(error) => self.failed(error)?,
            }
        }
    }

    async fn try_next(&mut self) -> Result<E, ClientError> {
        if !self.changes.is_connected() {
            if let Some(time) = self.not_before {
                sleep_until(time).await;
            }
            self.changes.connect().await?;
            self.at_start = AtStart::Wait;
            if std::mem::take(&mut self.has_reported) {
                eprintln!("note: connected to {}; resuming after {}", self.client.server(), self.position);
            }
        }
        self.changes.next().await
    }

    /// Records a failed connection and sets the time for the next attempt. Returns the error if another attempt is
    /// useless.
    fn failed(&mut self, error: ClientError) -> Result<(), ClientError> {
        if !error.is_passing() || self.at_start == AtStart::Fail {
            return Err(error);
        }
        if std::mem::take(&mut self.was_busy) {
            return Ok(());
        }
        self.not_before = Some(Instant::now() + self.pauses.next_pause());
        if !std::mem::replace(&mut self.has_reported, true) {
            eprintln!("note: {}; retrying until the server is available", printable(&error.to_string()));
        }
        Ok(())
    }
}
