//! `/metrics`: what is counted and measured, as Prometheus collects it (text format 0.0.4).

use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use metrics::{describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::open::OPEN;
use super::{Service, identity};
use crate::kinds::asked::{QUESTION_OBJECTS, QUESTION_SECONDS};

const REVISION: &str = "underlay_revision";
const OBJECTS: &str = "underlay_objects";
/// How often what was measured is put into its buckets.
const UPKEEP: Duration = Duration::from_secs(5);
/// Most questions are answered in microseconds; none may take longer than a request.
const SECONDS: [f64; 14] = [1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 2e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1.0, 5.0, 30.0];
const COUNTS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Begins to collect, once in a process. Where somebody else collects already, `/metrics` says so.
pub fn collect() {
    METRICS.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(QUESTION_SECONDS.to_owned()), &SECONDS)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(QUESTION_OBJECTS.to_owned()), &COUNTS));
        let recorder = builder.ok()?.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        describe_gauge!(REVISION, "The newest revision that this process serves.");
        describe_gauge!(OBJECTS, "How many objects there are, by kind.");
        describe_gauge!(OPEN, "How many connections for subscriptions there are.");
        describe_histogram!(QUESTION_SECONDS, "How long questions to the topology take.");
        describe_histogram!(QUESTION_OBJECTS, "How many objects the answers to these speak of.");
        Some(handle)
    });
}

/// Keeps what was measured from growing between two collections.
pub async fn keep_up() {
    let mut pause = tokio::time::interval(UPKEEP);
    loop {
        pause.tick().await;
        METRICS.get().into_iter().flatten().for_each(PrometheusHandle::run_upkeep);
    }
}

/// The numbers, as they are now.
pub async fn show(State(service): State<Service>, headers: HeaderMap) -> Response {
    if let Err(refused) = identity::of(&service, &headers).await {
        return refused.plain();
    }
    let Some(Some(handle)) = METRICS.get() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the metrics of this process are collected elsewhere\n")
            .into_response();
    };
    let value = service.newest.get();
    gauge!(REVISION).set(value.revision() as f64);
    for kind in value.registry().kinds() {
        gauge!(OBJECTS, "kind" => kind.name).set(value.table(kind.id).len() as f64);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()).into_response()
}
