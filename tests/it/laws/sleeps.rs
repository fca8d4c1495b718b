//! No test waits for time: it waits for a condition, by `underlay_testing::until`. The list has the places where tests
//! sleep nevertheless, or bound something by a time of their own, with the reasons.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::source::repository;

/// For each file: the number of such places, and the reason.
const LIST: &str = include_str!("sleeps.txt");
/// The folders that can contain tests.
const FOLDERS: [&str; 8] =
    ["adapters", "benches/snapshot.rs", "console/test", "crates", "entity", "migration", "src", "tests"];
/// The calls that wait for a time.
const CALLS: [&str; 7] =
    ["sleep(", "sleep_until(", "timeout(", "timeout_at(", "recv_timeout(", "waitForTimeout(", "setTimeout("];
/// The bound that only a hang reaches. What is bounded by it waits for a condition.
const HANG: &str = "HANG";

/// Returns the part of a file that is compiled for tests only, or all of a file of tests.
fn test_part<'a>(path: &str, text: &'a str) -> &'a str {
    let is_of_tests = |part: &str| {
        let name = part.trim_end_matches(".rs");
        name == "tests" || name == "test" || name.ends_with("_tests")
    };
    match path.split('/').any(is_of_tests) {
        true => text,
        false => text.find("mod tests {").map_or("", |begin| &text[begin..]),
    }
}

/// Counts the calls in a text that wait for a time.
fn waits(text: &str) -> usize {
    let code = |line: &str| line.split_once("//").map_or(line.to_owned(), |(code, _)| code.to_owned());
    let code: String = text.lines().map(code).collect::<Vec<_>>().join("\n");
    let mut found = 0;
    for call in CALLS {
        for (at, _) in code.match_indices(call) {
            // `recv_timeout(` contains `timeout(`, and is counted as itself.
            let is_whole = !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
            let first_argument = code[at + call.len()..].trim_start();
            found += usize::from(is_whole && !first_argument.starts_with(HANG));
        }
    }
    found
}

/// Adds the files below a folder that wait for a time, with the number of places.
fn collect(path: &Path, found: &mut BTreeMap<String, usize>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("read a folder").flatten() {
            collect(&entry.path(), found);
        }
        return;
    }
    let name = path.strip_prefix(repository()).expect("a file of the repository").to_string_lossy().into_owned();
    let is_source = [".rs", ".ts", ".mjs"].iter().any(|ending| name.ends_with(ending));
    // This law names the calls that it looks for.
    if !is_source || name.ends_with("laws/sleeps.rs") {
        return;
    }
    let text = fs::read_to_string(path).expect("read a source file");
    let count = waits(test_part(&name, &text));
    if count > 0 {
        found.insert(name, count);
    }
}

#[test]
fn every_test_that_waits_for_a_time_is_listed_with_its_reason() {
    let mut found = BTreeMap::new();
    for folder in FOLDERS {
        let path = repository().join(folder);
        if path.exists() {
            collect(&path, &mut found);
        }
    }

    let mut listed = BTreeMap::new();
    for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let (Some(count), Some(path), Some(reason)) = (parts.next(), parts.next(), parts.next()) else {
            panic!("{line}: a count, a path and a reason");
        };
        assert!(reason.len() > 10, "{line}: the reason");
        listed.insert(path.to_owned(), count.parse::<usize>().expect("a count"));
    }

    let mut differ = String::new();
    for path in found.keys().chain(listed.keys()).collect::<std::collections::BTreeSet<_>>() {
        let (found, listed) = (found.get(path), listed.get(path));
        if found != listed {
            writeln!(differ, "{path}: found {found:?}, listed {listed:?}").expect("a string");
        }
    }
    assert!(differ.is_empty(), "wait for a condition by `until`, or list the wait in sleeps.txt:\n{differ}");
}

#[test]
fn waits_are_found_and_bounds_of_hangs_are_not() {
    assert_eq!(waits("sleep(SECOND).await; tokio::time::timeout(Duration::ZERO, x); setTimeout(done, 5)"), 3);
    assert_eq!(waits("receiver.recv_timeout(HANG); timeout(HANG, x) // sleep(SECOND)\n until(x); oversleep(1)"), 0);
    assert_eq!(test_part("src/a.rs", "sleep(1) #[cfg(test)] mod tests { sleep(2) }"), "mod tests { sleep(2) }");
    assert_eq!(test_part("src/b_tests/c.rs", "sleep(1)"), "sleep(1)");
}
