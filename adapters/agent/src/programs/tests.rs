//! Programs that hang, fail, and write what they should not.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;
use underlay_testing::{HANG, until_seen};

use super::*;

const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with a program `fake`, which is a script.
fn fake(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    underlay_testing::script(&folder.path().join("fake"), script);
    folder
}

fn programs(folder: &Path, run: Duration, again: Duration) -> Programs {
    Programs::in_folders(vec![folder.to_owned()], Limits { run, section: FOREVER, again })
}

fn call(arguments: &[&str]) -> Call {
    Call {
        program: "fake",
        part: None,
        subject: String::new(),
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
        status: Status::Success,
        says: |bytes| bytes != b"asleep\n",
    }
}

fn output(programs: &Programs, call: &Call) -> Result<String, Failure> {
    let found = programs.output(call, Instant::now() + FOREVER);
    found.map(|bytes| String::from_utf8(bytes).expect("a text"))
}

fn once(script: &str, arguments: &[&str]) -> Result<String, Failure> {
    let folder = fake(script);
    output(&programs(folder.path(), HANG, FOREVER), &call(arguments))
}

#[test]
fn a_program_gets_its_arguments_as_they_are_and_nothing_else() {
    assert_eq!(once("echo \"$# $1\"", &["a; $(b) *", "c"]), Ok("2 a; $(b) *\n".to_owned()));
    let environment = once("env | sort", &[]).expect("an environment");
    let names: Vec<&str> = environment.lines().filter_map(|line| line.split('=').next()).collect();
    // The shell adds some of its own.
    assert_eq!(
        names.into_iter().filter(|name| !["PWD", "_", "SHLVL", "OLDPWD"].contains(name)).collect::<Vec<_>>(),
        ["LC_ALL", "PATH"]
    );
    assert_eq!(once("cat; pwd", &[]), Ok("/\n".to_owned()));
}

#[test]
fn each_end_of_a_program_is_told() {
    let failed = |reason: &str| Err(Failure::Unread(reason.to_owned()));
    for (script, expected) in [
        ("echo a; exit 3", failed("ended with status 3")),
        ("kill -9 $$", failed("was ended by a signal")),
        ("head -c 10485760 /dev/zero", failed("wrote more than 1024 KiB")),
        ("while :; do head -c 100000 /dev/zero; done", failed("wrote more than 1024 KiB")),
        ("echo b >&2", Ok(String::new())),
        // The one that it started is ended too, and keeps nobody waiting.
        ("sleep 100000 > /dev/null 2>&1 & echo c", Ok("c\n".to_owned())),
    ] {
        assert_eq!(once(script, &[]), expected, "{script}");
    }
    let mask = Call { status: Status::Anything, ..call(&[]) };
    let folder = fake("echo a; exit 64");
    assert_eq!(output(&programs(folder.path(), HANG, FOREVER), &mask), Ok("a\n".to_owned()));
}

#[test]
fn a_program_that_cannot_be_run_is_no_fault_of_the_others() {
    let folder = fake("");
    let other = Call { program: "other", ..call(&[]) };
    assert_eq!(output(&programs(folder.path(), HANG, FOREVER), &other), Err(Failure::Absent));
    fs::set_permissions(folder.path().join("fake"), fs::Permissions::from_mode(0o644)).expect("take the right away");
    let found = output(&programs(folder.path(), HANG, FOREVER), &call(&[]));
    assert_eq!(found, Err(Failure::Unread("cannot be started: permission denied".to_owned())));
}

#[tokio::test]
async fn a_program_that_hangs_is_killed_with_all_that_it_started() {
    let folder = fake("sleep 100000 & echo $! > \"$1\"; echo $$ >> \"$1\"; wait");
    let file = folder.path().join("started");
    let call = call(&[file.to_str().expect("a path")]);
    let lines = || fs::read_to_string(&file).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    // A slow machine needs a longer bound before the program has said what it started.
    for bound in (0..10).map(|number| Duration::from_millis(50 << number)) {
        let found = output(&programs(folder.path(), bound, FOREVER), &call);
        assert_eq!(found, Err(Failure::Unread("did not end in time".to_owned())));
        if lines().len() == 2 {
            break;
        }
    }
    assert_eq!(lines().len(), 2);
    let is_gone = |pid: &String| {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // Whoever takes care of orphans may not have waited for it yet.
        state.is_empty() || state.contains(") Z ")
    };
    until_seen("both processes are gone", || lines().iter().all(is_gone)).await;
}

#[tokio::test]
async fn a_program_that_cannot_be_ended_is_not_started_again() {
    let folder = fake("echo a");
    let programs = programs(folder.path(), HANG, Duration::ZERO);
    let call = call(&[]);
    let running = programs.enter(&call.key()).expect("the first one");
    let found = output(&programs, &call);
    assert_eq!(found, Err(Failure::Unread("still runs, and cannot be ended".to_owned())));
    drop(running);
    assert_eq!(output(&programs, &call), Ok("a\n".to_owned()));
    until_seen("the last run is over", || programs.enter(&call.key()).is_some()).await;
}

/// A program that counts its runs in a file, and says the count.
const COUNTS: &str = "echo run >> \"$1\"; exec wc -l < \"$1\"";

#[test]
fn a_result_counts_for_its_time_and_for_its_subject() {
    let folder = fake(COUNTS);
    let file = folder.path().join("runs");
    let call = call(&[file.to_str().expect("a path")]);
    let count = |programs: &Programs, call: &Call| output(programs, call).expect("a count").trim().to_owned();
    let kept = programs(folder.path(), HANG, FOREVER);
    assert_eq!([count(&kept, &call), count(&kept, &call)], ["1", "1"]);
    let other = Call { subject: "another disk".to_owned(), ..call.clone() };
    assert_eq!([count(&kept, &other), count(&kept, &call)], ["2", "1"]);
    let each_time = programs(folder.path(), HANG, Duration::ZERO);
    assert_eq!([count(&each_time, &call), count(&each_time, &call)], ["3", "4"]);
}

#[test]
fn a_failure_counts_for_its_time_too() {
    let folder = fake("echo run >> \"$1\"; exit 1");
    let file = folder.path().join("runs");
    let kept = programs(folder.path(), HANG, FOREVER);
    let call = call(&[file.to_str().expect("a path")]);
    for _ in 0..3 {
        assert_eq!(output(&kept, &call), Err(Failure::Unread("ended with status 1".to_owned())));
    }
    assert_eq!(fs::read_to_string(&file).expect("runs"), "run\n");
}

#[test]
fn what_says_nothing_leaves_what_was_said_last() {
    let folder = fake("cat \"$1\"");
    let file = folder.path().join("text");
    let programs = programs(folder.path(), HANG, Duration::ZERO);
    let call = call(&[file.to_str().expect("a path")]);
    for (text, expected) in [("asleep\n", "asleep\n"), ("well\n", "well\n"), ("asleep\n", "well\n"), ("ill\n", "ill\n")]
    {
        fs::write(&file, text).expect("write a text");
        assert_eq!(output(&programs, &call), Ok(expected.to_owned()));
    }
}

#[test]
fn a_section_without_time_runs_nothing_and_keeps_what_it_knows() {
    let folder = fake("echo a");
    let programs = programs(folder.path(), HANG, Duration::ZERO);
    let late = Err(Failure::Unread("had no time left in this report".to_owned()));
    assert_eq!(programs.output(&call(&[]), Instant::now()), late);
    assert_eq!(output(&programs, &call(&[])), Ok("a\n".to_owned()));
    assert_eq!(programs.output(&call(&[]), Instant::now()), Ok(b"a\n".to_vec()));
}
