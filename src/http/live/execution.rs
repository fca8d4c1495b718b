//! An execution of a subscription.

use std::sync::Arc;

use async_graphql::Response as GraphqlResponse;
use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tokio::sync::watch;

use super::request::LiveRequest;
use crate::feed::{Cursor, Progress, Stand};
use crate::http::Service;
use crate::http::answered::{json, too_much, within};
use crate::http::execute::{finish, prepare};
use crate::http::ordered::Order;
use crate::kinds::request::Request;
use crate::kinds::subscription::Subscribed;
use crate::read::Over;
use underlay_inventory::Snapshot;

/// The output of a subscription.
#[derive(Clone, Debug)]
pub enum LiveOutput {
    /// An answer, as JSON.
    Next { cursor: Cursor, bytes: Bytes },
    /// The errors that end the subscription, as a JSON list.
    Failed(Bytes),
}

/// A running execution.
pub struct Execution {
    answers: BoxStream<'static, GraphqlResponse>,
    state: Arc<Request>,
    order: Arc<Order>,
    progress: Arc<Progress>,
    /// The most bytes that an answer may have.
    most: usize,
    /// The snapshot that the resolvers see while no answer is computed.
    nothing: Arc<Snapshot>,
}

impl Execution {
    /// Begins at a position, or else where the arguments say.
    pub fn begin(service: &Service, live: &LiveRequest, start: Option<Cursor>) -> Self {
        let progress = Arc::new(Progress::new(start));
        let current = live.asker().view.current.get();
        let mut request = live.request();
        let order = service.documents.order(&mut request);
        // Each answer is measured when it is complete, because a budget is for one answer.
        let (request, state) = prepare(service, live.asker().clone(), request, &current, None);
        let subscribed = Subscribed { progress: Arc::clone(&progress) };
        let answers = service.api.execute_stream(request.data(subscribed));
        let most = service.admission.limits().answer;
        Self {
            answers,
            state,
            order,
            progress,
            most,
            nothing: Arc::new(Snapshot::empty(Arc::clone(current.registry()))),
        }
    }

    /// Returns a receiver of the position that the execution has reached.
    pub fn watch(&self) -> watch::Receiver<Option<Stand>> {
        self.progress.watch()
    }

    /// Returns the next output. The future may be dropped while it waits.
    pub async fn next(&mut self) -> Option<LiveOutput> {
        let answer = finish(self.state.pace.in_slices(self.answers.next()).await?, &self.state, &self.order);
        // The client may be slow, and the snapshot must not be held for that long.
        self.state.look_at(Arc::clone(&self.nothing));
        Some(match self.progress.emitted() {
            Some(cursor) => match within(&answer, self.most) {
                Some(bytes) => LiveOutput::Next { cursor, bytes: bytes.into() },
                None => LiveOutput::Failed(json(&[too_much(Over::One(self.most))])),
            },
            None => LiveOutput::Failed(json(&answer.errors)),
        })
    }
}
