//! Subscriptions in the API: changes as they come, and the state of something as it changes.

mod event;
mod filter;
mod trace;

use std::sync::Arc;

use async_graphql::{Context, ID, Result, Subscription as Roots};
use futures_util::Stream;

pub use event::{ChangeEvent, ChangeEventType};
pub use filter::{ChangeCursor, ChangeEventFilter};

use super::errors::unreadable;
use super::request::Request;
use super::trace::Trace;
use crate::feed::{Standing, Subscriber};
use crate::read::{Events, ReadError, lost};

/// What a subscription needs besides what every request has.
#[derive(Clone, Debug)]
pub struct Subscribed {
    /// Where the subscription begins, and how far it is.
    pub standing: Arc<Standing>,
}

impl Subscribed {
    fn of<'a>(context: &Context<'a>) -> &'a Self {
        context.data_unchecked::<Self>()
    }
}

/// Everything that can be followed.
#[derive(Debug, Default)]
pub struct Subscription;

/// Everything that can be followed.
#[Roots]
impl Subscription {
    /// What changes, in the order of revisions: each change once, after what `after` names; without it, from now on. A
    /// change fits the filter when its object did before or does after it; an object that comes beneath `within` or goes
    /// from there because something that it stands in moved gives ENTERED or LEFT. At least every 10 s there is an event,
    /// PROGRESS when nothing fits. A cursor that cannot be gone on from ends the subscription with `REVISION_COMPACTED`,
    /// and `oldestRevision` in the extensions of the error: read everything, and go on after the revision of that.
    async fn changes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which events; default: all.")] filter: Option<ChangeEventFilter>,
        #[graphql(
            desc = "Begin after this: the cursor of an event, or the number of a revision, as an integer or a text."
        )]
        after: Option<ChangeCursor>,
    ) -> Result<impl Stream<Item = Result<ChangeEvent>>> {
        let (request, subscribed) = (context.data_unchecked::<Arc<Request>>().clone(), Subscribed::of(context).clone());
        let filter = filter.unwrap_or_default().read(&request.snapshot())?;
        let after = subscribed.standing.start.or(after.map(|after| after.0));
        let subscriber = Subscriber::begin(&request.view, after).await;
        let subscriber = subscriber.map_err(|error| unreadable(&lost(error)))?;
        let events = Events::new(subscriber, filter, subscribed.standing);
        // After an error there is nothing more.
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

    /// The trace from a port, a power feed or the end of a circuit: at once, and again whenever its hops or positions,
    /// its completeness or whether it is active change; at most four times a second, and then the latest. Null when what
    /// it begins at is gone.
    async fn trace_changed(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Where to begin: a Port, a PowerFeed or a CircuitTermination.")] from: ID,
    ) -> Result<impl Stream<Item = Option<Trace>>> {
        let (request, subscribed) = (context.data_unchecked::<Arc<Request>>().clone(), Subscribed::of(context).clone());
        let follower = trace::Follower::begin(&from, subscribed, &request)?;
        Ok(futures_util::stream::unfold((follower, request), |(mut follower, request)| async move {
            let (trace, snapshot) = follower.next().await;
            request.look_at(snapshot);
            Some((trace, (follower, request)))
        }))
    }
}

/// An argument that cannot be used.
fn argument(argument: &'static str, reason: String) -> async_graphql::Error {
    unreadable(&ReadError::Argument { argument, reason })
}
