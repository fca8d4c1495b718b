//! `/metrics`: all metrics, in the text format of Prometheus (0.0.4). `docs/operation.md` lists them.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use super::health;
use super::measured::{DROPPED, REQUEST_SECONDS, REQUESTS, SUBSCRIPTIONS, SUBSCRIPTIONS_ENDED};
use super::open::OPEN;
use super::refused::Refused;
use super::response;
use super::{Service, identity};
use crate::feed::measured as feed;
use crate::kinds::asked::{AnsweredFrom, IMPACT_ANSWERS, QUESTION_OBJECTS, QUESTION_SECONDS};
use crate::sources::measured as sources;
use crate::store::Trouble;
use crate::write::measured::{
    BATCH_ITEMS, BATCH_SECONDS, BATCHES, COMMIT_BATCHES, COMMIT_SECONDS, OUTCOMES, WRITES_FAILED,
};
use underlay_error::Code;

const BUILD: &str = "underlay_build_info";
const STARTED: &str = "underlay_start_timestamp_seconds";
const RESIDENT: &str = "underlay_resident_bytes";
const DATABASE_UP: &str = "underlay_database_up";
const DATABASE_WRITABLE: &str = "underlay_database_writable";
const STATEMENTS: &str = "underlay_statements_total";
const REVISION: &str = "underlay_revision";
const OBJECTS: &str = "underlay_objects";
const OBJECT_BYTES: &str = "underlay_object_bytes";
const KEPT_ANSWERS: &str = "underlay_kept_answers";
const KEPT_ANSWER_BYTES: &str = "underlay_kept_answer_bytes";
const TENANTS: &str = "underlay_tenants";
const TENANT_OBJECTS: &str = "underlay_tenant_objects";
/// The time between two updates of the histograms.
const UPKEEP: Duration = Duration::from_secs(5);
/// The buckets of durations. Most topology queries take microseconds; none may take longer than a request.
const SECONDS: [f64; 14] = [1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 2e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1.0, 5.0, 30.0];
/// The buckets of counts.
const COUNTS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

/// The histograms of durations in seconds.
const IN_SECONDS: [&str; 4] = [QUESTION_SECONDS, REQUEST_SECONDS, BATCH_SECONDS, COMMIT_SECONDS];
/// The histograms of counts.
const IN_COUNTS: [&str; 3] = [QUESTION_OBJECTS, BATCH_ITEMS, COMMIT_BATCHES];

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Begins to collect, once in a process. Where somebody else collects already, `/metrics` says so.
pub fn collect() {
    METRICS.get_or_init(|| {
        let recorder = recorder().ok()?;
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        describe();
        begin();
        Some(handle)
    });
}

fn recorder() -> Result<PrometheusRecorder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    let seconds = IN_SECONDS.map(|name| (name, &SECONDS[..]));
    let counts = IN_COUNTS.map(|name| (name, &COUNTS[..]));
    for (name, buckets) in seconds.into_iter().chain(counts) {
        builder = builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets)?;
    }
    Ok(builder.build_recorder())
}

fn describe() {
    describe_gauge!(BUILD, "Always 1; the label has the version.");
    describe_gauge!(STARTED, "When the process was started.");
    describe_gauge!(RESIDENT, "How much memory the process has.");
    describe_gauge!(DATABASE_UP, "Whether the database answers: 1 or 0.");
    describe_gauge!(DATABASE_WRITABLE, "1 if the last attempt to write the database succeeded, else 0.");
    describe_counter!(STATEMENTS, "How many statements the database was asked to run.");
    describe_gauge!(REVISION, "The newest revision that this process serves.");
    describe_gauge!(OBJECTS, "How many objects there are, by kind.");
    describe_gauge!(OBJECT_BYTES, "About how many bytes their fields are as JSON, by kind.");
    describe_gauge!(TENANTS, "How many tenants have values of their own, because somebody of them asks.");
    describe_gauge!(TENANT_OBJECTS, "How many objects there are in these.");
    describe_counter!(REQUESTS, "How many requests were answered, by operation and code.");
    describe_histogram!(REQUEST_SECONDS, "How long requests take, by operation.");
    describe_gauge!(OPEN, "How many connections for subscriptions there are.");
    describe_counter!(DROPPED, "How many connections said or took nothing for too long.");
    describe_gauge!(SUBSCRIPTIONS, "How many subscriptions run.");
    describe_counter!(SUBSCRIPTIONS_ENDED, "How many subscriptions ended with an error, by its code.");
    describe_counter!(BATCHES, "How many batches were asked for, by what became of them.");
    describe_histogram!(BATCH_ITEMS, "How many items batches have.");
    describe_histogram!(BATCH_SECONDS, "How long batches take, with their wait.");
    describe_histogram!(COMMIT_SECONDS, "How long the database takes for a commit.");
    describe_histogram!(COMMIT_BATCHES, "How many batches share a commit.");
    describe_counter!(WRITES_FAILED, "The number of failed attempts to write the database, by reason.");
    describe_histogram!(QUESTION_SECONDS, "How long questions to the topology take.");
    describe_histogram!(QUESTION_OBJECTS, "How many objects the answers to these speak of.");
    describe_counter!(IMPACT_ANSWERS, "How many requests for an impact were answered, by where the answer is from.");
    describe_gauge!(KEPT_ANSWERS, "How many answers are kept for their next pages.");
    describe_gauge!(KEPT_ANSWER_BYTES, "About how many bytes of memory these take.");
    describe_gauge!(feed::LAG, "How many revisions the database was ahead of this process.");
    describe_gauge!(feed::IN_STEP_AT, "When this process was last in step with the database.");
    describe_gauge!(feed::RETENTION, "For how long changes are kept; 0: for ever.");
    describe_gauge!(feed::OLDEST, "The oldest revision that is held.");
    describe_gauge!(feed::OLDEST_AT, "When that was made.");
    describe_counter!(feed::DROPPED, "How many rows of old changes were dropped.");
    describe_gauge!(sources::HEALTH, "1 for the health of the source, and 0 for every other state.");
    describe_gauge!(sources::LAST_SUCCESS, "The time of the last full run of the source that succeeded.");
    describe_counter!(sources::RUNS, "The number of runs of the source that ended, by their state.");
    describe_gauge!(sources::OBJECTS, "The number of objects that carry the reference of the source.");
    describe_counter!(feed::SWEEPS_FAILED, "How many sweeps of old changes failed.");
}

/// Sets rare metrics from the start. The growth of a metric that did not exist before cannot be seen.
fn begin() {
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    gauge!(STARTED).set(now.as_secs_f64());
    [OPEN, SUBSCRIPTIONS].into_iter().for_each(|name| gauge!(name).set(0.0));
    [DROPPED, feed::DROPPED, feed::SWEEPS_FAILED].into_iter().for_each(|name| counter!(name).absolute(0));
    counter!(SUBSCRIPTIONS_ENDED, "code" => Code::RevisionCompacted.as_str()).absolute(0);
    AnsweredFrom::ALL.into_iter().for_each(|from| counter!(IMPACT_ANSWERS, "from" => from.label()).absolute(0));
    Trouble::ALL.into_iter().for_each(|it| counter!(WRITES_FAILED, "reason" => it.word()).absolute(0));
    OUTCOMES.into_iter().for_each(|outcome| counter!(BATCHES, "outcome" => outcome).absolute(0));
}

/// Updates the histograms regularly, so that their samples do not pile up between two collections.
pub async fn keep_up() {
    let mut pause = tokio::time::interval(UPKEEP);
    loop {
        pause.tick().await;
        METRICS.get().into_iter().flatten().for_each(PrometheusHandle::run_upkeep);
    }
}

/// Responds with the current metrics.
pub async fn show(State(service): State<Service>, headers: HeaderMap) -> Response {
    let allowed = identity::of(&service, &headers).await;
    if let Err(refused) = allowed.and_then(|caller| Ok(caller.reads_of_all("what is measured")?)) {
        return response::refusal_in_text(&refused);
    }
    let Some(Some(handle)) = METRICS.get() else {
        let refused = Refused::new(Code::Unavailable, "the metrics of this process are collected elsewhere");
        return response::refusal_in_text(&refused);
    };
    let seen = health::seen(&service).await;
    gauge!(DATABASE_UP).set(if seen.answers() { 1.0 } else { 0.0 });
    gauge!(DATABASE_WRITABLE).set(if seen.trouble().is_none() { 1.0 } else { 0.0 });
    counter!(STATEMENTS).absolute(service.store.statements());
    if let Some(bytes) = resident() {
        gauge!(RESIDENT).set(bytes as f64);
    }
    let value = service.views.whole().newest.get();
    gauge!(REVISION).set(value.revision() as f64);
    for kind in value.registry().kinds() {
        gauge!(OBJECTS, "kind" => kind.name).set(value.table(kind.id).len() as f64);
        gauge!(OBJECT_BYTES, "kind" => kind.name).set(value.about_bytes(kind.id));
    }
    let (kept, bytes) = service.views.whole().answers.size();
    gauge!(KEPT_ANSWERS).set(kept as f64);
    gauge!(KEPT_ANSWER_BYTES).set(bytes as f64);
    let tenants = service.views.of_tenants();
    gauge!(TENANTS).set(tenants.len() as f64);
    gauge!(TENANT_OBJECTS).set(tenants.iter().map(|view| view.newest.get().len()).sum::<usize>() as f64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()).into_response()
}

/// Returns the resident memory of the process in bytes. Not every system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
