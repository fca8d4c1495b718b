//! The status of a boot server, for health checks and metrics.

use std::sync::{Mutex, PoisonError};

use metrics::{counter, describe_counter, describe_gauge, gauge, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use crate::api::{Stage, Target};

/// The status of one boot server.
pub struct Status {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// The reason why the server did not answer last, or a sentence before it was asked first.
    trouble: Mutex<Option<String>>,
}

impl Default for Status {
    fn default() -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        with_local_recorder(&recorder, || {
            describe_counter!("underlay_boot_requests_total", "The requests of machines, by route and status.");
            describe_counter!("underlay_boot_answers_total", "The answers of the server, by stage and target.");
            describe_counter!("underlay_boot_unanswered_total", "The questions without an answer of the server.");
            describe_counter!("underlay_boot_sent_bytes_total", "The bytes of files that were passed on.");
            describe_gauge!("underlay_boot_connections", "The connections of machines that are open.");
        });
        let trouble = Mutex::new(Some("the server was not asked yet".to_owned()));
        Self { handle: recorder.handle(), recorder, trouble }
    }
}

impl Status {
    /// Counts a request.
    pub(crate) fn requested(&self, route: &'static str, status: u16) {
        with_local_recorder(&self.recorder, || {
            counter!("underlay_boot_requests_total", "route" => route, "status" => status.to_string()).increment(1);
        });
    }

    /// Notes an answer of the server.
    pub(crate) fn answered(&self, stage: Stage, target: Target) {
        with_local_recorder(&self.recorder, || {
            let labels = [("stage", stage.name()), ("target", target.name())];
            counter!("underlay_boot_answers_total", &labels).increment(1);
        });
        self.asked(Ok(()));
    }

    /// Notes that the server did not answer.
    pub(crate) fn unanswered(&self, stage: Stage) {
        with_local_recorder(&self.recorder, || {
            counter!("underlay_boot_unanswered_total", "stage" => stage.name()).increment(1);
        });
    }

    /// Notes the end of the last question.
    pub(crate) fn asked(&self, asked: Result<(), String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = asked.err();
    }

    /// Counts bytes that were passed on.
    pub(crate) fn sent(&self, bytes: usize) {
        with_local_recorder(&self.recorder, || {
            counter!("underlay_boot_sent_bytes_total").increment(bytes as u64);
        });
    }

    /// Notes the number of connections.
    pub(crate) fn connected(&self, connections: usize) {
        with_local_recorder(&self.recorder, || gauge!("underlay_boot_connections").set(connections as f64));
    }

    /// Returns why the boot server is not ready, a sentence for each reason.
    pub fn not_ready(&self) -> Vec<String> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.iter().map(|reason| format!("boot: machines get their disks: {reason}")).collect()
    }

    /// Returns the metrics in the text format of Prometheus.
    pub fn metrics(&self) -> String {
        self.handle.render()
    }
}
