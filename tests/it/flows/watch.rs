//! `underlay watch`: its output, and how it resumes after it, the server or the connection failed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Cli, Client, Database, Process, Server, exit_code, on_both_databases, scratch, until};

/// A watch that runs.
pub struct Watch {
    process: Process,
}

impl Watch {
    pub fn start(cli: Cli) -> Self {
        Self { process: cli.start() }
    }

    /// Returns the whole lines of the output so far.
    fn printed(&self) -> Vec<String> {
        self.process.stdout().rsplit_once('\n').map_or_else(Vec::new, |(lines, _)| all_lines(lines))
    }

    /// Returns the output once it has at least this number of lines.
    pub async fn lines(&self, count: usize) -> Vec<String> {
        until(format!("it has printed {count} lines"), async || {
            Some(self.printed()).filter(|lines| lines.len() >= count)
        })
        .await
    }

    /// Waits until it printed a text to standard error.
    pub async fn says(&self, text: &str) {
        until(format!("it says {text:?}"), async || self.process.stderr().contains(text)).await;
    }

    pub fn signal(&mut self, signal: libc::c_int) {
        self.process.signal(signal);
    }

    pub fn kill(&mut self) {
        self.process.kill();
    }

    pub fn runs(&mut self) -> bool {
        self.process.ended().is_none()
    }

    /// Waits until it ends by itself, and returns its exit code and the text on standard error.
    pub async fn ended(&mut self) -> (i32, String) {
        let status = self.process.end().await;
        (exit_code(status).expect("an exit code"), self.process.stderr())
    }
}

fn all_lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// A folder with a place for a state file in it.
pub fn state() -> (TempDir, PathBuf) {
    let folder = scratch::folder("watch");
    let path = folder.path().join("state.json");
    (folder, path)
}

pub fn kept(state: &Path) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(state).ok()?).ok()
}

/// Waits until everything up to a revision is kept.
pub async fn kept_at(state: &Path, revision: i64) {
    until(format!("revision {revision} is kept"), async || {
        let kept = kept(state);
        let is_kept = kept.as_ref().is_some_and(|kept| kept["place"]["revision"] == revision);
        if is_kept { Ok(()) } else { Err(format!("{kept:?}")) }
    })
    .await;
}

pub fn watch(server: &Server, state: &Path, arguments: &[&str]) -> Watch {
    let state = state.to_str().expect("a path");
    Watch::start(server.cli([&["watch", "--state", state], arguments].concat()))
}

/// A revision for each of these names.
pub async fn regions(client: &Client, names: impl IntoIterator<Item = String>) {
    for name in names {
        client.apply_all(vec![json!({"region": {"name": name}})]).await;
    }
}

/// The names of regions, out of the lines of their making.
fn names(lines: &[String]) -> Vec<String> {
    let name = |line: &String| line.split("region/").nth(1)?.split_whitespace().next().map(str::to_owned);
    lines.iter().filter_map(name).collect()
}

fn numbered(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("r{number}")).collect()
}

/// A server that keeps its address.
async fn steady_server() -> Server {
    let mut server = Server::start(Database::Sqlite).await;
    server.keep_port();
    server
}

on_both_databases! {
    async fn changes_are_printed_live(server: Server) {
        let client = server.client();
        client.apply_all(vec![
            json!({"site": {"name": "a", "type": "EDGE"}}),
            json!({"site": {"name": "b", "type": "EDGE"}}),
            json!({"rack": {"site": {"site": "a"}, "name": "r1", "heightU": 42, "labels": {"env": "prod"}}}),
            json!({"rack": {"site": {"site": "b"}, "name": "r2", "heightU": 42}}),
        ]).await;
        client.apply_input(json!({"source": "bcm", "items": [{"rack": {"site": {"site": "a"}, "name": "r1", "serial": "S7"}}]})).await;
        let summaries = |lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| line.split_once("Z  ").map_or("", |(_, rest)| rest).to_owned()).collect()
        };
        let (a, r2) = ("CREATED  site/a  local", "CREATED  rack/b/r2  local");
        let (r1, serial) = ("CREATED  rack/a/r1  local", "UPDATED  rack/a/r1  local for bcm  serial - → S7");
        for (arguments, expected) in [
            (&[][..], vec![a, "CREATED  site/b  local", r1, r2, serial]),
            (&["--kind", "racks"], vec![r1, r2, serial]),
            (&["--within", "site/a"], vec![r1, serial]),
            (&["--operation", "updated", "--operation", "DELETED"], vec![serial]),
            (&["--label", "env=prod"], vec![r1, serial]),
            (&["--source", "bcm"], vec![serial]),
            (&["--kind", "site", "--kind", "rack", "--within", "site/b"], vec![r2]),
        ] {
            let watch = Watch::start(server.cli([&["watch", "--after", "0"], arguments].concat()));
            assert_eq!(summaries(&watch.lines(expected.len()).await), expected, "{arguments:?}");
        }
        let mut watch = Watch::start(server.cli(["watch", "--after", "1", "-o", "json"]));
        watch.lines(1).await;
        client.apply_all(vec![json!({"delete": {"ref": {"rack": {"site": "a", "rack": "r1"}}}})]).await;
        let lines = watch.lines(2).await;
        let events: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (updated, deleted) = (&events[0], &events[1]);
        assert_eq!((&updated["type"], &updated["revision"], &updated["path"]), (&json!("UPDATED"), &json!(2), &json!("rack/a/r1")));
        assert_eq!((&updated["actor"], &updated["source"]), (&json!("local"), &json!("bcm")));
        assert_eq!((&updated["before"]["serial"], &updated["after"]["serial"]), (&Value::Null, &json!("S7")));
        assert_eq!((&deleted["type"], &deleted["kind"], &deleted["name"]), (&json!("DELETED"), &json!("Rack"), &json!("r1")));
        assert_eq!(deleted["path"], json!("rack/a/r1"), "where it was");
        assert_eq!(deleted["labels"], json!({"env": "prod"}));
        assert!(["cursor", "at", "objectId"].iter().all(|member| deleted[member].is_string()), "{deleted}");
        watch.signal(libc::SIGINT);
        assert_eq!(watch.ended().await, (0, String::new()));
    }

    async fn objects_that_are_deleted_with_their_parents_show_where_they_were(mut server: Server) {
        let client = server.client();
        client.apply_all(vec![
            json!({"site": {"name": "a", "type": "EDGE"}}),
            json!({"rack": {"site": {"site": "a"}, "name": "r1", "heightU": 42}}),
            json!({"device": {"site": {"site": "a"}, "name": "d", "role": "OTHER", "placement": {"rack": {"rack": "r1"}}}}),
            json!({"port": {"device": {"device": "d"}, "name": "e1", "type": "ETHERNET"}}),
        ]).await;
        client.apply_all(vec![json!({"delete": {"ref": {"device": {"device": "d"}}, "cascade": true}})]).await;
        let paths = |lines: &[String]| -> Vec<String> {
            let path = |line: &String| serde_json::from_str::<Value>(line).expect("JSON")["path"].as_str().map(str::to_owned);
            let mut paths: Vec<String> = lines.iter().filter_map(path).collect();
            paths.sort_unstable();
            paths
        };
        let deleted = ["watch", "--after", "0", "--operation", "DELETED", "-o", "json"];
        let watch = Watch::start(server.cli(deleted));
        assert_eq!(paths(&watch.lines(2).await), ["device/a/d", "port/a/d/e1"]);
        drop(watch);
        // From the log alone, only what is above is still known.
        server.stop().await;
        server.restart().await;
        let watch = Watch::start(server.cli(deleted));
        let paths = paths(&watch.lines(2).await);
        assert_eq!(paths[0], "device/a/d", "{paths:?}");
    }

    async fn changes_while_the_watch_is_stopped_are_delivered_once(mut server: Server) {
        let (_folder, state) = state();
        regions(&server.client(), numbered(0..2)).await;
        // Nothing was there: it begins at now, and has written that down before anything happens.
        let mut first = watch(&server, &state, &[]);
        kept_at(&state, 2).await;
        first.kill();
        regions(&server.client(), numbered(2..4)).await;
        let mut second = watch(&server, &state, &[]);
        assert_eq!(names(&second.lines(2).await), numbered(2..4));
        kept_at(&state, 4).await;
        second.kill();
        server.stop().await;
        server.restart().await;
        regions(&server.client(), numbered(4..8)).await;
        let mut third = watch(&server, &state, &[]);
        assert_eq!(names(&third.lines(4).await), numbered(4..8));
        third.says("continuing with http://").await;
        // Asked to end, it writes down at once how far it is.
        third.signal(libc::SIGTERM);
        assert_eq!(third.ended().await.0, 0);
        kept_at(&state, 8).await;
    }
}

/// Killed at any moment it repeats at most what it did last, and leaves nothing out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_that_is_killed_repeatedly_misses_nothing() {
    const REGION_COUNT: usize = 60;
    let server = Server::start(Database::Sqlite).await;
    let (_folder, state) = state();
    let writer = tokio::spawn({
        let client = server.client();
        async move { regions(&client, numbered(0..REGION_COUNT)).await }
    });
    let last = format!("r{}", REGION_COUNT - 1);
    let mut seen: Vec<String> = Vec::new();
    for round in 0.. {
        // The state is there after the first round, and would refuse it.
        let begin: &[&str] = if kept(&state).is_none() { &["--after", "0"] } else { &[] };
        let mut watch = watch(&server, &state, begin);
        let enough = if round < 8 { 1 + round % 3 } else { usize::MAX };
        until("enough changes, or the last one, have come", async || {
            let lines = watch.printed();
            lines.len() >= enough || names(&lines).contains(&last)
        })
        .await;
        watch.kill();
        // It may have printed more before it ended, and have kept that it did.
        watch.process.end().await;
        let came = names(&watch.printed());
        let first = came.first().unwrap_or_else(|| panic!("round {round}: nothing came"));
        let next = format!("r{}", seen.len());
        let known = seen.iter().position(|name| name == first);
        assert!(known.is_some() || *first == next, "round {round}: {first} comes after {:?}", seen.last());
        seen.truncate(known.unwrap_or(seen.len()));
        seen.extend(came);
        if seen.last() == Some(&last) {
            break;
        }
    }
    writer.await.expect("the writer");
    assert_eq!(seen, numbered(0..REGION_COUNT));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_resumes_after_restarts_of_the_server() {
    let mut server = steady_server().await;
    let watch = Watch::start(server.cli(["watch"]));
    // It says nothing when it begins: what it prints first shows that it has.
    let mut begun = 0;
    while watch.process.stdout().is_empty() {
        regions(&server.client(), [format!("begin{begun}")]).await;
        begun += 1;
    }
    regions(&server.client(), numbered(0..3)).await;
    for round in 1..=2 {
        if round == 1 {
            server.stop().await
        } else {
            server.kill()
        }
        watch.says("retrying until the server is available").await;
        server.restart().await;
        regions(&server.client(), numbered(3 * round..3 * round + 3)).await;
        until("the last change of the round has come", async || {
            names(&all_lines(&watch.process.stdout())).contains(&format!("r{}", 3 * round + 2))
        })
        .await;
    }
    let came: Vec<String> =
        names(&watch.lines(9).await).into_iter().filter(|name| !name.starts_with("begin")).collect();
    assert_eq!(came, numbered(0..9), "each once, in order");
    assert_eq!(watch.process.stderr().matches("; resuming after revision").count(), 2, "{}", watch.process.stderr());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_waits_for_a_server_only_with_a_state_file() {
    let mut server = steady_server().await;
    server.stop().await;
    let outcome = server.cli(["watch"]).await;
    assert_eq!(outcome.code, 3, "{outcome:?}");
    let (_folder, state) = state();
    let mut watch = watch(&server, &state, &["--within", "site/a", "--after", "0"]);
    watch.says("retrying until the server is available").await;
    assert!(watch.runs() && kept(&state).is_none());
    server.restart().await;
    let client = server.client();
    // A filter with a missing object is refused, now that a server answers.
    assert_eq!(watch.ended().await.0, 1);
    client.apply_all(vec![json!({"site": {"name": "a", "type": "EDGE"}})]).await;
    client.apply_all(vec![json!({"rack": {"site": {"site": "a"}, "name": "r1", "heightU": 42}})]).await;
    let watch = self::watch(&server, &state, &["--within", "site/a", "--after", "0"]);
    assert!(watch.lines(1).await[0].contains("CREATED  rack/a/r1  local"));
    kept_at(&state, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_file_of_another_watch_is_rejected() {
    let server = Server::start(Database::Sqlite).await;
    let (_folder, state) = state();
    let path = state.to_str().expect("a path");
    let run = async |arguments: &[&str]| {
        let outcome = server.cli([&["watch", "--state", path], arguments].concat()).await;
        (outcome.code, outcome.stderr)
    };
    let mut holder = watch(&server, &state, &["--kind", "racks", "--kind", "sites"]);
    kept_at(&state, 0).await;
    let (code, message) = run(&["--kind", "racks", "--kind", "sites"]).await;
    assert!(code == 1 && message.contains("is used by the watch of process"), "{message}");
    holder.signal(libc::SIGTERM);
    assert_eq!(holder.ended().await.0, 0);
    let (code, message) = run(&["--kind", "racks"]).await;
    assert!(
        code == 2 && message.contains("with --kind Rack --kind Site, but this watch has --kind Rack\n"),
        "{message}"
    );
    let (code, message) = run(&["--kind", "site", "--kind", "rack", "--after", "0"]).await;
    assert!(code == 2 && message.contains("so --after cannot be used\nhint: leave out --after"), "{message}");
    std::fs::write(&state, "{\"format\": 1").expect("a file");
    let (code, message) = run(&["--kind", "racks"]).await;
    assert!(code == 1 && message.contains("is not the state of a watch"), "{message}");
    let (code, message) = run(&["--label", "a in (b"]).await;
    assert!(code == 1 && message.contains("is not the state of a watch"), "{message}");
    std::fs::remove_file(&state).expect("a file");
    let (code, message) = run(&["--label", "a in (b"]).await;
    assert!(code == 1 && message.contains("INVALID"), "what the server refuses is not tried again: {message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_position_that_cannot_be_resumed_has_its_own_exit_code() {
    let (server, other) = (Server::start(Database::Sqlite).await, Server::start(Database::Sqlite).await);
    regions(&server.client(), numbered(0..1)).await;
    regions(&other.client(), numbered(0..3)).await;
    let (_folder, state) = state();
    let mut watch = watch(&server, &state, &["--after", "0"]);
    assert_eq!(watch.lines(1).await.len(), 1);
    kept_at(&state, 1).await;
    watch.signal(libc::SIGTERM);
    assert_eq!(watch.ended().await.0, 0);
    let outcome = other.cli(["watch", "--state", state.to_str().expect("a path")]).await;
    assert_eq!((outcome.code, outcome.stdout.as_str()), (5, ""), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("(REVISION_COMPACTED)") && outcome.stderr.contains("delete the state file"),
        "{outcome:?}"
    );
    assert_eq!(kept(&state).map(|kept| kept["place"]["revision"].clone()), Some(json!(1)), "the place stays");
    let outcome = other.cli(["watch", "--after", "99"]).await;
    assert_eq!(outcome.code, 5, "from the future: {outcome:?}");
    assert!(!outcome.stderr.contains("the state file"), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_pipe_ends_a_watch_quietly() {
    let server = Server::start(Database::Sqlite).await;
    regions(&server.client(), numbered(0..5)).await;
    let mut command = Command::new("bash");
    command.args([
        "-c",
        "\"$0\" watch --after 0 | head -n 1; echo \"${PIPESTATUS[0]}\"",
        env!("CARGO_BIN_EXE_underlay"),
    ]);
    command.env("UNDERLAY_SERVER", server.url()).env_remove("UNDERLAY_CONTEXT");
    let mut shell = Process::start(command, None);
    let client = server.client();
    let mut more = 5;
    while shell.ended().is_none() {
        regions(&client, numbered(more..more + 1)).await;
        more += 1;
    }
    shell.end().await;
    let printed = all_lines(&shell.stdout());
    assert_eq!((printed.len(), printed[1].as_str(), shell.stderr().as_str()), (2, "0", ""), "{printed:?}");
    assert_eq!(names(&printed), ["r0"]);
}
