//! Whether the process is alive, and whether it is ready to serve.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::Service;

/// How long the database may take to answer. Who asks waits a second, as a rule.
const PATIENCE: Duration = Duration::from_millis(500);

/// Alive: the process answers.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// Ready: the inventory is loaded, which it is before the first request is taken. Says whether the database answers:
/// reads go on without it.
pub async fn ready(State(service): State<Service>) -> Json<Value> {
    let database = if database_answers(&service).await { "ok" } else { "unreachable" };
    let status = if database == "ok" { "ready" } else { "degraded" };
    Json(json!({ "status": status, "revision": service.newest.get().revision(), "database": database }))
}

/// Whether the database answers now.
pub async fn database_answers(service: &Service) -> bool {
    match tokio::time::timeout(PATIENCE, service.store.last_revision()).await {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            tracing::warn!("the database does not answer: {error}");
            false
        }
        Err(_) => false,
    }
}
