//! `underlay sync files` as a process: a folder that people change is followed.

use std::fs;

use serde_json::json;

use super::apply::manifest;
use crate::harness::{Client, Database, Process, Server, exit_code, scratch, until};

/// Waits until the process printed something.
async fn said(process: &Process, what: &str) {
    until(format!("it says {what:?}"), async || (process.stdout() + &process.stderr()).contains(what)).await;
}

async fn racks(client: &Client) -> Vec<String> {
    let data = client.ok("{ racks(first: 100) { nodes { name } } }", json!({})).await;
    let nodes = data["racks"]["nodes"].as_array().expect("nodes").clone();
    let mut names: Vec<String> = nodes.iter().map(|rack| rack["name"].as_str().expect("a name").to_owned()).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_changed_file_brings_a_run_and_what_no_file_has_any_more_goes() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let folder = scratch::folder("sync-files");
    let files = folder.path().join("files");
    fs::create_dir(&files).expect("a folder");
    let rack = |name: &str| manifest("Rack", name, &json!({"site": {"site": "ams1"}, "heightU": 42}));
    let site = manifest("Site", "ams1", &json!({"type": "DATACENTER"}));
    fs::write(files.join("sites.yaml"), site).expect("a file");
    fs::write(files.join("a.yaml"), rack("A1") + "---\n" + &rack("A2")).expect("a file");
    let (path, state) = (files.display().to_string(), folder.path().join("state").display().to_string());
    // The next scan without a change would come after a day.
    let arguments = ["sync", "files", &path, "--state", &state, "--interval", "86400"];
    let mut process = server.cli(arguments).start();
    said(&process, "files: full run: 3 items, 3 created").await;
    assert_eq!(racks(&client).await, ["A1", "A2"]);

    // A new file is put in its place at once, as editors and git do.
    fs::write(files.join(".b.yaml"), rack("B1")).expect("a file");
    fs::rename(files.join(".b.yaml"), files.join("b.yaml")).expect("a file");
    said(&process, "4 items, 1 created, 3 unchanged").await;
    fs::write(files.join(".a.yaml"), rack("A1")).expect("a file");
    fs::rename(files.join(".a.yaml"), files.join("a.yaml")).expect("a file");
    said(&process, "3 items, 3 unchanged, 1 gone").await;
    assert_eq!(racks(&client).await, ["A1", "B1"]);
    process.signal(libc::SIGTERM);
    let status = process.end().await;
    assert_eq!(exit_code(status), Ok(0), "{}", process.stderr());
}
