//! Health checks and metrics of a process that works for a server, such as a synchronizer or a controller.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use underlay_kit::{control, sync};

/// The media type of metrics.
const METRICS: &str = "text/plain; version=0.0.4";

/// The health of a process.
pub(super) trait Health: Send + Sync {
    /// Returns why the process is not ready, a sentence for each reason.
    fn not_ready(&self) -> Vec<String>;

    /// Returns the metrics in the text format of Prometheus.
    fn metrics(&self) -> String;
}

impl Health for sync::Status {
    fn not_ready(&self) -> Vec<String> {
        Self::not_ready(self)
    }

    fn metrics(&self) -> String {
        Self::metrics(self)
    }
}

impl Health for control::Status {
    fn not_ready(&self) -> Vec<String> {
        Self::not_ready(self)
    }

    fn metrics(&self) -> String {
        Self::metrics(self)
    }
}

/// Answers health checks at an address, until the process ends.
///
/// # Errors
/// Returns a sentence if nobody can listen there.
pub(super) async fn listen(at: SocketAddr, health: Arc<dyn Health>) -> Result<(), String> {
    let listener = TcpListener::bind(at).await.map_err(|error| format!("cannot listen at {at}: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("cannot listen at {at}: {error}"))?;
    eprintln!("note: health checks and metrics at http://{address}");
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(health);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(())
}

/// Answers 200 if the process is ready, and 503 with the reasons otherwise.
async fn ready(State(health): State<Arc<dyn Health>>) -> Response {
    match health.not_ready() {
        reasons if reasons.is_empty() => "ok\n".into_response(),
        reasons => (StatusCode::SERVICE_UNAVAILABLE, reasons.join("\n") + "\n").into_response(),
    }
}

async fn metrics(State(health): State<Arc<dyn Health>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS)], health.metrics()).into_response()
}
