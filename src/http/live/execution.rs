//! One execution of a subscription.

use std::sync::Arc;

use async_graphql::Response as Answer;
use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tokio::sync::watch;

use super::asked::Asked;
use crate::feed::{Cursor, Progress, Stand};
use crate::http::Service;
use crate::http::answered::{too_much, within};
use crate::http::execute::{finish, json, prepare};
use crate::http::ordered::Order;
use crate::kinds::request::Request;
use crate::kinds::subscription::Subscribed;
use crate::read::Over;
use underlay_inventory::Snapshot;

/// What a subscription gives.
#[derive(Clone, Debug)]
pub enum Output {
    /// An answer, as JSON.
    Next { cursor: Cursor, bytes: Bytes },
    /// The errors that end it, as a JSON list.
    Failed(Bytes),
}

/// A subscription that is executed.
pub struct Execution {
    answers: BoxStream<'static, Answer>,
    state: Arc<Request>,
    order: Arc<Order>,
    progress: Arc<Progress>,
    /// The most bytes that an answer may have.
    most: usize,
    /// What is looked at while nothing is answered.
    nothing: Arc<Snapshot>,
}

impl Execution {
    /// Begins where the arguments say, or here.
    pub fn begin(service: &Service, asked: &Asked, start: Option<Cursor>) -> Self {
        let progress = Arc::new(Progress::new(start));
        let newest = asked.asker().view.newest.get();
        let mut request = asked.request();
        let order = service.documents.order(&mut request);
        // Each answer is measured once it is there: a budget is for one.
        let (request, state) = prepare(service, asked.asker().clone(), request, &newest, None);
        let subscribed = Subscribed { progress: Arc::clone(&progress) };
        let answers = service.api.execute_stream(request.data(subscribed));
        let most = service.admission.limits().answer;
        Self {
            answers,
            state,
            order,
            progress,
            most,
            nothing: Arc::new(Snapshot::empty(Arc::clone(newest.registry()))),
        }
    }

    /// How far it is.
    pub fn watch(&self) -> watch::Receiver<Option<Stand>> {
        self.progress.watch()
    }

    /// What comes next. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Output> {
        let answer = finish(self.state.pace.in_slices(self.answers.next()).await?, &self.state, &self.order);
        // Whoever takes it may be slow: no value is held for that long.
        self.state.look_at(Arc::clone(&self.nothing));
        Some(match self.progress.given() {
            Some(cursor) => match within(&answer, self.most) {
                Some(bytes) => Output::Next { cursor, bytes: bytes.into() },
                None => Output::Failed(json(&[too_much(Over::One(self.most))])),
            },
            None => Output::Failed(json(&answer.errors)),
        })
    }
}
