//! Tests with programs of the shell. A process is named by a word in its arguments, by which it is found.

use std::path::Path;

use tokio::io::AsyncReadExt as _;
use underlay_testing::until;

use super::*;

fn start(script: &str, environment: &Environment) -> Running {
    let arguments = ["-c".to_owned(), script.to_owned()];
    Running::start("sh", ("sh", &arguments), environment, Stdio::null()).expect("it starts")
}

async fn output(script: &str, environment: &Environment) -> (String, ExitStatus) {
    let mut running = start(script, environment);
    let mut text = String::new();
    running.take_output().expect("output").read_to_string(&mut text).await.expect("text");
    (text, running.wait().await.expect("it ends"))
}

fn none() -> Environment {
    Environment::Only(Vec::new())
}

/// Waits until a file holds so many ids of processes, one on each line.
async fn ids(file: &Path, count: usize) -> Vec<String> {
    until(format!("{count} processes have begun"), async || {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let ids: Vec<String> = text.lines().map(str::to_owned).collect();
        (ids.len() == count && text.ends_with('\n')).then_some(ids)
    })
    .await
}

async fn have_ended(ids: &[String]) {
    for id in ids {
        until(format!("the process {id} has ended"), async || {
            // A process that nobody waited for has ended too.
            let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        })
        .await;
    }
}

/// A script that starts a process in its group, one in a session of its own, and one below that, and waits.
fn family(file: &Path) -> String {
    let file = file.display();
    format!(
        "sleep 1000 & echo $! >> {file}; \
         setsid sh -c 'echo $$ >> {file}; setsid sleep 1000 & echo $! >> {file}; wait' & \
         echo $$ >> {file}; wait"
    )
}

#[tokio::test]
async fn a_program_gets_the_variables_that_are_named() {
    let (text, _) = output("env", &none()).await;
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
    // The shell sets these itself.
    names.retain(|name| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["HOME", "PATH"].iter().filter(|it| std::env::var_os(it).is_some()).copied().collect::<Vec<_>>());
    let passed = Environment::Only(vec!["CARGO_PKG_NAME".to_owned(), "NOBODY_SETS_THIS".to_owned()]);
    let (text, _) = output("env", &passed).await;
    assert!(text.lines().any(|line| line == "CARGO_PKG_NAME=underlay-kit"), "{text}");
    assert!(!text.contains("NOBODY_SETS_THIS"), "{text}");
    let (text, _) = output("env", &Environment::WithoutOurs).await;
    assert!(text.contains("CARGO_PKG_NAME=") && !text.contains("UNDERLAY_"), "{text}");
}

#[tokio::test]
async fn a_program_ends_as_it_would_alone() {
    for (script, expected) in
        [("exit 0", "exit status: 0"), ("exit 7", "exit status: 7"), ("kill -TERM $$", "signal: 15")]
    {
        let (_, status) = output(script, &none()).await;
        assert!(status.to_string().contains(expected), "{script}: {status}");
    }
    let (text, status) = output("kill -TERM 0; sleep 1000", &none()).await;
    assert!(text.is_empty() && status.to_string().contains("signal: 15"), "{status}");
    let missing = Running::start("x", ("/nowhere", &[]), &none(), Stdio::null());
    assert_eq!(missing.map(drop).map_err(|error| error.kind()), Err(io::ErrorKind::NotFound));
}

#[tokio::test]
async fn a_program_that_is_dropped_ends_with_all_that_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ids");
    let running = start(&family(&file), &none());
    let ids = ids(&file, 4).await;
    drop(running);
    have_ended(&ids).await;
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ids");
    let script = format!("setsid sleep 1000 >/dev/null 2>&1 & echo $! >> {}; exit 3", file.display());
    let (_, status) = output(&script, &none()).await;
    assert_eq!(status.code(), Some(3));
    have_ended(&ids(&file, 1).await).await;
}

#[tokio::test]
async fn what_a_killed_keeper_leaves_is_the_program_at_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ids");
    let mut running = start(&format!("echo $$ >> {}; exec sleep 1000", file.display()), &none());
    let ids = ids(&file, 1).await;
    let keeper = running.child.id().and_then(|id| i32::try_from(id).ok()).expect("it runs");
    // SAFETY: a plain system call.
    assert_eq!(unsafe { libc::kill(keeper, libc::SIGKILL) }, 0);
    have_ended(&ids).await;
    assert!(running.wait().await.expect("it ends").to_string().contains("signal: 9"));
}

#[tokio::test]
async fn a_program_that_starts_processes_all_the_time_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ids");
    let script = format!("echo $$ >> {}; while true; do setsid true & done", file.display());
    let mut running = start(&script, &none());
    let ids = ids(&file, 1).await;
    running._life = io::pipe().expect("a pipe").1;
    have_ended(&ids).await;
    assert_eq!(running.wait().await.expect("it ends").code(), Some(128 + libc::SIGKILL));
}
