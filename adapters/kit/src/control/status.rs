//! The status of a controller, for health checks and metrics.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use tokio::sync::watch;

use super::then::Then;

/// The status of one controller.
pub struct Status {
    name: String,
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    health: Mutex<Health>,
    /// The reason for which the leases cannot be taken or renewed.
    leases: watch::Sender<Option<String>>,
}

#[derive(Debug, Default)]
struct Health {
    has_looked: bool,
    /// The reason for which the last full look failed.
    look: Option<String>,
}

impl Status {
    /// Returns the status of a controller that did nothing yet.
    pub fn new(name: impl Into<String>) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        with_local_recorder(&recorder, || {
            describe_counter!("underlay_control_work_total", "The times that an object was worked on, by their end.");
            describe_gauge!("underlay_control_at_work", "The objects that are being worked on.");
            describe_gauge!("underlay_control_waiting", "The objects that wait for their time in the queue.");
            describe_gauge!("underlay_control_failing", "The objects whose last work failed.");
            describe_gauge!("underlay_control_leases", "The leases that the controller holds.");
            describe_gauge!(
                "underlay_control_last_look_timestamp_seconds",
                Unit::Seconds,
                "The time at which the last full look succeeded."
            );
        });
        let (leases, _) = watch::channel(None);
        Self { name: name.into(), handle: recorder.handle(), recorder, health: Mutex::default(), leases }
    }

    /// Notes the numbers of keys.
    pub fn at_work(&self, at_work: usize, waiting: usize, failing: usize) {
        with_local_recorder(&self.recorder, || {
            gauge!("underlay_control_at_work", "controller" => self.name.clone()).set(at_work as f64);
            gauge!("underlay_control_waiting", "controller" => self.name.clone()).set(waiting as f64);
            gauge!("underlay_control_failing", "controller" => self.name.clone()).set(failing as f64);
        });
    }

    /// Counts the work on a key.
    pub fn worked(&self, then: &Then) {
        let result = match then {
            Then::Rest => "done",
            Then::At(_) => "waits",
            Then::Failed(_) => "failed",
        };
        with_local_recorder(&self.recorder, || {
            counter!("underlay_control_work_total", "controller" => self.name.clone(), "result" => result).increment(1);
        });
    }

    /// Notes the end of a full look.
    pub fn looked(&self, looked: Result<(), String>) {
        if looked.is_ok() {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            with_local_recorder(&self.recorder, || {
                gauge!("underlay_control_last_look_timestamp_seconds", "controller" => self.name.clone())
                    .set(now.as_secs_f64());
            });
        }
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        health.has_looked |= looked.is_ok();
        health.look = looked.err();
    }

    /// Notes the number of leases that are held, and the reason for which they could not be taken or renewed.
    pub fn leased(&self, held: usize, failed: Option<String>) {
        with_local_recorder(&self.recorder, || {
            gauge!("underlay_control_leases", "controller" => self.name.clone()).set(held as f64);
        });
        self.leases.send_if_modified(|old| {
            let is_other = *old != failed;
            *old = failed;
            is_other
        });
    }

    /// Returns the reason for which the leases cannot be taken or renewed, now and whenever it changes.
    pub fn lease_trouble(&self) -> watch::Receiver<Option<String>> {
        self.leases.subscribe()
    }

    /// Returns why the controller is not ready, a sentence for each reason.
    pub fn not_ready(&self) -> Vec<String> {
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let look = match &health.look {
            Some(reason) => Some(format!("{}: the last full look failed: {reason}", self.name)),
            None if !health.has_looked => Some(format!("{}: the first full look has not ended yet", self.name)),
            None => None,
        };
        let leases = self.leases.borrow().clone();
        let leases = leases.map(|it| format!("{}: the leases cannot be taken or renewed: {it}", self.name));
        look.into_iter().chain(leases).collect()
    }

    /// Returns the metrics in the text format of Prometheus.
    pub fn metrics(&self) -> String {
        self.handle.render()
    }
}
