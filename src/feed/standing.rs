//! What those who run a subscription and those who answer it tell each other: where it begins, and how far it is.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use super::cursor::Cursor;

/// What a subscription is a stream of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Events, of which none may be left out.
    Events,
    /// States, of which only the latest matters.
    States,
}

/// How far a subscription is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Up to here everything was given, and taken.
    pub cursor: Cursor,
    /// Whether there was nothing more.
    pub live: bool,
    /// What it is a stream of.
    pub form: Form,
}

/// Where a subscription begins, and how far it is.
#[derive(Debug)]
pub struct Standing {
    /// Where it begins, whatever its arguments say.
    pub start: Option<Cursor>,
    now: watch::Sender<Option<Stand>>,
    given: Mutex<Option<Cursor>>,
}

impl Standing {
    /// A subscription that begins where its arguments say, or here.
    pub fn new(start: Option<Cursor>) -> Self {
        Self { start, now: watch::Sender::new(None), given: Mutex::new(None) }
    }

    /// Says how far it is. To be said when the next is asked for, not before: then all before it was taken.
    pub fn reached(&self, stand: Stand) {
        self.now.send_if_modified(|now| {
            let differs = *now != Some(stand);
            *now = Some(stand);
            differs
        });
    }

    /// Says what comes next: what is answered then stands here.
    pub fn gives(&self, cursor: Cursor) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = Some(cursor);
    }

    /// Where the answer stands that was given last; `None` for one that is no event, but an error.
    pub fn given(&self) -> Option<Cursor> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// How far it is, as that changes; `None` before it has begun.
    pub fn watch(&self) -> watch::Receiver<Option<Stand>> {
        self.now.subscribe()
    }
}
