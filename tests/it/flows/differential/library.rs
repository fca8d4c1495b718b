//! The reference: the services of async-graphql-axum, as its documentation shows them, over our schema.

use std::net::Ipv4Addr;
use std::sync::Arc;

use async_graphql::dataloader::DataLoader;
use async_graphql::futures_util::stream::BoxStream;
use async_graphql::{Data, Executor, Request, Response};
use async_graphql_axum::{GraphQL, GraphQLSubscription};
use axum::Router;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use underlay_engine::access::Caller;
use underlay_kinds::changes::ChangeLoader;
use underlay_kinds::request::Request as State;
use underlay_kinds::runs::SourceLoader;
use underlay_server::api::{self, Api};

use crate::harness::inside::{Inside, batch, items, sqlite};

/// A server of the library; it ends when dropped.
pub struct Library {
    inside: Arc<Inside>,
    url: String,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

impl Library {
    /// Starts a server with an empty inventory.
    pub async fn start() -> Self {
        let (database, folder) = sqlite();
        let inside = Arc::new(Inside::open(&database).await);
        let executor = WithInventory { api: api::build(), inside: Arc::clone(&inside) };
        let routes = Router::new()
            .route_service("/graphql", GraphQL::new(executor.clone()))
            .route_service("/graphql/ws", GraphQLSubscription::new(executor));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("listen");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.expect("serve") });
        Self { inside, url, serving, _folder: folder }
    }

    /// Returns the address, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Writes objects.
    pub async fn apply(&self, objects: Vec<Value>) {
        let written = self.inside.writer.write(batch(items(objects))).await.expect("the objects are written");
        assert!(written.revision.is_some());
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Gives each request what the resolvers need.
#[derive(Clone)]
struct WithInventory {
    api: Api,
    inside: Arc<Inside>,
}

impl WithInventory {
    fn ready(&self, request: Request) -> Request {
        let inside = &self.inside;
        let (caller, view) = (Arc::new(Caller::anybody()), Arc::new(inside.view()));
        let state = Arc::new(State::new(inside.current.get(), caller, view, inside.sources()));
        let changes = DataLoader::new(ChangeLoader(inside.store.clone()), tokio::spawn);
        let sources = DataLoader::new(SourceLoader(inside.store.clone()), tokio::spawn);
        let request = request.data(Arc::clone(&state.pace)).data(state);
        request.data(changes).data(sources)
    }
}

impl Executor for WithInventory {
    async fn execute(&self, request: Request) -> Response {
        self.api.execute(self.ready(request)).await
    }

    fn execute_stream(&self, request: Request, _: Option<Arc<Data>>) -> BoxStream<'static, Response> {
        self.api.execute_stream(self.ready(request))
    }
}
