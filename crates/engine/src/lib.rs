//! This crate keeps an inventory: the database, the write path, the order of revisions, runs of sources, secrets, and
//! who may do what. It names no kind, and knows nothing of the web server and of GraphQL.
//!
//! `ARCHITECTURE.md` describes the layers. A layer uses the layers below it, never those above.

pub mod access;
pub mod facts;
pub mod feed;
pub mod runtime;
pub mod secrets;
pub mod sources;
pub mod store;
pub mod write;
