//! What a resolver knows of the request that it serves: the snapshot that all of it is read from, who asks, and the
//! ways to write and to the change log.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_graphql::Context;

use crate::feed::Pins;
use crate::inventory::Snapshot;
use crate::store::Store;
use crate::write::{Answer, Author, Writer};

/// How long a request works before it lets others run.
const TURN: Duration = Duration::from_millis(2);

/// A request.
#[derive(Debug)]
pub struct Request {
    snapshot: Mutex<Arc<Snapshot>>,
    /// When it was last given a worker.
    turn: Mutex<Instant>,
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
        Self { snapshot: Mutex::new(snapshot), turn: Mutex::new(Instant::now()), actor, pins, writer, store }
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

    /// Goes on from another value: that of the next event of a subscription, or an empty one while there is none, so that
    /// a subscription that waits holds on to nothing.
    pub fn look_at(&self, snapshot: Arc<Snapshot>) {
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = snapshot;
    }

    /// Lets others run when this request has worked for long: for fields that cost something and are asked for of many
    /// objects. All of these fields wait then; the first that goes on begins the next turn.
    pub async fn give_way(&self) {
        let turn = || self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let began = *turn();
            if began.elapsed() <= TURN {
                return;
            }
            tokio::task::yield_now().await;
            let mut now = turn();
            if *now == began {
                *now = Instant::now();
            }
        }
    }

    /// Who writes, in whose name.
    pub fn author(&self, source: Option<String>) -> Author {
        Author { actor: self.actor.clone(), source }
    }
}
