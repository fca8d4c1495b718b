//! A backup that is restored is another history: what a synchronizer remembers of the old one is worthless.

use std::fs;

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, regions, source};
use crate::harness::{Cli, Database, Outcome, Server, scratch};

async fn done(arguments: &[&str]) -> Outcome {
    let outcome = Cli::new(arguments).await;
    assert_eq!(outcome.code, 0, "{arguments:?}: {outcome:?}");
    outcome
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_server_has_another_history_and_a_synchronizer_starts_afresh() {
    let mut server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("restored");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (state, backup, files) = (path("state"), path("backup"), path("files"));
    fs::create_dir(&files).expect("a folder");
    let write = |text: &str| {
        let line = |name: &str| json!({"item": {"region": {"name": name, "externalId": name, "displayName": text}}});
        let lines: String = ["a", "b", "c"].map(|name| format!("{}\n", line(name))).concat();
        fs::write(folder.path().join("files/regions.jsonl"), lines).expect("a file");
    };
    let sync = async |server: &Server| {
        let outcome = server.cli(["sync", "files", &files, "--name", "git", "--state", &state, "--once"]).await;
        assert_eq!(outcome.code, 0, "{outcome:?}");
        outcome.stderr + &outcome.stdout
    };
    let shown = async |server: &Server| -> Vec<Value> {
        let data = server.client().ok("{ regions { nodes { name displayName } } }", json!({})).await;
        data["regions"]["nodes"].as_array().expect("nodes").iter().map(|node| node["displayName"].clone()).collect()
    };
    let history = async |server: &Server| {
        let started = call(&server.client(), "startRun", json!({"source": "nb", "mode": "PARTIAL"})).await;
        started["history"].as_str().expect("an id").to_owned()
    };
    source(&server.client(), json!({})).await;
    Synchronizer::full(&server.client(), regions(0..1)).await;
    let first = history(&server).await;
    assert_eq!(history(&server).await, first);

    write("old");
    sync(&server).await;
    done(&["backup", &backup, "--database", &server.database_url()]).await;
    write("new");
    let output = sync(&server).await;
    assert!(output.contains("3 updated"), "{output}");
    // Unchanged items are only named.
    let output = sync(&server).await;
    assert!(!output.contains("updated") && !output.contains("another database"), "{output}");
    assert_eq!(shown(&server).await[..3], [json!("new"), json!("new"), json!("new")]);

    server.kill();
    done(&["restore", &backup, "--database", &server.database_url(), "--force"]).await;
    server.restart().await;
    assert_eq!(shown(&server).await[..3], [json!("old"), json!("old"), json!("old")]);
    assert_ne!(history(&server).await, first, "the copy has a history of its own");
    let output = sync(&server).await;
    assert!(output.contains("another database") && output.contains("3 updated"), "{output}");
    assert_eq!(shown(&server).await[..3], [json!("new"), json!("new"), json!("new")]);
}
