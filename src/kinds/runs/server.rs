//! The root field that describes the server to its clients.

use async_graphql::{Object, SimpleObject};

/// The features of the server that clients ask for by name.
const FEATURES: [&str; 1] = ["sources"];

/// The version of the server, and what it can do.
#[derive(Clone, Debug, SimpleObject)]
pub struct Server {
    /// The version of the server.
    pub version: &'static str,
    /// The names of the features that clients may depend on.
    pub features: Vec<&'static str>,
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
