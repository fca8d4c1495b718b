//! The integration tests, all in one binary, because linking is most of the cost of a test binary.
//!
//! Each test starts a server of its own (`harness`). Tests that need PostgreSQL are ignored by default; `cargo test --
//! --include-ignored` also runs them.

// The futures of the API nest deeper than the compiler's default allows when it optimises.
#![recursion_limit = "256"]

mod flows;
mod graph;
mod harness;
mod hostile;
mod impact;
mod kinds;
mod laws;
mod lines;
mod load;
mod paths;
mod read;
mod write;

use harness::{Server, on_both_databases};

on_both_databases! {
    async fn serves_health(server: Server) {
        let health = server.client().get("/healthz").await;
        assert_eq!(health.status, 200, "{}", health.text());
    }
}
