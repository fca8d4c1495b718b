//! Subscriptions in the API: changes as they are committed, traces as they change, and events of hardware.

mod cursor;
mod event;
mod filter;
mod trace;

use std::sync::Arc;

use async_graphql::{Context, ID, Result, Subscription as Roots};
use futures_util::Stream;

pub use cursor::ChangeCursor;
pub use event::{ChangeEvent, ChangeEventType};
pub use filter::ChangeEventFilter;

use super::errors::unreadable;
use super::facts::events::{HardwareEvent, HardwareEventFilter};
use super::facts::follow::follow;
use super::request::Request;
use super::trace::Trace;
use underlay_engine::feed::{Progress, Subscriber};
use underlay_read::{Events, ReadError, lost};

/// The data of a subscription, in addition to the data of every request.
#[derive(Clone, Debug)]
pub struct Subscribed {
    /// The start and the progress of the subscription.
    pub progress: Arc<Progress>,
}

impl Subscribed {
    pub(crate) fn of<'a>(context: &Context<'a>) -> &'a Self {
        context.data_unchecked::<Self>()
    }
}

/// The subscriptions of the API.
#[derive(Debug, Default)]
pub struct Subscription;

/// The subscriptions of the API.
#[Roots]
impl Subscription {
    /// Streams changes in the order of revisions, each once. The stream begins after the position `after`; without
    /// `after`, it begins now. A change matches the filter if its object matches before or after the change. An object
    /// that comes beneath `within`, or is no longer there, because an object that contains it moved, gives ENTERED or
    /// LEFT. There is an event at least every 10 s: PROGRESS if no change matches. A cursor that cannot be resumed ends
    /// the subscription with `REVISION_COMPACTED`, and the extensions of the error hold `oldestRevision`. The client
    /// must then read everything, and subscribe again after the revision that it read.
    async fn changes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Selects the events to send. Defaults to all.")] filter: Option<ChangeEventFilter>,
        #[graphql(
            desc = "The position to begin after: the cursor of an event, or the number of a revision as an integer or a text."
        )]
        after: Option<ChangeCursor>,
    ) -> Result<impl Stream<Item = Result<ChangeEvent>>> {
        let (request, subscribed) = (context.data_unchecked::<Arc<Request>>().clone(), Subscribed::of(context).clone());
        let filter = filter.unwrap_or_default().read(&request.snapshot())?;
        let after = subscribed.progress.start.or(after.map(|after| after.0));
        let subscriber = Subscriber::begin(&request.view, after).await;
        let subscriber = subscriber.map_err(|error| unreadable(&lost(error)))?;
        let events = Events::new(subscriber, filter, subscribed.progress, request.walks());
        // The stream ends after an error.
        Ok(futures_util::stream::unfold(Some((events, request)), |state| async move {
            let (mut events, request) = state?;
            match events.next().await {
                Ok(event) => {
                    request.look_at(Arc::clone(&event.snapshot));
                    Some((Ok(ChangeEvent::new(event)), Some((events, request))))
                }
                Err(error) => Some((Err(unreadable(&error)), None)),
            }
        }))
    }

    /// Streams the trace from a port, a power feed or the end of a circuit. It is sent at once, and again whenever its
    /// hops or positions, its completeness or its activity change: at most four times a second, and then the latest.
    /// Null if the object where it begins is deleted.
    async fn trace_changed(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the start: a Port, a PowerFeed or a CircuitTermination.")] from: ID,
    ) -> Result<impl Stream<Item = Option<Trace>>> {
        let (request, subscribed) = (context.data_unchecked::<Arc<Request>>().clone(), Subscribed::of(context).clone());
        let traced = trace::TraceSubscription::begin(&from, subscribed, &request)?;
        Ok(futures_util::stream::unfold((traced, request), |(mut traced, request)| async move {
            let (trace, snapshot) = traced.next().await;
            request.look_at(snapshot);
            Some((trace, (traced, request)))
        }))
    }

    /// Streams the events of hardware in the order in which they were stored, each once. The stream begins after the
    /// cursor `after`; without `after`, it begins now. A cursor after which events were dropped ends the subscription
    /// with `REVISION_COMPACTED`: the client must then read `hardwareEvents`, and subscribe after its first cursor.
    async fn hardware_events(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Selects the events to send. Defaults to all.")] filter: Option<HardwareEventFilter>,
        #[graphql(desc = "The cursor of the event to begin after; 0 is before the first one.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<HardwareEvent>>> {
        follow(context, filter, after.as_deref())
    }
}

/// Returns the error for an argument that is not valid.
fn argument(argument: &'static str, reason: String) -> async_graphql::Error {
    unreadable(&ReadError::Argument { argument, reason })
}
