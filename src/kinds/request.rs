//! What a resolver knows of the request that it serves: the snapshot that all of it is read from, who asks, and the
//! ways to write and to the change log.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::Context;

use crate::feed::Pins;
use crate::inventory::Snapshot;
use crate::store::Store;
use crate::write::{Answer, Author, Writer};

/// A request.
#[derive(Debug)]
pub struct Request {
    snapshot: Mutex<Arc<Snapshot>>,
    /// Who asks.
    pub actor: String,
    /// The revisions that are kept for reads that take long.
    pub pins: Pins,
    /// The way to write.
    pub writer: Writer,
    /// The way to the change log.
    pub store: Store,
}

impl Request {
    /// A request that is answered from a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, actor: String, pins: Pins, writer: Writer, store: Store) -> Self {
        Self { snapshot: Mutex::new(snapshot), actor, pins, writer, store }
    }

    /// The request that a resolver serves.
    pub fn of<'a>(context: &Context<'a>) -> &'a Self {
        context.data_unchecked::<Arc<Self>>()
    }

    /// The snapshot that the request is answered from: one for a query; for a mutation the one after its last write.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Goes on from what a write has left.
    pub fn wrote(&self, answer: &Answer) {
        if answer.revision.is_some() {
            *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&answer.snapshot);
        }
    }

    /// Who writes, in whose name.
    pub fn author(&self, source: Option<String>) -> Author {
        Author { actor: self.actor.clone(), source }
    }
}
