//! Events of hardware as they are stored, for subscribers.
//!
//! Guarantee: each event after the position is sent once, in the order in which they were stored, also when the
//! subscription is resumed at another server. A subscriber that would miss events is told so instead.

use std::collections::VecDeque;
use std::sync::Arc;

use async_graphql::{Context, Result};
use futures_util::Stream;
use tokio::sync::watch;
use underlay_engine::facts::{EventsError, Facts};
use underlay_engine::feed::{Cursor, Form, StreamPosition};
use underlay_engine::store::HardwareEventSelection;
use underlay_entity::hardware_event::Model;
use underlay_read::ReadError;

use super::events::{HardwareEvent, HardwareEventFilter, SUBJECT, position};
use super::facts_of;
use crate::errors::{forbidden, internal, unreadable};
use crate::request::Request;
use crate::subscription::Subscribed;

/// Events that a client follows.
struct Following {
    facts: Facts,
    newest: watch::Receiver<i64>,
    selection: HardwareEventSelection,
    subscribed: Subscribed,
    /// The id of the last event that was looked at.
    at: i64,
    /// Events after it.
    read: VecDeque<Arc<Model>>,
}

/// Returns the selected events after a position, or from now on.
///
/// # Errors
/// Returns an error if an argument is not valid, or if the caller sees only a part of the inventory.
pub fn follow(
    context: &Context<'_>,
    filter: Option<HardwareEventFilter>,
    after: Option<&str>,
) -> Result<impl Stream<Item = Result<HardwareEvent>> + use<>> {
    let (request, subscribed) = (context.data_unchecked::<Arc<Request>>().clone(), Subscribed::of(context).clone());
    request.database_for(SUBJECT).map_err(|it| forbidden(&it))?;
    let snapshot = request.snapshot();
    let facts = facts_of(&snapshot).ok_or_else(|| internal("the server has no place for facts"))?.clone();
    let selection = filter.unwrap_or_default().read(&snapshot)?;

    let newest = facts.watch_events();
    let start = subscribed.progress.start.map(|start| start.revision);
    let at = match start.map_or_else(|| after.map(position).transpose(), |start| Ok(Some(start)))? {
        Some(at) => at,
        None => *newest.borrow(),
    };
    let following = Following { facts, newest, selection, subscribed, at, read: VecDeque::new() };
    // The stream ends after an error.
    Ok(futures_util::stream::unfold(Some((following, request)), |state| async move {
        let (mut following, request) = state?;
        match following.next().await {
            Ok(event) => {
                request.look_at(request.view.current.get());
                Some((Ok(HardwareEvent(event)), Some((following, request))))
            }
            Err(error) => Some((Err(unreadable(&lost(error))), None)),
        }
    }))
}

impl Following {
    /// Waits for the next selected event.
    async fn next(&mut self) -> Result<Model, EventsError> {
        loop {
            let event = self.read_next().await?;
            self.at = event.id;
            if self.selection.selects(&event) {
                self.subscribed.progress.set_emitted(self.position());
                return Ok(Arc::unwrap_or_clone(event));
            }
        }
    }

    /// Waits for the next event.
    async fn read_next(&mut self) -> Result<Arc<Model>, EventsError> {
        loop {
            if let Some(event) = self.read.pop_front() {
                return Ok(event);
            }
            self.newest.borrow_and_update();
            self.read = self.facts.events_after(self.at).await?.into();
            if self.read.is_empty() {
                let cursor = self.position();
                self.subscribed.progress.reached(StreamPosition { cursor, live: true, form: Form::Events });
                // The sender lives as long as the facts.
                let _ = self.newest.changed().await;
            }
        }
    }

    /// Returns the position for equal subscriptions, which share an execution: the ids of events take the place of
    /// revisions.
    fn position(&self) -> Cursor {
        Cursor::after_revision(self.at)
    }
}

fn lost(error: EventsError) -> ReadError {
    match error {
        EventsError::Unknown { .. } => {
            ReadError::Argument { argument: "after", reason: format!("is too late: {error}") }
        }
        EventsError::Dropped { after, oldest } => ReadError::EventsDropped { after, oldest },
        EventsError::Store(error) => error.into(),
    }
}
