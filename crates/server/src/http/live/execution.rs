//! An execution of a subscription.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::Response as GraphqlResponse;
use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tokio::sync::watch;

use super::request::LiveRequest;
use crate::http::Service;
use crate::http::execute::{finish, prepare};
use crate::http::field_order::Order;
use crate::http::json_answer::{Answered, Written, json, refused_for, with_long};
use crate::http::refusal::Refused;
use crate::http::request::Size;
use underlay_engine::feed::{Cursor, Progress, StreamPosition};
use underlay_engine::runtime::in_background;
use underlay_inventory::Snapshot;
use underlay_kinds::request::Request;
use underlay_kinds::subscription::Subscribed;
use underlay_read::Budget;

/// The output of a subscription.
#[derive(Clone, Debug)]
pub enum LiveOutput {
    /// An answer, as JSON.
    Next { cursor: Cursor, answer: Written },
    /// The errors that end the subscription, as a JSON list.
    Failed(Bytes),
}

/// A running execution.
pub struct Execution {
    answers: BoxStream<'static, GraphqlResponse>,
    state: Arc<Request>,
    order: Arc<Order>,
    /// The size of the request, which the library checks with the first answer.
    size: Size,
    progress: Arc<Progress>,
    /// The budget for the answer that is being computed.
    budget: Arc<Budget>,
    /// The time that an answer may take.
    time: Duration,
    /// The snapshot that the resolvers see while no answer is computed.
    nothing: Arc<Snapshot>,
}

impl Execution {
    /// Begins at a position, or else where the arguments say.
    pub fn begin(service: &Service, live: &LiveRequest, start: Option<Cursor>) -> Self {
        let progress = Arc::new(Progress::new(start));
        let current = live.asker().view.current.get();
        let mut request = live.request();
        // A long document is not cached, so it is parsed again for each execution.
        let order = live.size().run(|| service.documents.order(&mut request));
        // How long an event has to be worked on shows when it comes.
        let budget = service.admission.answers().begin(&live.asker().caller.key(), 0);
        let (request, state) = prepare(service, live.asker().clone(), request, &current, &budget);
        let subscribed = Subscribed { progress: Arc::clone(&progress) };
        let answers = service.api.execute_stream(request.data(subscribed));
        let time = service.admission.limits().timeout;
        let size = live.size();
        let nothing = Arc::new(Snapshot::empty(Arc::clone(current.registry())));
        Self { answers, state, order, size, progress, budget, time, nothing }
    }

    /// Returns a receiver of the position that the execution has reached.
    pub fn watch(&self) -> watch::Receiver<Option<StreamPosition>> {
        self.progress.watch()
    }

    /// Returns the next output. The future may be dropped while it waits. An answer that exceeds a limit is never
    /// complete, so it ends the subscription.
    pub async fn next(&mut self) -> Option<LiveOutput> {
        let next = self.answers.next();
        let next = async {
            match self.size {
                Size::Usual => self.state.pace.in_slices(next).await,
                Size::Large => self.state.pace.in_slices(in_background(next)).await,
            }
        };
        let answer = tokio::select! {
            answer = next => answer?,
            over = self.budget.over() => return Some(failed(&refused_for(over))),
            () = self.progress.late(self.time) => return Some(failed(&Refused::late(self.time))),
        };
        let budget = self.budget.hand_over();
        let answer = with_long(&budget, || finish(answer, &self.state, &self.order));
        // The client may be slow, and the snapshot must not be held for that long.
        self.state.look_at(Arc::clone(&self.nothing));
        Some(match self.progress.emitted() {
            Some(cursor) => match Answered::new(answer, budget).try_json() {
                Ok(answer) => LiveOutput::Next { cursor, answer },
                Err(refused) => failed(&refused),
            },
            None => LiveOutput::Failed(json(&answer.errors)),
        })
    }
}

/// Returns the output of a subscription that cannot go on.
fn failed(refused: &Refused) -> LiveOutput {
    LiveOutput::Failed(json(&[refused.error()]))
}
