//! The routes: GraphQL over HTTP, WebSocket and Server-Sent Events, GraphiQL, drawings, health, metrics.

mod behind;
mod body;
mod execute;
mod graphiql;
mod graphql;
mod health;
mod live;
mod measured;
pub mod metrics;
mod nesting;
mod open;
mod persisted;
mod socket;
mod stream;
mod trace;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get};

pub use live::Groups;
pub use open::Opened;
pub use persisted::Persisted;
pub use socket::Patience;

use crate::feed::{Newest, Pins};
use crate::schema::Api;
use crate::store::Store;
use crate::write::Writer;

/// How many bytes the body of a request may have.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// What the routes serve from.
#[derive(Clone)]
pub struct Service {
    /// The schema.
    pub api: Api,
    /// The newest value.
    pub newest: Newest,
    /// The revisions that are kept beside it.
    pub pins: Pins,
    /// The way to write.
    pub writer: Writer,
    /// The way to the change log.
    pub store: Store,
    /// Subscriptions that ask the same.
    pub groups: Groups,
    /// Queries that clients name by their hashes.
    pub persisted: Persisted,
    /// Connections that last.
    pub open: Opened,
    /// How long these are waited for.
    pub patience: Patience,
}

/// All routes.
pub fn routes(service: Service) -> Router {
    Router::new()
        .route("/", get(graphiql::page))
        .route("/graphql", get(graphql::get).post(graphql::post))
        .route("/graphql/ws", any(socket::upgrade))
        .route("/graphql/stream", get(stream::get).post(stream::post))
        .route("/trace/{file}", get(trace::svg))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(service)
}
