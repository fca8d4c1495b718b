//! Reports the progress of a subscription. The task that runs the subscription and the code that sends its answers
//! share this state: the start position, the position reached and the position of the next answer.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::cursor::Cursor;

/// The kind of stream that a subscription is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A stream of events, none of which may be skipped.
    Events,
    /// A stream of states, of which only the latest matters.
    States,
}

/// The progress of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPosition {
    /// The position up to which everything was emitted and taken by the client.
    pub cursor: Cursor,
    /// True if there was nothing more to emit.
    pub live: bool,
    /// The kind of stream.
    pub form: Form,
}

/// The start and the progress of a subscription.
#[derive(Debug)]
pub struct Progress {
    /// The position where the subscription begins. It takes precedence over the arguments of the subscription.
    pub start: Option<Cursor>,
    now: watch::Sender<Option<StreamPosition>>,
    /// The position of the answer that is being computed, and the time at which it began.
    emitted: watch::Sender<Option<(Cursor, Instant)>>,
}

impl Progress {
    /// Creates the state of a subscription that begins at `start`, or else where its arguments say.
    pub fn new(start: Option<Cursor>) -> Self {
        Self { start, now: watch::Sender::new(None), emitted: watch::Sender::new(None) }
    }

    /// Reports the progress. Must be called when the next event is requested, not before: only then were all earlier
    /// events taken.
    pub fn reached(&self, position: StreamPosition) {
        self.now.send_if_modified(|now| {
            let differs = *now != Some(position);
            *now = Some(position);
            differs
        });
    }

    /// Sets the position that the next answer will have.
    pub fn set_emitted(&self, cursor: Cursor) {
        self.emitted.send_replace(Some((cursor, Instant::now())));
    }

    /// Takes the position of the answer that was emitted last. Returns `None` if the answer is an error and not an
    /// event.
    pub fn emitted(&self) -> Option<Cursor> {
        self.emitted.send_replace(None).map(|(cursor, _)| cursor)
    }

    /// Waits until an answer is being computed for longer than `time`.
    pub async fn late(&self, time: Duration) {
        let mut emitted = self.emitted.subscribe();
        loop {
            let begun = *emitted.borrow_and_update();
            match begun {
                Some((_, begun)) if timeout_at(begun + time, emitted.changed()).await.is_err() => return,
                Some(_) => {}
                // The sender lives as long as `self`.
                None => drop(emitted.changed().await),
            }
        }
    }

    /// Returns a receiver of the progress. Its value is `None` until the subscription has begun.
    pub fn watch(&self) -> watch::Receiver<Option<StreamPosition>> {
        self.now.subscribe()
    }
}
