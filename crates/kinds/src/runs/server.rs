//! The root fields that describe the server to its clients, and accept its clock.

use async_graphql::{ComplexObject, Context, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};

use super::unread;
use crate::errors::forbidden;
use crate::request::Request;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{self, StoreError};

/// The features of the server that clients ask for by name.
const FEATURES: [&str; 1] = ["sources"];

/// The version of the server, and what it can do.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct Server {
    /// The version of the server.
    pub version: &'static str,
    /// The names of the features that clients may depend on.
    pub features: Vec<&'static str>,
}

/// A jump of the clock of more than a day, which nobody accepted. What became old by it is not dropped.
#[derive(Clone, Copy, Debug, SimpleObject)]
pub struct ClockJump {
    /// The time by which the clock went ahead, in seconds.
    pub seconds: i64,
    /// The time of the clock when the jump was noticed.
    pub seen_at: DateTime<Utc>,
}

/// The result of `acceptClock`.
#[derive(Clone, Debug, SimpleObject)]
pub struct AcceptClockPayload {
    /// The jump that was accepted. Null if there was none.
    pub clock_jump: Option<ClockJump>,
}

/// The root field that describes the server.
#[derive(Debug, Default)]
pub struct ServerRoots;

/// The root field that describes the server.
#[Object]
impl ServerRoots {
    /// The server: its version and its features.
    async fn server(&self) -> Server {
        Server { version: env!("CARGO_PKG_VERSION"), features: FEATURES.to_vec() }
    }
}

#[ComplexObject]
impl Server {
    /// The jump of the clock of the database for which changes are kept longer. Null if there is none, and for tenants. A
    /// database that no server used for more than a day has a jump too.
    async fn clock_jump(&self, context: &Context<'_>) -> Result<Option<ClockJump>> {
        let request = Request::of(context);
        if request.log().is_err() {
            return Ok(None);
        }
        let jump = Box::pin(request.sources().store().clock_jump()).await.map_err(|it| unread(&it))?;
        Ok(jump.map(Into::into))
    }
}

/// The root field that accepts the clock.
#[derive(Debug, Default)]
pub struct ServerMutation;

/// The root field that accepts the clock.
#[Object]
impl ServerMutation {
    /// Accepts what the clock of the database says after a jump (`Server.clockJump`). Changes that are older than the
    /// retention by that time are dropped for good at the next sweep, within ten minutes.
    async fn accept_clock(&self, context: &Context<'_>) -> Result<Option<AcceptClockPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::AcceptClock).map_err(|it| forbidden(&it))?;
        let accepted: Result<_, StoreError> = Box::pin(request.sources().store().accept_clock()).await;
        let jump = accepted.map_err(|it| unread(&it))?;
        tracing::warn!(by = handle.author().actor, ?jump, "the clock was accepted");
        Ok(Some(AcceptClockPayload { clock_jump: jump.map(Into::into) }))
    }
}

impl From<store::ClockJump> for ClockJump {
    fn from(jump: store::ClockJump) -> Self {
        Self { seconds: jump.by.num_seconds(), seen_at: jump.seen_at }
    }
}
