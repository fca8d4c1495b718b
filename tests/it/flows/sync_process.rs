//! Synchronizers as processes that are stopped, killed, doubled and short of room, against servers that restart.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rand::Rng as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::harness::{Cli, Client, Database, HANG, Process, Server, exit_code, scratch, until};

use super::sources::names;

/// A program that prints regions: some at once, and the others when the test says so.
struct Program {
    folder: TempDir,
}

impl Program {
    /// A program that prints these regions, the first 1,000 of them at once.
    fn new(regions: std::ops::Range<usize>) -> Self {
        let program = Self { folder: scratch::folder("sync-process") };
        program.prints(regions);
        program
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn prints(&self, regions: std::ops::Range<usize>) {
        let item = |id: usize| json!({"item": {"region": {"externalId": id.to_string(), "name": format!("r{id}")}}});
        self.lines(&regions.map(item).collect::<Vec<_>>());
    }

    fn lines(&self, items: &[Value]) {
        let (first, rest) = items.split_at(items.len().min(1_000));
        let text = |items: &[Value]| items.iter().map(|item| format!("{item}\n")).collect::<String>();
        fs::write(self.path("first"), text(first)).expect("a file");
        let end = json!({"end": true, "items": items.len()});
        fs::write(self.path("rest"), format!("{}{end}\n", text(rest))).expect("a file");
    }

    /// Lets the program print the rest.
    fn go(&self) {
        fs::write(self.path("go"), "").expect("a file");
    }

    /// Lets the program wait again before it prints the rest.
    fn wait(&self) {
        fs::remove_file(self.path("go")).expect("a file");
    }

    fn arguments(&self, state: &Path, flags: &[&str]) -> Vec<String> {
        let script = format!(
            "cat {0}/first; while [ ! -e {0}/go ]; do sleep 0.05; done; cat {0}/rest",
            self.folder.path().display()
        );
        let mut arguments = vec!["sync".to_owned(), "exec".to_owned(), "--name".to_owned(), "racks".to_owned()];
        arguments.extend(["--state".to_owned(), state.display().to_string()]);
        arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
        arguments.extend(["--", "sh", "-c", &script].map(str::to_owned));
        arguments
    }

    fn sync(&self, server: &Server, flags: &[&str]) -> Cli {
        server.cli(self.arguments(&self.path("state"), flags))
    }

    /// The names of the regions that it has.
    fn names(&self) -> Vec<String> {
        let text = ["first", "rest"].map(|file| fs::read_to_string(self.path(file)).expect("a file")).concat();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        sorted(lines.filter_map(|line| Some(line["item"]["region"]["name"].as_str()?.to_owned())).collect())
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

/// The names of all regions, which can be more than a page.
async fn regions(client: &Client) -> Vec<String> {
    let (mut all, mut after) = (Vec::new(), Value::Null);
    loop {
        let query = "query($after: String) { regions(first: 1000, after: $after) {
          nodes { name } pageInfo { hasNextPage endCursor } } }";
        let page = client.ok(query, json!({ "after": after })).await["regions"].take();
        let nodes = page["nodes"].as_array().expect("nodes").clone();
        all.extend(nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()));
        if page["pageInfo"]["hasNextPage"] != true {
            return sorted(all);
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

/// Creates the source so that what is gone is deleted.
async fn deleting(client: &Client) {
    let input = json!({"name": "racks", "type": "exec", "prune": "DELETE"});
    let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
    client.ok(create, json!({ "input": input })).await;
}

/// The states of the runs, newest first.
async fn runs(client: &Client) -> Vec<String> {
    let data = client.ok("{ source(name: \"racks\") { runs(first: 10) { nodes { state } } } }", json!({})).await;
    let runs = data["source"]["runs"]["nodes"].as_array().expect("runs").clone();
    runs.iter().map(|run| run["state"].as_str().expect("a state").to_owned()).collect()
}

async fn ended(process: &mut Process) -> i32 {
    let status = process.end().await;
    exit_code(status).unwrap_or_else(|reason| panic!("{reason}: {}", process.stderr()))
}

#[track_caller]
fn done(outcome: &crate::harness::Outcome) {
    assert_eq!(outcome.code, 0, "{outcome:?}");
}

#[tokio::test]
async fn a_synchronizer_that_is_asked_to_stop_stops_cleanly() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    deleting(&client).await;
    let program = Program::new(0..1_200);
    program.go();
    done(&program.sync(&server, &["--once"]).await);
    program.wait();

    // A hundred are gone, and the scan does not come to its end.
    program.prints(100..1_500);
    let mut process = program.sync(&server, &["--once"]).start();
    until("a run comes", async || runs(&client).await[0] == "RUNNING").await;
    process.signal(libc::SIGTERM);
    assert_eq!(ended(&mut process).await, 0, "{}", process.stderr());
    assert!(process.stdout().contains("racks: full run stopped"), "{}", process.stdout());
    assert_eq!(runs(&client).await[..2], ["CANCELLED", "SUCCEEDED"]);
    let there = regions(&client).await;
    assert!((0..100).all(|id| there.contains(&format!("r{id}"))), "nothing is removed");

    program.go();
    let outcome = program.sync(&server, &["--once"]).await;
    done(&outcome);
    assert!(outcome.stdout.contains("1400 items") && outcome.stdout.contains("100 gone"), "{outcome:?}");
    assert_eq!(regions(&client).await, program.names());
}

#[tokio::test]
async fn a_synchronizer_that_is_killed_ends_like_a_clean_one() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    deleting(&client).await;
    let program = Program::new(0..3_000);
    program.go();
    for round in 0..5 {
        program.prints(round * 40..3_000 + round);
        let before = regions(&client).await;
        let mut process = program.sync(&server, &["--once"]).start();
        // The file beside the state names the process, and the request of a run once it is sent.
        let (lock, id) = (program.path("state.lock"), process.pid().to_string());
        let words = || -> Vec<String> {
            fs::read_to_string(&lock).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let has_run = || matches!(&words()[..], [process, _, _] if *process == id);
        until("there is a run", async || process.ended().is_some() || has_run()).await;
        // The moment of the kill is the test: whatever it hits, nothing is lost.
        tokio::time::sleep(Duration::from_millis(rand::rng().random_range(0..700))).await;
        process.kill();
        let there = regions(&client).await;
        // Objects that the server had and the source still has stay, however far the synchronizer came.
        let lost: Vec<_> =
            program.names().into_iter().filter(|it| before.contains(it) && !there.contains(it)).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
    let outcome = program.sync(&server, &["--once"]).await;
    done(&outcome);
    assert_eq!(regions(&client).await, program.names());
    let again = program.sync(&server, &["--once"]).await;
    assert!(again.stdout.contains("2844 items, 2844 unchanged"), "{again:?}");
    assert!(!runs(&client).await.contains(&"RUNNING".to_owned()));
}

#[tokio::test]
async fn a_server_that_restarts_in_the_middle_of_a_run_gets_the_rest() {
    let mut server = Server::start(Database::Sqlite).await;
    server.keep_port();
    let program = Program::new(0..2_500);
    let mut process = program.sync(&server, &["--once"]).start();
    let client = server.client();
    until("a batch comes", async || !names(&client).await.is_empty()).await;
    server.kill();
    // It goes on while nobody answers.
    program.go();
    let address = server.url().trim_start_matches("http://");
    let listener = until("the address of the server is free", async || TcpListener::bind(address).await).await;
    let tried = timeout(HANG, listener.accept()).await.expect("it tries again");
    drop((tried.expect("a connection"), listener));
    server.restart().await;
    assert_eq!(ended(&mut process).await, 0, "{}{}", process.stdout(), process.stderr());
    assert!(process.stdout().contains("2500 items"), "{}", process.stdout());
    assert_eq!(runs(&server.client()).await, ["SUCCEEDED"]);
    assert_eq!(regions(&server.client()).await, program.names());
}

#[tokio::test]
async fn a_second_synchronizer_is_refused_in_a_sentence_and_harms_nothing() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let program = Program::new(0..1_500);
    let mut first = program.sync(&server, &["--once"]).start();
    until("a batch comes", async || !names(&client).await.is_empty()).await;
    let second = program.sync(&server, &["--once"]).await;
    assert_eq!(second.code, 1, "{second:?}");
    let expected =
        format!("is used by the synchronizer of process {}: end it first, or name another file", first.pid());
    assert!(
        second.stderr.starts_with("error: racks: the state file ") && second.stderr.contains(&expected),
        "{second:?}"
    );
    assert_eq!(second.stderr.lines().count(), 1, "{second:?}");

    // With a state file of its own, the server refuses its run.
    let third = server.cli(program.arguments(&program.path("other"), &["--once"])).await;
    assert_eq!(third.code, 1, "{third:?}");
    let errors: Vec<&str> = third.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(errors.len() == 1 && errors[0].starts_with("error: racks: "), "{third:?}");
    assert!(errors[0].contains("IN_USE"), "{third:?}");

    program.go();
    assert_eq!(ended(&mut first).await, 0, "{}", first.stderr());
    assert_eq!(regions(&client).await, program.names());
    assert_eq!(runs(&client).await, ["SUCCEEDED"]);
}

/// Returns a command that cannot make a file longer than 4 KiB, which fails as on a full disk.
fn without_room(server: &Server, arguments: &[String]) -> Cli {
    let words: Vec<String> = arguments.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let script = format!("trap '' XFSZ; ulimit -f 8; exec '{}' {}", env!("CARGO_BIN_EXE_underlay"), words.join(" "));
    Cli::within("sh", ["-c".to_owned(), script]).server(server.url())
}

#[tokio::test]
async fn a_full_disk_under_the_state_file_keeps_nothing_from_being_synchronized() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let program = Program::new(0..1_500);
    program.go();
    let hint =
        format!("sh -c 'while [ ! -e {}/hint ]; do sleep 0.05; done; echo; sleep 60'", program.folder.path().display());
    let arguments = program.arguments(&program.path("state"), &["--hints", &hint]);
    let mut process = without_room(&server, &arguments).start();
    let runs_said = |process: &Process| process.stdout().matches("racks: full run: ").count();
    until("the first run has ended", async || runs_said(&process) == 1).await;
    until("it says that the file cannot be written", async || process.stderr().contains("cannot be written")).await;
    let output = process.stderr();
    assert!(
        output.contains("note: racks: the state file ") && output.contains("its content stays correct"),
        "{output}"
    );
    assert!(!program.path("state").exists());

    // It goes on, and knows what it wrote.
    program.prints(10..1_501);
    fs::write(program.path("hint"), "").expect("a file");
    until("the second run has ended", async || runs_said(&process) == 2).await;
    assert!(process.stdout().contains("1491 items, 1 created, 1490 unchanged"), "{}", process.stdout());
    process.signal(libc::SIGTERM);
    assert_eq!(ended(&mut process).await, 0, "{}", process.stderr());

    // There is room again: everything is sent once, which changes nothing.
    let outcome = program.sync(&server, &["--once"]).await;
    done(&outcome);
    assert!(outcome.stdout.contains("1491 items, 1491 unchanged"), "{outcome:?}");
    assert!(program.path("state").exists());
    assert_eq!(regions(&client).await.len(), 1_501);
}

#[tokio::test]
async fn an_id_that_is_used_for_another_kind_is_another_object() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    deleting(&client).await;
    let program = Program::new(0..0);
    program.go();
    let region = |id: &str| json!({"item": {"region": {"externalId": id, "name": format!("region {id}")}}});
    let site = |id: &str| json!({"item": {"site": {"externalId": id, "name": format!("site {id}"), "type": "OTHER"}}});
    let there = async || {
        let query = "{ regions(first: 10) { nodes { name } } sites(first: 10) { nodes { name } } }";
        let data = client.ok(query, json!({})).await;
        ["regions", "sites"].map(|list| {
            let nodes = data[list]["nodes"].as_array().expect("nodes").clone();
            sorted(nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect())
        })
    };
    // At the same time.
    program.lines(&[region("1"), region("2"), region("3"), site("1"), site("9")]);
    done(&program.sync(&server, &["--once"]).await);
    assert_eq!(there().await, [vec!["region 1", "region 2", "region 3"], vec!["site 1", "site 9"]]);
    // One after the other: the region 3 is gone, and the site 3 is new.
    program.lines(&[region("1"), region("2"), site("1"), site("3"), site("9")]);
    let outcome = program.sync(&server, &["--once"]).await;
    done(&outcome);
    assert!(outcome.stdout.contains("1 created, 4 unchanged, 1 gone"), "{outcome:?}");
    assert_eq!(there().await, [vec!["region 1", "region 2"], vec!["site 1", "site 3", "site 9"]]);
}

#[tokio::test]
async fn health_and_metrics_are_answered() {
    let server = Server::start(Database::Sqlite).await;
    let program = Program::new(0..1_200);
    let config = program.path("sync.toml");
    let script = format!(
        "cat {0}/first; while [ ! -e {0}/go ]; do sleep 0.05; done; cat {0}/rest",
        program.folder.path().display()
    );
    let text = format!(
        "[sources.racks]\nstate = {:?}\nexec.program = [\"sh\", \"-c\", {script:?}]\n\
         [sources.broken]\nstate = {:?}\nexec.program = [\"sh\", \"-c\", \"exit 3\"]\n",
        program.path("racks.state"),
        program.path("broken.state")
    );
    fs::write(&config, text).expect("a file");
    let config = config.display().to_string();
    let mut process = server.cli(["sync", "--config", &config, "--listen", "127.0.0.1:0"]).start();
    let address = until("it says its address", async || {
        let output = process.stderr();
        let (_, rest) = output.split_once("health checks and metrics at ")?;
        Some(rest.split_once('\n')?.0.to_owned())
    });
    let address = address.await;
    let listener = Client::new(&address);
    let get = async |path: &str| {
        let answer = listener.get(path).await;
        (answer.status, answer.text())
    };
    assert_eq!(get("/healthz").await, (200, "ok\n".to_owned()));
    until("a failure comes", async || get("/readyz").await.1.contains("broken: the full run failed: ")).await;
    let (status, body) = get("/readyz").await;
    assert_eq!((status, body.lines().count()), (503, 2), "{body}");
    assert!(body.contains("racks: the first full run has not ended yet"), "{body}");
    assert!(body.contains("sh: wrong answer at line 1: expected"), "{body}");
    assert_eq!(get("/nowhere").await.0, 404);

    program.go();
    until("a success comes", async || !get("/readyz").await.1.contains("racks:")).await;
    let (status, metrics) = get("/metrics").await;
    assert_eq!(status, 200);
    for line in [
        "# TYPE underlay_sync_runs_total counter",
        r#"underlay_sync_runs_total{source="racks",mode="FULL",state="SUCCEEDED"} 1"#,
        r#"underlay_sync_runs_total{source="broken",mode="FULL",state="FAILED"} "#,
        r#"underlay_sync_items_total{source="racks",result="created"} 1200"#,
        r#"underlay_sync_last_run_seconds{source="racks"} "#,
        r#"underlay_sync_last_success_timestamp_seconds{source="racks"} "#,
    ] {
        assert!(metrics.lines().any(|it| it.starts_with(line)), "{line} is missing:\n{metrics}");
    }
    assert!(!metrics.contains(r#"last_success_timestamp_seconds{source="broken""#), "{metrics}");
    process.signal(libc::SIGTERM);
    ended(&mut process).await;
}
