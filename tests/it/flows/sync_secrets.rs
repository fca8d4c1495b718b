//! What synchronizers read and cannot use stays where it is: no text of a wrong file, and no variable of ours, comes to
//! the server or to a program.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::secrets::token;
use crate::harness::{Client, Database, Server, scratch, until};

/// A text that must come nowhere.
const SECRET: &str = "hunter2-hunter2-hunter2-hunter2";

const RUN: &str = "{ source(name: \"SOURCE\") { lastRun { state failed errors { externalId message } } } }";

async fn last_run(client: &Client, source: &str) -> Value {
    client.ok(&RUN.replace("SOURCE", source), json!({})).await["source"]["lastRun"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_wrong_file_is_published() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = token(&server, &["--role", "operator"]).await;
    let viewer = server.client().bearing(&token(&server, &["--role", "viewer"]).await);
    let synchronizer = token(&server, &["--role", "synchronizer", "--source", "files"]).await;
    let other = server.client().bearing(&token(&server, &["--role", "synchronizer", "--source", "dcim"]).await);
    let folder = scratch::folder("sync-secrets");
    let files = folder.path().join("files");
    fs::create_dir(&files).expect("a folder");
    let outside = folder.path().join("outside");
    fs::write(&outside, format!("apiVersion: underlay/v1\nkind: {SECRET}\n")).expect("a file");
    symlink(&outside, files.join("link.yaml")).expect("a link");
    // Texts that are no document, or a document of something else, under every ending.
    let texts = [
        SECRET.to_owned(),
        format!("root:{SECRET}:19000:0:99999:7:::\n"),
        format!("TOKEN={SECRET}\n"),
        format!("-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n"),
        format!("[\"{SECRET}\"]"),
        format!("{{\"token\": \"{SECRET}\"}}"),
        format!("token: \"{SECRET}\"\n"),
        format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: {SECRET}}}\ndata: {{x: {SECRET}}}\n"),
        format!("apiVersion: underlay/v1\nkind: Site\nmetadata: {{name: s}}\nspec: {{type: {SECRET}}}\n"),
        format!("{{\"item\": \"{SECRET}\"}}"),
        format!("{{\"item\": {{}}, \"source\": [\"{SECRET}\"]}}"),
        format!("{{\"item\": {{}}, \"conflicts\": \"{SECRET}\"}}"),
        format!("a: *{SECRET}\n"),
        format!("a: [\"{SECRET}\n"),
        format!("a: !!int {SECRET}\n"),
        format!("name,type\ns,{SECRET}\n"),
        format!("{SECRET}\n{SECRET}\n"),
    ];
    for (at, text) in texts.iter().enumerate() {
        for ending in ["yaml", "json", "jsonl", "sites.csv"] {
            fs::write(files.join(format!("f{at}.{ending}")), text).expect("a file");
        }
    }
    let state = folder.path().join("state").display().to_string();
    let arguments = ["sync", "files", &files.display().to_string(), "--once", "--state", &state].map(str::to_owned);
    let done = server.cli(arguments).env("UNDERLAY_TOKEN", &synchronizer).await;
    assert_ne!(done.code, 0, "{done:?}");
    assert!(!(done.stdout.clone() + &done.stderr).contains(SECRET), "{done:?}");
    let run = last_run(&server.client().bearing(&operator), "files").await;
    let errors = run["errors"].as_array().expect("errors");
    assert!(errors.len() > texts.len(), "{run:#}");
    // A value of a document of ours may be repeated up to its twentieth character.
    assert!(!run.to_string().contains(&SECRET[..21]), "{run:#}");
    let link = errors.iter().filter_map(|error| error["message"].as_str()).find(|it| it.contains("link.yaml"));
    assert!(link.is_some_and(|it| it.contains("is a link that leads out of the folder")), "{run:#}");
    for reader in [&viewer, &other] {
        let seen = last_run(reader, "files").await;
        assert_eq!(
            (&seen["failed"], &seen["errors"]),
            (&run["failed"], &json!([])),
            "errors are for who runs the source"
        );
    }
    let own = last_run(&server.client().bearing(&synchronizer), "files").await;
    assert_eq!(own["errors"], run["errors"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_gets_no_variable_of_ours() {
    let server = Server::start(Database::Sqlite).asking().await;
    let synchronizer = token(&server, &["--role", "synchronizer", "--source", "exec"]).await;
    let folder = scratch::folder("sync-variables");
    let (seen, state) = (folder.path().join("seen"), folder.path().join("state").display().to_string());
    let script = format!("env > {}; echo \"{{\\\"token\\\": \\\"$UNDERLAY_TOKEN\\\"}}\"", seen.display());
    let flags = ["sync", "exec", "--once", "--state", &state, "--pass-env", "SITE", "--", "sh", "-c", &script];
    let done = server.cli(flags).env("UNDERLAY_TOKEN", &synchronizer).env("SITE", "ams1").await;
    assert_ne!(done.code, 0, "{done:?}");
    let seen = fs::read_to_string(&seen).expect("a file");
    assert!(seen.lines().any(|line| line == "SITE=ams1") && seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("UNDERLAY_"), "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_ends_with_a_synchronizer_that_is_killed() {
    let server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("sync-killed");
    let (ids, state) = (folder.path().join("ids"), folder.path().join("state").display().to_string());
    // One process in the group of the program, and one in a session of its own.
    let script = format!("echo $$ >> {0}; setsid sh -c 'echo $$ >> {0}; sleep 1000' & sleep 1000", ids.display());
    let flags = ["sync", "exec", "--state", &state, "--", "sh", "-c", &script];
    let mut process = server.cli(flags).start();
    let begun = until("the program has begun", async || {
        let ids: Vec<String> = fs::read_to_string(&ids).unwrap_or_default().lines().map(str::to_owned).collect();
        (ids.len() == 2).then_some(ids)
    })
    .await;
    process.signal(libc::SIGKILL);
    process.end().await;
    for id in begun {
        until(format!("the process {id} has ended"), async || {
            let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        })
        .await;
    }
}
