//! The integration tests: all in one binary, because linking is most of what a test binary costs.
//!
//! Each test starts a server of its own (`harness`). The tests that need PostgreSQL are ignored by default:
//! `cargo test -- --include-ignored` runs them too.

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

use harness::{Server, on_both_databases};

on_both_databases! {
    async fn serves_health(server: Server) {
        let health = server.client().get("/healthz").await;
        assert_eq!(health.status, 200, "{}", health.text());
    }
}
