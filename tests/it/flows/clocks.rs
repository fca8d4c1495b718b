//! Processes with wrong clocks: stored times, and times that decide what is deleted, are those of the database.

use std::path::PathBuf;
use std::process::Command;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::metrics::Exported;
use crate::harness::{APPLY, Cli, Client, Database, Server, postgres, scratch, until};

/// The gauge of the time when a server was last in step with its database, by the clock of the server.
const IN_STEP: &str = "underlay_follower_in_step_timestamp_seconds";
/// A function that takes the place of the C library's in a process, and shifts the time of day by the seconds that a file
/// holds.
const SHIFTED: &str = "
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static long ahead(void) {
    char text[32] = {0};
    int file = open(AHEAD, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    long length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : 0;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME) now->tv_sec += ahead();
    return failed;
}";

/// The clock of a server, which a test moves.
struct Shifted(TempDir);

impl Shifted {
    /// Creates a clock that is this many hours fast.
    fn by(hours: i64) -> Self {
        let it = Self(scratch::folder("clock"));
        it.move_to(hours);
        std::fs::write(it.file("shifted.c"), SHIFTED).expect("write the source");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1"]).arg(format!("-DAHEAD=\"{}\"", it.file("ahead").display()));
        let compiled = compile.arg("-o").arg(it.library()).arg(it.file("shifted.c")).status();
        let compiled = compiled.expect("run the C compiler");
        assert!(compiled.success(), "the C compiler failed: {compiled}");
        it
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The library that a process loads before the C library.
    fn library(&self) -> PathBuf {
        self.file("shifted.so")
    }

    /// Moves the clock; a reader sees the old or the new time.
    fn move_to(&self, hours: i64) {
        std::fs::write(self.file("next"), (hours * 3_600).to_string()).expect("write the time");
        std::fs::rename(self.file("next"), self.file("ahead")).expect("rename the time");
    }
}

/// Starts a server on a shared database whose clock is this many hours fast.
async fn fast_server(url: &str, hours: i64) -> (Server, Shifted) {
    let clock = Shifted::by(hours);
    let server = Server::start(Database::Postgres(url.to_owned())).env("LD_PRELOAD", clock.library()).await;
    (server, clock)
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

/// The time for which the tests keep changes, and a time that is longer.
const KEPT: &str = "--feed-retention=400d";
const TOO_LONG: i64 = 401 * 24;

/// A server on a file, which has the clock of its machine.
async fn server_with(clock: &Shifted) -> Server {
    let server = Server::start(Database::Sqlite).env("LD_PRELOAD", clock.library()).arg(KEPT).await;
    for text in ["one", "two", "three"] {
        describe(&server.client(), text, None).await;
    }
    gauge(&server, SWEPT).await;
    server
}

/// The gauge that a server sets after its first sweep of old changes.
const SWEPT: &str = "underlay_oldest_revision";

/// Starts a server again at another time, and waits for its first sweep.
async fn restart_at(server: &mut Server, clock: &Shifted, hours: i64) {
    server.stop().await;
    clock.move_to(hours);
    server.restart().await;
    gauge(server, SWEPT).await;
}

/// The oldest revision, and the seconds by which the clock jumped.
async fn kept(server: &Server) -> (i64, Option<i64>) {
    let found = server.client().ok("{ oldestRevision server { clockJump { seconds seenAt } } }", json!({})).await;
    (found["oldestRevision"].as_i64().expect("a revision"), found["server"]["clockJump"]["seconds"].as_i64())
}

/// The revisions with changes between two times, which are hours from now.
async fn made(server: &Server, from: Option<i64>, to: Option<i64>) -> Vec<i64> {
    let bounds = [("fromTime", from), ("toTime", to)].into_iter().filter_map(|(name, hours)| Some((name, hours?)));
    let bounds = bounds.map(|(name, hours)| (name.to_owned(), json!(Utc::now() + TimeDelta::hours(hours))));
    let query =
        "query($filter: ChangeFilter) { changes(filter: $filter, orderBy: OLDEST_FIRST) { nodes { revision } } }";
    let filter = Value::Object(bounds.collect());
    let found = server.client().ok(query, json!({ "filter": filter })).await;
    let nodes = found["changes"]["nodes"].as_array().expect("nodes").clone();
    nodes.iter().map(|it| it["revision"].as_i64().expect("a revision")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_was_a_year_ahead_for_one_start_costs_no_history() {
    let clock = Shifted::by(0);
    let mut server = server_with(&clock).await;
    assert_eq!(kept(&server).await, (1, None));

    restart_at(&mut server, &clock, TOO_LONG).await;
    let (oldest, jump) = kept(&server).await;
    assert_eq!(oldest, 1, "nothing is old");
    assert!(jump.is_some_and(|jump| (TOO_LONG * 3_600 - 60..TOO_LONG * 3_600 + 86_400).contains(&jump)), "{jump:?}");
    assert!(gauge(&server, "underlay_clock_jump_seconds").await > 0.0);
    let doctor = Cli::new(["doctor", "--database", &server.database_url()]).await;
    assert!(
        doctor.stdout.contains("the clock went ahead by 401d") && doctor.stdout.contains("acceptClock"),
        "{doctor:?}"
    );
    describe(&server.client(), "four", None).await;
    assert!(updated_at(&server.client()).await - Utc::now() > TimeDelta::days(400));

    restart_at(&mut server, &clock, 0).await;
    assert_eq!(kept(&server).await, (1, None), "the jump is taken back");
    describe(&server.client(), "five", None).await;
    assert_near(updated_at(&server.client()).await);
    assert_eq!(made(&server, Some(-1), None).await, [1, 2, 3, 4, 5]);
    assert_eq!(made(&server, Some(-1), Some(1)).await, [1, 2, 3, 5], "the fourth was made with another clock");
    assert_eq!(made(&server, Some(24), None).await, [4]);
    assert_eq!(made(&server, None, Some(-1)).await, Vec::<i64>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_accepted_makes_changes_old() {
    let clock = Shifted::by(0);
    let mut server = server_with(&clock).await;
    restart_at(&mut server, &clock, TOO_LONG).await;
    assert_eq!(kept(&server).await.0, 1);
    let accept = "mutation { acceptClock { clockJump { seconds } } }";
    let accepted = server.client().ok(accept, json!({})).await;
    assert!(accepted["acceptClock"]["clockJump"]["seconds"].as_i64() > Some(400 * 86_400), "{accepted}");
    assert_eq!(kept(&server).await.1, None);
    restart_at(&mut server, &clock, TOO_LONG).await;
    assert_eq!(kept(&server).await, (3, None), "only the newest is left");
    let again = server.client().ok(accept, json!({})).await;
    assert_eq!(again["acceptClock"]["clockJump"], Value::Null);
}
