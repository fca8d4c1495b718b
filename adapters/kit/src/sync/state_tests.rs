//! Tests the state of a source: everything that can happen to its file.

use std::fs::OpenOptions;

use super::file::decode;
use super::*;

const ONE: Digest = [1; 16];
const TWO: Digest = [2; 16];
const OLD: Digest = [8; 16];
const NEW: Digest = [9; 16];

/// Opens a state file that may have just been released. A process that another test starts at that moment also has the
/// descriptor of the lock until it executes its program.
fn open(path: &Path) -> (State, Option<String>) {
    let tries = (0..1_000).find_map(|_| match State::open(path, "git") {
        Err(StateError::Held { .. }) => {
            std::thread::sleep(std::time::Duration::from_millis(10));
            None
        }
        other => Some(other),
    });
    tries.expect("it was given up").expect("it can be opened")
}

/// A saved state in which the server has both objects.
fn saved(path: &Path) -> State {
    let (mut state, note) = open(path);
    assert_eq!(note, None);
    state.of_history("h1").expect("no file yet");
    state.begin_scan();
    for key in [ONE, TWO] {
        assert_eq!(state.see(key, OLD), Compared::Different);
        state.applied(key, OLD);
    }
    state.end_scan();
    state.save().expect("saved");
    state
}

#[test]
fn applied_items_are_known_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    drop(saved(&path));
    let (mut state, note) = open(&path);
    assert_eq!(note, None);
    assert!(!state.of_history("h1").expect("the same history"));
    state.begin_scan();
    assert_eq!(state.see(ONE, OLD), Compared::Same);
    assert_eq!(state.see(ONE, OLD), Compared::Repeated);
    assert_eq!(state.see(TWO, NEW), Compared::Different);
    let names = std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    assert_eq!(names, ["state", "state.lock"], "nothing else is left behind");
}

#[test]
fn items_sent_without_an_answer_are_not_known_after_a_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let mut state = saved(&path);
    state.touch(&[ONE]).expect("appended");
    assert!(!state.has(&ONE, OLD) && state.has(&TWO, OLD));
    // The answer came, but the process dies before it saves.
    state.applied(ONE, NEW);
    drop(state);
    let (state, note) = open(&path);
    assert_eq!(note, None);
    assert!(!state.has(&ONE, OLD) && !state.has(&ONE, NEW) && state.has(&TWO, OLD));
}

#[test]
fn items_that_a_whole_scan_did_not_see_are_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = saved(&folder.path().join("state"));
    state.begin_scan();
    assert_eq!(state.see(ONE, OLD), Compared::Same);
    assert!(state.has(&TWO, OLD), "the scan may fail");
    state.end_scan();
    assert!(!state.has(&TWO, OLD) && state.has(&ONE, OLD));
}

#[test]
fn the_state_of_another_history_or_source_is_thrown_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let mut state = saved(&path);
    assert!(state.of_history("h2").expect("removed"));
    assert!(!path.exists() && !state.has(&ONE, OLD));
    drop(state);
    let (mut state, _) = open(&path);
    state.of_history("h1").expect("no file");
    drop(state);
    drop(saved(&path));
    let (other, note) = State::open(&path, "other").expect("it can be opened");
    assert!(note.is_some_and(|it| it.contains("belongs to the source \"git\"")));
    assert!(!path.exists() && !other.has(&ONE, OLD));
}

#[test]
fn a_file_that_is_cut_off_or_changed_anywhere_is_put_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let mut state = saved(&path);
    let base = std::fs::metadata(&path).expect("a file").len() as usize;
    state.touch(&[ONE]).expect("appended");
    drop(state);
    let whole = std::fs::read(&path).expect("a file");
    for length in (0..whole.len()).filter(|length| *length != base) {
        assert!(decode(&whole[..length]).is_none(), "the first {length} of {} bytes", whole.len());
    }
    // Cut off exactly before the part that was appended, the file is whole. The part was on the disk before anything
    // was sent, so only a file system that loses what it has confirmed can do this.
    assert!(decode(&whole[..base]).is_some());
    for index in 0..whole.len() {
        let mut changed = whole.clone();
        changed[index] ^= 0x10;
        assert!(decode(&changed).is_none(), "byte {index} of {} changed", whole.len());
    }
    std::fs::write(&path, b"garbage").expect("a file");
    let (state, note) = open(&path);
    assert!(note.is_some_and(|it| it.contains("everything is sent once: it is not whole")));
    assert!(!state.has(&TWO, OLD) && !path.exists());
    // It could be a file that somebody named by mistake.
    assert_eq!(std::fs::read(folder.path().join("state.old")).expect("a file"), b"garbage");
}

#[test]
fn a_folder_and_a_device_are_no_state_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [folder.path(), Path::new("/dev/null")] {
        let refused = State::open(path, "git").expect_err("refused").to_string();
        assert!(refused.contains("is no regular file: name another one"), "{refused}");
        assert!(path.exists());
    }
}

#[test]
fn a_file_has_one_synchronizer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let _state = saved(&path);
    let refused = State::open(&path, "git").expect_err("it is held").to_string();
    assert!(refused.contains(&format!("is used by the synchronizer of process {}", std::process::id())), "{refused}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_the_state_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let mut state = saved(&path);
    // Every write to this device fails as on a full disk.
    let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
    state.file.as_mut().expect("a file").saved = Some(full);
    state.touch(&[ONE]).expect("the file is removed instead");
    assert!(!path.exists());
    state.applied(ONE, NEW);
    state.save().expect("there is room again");
    drop(state);
    let (state, _) = open(&path);
    assert!(state.has(&ONE, NEW) && state.has(&TWO, OLD));
}
