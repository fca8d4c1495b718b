//! Processes with wrong clocks: stored times, and times that decide what is deleted, are those of the database.

use std::process::Command;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::metrics::Exported;
use crate::harness::{APPLY, Client, Database, Server, postgres, scratch, until};

/// The gauge of the time when a server was last in step with its database, by the clock of the server.
const IN_STEP: &str = "underlay_follower_in_step_timestamp_seconds";
/// A function that takes the place of the C library's in a process, and shifts the time of day.
const SHIFTED: &str = "
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME) now->tv_sec += AHEAD;
    return failed;
}";

/// Starts a server whose clock is this many hours fast. The folder holds the library that shifts the clock.
async fn fast_server(url: &str, hours: u64) -> (Server, TempDir) {
    let folder = scratch::folder("clock");
    let (source, library) = (folder.path().join("shifted.c"), folder.path().join("shifted.so"));
    std::fs::write(&source, SHIFTED).expect("write the source");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-O1"]).arg(format!("-DAHEAD={}", hours * 3_600));
    let compiled = compile.arg("-o").arg(&library).arg(&source).status().expect("run the C compiler");
    assert!(compiled.success(), "the C compiler failed: {compiled}");
    let server = Server::start(Database::Postgres(url.to_owned())).env("LD_PRELOAD", library).await;
    (server, folder)
}

/// The value of a gauge, once the server has set it.
async fn gauge(server: &Server, name: &str) -> f64 {
    until(format!("{name} is set"), async || {
        let value = Exported::of(server).await.sum(name, &[]);
        (value > 0.0).then_some(value)
    })
    .await
}

/// Checks that the clock of a server differs from that of this process.
async fn assert_clock_is_fast(server: &Server, hours: i64) {
    let says = gauge(server, IN_STEP).await;
    let says = DateTime::from_timestamp(says as i64, 0).expect("a time");
    assert!(says - Utc::now() > TimeDelta::hours(hours) - TimeDelta::minutes(10), "its clock says {says}");
}

async fn describe(client: &Client, text: &str, request: Option<&str>) -> Value {
    let items = json!([{"region": {"name": "r", "description": text}}]);
    client.ok(APPLY, json!({"input": {"items": items, "requestId": request}})).await["apply"].clone()
}

async fn updated_at(client: &Client) -> DateTime<Utc> {
    let answer = client.ok("{ region(name: \"r\") { updatedAt } }", json!({})).await;
    answer["region"]["updatedAt"].as_str().and_then(|at| at.parse().ok()).expect("a time")
}

#[track_caller]
fn assert_near(at: DateTime<Utc>) {
    assert!((Utc::now() - at).abs() < TimeDelta::minutes(10), "{at} is not near the database's time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_request_is_written_once_with_a_clock_that_is_a_day_fast() {
    let url = postgres::create_database().await;
    let right = Server::start(Database::Postgres(url.clone())).await;
    let (wrong, _folder) = fast_server(&url, 25).await;
    assert_clock_is_fast(&wrong, 25).await;
    let first = describe(&right.client(), "one", Some("request")).await;
    assert_eq!(describe(&right.client(), "two", None).await["revision"], 2);
    let repeated = describe(&wrong.client(), "one", Some("request")).await;
    assert_eq!(repeated, first, "the first answer, and nothing is written");
    assert_eq!(
        describe(&wrong.client(), "two", None).await["revision"],
        Value::Null,
        "it is as the second one left it"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn history_and_times_are_correct_with_a_clock_that_is_a_year_fast() {
    let url = postgres::create_database().await;
    let right = Server::start(Database::Postgres(url.clone())).arg("--feed-retention=400d").await;
    for text in ["one", "two", "three"] {
        describe(&right.client(), text, None).await;
    }
    let (wrong, _folder) = fast_server(&url, 401 * 24).await;
    assert_clock_is_fast(&wrong, 401 * 24).await;
    // The gauge is there when what is old was dropped for the first time.
    let oldest = gauge(&wrong, "underlay_oldest_revision").await;
    assert!((oldest - 1.0).abs() < f64::EPSILON, "the oldest revision is {oldest}");
    assert_eq!(right.client().ok("{ oldestRevision }", json!({})).await["oldestRevision"], 1);
    describe(&wrong.client(), "four", None).await;
    assert_near(updated_at(&wrong.client()).await);
    describe(&right.client(), "five", None).await;
    assert_near(updated_at(&right.client()).await);
}
