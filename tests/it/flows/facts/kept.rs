//! Facts outlive restarts, and are in a backup.

use std::path::Path;

use serde_json::{Value, json};

use super::events::events;
use super::{disk, host, outcome, report, unchanged};
use crate::harness::{Cli, Client, Database, Server, on_both_databases};

on_both_databases! {
    async fn facts_and_tokens_outlive_a_kill(mut server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        outcome(&client, &token, &report("D1")).await;
        server.kill();
        server.restart().await;
        let client = server.client();
        assert_eq!(disk(&client, "a").await, "D1");
        assert_eq!(outcome(&client, &token, &unchanged(&report("D1"))).await, "UNCHANGED");
    }
}

async fn run(arguments: &[&str]) -> String {
    let outcome = Cli::new(arguments).await;
    assert_eq!(outcome.code, 0, "{arguments:?}: {outcome:?}");
    outcome.stdout
}

/// The serial numbers of all parts, in order, and whether they are in a host.
async fn parts(client: &Client) -> Vec<(String, bool)> {
    let found = client.ok("{ parts { nodes { serial host { name } } } }", json!({})).await["parts"]["nodes"].take();
    let part = |part: &Value| (part["serial"].as_str().expect("a serial number").to_owned(), !part["host"].is_null());
    let mut parts: Vec<_> = found.as_array().expect("parts").iter().map(part).collect();
    parts.sort();
    parts
}

fn in_host((serial, is_there): (&str, bool)) -> (String, bool) {
    (serial.to_owned(), is_there)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("read a folder").flatten();
    let mut names: Vec<String> = entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.contains("facts") && !name.ends_with("-wal") && !name.ends_with("-shm"));
    names.sort();
    names
}

/// A backup is one file with the inventory and the facts. After a restore, the facts of the replaced database are kept
/// under another name, and come back with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_the_facts() {
    let mut server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let token = host(&client, "a").await;
    outcome(&client, &token, &report("D0")).await;
    outcome(&client, &token, &report("D1")).await;
    let url = server.database_url();
    let database = url.strip_prefix("sqlite://").expect("a file").to_owned();
    let folder = Path::new(&database).parent().expect("a folder").to_owned();
    let backup = folder.join("backup").display().to_string();
    let said = run(&["backup", &backup, "--database", &url]).await;
    assert!(said.contains("and 1 report about a host"), "{said}");
    outcome(&client, &token, &report("D2")).await;
    let doctor = run(&["doctor", "--database", &url]).await;
    assert!(doctor.contains("has 1 report about the hardware of hosts"), "{doctor}");
    server.stop().await;
    assert_eq!(names(&folder).len(), 1);

    let said = run(&["restore", &backup, "--database", &url, "--force"]).await;
    assert!(said.contains("and 1 report about a host"), "{said}");
    let kept = said.lines().find_map(|line| line.strip_prefix("the previous database is kept as ")).expect("a file");
    let (kept, doctor) = (kept.to_owned(), Cli::new(["doctor", "--database", &url]).await);
    assert_eq!(doctor.code, 0, "{doctor:?}");
    server.restart().await;
    assert_eq!(disk(&server.client(), "a").await, "D1", "that of the backup");
    assert_eq!(events(&server.client(), "a").await.len(), 2, "the events of the backup");
    assert_eq!(
        parts(&server.client()).await,
        [("D0", false), ("D1", true), ("M1", true)].map(in_host),
        "the parts of it"
    );
    assert_eq!(names(&folder).len(), 2, "the facts of the replaced database are kept");
    let client = server.client();
    assert_eq!(outcome(&client, &token, &report("D3")).await, "STORED");
    server.stop().await;

    std::fs::rename(&kept, &database).expect("put the database back");
    server.restart().await;
    let client = server.client();
    assert_eq!(disk(&client, "a").await, "D2", "the facts of this database came back");
    let all = [("D0", false), ("D1", false), ("D2", true), ("M1", true)];
    assert_eq!(parts(&client).await, all.map(in_host), "and so did its parts");
    let seen = client.ok("{ host(name: \"a\") { agentToken { revokedAt } } }", json!({})).await;
    assert!(seen["host"]["agentToken"]["revokedAt"].is_null());
}

/// A file of facts that is gone costs the facts alone: agents send them again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_their_file_the_facts_are_sent_again() {
    let mut server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let token = host(&client, "a").await;
    outcome(&client, &token, &report("D1")).await;
    server.stop().await;
    let database = server.database_url().strip_prefix("sqlite://").expect("a file").to_owned();
    let facts = underlay_engine::store::facts_file(Path::new(&database));
    std::fs::remove_file(&facts).expect("remove the file");
    server.restart().await;
    let client = server.client();
    assert_eq!(outcome(&client, &token, &unchanged(&report("D1"))).await, "SEND_ALL");
    assert_eq!(outcome(&client, &token, &report("D1")).await, "STORED");
    assert_eq!(disk(&client, "a").await, "D1");
}
