//! Databases that were rolled back without a restore, so that their history keeps its id: controllers notice it, and do
//! nothing. Controllers that start beside others.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Utc;
use serde_json::{Value, json};
use tempfile::TempDir;
use underlay_engine::feed;
use underlay_engine::store::Store;
use uuid::Uuid;

use super::lives::{Scene, order, simulated, until, until_divided, until_observe_only, until_passed, until_state};
use super::{host, write_as_server, write_while_stopped};
use crate::harness::postgres::Postgres;
use crate::harness::{self, Client, Database, Server, Sql, on_both_databases, scratch};

/// Returns how a position stands to the server.
async fn standing(client: &Client, position: &str) -> Value {
    let query = "query($of: ChangeCursor!) { hostsStatus { standing(of: $of) } }";
    client.ok(query, json!({ "of": position })).await["hostsStatus"]["standing"].take()
}

/// Returns the position after a revision that a batch made.
fn position(revision: i64, batch: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(format!("{revision}//{}", batch.simple()))
}

async fn store(server: &Server) -> Store {
    let url = server.database_url().parse().expect("a URL");
    Store::open(&url, underlay_kinds::tables()).await.expect("open the database")
}

on_both_databases! {
    async fn a_server_says_how_a_position_stands_to_its_log(server: Server) {
        let client = server.client();
        assert_eq!(standing(&client, "0").await, "HELD", "before the first revision");
        assert_eq!(standing(&client, &position(1, Uuid::from_u128(1))).await, "MISSING");
        for number in 1..=3 {
            client.apply_all(vec![json!({"region": {"name": format!("r{number}")}})]).await;
        }
        let now = client.ok("{ hostsStatus { position revision } }", json!({})).await["hostsStatus"].take();
        assert_eq!(now["revision"], 3);
        let own = now["position"].as_str().expect("a position").to_owned();
        assert_eq!(standing(&client, &own).await, "HELD");
        let store = store(&server).await;
        let first = store.batch_id(1).await.expect("read").expect("a batch");
        for (revision, batch, expected) in [
            (1, first, "HELD"),
            (2, first, "REPLACED"),
            (3, Uuid::from_u128(1), "REPLACED"),
            (4, Uuid::from_u128(1), "MISSING"),
        ] {
            assert_eq!(standing(&client, &position(revision, batch)).await, expected, "{revision}");
        }
        // What the retention drops is no rollback. The newest revision stays.
        feed::sweep(&store, Utc::now() + chrono::TimeDelta::days(1_000)).await.expect("sweep");
        store.close().await.expect("close");
        for (revision, batch, expected) in [(1, first, "PRUNED"), (2, first, "PRUNED"), (4, first, "MISSING")] {
            assert_eq!(standing(&client, &position(revision, batch)).await, expected, "{revision}");
        }
        assert_eq!(standing(&client, &own).await, "HELD");
        // A controller gets to know it with each report, too.
        let report = "mutation($of: ChangeCursor!) { reportHosts(input: {holder: \"one\", reports: []}) {
            status { position revision standing(of: $of) } } }";
        let reported = client.ok(report, json!({ "of": position(4, first) })).await["reportHosts"]["status"].take();
        assert_eq!(reported, json!({"position": own, "revision": 3, "standing": "MISSING"}));
    }
}

/// Copies the files of a folder into another one, in the place of those that are there.
fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("copied");
        }
    }
}

/// Stops a server, writes what it would write itself, and copies its data directory.
async fn write_and_copy(server: &mut Server, all: Vec<Value>) -> TempDir {
    server.stop().await;
    write_while_stopped(server, all).await;
    let copied = scratch::folder("copied");
    copy(server.folder(), copied.path());
    server.restart().await;
    copied
}

/// Stops a server, copies its data directory back, and starts it again.
async fn copy_back(server: &mut Server, copied: &TempDir) {
    server.stop().await;
    for entry in std::fs::read_dir(server.folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            std::fs::remove_file(path).expect("removed");
        }
    }
    copy(copied.path(), server.folder());
    server.restart().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_copied_back_lets_controllers_only_observe() {
    let mut server = Server::start(Database::Sqlite).await;
    server.keep_port();
    let scene = Scene::new();
    server.client().apply_all(vec![simulated("m1", "")]).await;
    let controller = scene.start(server.url(), 1);
    until(&server.client(), "m1", |host| host["power"] == "OFF").await;
    let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
    let copied = write_and_copy(&mut server, vec![order("m1", "INSTALL", 1, acquired)]).await;
    until_state(&server.client(), "m1", "INSTALLED").await;
    let counts = scene.counts("m1");
    assert_eq!(counts.installs, 1);
    // The order is open in the copy. The controller goes on meanwhile.
    copy_back(&mut server, &copied).await;
    let client = server.client();
    until_observe_only(&client).await;
    let reason = client.ok("{ hostsStatus { observeOnly { reason } } }", json!({})).await;
    assert!(reason.to_string().contains("was rolled back"), "{reason}");
    until(&client, "m1", |host| host["conditions"].to_string().contains("ObserveOnly")).await;
    until_passed(&client, &[&controller], &["m1"], 2).await;
    assert_eq!(scene.counts("m1"), counts, "the machine is in use");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_a_controller_notices_that_its_data_directory_was_copied_back() {
    let state = scratch::folder("state");
    let server = Server::start(Database::Sqlite).arg("--with").arg("hosts").arg("--hosts-state-dir").arg(state.path());
    let mut server = server.env("UNDERLAY_TEST_TIMES", "6").await;
    server.client().apply_all(vec![simulated("m1", "")]).await;
    until(&server.client(), "m1", |host| host["power"] == "OFF").await;
    let copied = write_and_copy(&mut server, vec![order("m1", "POWER_ON", 1, json!({}))]).await;
    until(&server.client(), "m1", |host| host["generation"] == host["generationDone"] && host["power"] == "ON").await;
    let files: Vec<String> = std::fs::read_dir(state.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".json"))
        .collect();
    assert!(matches!(&files[..], [name] if name.contains("test.db")), "it is named after the database: {files:?}");
    copy_back(&mut server, &copied).await;
    let client = server.client();
    until_observe_only(&client).await;
    // Controllers come back to a halted order when its host changes.
    client.apply_all(vec![json!({"host": {"name": "m1", "title": "changed"}})]).await;
    let waits = |host: &Value| host["conditions"].to_string().contains("ObserveOnly") && host["power"] == "OFF";
    until(&client, "m1", waits).await;
    let found = host(&client, "m1", "step { name } generationDone history { nodes { act message } }").await;
    assert_eq!((&found["step"], &found["generationDone"]), (&Value::Null, &json!(0)), "{found}");
    assert!(!found["history"].to_string().contains("power-on"), "no act was made for the order: {found}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn another_timeline_of_postgresql_halts_nobody_and_an_older_snapshot_does() {
    let postgres = tokio::task::spawn_blocking(Postgres::start).await.expect("PostgreSQL");
    let mut server = Server::start(Database::Postgres(postgres.create_database().await)).await;
    server.keep_port();
    let scene = Scene::new();
    server.client().apply_all(vec![simulated("m1", "")]).await;
    let controller = scene.start(server.url(), 1);
    until(&server.client(), "m1", |host| host["power"] == "OFF").await;
    // A snapshot in which the order is open.
    server.stop().await;
    let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
    write_while_stopped(&server, vec![order("m1", "INSTALL", 1, acquired)]).await;
    let folder = scratch::folder("snapshot");
    let snapshot = folder.path().join("data");
    postgres.stop_now();
    postgres.copy_data(&snapshot);
    postgres.start_again();
    server.restart().await;
    let client = server.client();
    until_state(&client, "m1", "INSTALLED").await;
    // Another server takes over and has everything.
    postgres.stop_now();
    postgres.promote();
    postgres.start_again();
    let sql = Sql::connect(&server.database_url()).await;
    // The name of a file of the log begins with the timeline, in eight hexadecimal digits. Until it is promoted, the server
    // answers in recovery, where it says no name.
    let timeline = "SELECT CASE WHEN pg_is_in_recovery() THEN 0
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END";
    sql.wait_for(timeline, 2).await;
    sql.close().await;
    write_as_server(&mut server, vec![order("m1", "POWER_CYCLE", 2, json!({}))]).await;
    let client = server.client();
    until(&client, "m1", |host| host["generation"] == host["generationDone"]).await;
    let counts = scene.counts("m1");
    assert_eq!((counts.installs, counts.power_cuts), (1, 1), "controllers act");
    // The snapshot comes back under a server that goes on.
    postgres.stop_now();
    postgres.replace_data(&snapshot);
    postgres.start_again();
    harness::until("the server reaches its database again", async || {
        let answer = client.get("/readyz").await;
        if answer.text().contains("\"ready\"") { Ok(()) } else { Err(answer.text()) }
    })
    .await;
    until_observe_only(&client).await;
    until(&client, "m1", |host| host["conditions"].to_string().contains("ObserveOnly")).await;
    until_passed(&client, &[&controller], &["m1"], 2).await;
    assert_eq!(scene.counts("m1"), counts, "the machine is in use");
}

on_both_databases! {
    async fn a_controller_that_starts_beside_another_one_joins_it(mut server: Server) {
        // The first one does not lose its leases on a slow machine. The others look for as long as theirs last.
        let scene = Scene::new();
        server.client().apply_all(vec![simulated("m1", "")]).await;
        let first = scene.start(server.url(), 1);
        until(&server.client(), "m1", |host| host["power"] == "OFF").await;
        first.stop().await;
        write_as_server(&mut server, vec![json!({"host": {"name": "m1", "state": "INSTALLED"}})]).await;
        let client = server.client();
        let first = scene.start(server.url(), 1);
        let second = scene.start_with_short_leases(server.url(), 2);
        until_divided(&client, &[&first, &second]).await;
        let halted = client.ok("{ hostsStatus { observeOnly { reason } hasTakenHosts } }", json!({})).await;
        assert_eq!(halted["hostsStatus"], json!({"observeOnly": null, "hasTakenHosts": true}));
        // Alone, it would have let nobody act.
        first.stop().await;
        second.stop().await;
        let third = scene.start_with_short_leases(server.url(), 3);
        until_observe_only(&client).await;
        third.stop().await;
    }
}
