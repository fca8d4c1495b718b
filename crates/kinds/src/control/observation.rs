//! The last observation of an object.

use async_graphql::{Context, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::observation;
use uuid::Uuid;

use super::load::{SeenOf, load};
use crate::scalars::FreeJson;

/// The last observation of an object. It changes by itself, so it is of no revision.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostObserved")]
pub struct Observation {
    /// The time at which something of the host answered last.
    pub seen_at: DateTime<Utc>,
    /// The controller that saw it.
    pub by: String,
    /// The last time at which the power was seen.
    pub power_at: Option<DateTime<Utc>>,
    /// Further data about the observation, which only controllers understand.
    pub detail: Option<FreeJson>,
}

impl From<observation::Model> for Observation {
    fn from(seen: observation::Model) -> Self {
        Self { seen_at: seen.seen_at, by: seen.by, power_at: seen.power_at, detail: seen.detail.map(FreeJson) }
    }
}

/// Returns what was last seen of an object. The future is on the heap, because the resolver of every field of an object
/// takes as much space as its largest field.
pub fn observation_of<'a>(context: &'a Context<'_>, object: Uuid) -> BoxFuture<'a, Result<Option<Observation>>> {
    Box::pin(async move { Ok(load(context, SeenOf(object)).await?.map(Observation::from)) })
}
