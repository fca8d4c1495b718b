//! The web server: the routes for GraphQL over HTTP, WebSocket and Server-Sent Events, the console, drawings,
//! health and metrics.
//!
//! Guarantee: a request runs only after the caller is authenticated and every limit was checked (`request`).

mod admission;
mod apply;
mod arrivals;
mod body;
mod channel;
mod console;
mod conversation;
mod documents;
mod encoding;
mod execute;
mod facts;
mod field_order;
mod graphql;
mod health;
mod identity;
mod json_answer;
mod limits;
mod listener;
mod live;
mod local_peer;
pub mod metrics;
mod middleware;
mod min_revision;
mod nesting;
mod open;
mod origin;
mod own_name;
mod persisted_queries;
mod refusal;
mod request;
mod request_metrics;
mod response;
mod socket;
mod stream;
mod timing;
mod tls;
mod trace;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get};
use underlay_address::Network;

pub use admission::Admission;
pub use console::{Login, LoginError};
pub use documents::Documents;
pub use health::Lag;
pub use limits::Limits;
pub use listener::Listener;
pub use live::Groups;
pub use open::Opened;
pub use persisted_queries::Persisted;
pub use timing::Timing;
pub use tls::{Files, TlsError, acceptor};

use crate::api::Api;
use underlay_engine::access::{Role, SigningKey, Trust};
use underlay_engine::facts::Facts;
use underlay_engine::feed::Views;
use underlay_engine::secrets::Secrets;
use underlay_engine::sources::Sources;
use underlay_engine::store::Store;

/// The state that all routes share. Cloning is cheap.
#[derive(Clone)]
pub struct Service {
    /// The keys and issuers whose tokens are accepted.
    pub trust: Arc<Trust>,
    /// The time for which this process has been behind the database.
    pub lag: Arc<Lag>,
    /// The result of the last check of the database.
    pub looks: Arc<health::Looks>,
    /// The server's own key, if it signs tokens.
    pub own_key: Option<SigningKey>,
    /// The role of the token that the web page gets.
    pub page_role: Role,
    /// The way in which people sign in to the console at an issuer, if there is one.
    pub login: Option<Arc<Login>>,
    /// The bounds on the work that runs at the same time.
    pub admission: Arc<Admission>,
    /// The other origins whose pages are answered.
    pub origins: Arc<[String]>,
    /// The GraphQL schema.
    pub api: Api,
    /// The views of the inventory: the whole one, and one for each tenant.
    pub views: Views,
    /// The way to write, and to the runs of sources.
    pub sources: Sources,
    /// The way to the secrets.
    pub secrets: Secrets,
    /// The reports of the agents of hosts.
    pub facts: Facts,
    /// The networks of the proxies that speak for their clients.
    pub trusted_proxies: Arc<[Network]>,
    /// The database.
    pub store: Store,
    /// The executions that equal subscriptions share.
    pub groups: Groups,
    /// The queries that clients name by their hashes.
    pub persisted: Persisted,
    /// The cache of parsed documents.
    pub documents: Documents,
    /// The long-lived connections.
    pub open: Opened,
    /// The times of connections.
    pub timing: Timing,
}

/// Returns all routes.
pub fn routes(service: Service) -> Router {
    let (origins, asks) = (Arc::clone(&service.origins), service.trust.asks());
    // These answers can hold a token, so no other origin may read them, whatever the configuration allows.
    let own = console::routes().with_state(service.clone());
    let routes = Router::new()
        .route("/graphql", get(graphql::get).post(graphql::post))
        .merge(apply::routes())
        .merge(facts::routes())
        .route("/graphql/ws", any(socket::upgrade))
        .route("/graphql/stream", get(stream::get).post(stream::post))
        .route("/trace/{file}", get(trace::svg))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .with_state(service);
    let guard = |routes: Router| if asks { routes } else { own_name::guard(routes, &origins) };
    middleware::wrap(guard(own), guard(routes), &origins)
}
