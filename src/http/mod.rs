//! The routes: GraphQL over HTTP, WebSocket and Server-Sent Events, GraphiQL, drawings, health, metrics.

mod admission;
mod answered;
mod apply;
mod body;
mod documents;
mod execute;
mod graphiql;
mod graphql;
mod health;
mod identity;
mod limits;
mod listener;
mod live;
mod local_peer;
mod measured;
pub mod metrics;
mod middleware;
mod min_revision;
mod nesting;
mod open;
mod ordered;
mod origin;
mod persisted;
mod receive;
mod refused;
mod socket;
mod stream;
mod tls;
mod trace;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get};

pub use admission::Admission;
pub use documents::Documents;
pub use health::Lag;
pub use limits::Limits;
pub use listener::Listener;
pub use live::Groups;
pub use open::Opened;
pub use persisted::Persisted;
pub use socket::Patience;
pub use tls::{Files, TlsError, acceptor};

use crate::access::{Role, SigningKey, Trust};
use crate::api::Api;
use crate::feed::Views;
use crate::store::Store;
use crate::write::Writer;

/// What the routes serve from.
#[derive(Clone)]
pub struct Service {
    /// Whom is believed.
    pub trust: Arc<Trust>,
    /// Whether it is too far behind.
    pub lag: Arc<Lag>,
    /// What was last seen of the database.
    pub looks: Arc<health::Looks>,
    /// The key of this server's own, where it signs tokens.
    pub own_key: Option<SigningKey>,
    /// The role of the token that the page gets.
    pub page_role: Role,
    /// How much is let be asked.
    pub admission: Arc<Admission>,
    /// Pages of which other origins are answered.
    pub origins: Arc<[String]>,
    /// The schema.
    pub api: Api,
    /// What everybody sees.
    pub views: Views,
    /// The way to write.
    pub writer: Writer,
    /// The way to the change log.
    pub store: Store,
    /// Subscriptions that ask the same.
    pub groups: Groups,
    /// Queries that clients name by their hashes.
    pub persisted: Persisted,
    /// The documents of queries.
    pub documents: Documents,
    /// Connections that last.
    pub open: Opened,
    /// How long these are waited for.
    pub patience: Patience,
}

/// All routes.
pub fn routes(service: Service) -> Router {
    let origins = Arc::clone(&service.origins);
    // The page can hold a token, so no other origin reads it, whatever the configuration says.
    let page = Router::new().route("/", get(graphiql::page)).with_state(service.clone());
    let routes = Router::new()
        .route("/graphql", get(graphql::get).post(graphql::post))
        .merge(apply::routes())
        .route("/graphql/ws", any(socket::upgrade))
        .route("/graphql/stream", get(stream::get).post(stream::post))
        .route("/trace/{file}", get(trace::svg))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .with_state(service);
    middleware::wrap(page, routes, &origins)
}
