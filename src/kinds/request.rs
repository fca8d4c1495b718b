//! What a resolver knows of the request that it serves: the snapshot that all of it is read from, who asks, and the
//! ways to write and to the change log.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, Result};
use foldhash::HashMap;

use super::write_handle::WriteHandle;
use crate::access::{Caller, Forbidden, WriteKind};
use crate::feed::View;
use crate::read::{Budget, Pace};
use crate::store::Store;
use crate::write::{Answer, MOST_ITEMS, Writer};
use underlay_inventory::Snapshot;

/// A request.
#[derive(Debug)]
pub struct Request {
    snapshot: Mutex<Arc<Snapshot>>,
    /// How it works on its answer.
    pub pace: Arc<Pace>,
    /// Who asks.
    caller: Arc<Caller>,
    /// What they see.
    pub view: Arc<View>,
    /// How many items a batch may have.
    most_items: usize,
    /// The way to write, which only a handle has the use of.
    writer: Writer,
    /// The answers to the writes of a mutation, by the name of the field in the answer.
    written: Mutex<HashMap<String, Result<Arc<Answer>>>>,
}

impl Request {
    /// A request that is answered from a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, caller: Arc<Caller>, view: Arc<View>, writer: Writer) -> Self {
        let (snapshot, pace) = (Mutex::new(snapshot), Arc::new(Pace::new(None)));
        Self { snapshot, pace, caller, view, writer, most_items: MOST_ITEMS, written: Mutex::default() }
    }

    /// The same with another limit for batches.
    pub fn with_most_items(self, most_items: usize) -> Self {
        Self { most_items, ..self }
    }

    /// The same with a budget for its answer.
    pub fn with_budget(self, budget: Arc<Budget>) -> Self {
        Self { pace: Arc::new(Pace::new(Some(budget))), ..self }
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

    /// Writes once for each name of a field in the answer to a mutation, and gives the same answer when that field is
    /// executed again. The library executes a field again for each fragment that repeats it; the specification of
    /// GraphQL demands that fields of one name are executed once.
    ///
    /// # Errors
    /// As the write.
    pub async fn once(
        &self,
        context: &Context<'_>,
        writing: impl Future<Output = Result<Answer>>,
    ) -> Result<Arc<Answer>> {
        let written = || self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let field = context.field();
        let name = field.alias().unwrap_or_else(|| field.name());
        // The fields of a mutation are executed one after the other.
        if let Some(answer) = written().get(name) {
            return answer.clone();
        }
        let answer = writing.await.map(Arc::new);
        written().insert(name.to_owned(), answer.clone());
        answer
    }

    /// Goes on from another value: that of the next event of a subscription, or an empty one while there is none, so that
    /// a subscription that waits holds on to nothing.
    pub fn look_at(&self, snapshot: Arc<Snapshot>) {
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = snapshot;
    }

    /// Lets others run when this request has worked for long: for fields that cost something and are asked for of many
    /// objects.
    pub async fn yield_now(&self) {
        self.pace.yield_now().await;
    }

    /// The way to the change log.
    ///
    /// # Errors
    /// When the caller sees only a part of what it tells of.
    pub fn log(&self) -> Result<&Store, Forbidden> {
        let caller = &self.caller;
        self.view.log().ok_or_else(|| Forbidden::OfAllTenants {
            what: "the change log",
            tenant: caller.tenant().unwrap_or_default().to_owned(),
        })
    }

    /// What writes in the name of the caller.
    ///
    /// # Errors
    /// When the caller may not write that way.
    pub fn handle(&self, kind: WriteKind<'_>) -> Result<WriteHandle, Forbidden> {
        Ok(WriteHandle::new(self.writer.clone(), self.caller.permit(kind)?, self.most_items))
    }
}
