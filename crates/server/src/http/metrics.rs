//! `/metrics`: all metrics, in the text format of Prometheus (0.0.4). `docs/operation.md` lists them.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use super::encoding::encoded;
use super::health;
use super::open::OPEN_CONNECTIONS;
use super::refusal::Refused;
use super::request_metrics::{DROPPED, REQUEST_SECONDS, REQUESTS, SUBSCRIPTIONS, SUBSCRIPTIONS_ENDED};
use super::response;
use super::{Service, identity};
use underlay_engine::facts::facts_metrics as facts;
use underlay_engine::feed::follower_metrics as feed;
use underlay_engine::runtime::run_in_background;
use underlay_engine::sources::source_metrics as sources;
use underlay_engine::store::Trouble;
use underlay_engine::write::batch_metrics::{
    BATCH_ITEMS, BATCH_SECONDS, BATCHES, COMMIT_BATCHES, COMMIT_SECONDS, OUTCOMES, WRITES_FAILED,
};
use underlay_error::Code;
use underlay_kinds::query_metrics::{AnsweredFrom, IMPACT_ANSWERS, QUESTION_OBJECTS, QUESTION_SECONDS};

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
const STRAYS: &str = "underlay_hosts_strays";
/// The time between two updates of the histograms.
const HISTOGRAM_INTERVAL: Duration = Duration::from_secs(5);
/// The buckets of durations. Most topology queries take microseconds; none may take longer than a request.
const SECONDS_BUCKETS: [f64; 14] = [1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 2e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1.0, 5.0, 30.0];
/// The buckets of counts.
const COUNT_BUCKETS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

/// The histograms of durations in seconds.
const IN_SECONDS: [&str; 4] = [QUESTION_SECONDS, REQUEST_SECONDS, BATCH_SECONDS, COMMIT_SECONDS];
/// The histograms of counts.
const IN_COUNTS: [&str; 3] = [QUESTION_OBJECTS, BATCH_ITEMS, COMMIT_BATCHES];

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts to collect metrics, once in a process. If the process already has another recorder, `/metrics` says so.
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
    let seconds = IN_SECONDS.map(|name| (name, &SECONDS_BUCKETS[..]));
    let counts = IN_COUNTS.map(|name| (name, &COUNT_BUCKETS[..]));
    for (name, buckets) in seconds.into_iter().chain(counts) {
        builder = builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets)?;
    }
    Ok(builder.build_recorder())
}

fn describe() {
    describe_gauge!(BUILD, "Always 1; the label has the version.");
    describe_gauge!(STARTED, "The time when the process was started.");
    describe_gauge!(RESIDENT, "The resident memory of the process in bytes.");
    describe_gauge!(DATABASE_UP, "1 if the database answers, else 0.");
    describe_gauge!(DATABASE_WRITABLE, "1 if the last attempt to write the database succeeded, else 0.");
    describe_counter!(STATEMENTS, "The number of statements sent to the database.");
    describe_gauge!(REVISION, "The newest revision that this process serves.");
    describe_gauge!(OBJECTS, "The number of objects, by kind.");
    describe_gauge!(OBJECT_BYTES, "The approximate size of the fields of objects as JSON in bytes, by kind.");
    describe_gauge!(TENANTS, "The number of tenants with a view in memory, because they send requests.");
    describe_gauge!(TENANT_OBJECTS, "The number of objects in the views of tenants.");
    describe_counter!(REQUESTS, "The number of answered requests, by operation and code.");
    describe_histogram!(REQUEST_SECONDS, "The duration of requests, by operation.");
    describe_gauge!(OPEN_CONNECTIONS, "The number of connections for subscriptions.");
    describe_counter!(
        DROPPED,
        "The number of connections that were dropped because they sent or took nothing for too long."
    );
    describe_gauge!(SUBSCRIPTIONS, "The number of running subscriptions.");
    describe_counter!(SUBSCRIPTIONS_ENDED, "The number of subscriptions that ended with an error, by its code.");
    describe_counter!(BATCHES, "The number of batches, by their result.");
    describe_histogram!(BATCH_ITEMS, "The number of items in a batch.");
    describe_histogram!(BATCH_SECONDS, "The duration of batches, with their time in the queue.");
    describe_histogram!(COMMIT_SECONDS, "The duration of commits in the database.");
    describe_histogram!(COMMIT_BATCHES, "The number of batches in a commit.");
    describe_counter!(WRITES_FAILED, "The number of failed attempts to write the database, by reason.");
    describe_histogram!(QUESTION_SECONDS, "The duration of topology queries.");
    describe_histogram!(QUESTION_OBJECTS, "The number of objects in the answers to topology queries.");
    describe_counter!(IMPACT_ANSWERS, "The number of answered impact requests, by the source of the answer.");
    describe_gauge!(KEPT_ANSWERS, "The number of answers that are cached for their next pages.");
    describe_gauge!(KEPT_ANSWER_BYTES, "The approximate memory of the cached answers in bytes.");
    describe_gauge!(feed::LAG, "The number of revisions by which this process was behind the database.");
    describe_gauge!(feed::IN_STEP_AT, "The time when this process was last in step with the database.");
    describe_gauge!(feed::RETENTION, "The time for which changes are kept; 0 if for ever.");
    describe_gauge!(
        feed::CLOCK_JUMP,
        "The time by which the clock jumped ahead, until somebody accepts it; 0 if it did not."
    );
    describe_gauge!(feed::OLDEST, "The oldest revision that is held.");
    describe_gauge!(feed::OLDEST_AT, "The time of the oldest revision that is held.");
    describe_counter!(feed::DROPPED, "The number of rows of old changes that were deleted.");
    describe_counter!(sources::RUNS, "The number of runs of the source that ended, by their state.");
    describe_counter!(facts::REPORTS, "The number of reports about hardware, by their outcome.");
    describe_gauge!(facts::HOSTS, "The number of hosts whose agents have reported, or have a token to report with.");
    describe_gauge!(facts::CONDITIONS, "The number of hosts with a condition of their hardware, by the condition.");
    describe_gauge!(facts::MISSING, "The number of hosts with less hardware than is expected, by its measure.");
    describe_gauge!(STRAYS, "The number of machines at the provisioner that are no hosts, at the last look.");
    describe_counter!(feed::SWEEPS_FAILED, "The number of failed sweeps of old changes.");
}

/// Returns the metrics of sources. The recorder of each answer is a new one, because a recorder keeps the gauges of
/// what was deleted.
fn of_sources(service: &Service) -> String {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        describe_gauge!(sources::HEALTH, "1 for the health of the source, and 0 for every other state.");
        describe_gauge!(sources::LAST_SUCCESS, "The time of the last full run of the source that succeeded.");
        describe_gauge!(sources::OBJECTS, "The number of objects that carry the reference of the source.");
        describe_gauge!(sources::HELD, "The number of objects and fields of the source that the guard holds.");
        service.sources.set_metrics();
    });
    recorder.handle().render()
}

/// Sets rare metrics from the start. The growth of a metric that did not exist before cannot be seen.
fn begin() {
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    gauge!(STARTED).set(now.as_secs_f64());
    [OPEN_CONNECTIONS, SUBSCRIPTIONS].into_iter().for_each(|name| gauge!(name).set(0.0));
    [DROPPED, feed::DROPPED, feed::SWEEPS_FAILED].into_iter().for_each(|name| counter!(name).absolute(0));
    counter!(SUBSCRIPTIONS_ENDED, "code" => Code::RevisionCompacted.as_str()).absolute(0);
    AnsweredFrom::ALL.into_iter().for_each(|from| counter!(IMPACT_ANSWERS, "from" => from.label()).absolute(0));
    Trouble::ALL.into_iter().for_each(|it| counter!(WRITES_FAILED, "reason" => it.word()).absolute(0));
    OUTCOMES.into_iter().for_each(|outcome| counter!(BATCHES, "outcome" => outcome).absolute(0));
    facts::OUTCOMES.into_iter().for_each(|outcome| counter!(facts::REPORTS, "outcome" => outcome).absolute(0));
}

/// Updates the histograms regularly, so that their samples do not pile up between two collections.
pub async fn keep_up() {
    let mut pause = tokio::time::interval(HISTOGRAM_INTERVAL);
    loop {
        pause.tick().await;
        METRICS.get().into_iter().flatten().for_each(PrometheusHandle::run_upkeep);
    }
}

/// Responds with the current metrics.
pub async fn show(State(service): State<Service>, headers: HeaderMap) -> Response {
    let allowed = identity::of(&service, &headers).await;
    if let Err(refused) = allowed.and_then(|caller| Ok(caller.reads_of_all("the metrics")?)) {
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
    let snapshot = service.views.whole().current.get();
    gauge!(REVISION).set(snapshot.revision() as f64);
    for kind in snapshot.registry().kinds() {
        gauge!(OBJECTS, "kind" => kind.name).set(snapshot.table(kind.id).len() as f64);
        gauge!(OBJECT_BYTES, "kind" => kind.name).set(snapshot.about_bytes(kind.id));
    }
    let (kept, bytes) = service.views.whole().answers.size();
    gauge!(KEPT_ANSWERS).set(kept as f64);
    gauge!(KEPT_ANSWER_BYTES).set(bytes as f64);
    let tenants = service.views.of_tenants();
    gauge!(TENANTS).set(tenants.len() as f64);
    // After a write, the cabling of every host that hears neighbours is judged again.
    let reporting = run_in_background(|| underlay_kinds::facts::count(&snapshot, &service.facts));
    gauge!(facts::HOSTS).set(reporting.hosts as f64);
    for (condition, hosts) in reporting.conditions {
        gauge!(facts::CONDITIONS, "condition" => condition.name()).set(hosts as f64);
    }
    for (measure, hosts) in reporting.missing {
        gauge!(facts::MISSING, "measure" => measure).set(hosts as f64);
    }
    // While the database does not answer, the last counts stay.
    for (provisioner, total) in service.store.count_strays().await.unwrap_or_default() {
        gauge!(STRAYS, "provisioner" => provisioner).set(total as f64);
    }
    gauge!(TENANT_OBJECTS).set(tenants.iter().map(|view| view.current.get().len()).sum::<usize>() as f64);
    let all = handle.render() + &of_sources(&service);
    let (encoding, body) = encoded(&headers, all.into_bytes());
    (encoding, [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], body).into_response()
}

/// Returns the resident memory of the process in bytes. Not every system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
