//! The status of a synchronizer, for health checks and metrics.

use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use super::messages::RunMode;
use super::tally::{Ran, RunEnd};

/// The number of failed full runs, one after the other, after which a source is not ready.
const UNREADY_FAILURES: u32 = 3;

/// The status of the sources of a process.
pub struct Status {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    sources: Mutex<Vec<Source>>,
}

#[derive(Debug)]
struct Source {
    name: String,
    has_succeeded: bool,
    failures: u32,
    last_error: Option<String>,
}

impl Status {
    /// Returns the status of sources that did not run yet.
    pub fn new<'a>(sources: impl IntoIterator<Item = &'a str>) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        with_local_recorder(&recorder, || {
            describe_counter!("underlay_sync_runs_total", "The runs that ended, by how they ended.");
            describe_counter!("underlay_sync_items_total", "The items of runs, by what became of them.");
            describe_gauge!("underlay_sync_last_run_seconds", Unit::Seconds, "The time that the last full run took.");
            describe_gauge!(
                "underlay_sync_last_success_timestamp_seconds",
                Unit::Seconds,
                "The time at which the last full run succeeded."
            );
        });
        let new = |name: &str| Source { name: name.to_owned(), has_succeeded: false, failures: 0, last_error: None };
        let sources = Mutex::new(sources.into_iter().map(new).collect());
        Self { handle: recorder.handle(), recorder, sources }
    }

    /// Counts a run of a source.
    pub fn ended(&self, source: &str, ran: &Ran) {
        with_local_recorder(&self.recorder, || count(source, ran));
        if ran.mode != RunMode::Full {
            return;
        }
        // A thread that panicked while it held the lock left nothing half done.
        let mut sources = self.sources.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(source) = sources.iter_mut().find(|it| it.name == source) else { return };
        match &ran.end {
            RunEnd::Done | RunEnd::Held => {
                (source.has_succeeded, source.failures, source.last_error) = (true, 0, None);
            }
            RunEnd::Failed(error) => {
                source.failures += 1;
                source.last_error = Some(error.to_string());
            }
            RunEnd::Stopped => {}
        }
    }

    /// Returns why the process is not ready, a sentence for each source: it had no successful full run yet, or its last
    /// three failed.
    pub fn not_ready(&self) -> Vec<String> {
        let sources = self.sources.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let reasons = sources.iter().filter(|it| !it.has_succeeded || it.failures >= UNREADY_FAILURES);
        let sentences = reasons.map(|it| match &it.last_error {
            Some(error) if it.failures == 1 => format!("{}: the full run failed: {error}", it.name),
            Some(error) => {
                format!("{}: the last {} full runs failed, the last one with: {error}", it.name, it.failures)
            }
            None => format!("{}: the first full run has not ended yet", it.name),
        });
        sentences.collect()
    }

    /// Returns the metrics in the text format of Prometheus.
    pub fn metrics(&self) -> String {
        self.handle.render()
    }
}

fn count(source: &str, ran: &Ran) {
    let mode = ran.mode.name();
    let state = match &ran.end {
        RunEnd::Done => "SUCCEEDED",
        RunEnd::Held => "HELD",
        RunEnd::Failed(_) => "FAILED",
        RunEnd::Stopped => "CANCELLED",
    };
    let source = || source.to_owned();
    counter!("underlay_sync_runs_total", "source" => source(), "mode" => mode, "state" => state).increment(1);
    let tally = &ran.tally;
    for (result, items) in [
        ("created", tally.created),
        ("updated", tally.updated),
        ("unchanged", tally.unchanged),
        ("failed", tally.failed),
        ("bad", tally.bad),
        ("skipped", tally.skipped),
        ("in_part", tally.in_part),
        ("gone", tally.gone),
    ] {
        counter!("underlay_sync_items_total", "source" => source(), "result" => result).increment(items);
    }
    if ran.mode == RunMode::Full {
        gauge!("underlay_sync_last_run_seconds", "source" => source()).set(ran.took.as_secs_f64());
        if matches!(ran.end, RunEnd::Done) {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            gauge!("underlay_sync_last_success_timestamp_seconds", "source" => source()).set(now.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::sync::error::AdapterError;
    use crate::sync::{Report, Tally};

    fn ran(end: RunEnd) -> Ran {
        let tally = Tally { created: 7, ..Tally::default() };
        Ran { mode: RunMode::Full, end, tally, report: Report::default(), took: Duration::from_secs(2) }
    }

    #[test]
    fn a_source_is_ready_after_its_first_success_until_three_runs_failed() {
        let status = Status::new(["git", "netbox"]);
        let failed = || ran(RunEnd::Failed(AdapterError::Stopped.into()));
        assert_eq!(status.not_ready().len(), 2);
        status.ended("git", &failed());
        status.ended("netbox", &ran(RunEnd::Held));
        let not_ready = status.not_ready();
        assert!(not_ready.len() == 1 && not_ready[0].starts_with("git: the full run failed: "), "{not_ready:?}");
        status.ended("git", &ran(RunEnd::Done));
        for failures in 1..=UNREADY_FAILURES {
            assert_eq!(status.not_ready(), Vec::<String>::new(), "after {failures}");
            status.ended("git", &failed());
        }
        assert_eq!(status.not_ready().len(), 1);
        let metrics = status.metrics();
        for line in [
            r#"underlay_sync_runs_total{source="git",mode="FULL",state="FAILED"} 4"#,
            r#"underlay_sync_runs_total{source="netbox",mode="FULL",state="HELD"} 1"#,
            r#"underlay_sync_items_total{source="git",result="created"} 35"#,
            r#"underlay_sync_last_run_seconds{source="git"} 2"#,
            r#"underlay_sync_last_success_timestamp_seconds{source="git"}"#,
        ] {
            assert!(metrics.contains(line), "{line} in {metrics}");
        }
    }
}
