//! `underlay watch --exec`: a command handles each change at least once and in order, or the watch ends before it.

use std::path::Path;

use serde_json::{Value, json};

use super::watch::{Watch, kept, kept_at, regions, state, watch};
use crate::harness::{Database, Server, until};

/// A command that runs a script of the shell.
fn script(text: &str) -> String {
    assert!(!text.contains('\''), "it stands in quotation marks");
    format!("sh -c '{text}'")
}

fn read(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

async fn has_lines(path: &Path, count: usize) -> Vec<String> {
    until(format!("the file has {count} lines"), async || {
        let lines = read(path);
        if lines.len() >= count { Ok(lines) } else { Err(format!("{lines:?}")) }
    })
    .await
}

async fn server_with(count: usize) -> Server {
    let server = Server::start(Database::Sqlite).await;
    regions(&server.client(), (0..count).map(|number| format!("r{number}"))).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_has_the_event_on_its_input_and_in_its_environment() {
    let server = server_with(2).await;
    let (folder, state) = state();
    let (events, variables) = (folder.path().join("events"), folder.path().join("variables"));
    let text = format!(
        "cat >> {}; echo \"$UNDERLAY_EVENT $UNDERLAY_KIND $UNDERLAY_ID $UNDERLAY_NAME $UNDERLAY_REVISION $UNDERLAY_CURSOR \
         $UNDERLAY_SERVER\" >> {}",
        events.display(),
        variables.display()
    );
    let mut first = watch(&server, &state, &["--after", "0", "--exec", &script(&text)]);
    has_lines(&variables, 2).await;
    regions(&server.client(), ["r2".to_owned()]).await;
    let variables = has_lines(&variables, 3).await;
    kept_at(&state, 3).await;
    first.signal(libc::SIGTERM);
    assert_eq!(first.ended().await, (0, String::new()));
    assert_eq!(first.lines(0).await, Vec::<String>::new(), "nothing is printed");
    for (number, (event, variables)) in read(&events).iter().zip(&variables).enumerate() {
        let event: Value = serde_json::from_str(event).expect("JSON");
        assert_eq!((&event["type"], &event["path"]), (&json!("CREATED"), &json!(format!("region/r{number}"))));
        let text = |member: &str| event[member].as_str().expect("text").to_owned();
        let (id, cursor) = (text("objectId"), text("cursor"));
        assert_eq!(*variables, format!("CREATED Region {id} r{number} {} {cursor} {}", number + 1, server.url()));
    }
    assert_eq!(read(&events).len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_fails_is_tried_again_and_then_ends_the_watch_before_the_event() {
    let server = server_with(3).await;
    let (folder, state) = state();
    let ran = folder.path().join("ran");
    let text = format!("echo \"$UNDERLAY_NAME\" >> {}; test \"$UNDERLAY_NAME\" != r1", ran.display());
    let mut first = watch(&server, &state, &["--after", "0", "--tries", "2", "--exec", &script(&text)]);
    let (code, printed) = first.ended().await;
    assert_eq!(code, 6, "{printed}");
    assert!(printed.contains("note: sh ended with exit status: 1 at CREATED region/r1 (try 1 of 2)"), "{printed}");
    assert!(printed.contains("error: sh failed 2 times"), "{printed}");
    assert_eq!(read(&ran), ["r0", "r1", "r1"]);
    assert_eq!(kept(&state).map(|kept| kept["place"]["revision"].clone()), Some(json!(1)), "still before r1");
    // Once it works, it goes on with the same event.
    let good = script(&format!("echo \"$UNDERLAY_NAME\" >> {}", ran.display()));
    let _second = watch(&server, &state, &["--exec", &good]);
    assert_eq!(has_lines(&ran, 5).await, ["r0", "r1", "r1", "r1", "r2"]);
    kept_at(&state, 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_can_succeed_at_the_last_try() {
    let server = server_with(2).await;
    let (folder, state) = state();
    let ran = folder.path().join("ran");
    let text = format!("echo x >> {0}; test $(wc -l < {0}) -ge 3", ran.display());
    let mut watch = watch(&server, &state, &["--after", "0", "-o", "line", "--exec", &script(&text)]);
    assert_eq!(watch.lines(2).await.len(), 2, "printed when it is asked for");
    kept_at(&state, 2).await;
    assert_eq!(read(&ran).len(), 4, "the first three times");
    assert!(watch.runs());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_hangs_is_killed_with_its_children() {
    let server = server_with(1).await;
    let (folder, state) = state();
    let ids = folder.path().join("ids");
    let text = format!("sleep 1000 & echo $! >> {}; wait", ids.display());
    // Each try must have begun within the time limit.
    let arguments = ["--after", "0", "--tries", "2", "--timeout", "5", "--exec", &script(&text)];
    let (code, printed) = watch(&server, &state, &arguments).ended().await;
    assert_eq!(code, 6, "{printed}");
    assert!(
        printed.contains("sh did not end within 5 s and was killed at CREATED region/r0 (try 2 of 2)"),
        "{printed}"
    );
    let ids = read(&ids);
    assert_eq!(ids.len(), 2);
    for id in ids {
        let id: libc::pid_t = id.parse().expect("a process id");
        // SAFETY: a plain system call; no signal is sent.
        until(format!("process {id} has ended"), async || unsafe { libc::kill(id, 0) } != 0 || is_zombie(id)).await;
    }
}

/// Returns true if a process has ended and was not reaped.
fn is_zombie(id: libc::pid_t) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_need_not_read_but_must_exist() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let large = |at| json!({"region": {"name": format!("r{at}"), "attributes": {"a": "x".repeat(15_000)}}});
    client.apply_all((0..10).map(large).collect()).await;
    let (folder, state) = state();
    let ran = folder.path().join("ran");
    let text = format!("exec <&-; echo \"$UNDERLAY_NAME\" >> {}", ran.display());
    let mut first = watch(&server, &state, &["--after", "0", "--exec", &script(&text)]);
    assert_eq!(has_lines(&ran, 10).await.last().map(String::as_str), Some("r9"));
    until("a position is kept", async || kept(&state).is_some_and(|kept| kept["place"]["cursor"] != "0")).await;
    first.signal(libc::SIGTERM);
    // It may be at the last one still, for which it waits.
    assert_eq!(first.ended().await.0, 0);
    let outcome = server.cli(["watch", "--after", "0", "--exec", "/no/such/command --flag"]).await;
    assert_eq!(outcome.code, 6, "{outcome:?}");
    assert!(outcome.stderr.contains("the command /no/such/command cannot be started: No such file"), "{outcome:?}");
    for arguments in [&["--exec", "a 'b"][..], &["--exec", ""], &["--tries", "2"], &["--exec", "a", "--tries", "0"]] {
        let outcome = server.cli([&["watch"], arguments].concat()).await;
        assert_eq!(outcome.code, 2, "{outcome:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_outlives_its_watch_keeps_others_from_the_same_event() {
    let server = server_with(1).await;
    let (folder, state) = state();
    let (ran, go) = (folder.path().join("ran"), folder.path().join("go"));
    let (ran_name, go_name) = (ran.display(), go.display());
    let text =
        format!("echo begun >> {ran_name}; while ! test -e {go_name}; do sleep 0.01; done; echo ended >> {ran_name}");
    let command = script(&text);
    let arguments = ["--after", "0", "--exec", &command];
    let mut first = watch(&server, &state, &arguments);
    has_lines(&ran, 1).await;
    first.kill();
    let (code, printed) = watch(&server, &state, &arguments[2..]).ended().await;
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("or by a command that it started and that still runs"), "{printed}");
    assert_eq!(read(&ran), ["begun"], "no second command ran beside it");
    std::fs::write(&go, "").expect("a file");
    let lock = std::fs::File::open(state.with_extension("json.lock")).expect("the lock");
    until("the command that has ended gives the lock back", async || lock.try_lock().is_ok()).await;
    drop(lock);
    // It may come again: nobody kept that the command took it.
    let _second = watch(&server, &state, &arguments[2..]);
    assert_eq!(has_lines(&ran, 4).await, ["begun", "ended", "begun", "ended"]);
    kept_at(&state, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_lets_the_command_end_and_a_second_one_kills_it() {
    let server = server_with(2).await;
    let (folder, state) = state();
    let (ran, go) = (folder.path().join("ran"), folder.path().join("go"));
    let wait = format!("echo x >> {}; while ! test -e {}; do sleep 0.01; done", ran.display(), go.display());
    let arguments = ["--after", "0", "--exec", &script(&wait)];
    let begin = async |count: usize, arguments: &[&str]| {
        let mut watch = watch(&server, &state, arguments);
        has_lines(&ran, count).await;
        watch.signal(libc::SIGINT);
        watch.says("waiting for sh to end; another signal kills it").await;
        assert!(watch.runs());
        watch
    };
    let mut killed: Watch = begin(1, &arguments).await;
    killed.signal(libc::SIGTERM);
    let (code, printed) = killed.ended().await;
    assert!(code == 0 && printed.contains("note: sh was killed at CREATED region/r0"), "{printed}");
    assert_eq!(kept(&state).map(|kept| kept["place"]["revision"].clone()), Some(json!(0)), "it was not done");
    let mut ended = begin(2, &arguments[2..]).await;
    std::fs::write(&go, "").expect("a file");
    assert_eq!(ended.ended().await.0, 0);
    // Whatever it had begun would hold the lock.
    let lock = std::fs::File::open(state.with_extension("json.lock")).expect("the lock");
    until("nothing runs any more", async || lock.try_lock().is_ok()).await;
    assert_eq!(read(&ran).len(), 2, "nothing is begun any more");
    assert_eq!(kept(&state).map(|kept| kept["place"]["revision"].clone()), Some(json!(1)), "it was done");
}
