//! The routes: GraphQL, GraphiQL, drawings, health, metrics.

mod behind;
mod graphiql;
mod graphql;
mod health;
pub mod metrics;
mod nesting;
mod trace;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;

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
}

/// All routes.
pub fn routes(service: Service) -> Router {
    Router::new()
        .route("/", get(graphiql::page))
        .route("/graphql", get(graphql::get).post(graphql::post))
        .route("/trace/{file}", get(trace::svg))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(service)
}
