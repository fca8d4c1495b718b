//! Health checks and metrics of a synchronizer.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use underlay_kit::sync::Status;

/// The media type of metrics.
const METRICS: &str = "text/plain; version=0.0.4";

/// Answers health checks at an address, until the process ends.
///
/// # Errors
/// Returns a sentence if nobody can listen there.
pub(super) async fn listen(at: SocketAddr, status: Arc<Status>) -> Result<(), String> {
    let listener = TcpListener::bind(at).await.map_err(|error| format!("cannot listen at {at}: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("cannot listen at {at}: {error}"))?;
    eprintln!("note: health checks and metrics at http://{address}");
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(status);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(())
}

/// Answers 200 once every source had a successful full run, and 503 with the reasons while one had none, or its last
/// three failed.
async fn ready(State(status): State<Arc<Status>>) -> Response {
    match status.not_ready() {
        reasons if reasons.is_empty() => "ok\n".into_response(),
        reasons => (StatusCode::SERVICE_UNAVAILABLE, reasons.join("\n") + "\n").into_response(),
    }
}

async fn metrics(State(status): State<Arc<Status>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS)], status.metrics()).into_response()
}
