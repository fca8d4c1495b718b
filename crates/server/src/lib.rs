//! The server of an inventory: the GraphQL schema as a whole, the web server, the configuration, and how the parts of a
//! server are put together, started and stopped.
//!
//! `ARCHITECTURE.md` describes the layers. A layer uses the layers below it, never those above.
#![recursion_limit = "256"]

pub mod api;
pub mod app;
pub mod config;
pub mod http;
