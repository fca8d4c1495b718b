//! Reads and writes the file in which a watch keeps its position.
//!
//! Guarantees: the file is always complete, even after a crash of the process or the machine. Only one watch uses it at
//! a time. A file that cannot be read, or belongs to another filter, is an error and never causes a fresh start.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::event::EventPosition;
use super::filter::WatchFilter;
use crate::exit::Exit;
use underlay_durable::{Durability, replace_file};
use underlay_kit::printable;

/// The version of the file format.
const FORMAT: u64 = 1;
/// The maximum number of bytes to read; no state file has as many.
const STATE_FILE_BYTES: u64 = 1 << 20;
/// The suffix of the lock file, appended to the name of the state file.
const SUFFIX: &str = ".lock";
/// The maximum length of a process id in the lock file, in bytes.
const MAX_ID_BYTES: u64 = 20;

/// The content of a state file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SavedState {
    format: u64,
    /// The server that issued the position. A cursor knows its history, so another address of the same inventory also
    /// works.
    pub(super) server: String,
    /// The filter that the position belongs to.
    pub(super) filter: WatchFilter,
    /// The id of the object that `within` of the filter names.
    pub(super) within_id: Option<String>,
    /// The position up to which every event is handled. Files of this format call it `place`.
    #[serde(rename = "place")]
    pub(super) position: EventPosition,
}

impl SavedState {
    pub(super) fn new(server: String, filter: WatchFilter, within_id: Option<String>, position: EventPosition) -> Self {
        Self { format: FORMAT, server, filter, within_id, position }
    }
}

/// The reason why a state file cannot be used.
#[derive(Debug, Error)]
pub(super) enum StateError {
    #[error("the state file {file} cannot be read: {error}")]
    Read { file: String, error: io::Error },
    #[error("{file} is not the state of a watch: {reason}")]
    Garbage { file: String, reason: String },
    #[error("the state file {file} has format {format}, but this version reads only {FORMAT}")]
    Format { file: String, format: Value },
    #[error("the state file {file} belongs to a watch with {saved}, but this watch has {asked}")]
    OtherFilter { file: String, saved: String, asked: String },
    #[error("the state file {file} already has a position, so --after cannot be used")]
    After { file: String },
    #[error("the state file {file} is used by {holder}")]
    Held { file: String, holder: String },
    #[error("the lock {file} of the state file cannot be created: {error}")]
    Lock { file: String, error: io::Error },
    #[error("the state file {file} cannot be written: {error}")]
    Write { file: String, error: io::Error },
}

impl StateError {
    /// Prints the error and a hint how to solve it. Returns the exit code.
    pub(super) fn explain(&self) -> Exit {
        eprintln!("error: {}", printable(&self.to_string()));
        let (hint, exit) = match self {
            Self::Garbage { .. } => ("delete it to begin now, or name another file", Exit::Failed),
            Self::Format { .. } => ("use the version of underlay that wrote it", Exit::Failed),
            Self::OtherFilter { .. } => {
                ("give each watch a file of its own, or delete this file to begin now", Exit::Usage)
            }
            Self::After { .. } => ("leave out --after, or delete the file to begin at --after", Exit::Usage),
            Self::Held { .. } => ("end the other watch and its command first, or name another file", Exit::Failed),
            Self::Read { .. } | Self::Lock { .. } | Self::Write { .. } => return Exit::Failed,
        };
        eprintln!("hint: {hint}");
        exit
    }
}

/// A state file that this process has locked. Dropping it releases the lock.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    /// The open lock file, which is held and never read. The lock is released when every process that has the
    /// descriptor has closed it.
    lock: File,
}

impl StateFile {
    /// Locks a state file, which need not exist.
    pub(super) fn take(path: &Path) -> Result<Self, StateError> {
        // Each write replaces the file by a rename, so the path must not be a link to the file.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut lock_path = path.clone().into_os_string();
        lock_path.push(SUFFIX);
        let unusable = |error| StateError::Lock { file: lock_path.to_string_lossy().into_owned(), error };
        // The lock is a separate file, because each write replaces the state file. It is not truncated on opening:
        // until the lock is acquired it names the holder.
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&lock_path);
        let mut lock = opened.map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StateError::Held { file: shown(&path), holder: holder(&mut lock) });
            }
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        // The process id is only for the error message of another process.
        lock.set_len(0).and_then(|()| write!(lock, "{}", std::process::id())).map_err(unusable)?;
        Ok(Self { path, lock })
    }

    /// Lets the commands that this process starts hold the lock too, with all processes that they start. A command can
    /// outlive a watch that is killed. Until the command ends, no other watch may hand the same event to a second
    /// command.
    pub(super) fn share(&self) -> Result<(), StateError> {
        #[cfg(unix)]
        {
            use rustix::io::{FdFlags, fcntl_setfd};
            let unusable = |error: rustix::io::Errno| StateError::Lock { file: self.name(), error: error.into() };
            fcntl_setfd(&self.lock, FdFlags::empty()).map_err(unusable)?;
        }
        Ok(())
    }

    /// Returns the path of the file for messages.
    pub(super) fn name(&self) -> String {
        shown(&self.path)
    }

    /// Reads the content of the file; `None` if it does not exist yet.
    pub(super) fn read(&self, asked: &WatchFilter) -> Result<Option<SavedState>, StateError> {
        let file = self.name();
        let mut bytes = Vec::new();
        match File::open(&self.path).and_then(|opened| opened.take(STATE_FILE_BYTES).read_to_end(&mut bytes)) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::Read { file, error }),
        }
        let garbage = |error: serde_json::Error| StateError::Garbage { file: file.clone(), reason: error.to_string() };
        let value: Value = serde_json::from_slice(&bytes).map_err(garbage)?;
        match value.get("format") {
            Some(format) if *format != FORMAT => return Err(StateError::Format { file, format: format.clone() }),
            _ => {}
        }
        let saved: SavedState = serde_json::from_value(value).map_err(garbage)?;
        match saved.filter == *asked {
            true => Ok(Some(saved)),
            false => Err(StateError::OtherFilter { file, saved: saved.filter.to_string(), asked: asked.to_string() }),
        }
    }

    /// Replaces the content of the file. When this returns, the new content survives a power failure of the machine.
    pub(super) fn write(&self, saved: &SavedState) -> Result<(), StateError> {
        self.replace(saved).map_err(|error| StateError::Write { file: self.name(), error })
    }

    fn replace(&self, saved: &SavedState) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(saved)?;
        text.push(b'\n');
        replace_file(&self.path, Durability::Name, &text).map(drop)
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Describes the holder of a lock, which wrote its process id to the file. The text ends an error message.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(MAX_ID_BYTES).read_to_string(&mut text));
    match (read, text.parse::<u32>()) {
        (Ok(_), Ok(process)) => {
            format!("the watch of process {process}, or by a command that it started and that still runs")
        }
        // The holder has not written its id yet, or the system does not allow reading a locked file.
        _ => "another watch".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(revision: i64) -> SavedState {
        let position = EventPosition { cursor: revision.to_string(), revision: Some(revision) };
        SavedState::new("http://s".to_owned(), WatchFilter::default(), None, position)
    }

    /// Locks a state file that was released. A process that another test starts at that moment also has the descriptor
    /// of the lock until it executes its program.
    fn state_after_unlock(path: &Path) -> StateFile {
        let tries = (0..1_000).find_map(|_| {
            let taken = StateFile::take(path).ok();
            taken.or_else(|| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                None
            })
        });
        tries.expect("it was given up")
    }

    #[test]
    fn a_saved_state_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let file = StateFile::take(&path).expect("nobody has it");
        assert_eq!(file.read(&WatchFilter::default()).expect("no file is no error"), None);
        for revision in [1, 2] {
            file.write(&saved(revision)).expect("write");
            assert_eq!(file.read(&WatchFilter::default()).expect("read"), Some(saved(revision)));
        }
        let held = StateFile::take(&path).expect_err("it is held").to_string();
        assert!(
            held.ends_with(&format!(
                "is used by the watch of process {}, or by a command that it started and that still runs",
                std::process::id()
            )),
            "{held}"
        );
        drop(file);
        let names = std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        assert_eq!(names, ["state", "state.lock"], "nothing else is left behind");
        let again = state_after_unlock(&path);
        assert_eq!(again.read(&WatchFilter::default()).expect("read"), Some(saved(2)));
    }

    #[test]
    fn an_invalid_state_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = StateFile::take(&folder.path().join("state")).expect("nobody has it");
        let good = serde_json::to_string(&saved(1)).expect("JSON");
        for (text, expected) in [
            (String::new(), "is not the state of a watch: EOF"),
            ("{}".to_owned(), "missing field"),
            (good[..good.len() - 1].to_owned(), "is not the state of a watch: EOF"),
            (good.replace("\"cursor\"", "\"curser\""), "missing field `cursor`"),
            (good.replace("\"format\":1", "\"format\":2"), "has format 2, but this version reads only 1"),
            (
                good.replace("\"kinds\":[]", "\"kinds\":[\"Rack\"]"),
                "a watch with --kind Rack, but this watch has no filter",
            ),
        ] {
            std::fs::write(&file.path, &text).expect("a file");
            let message = file.read(&WatchFilter::default()).expect_err("refused").to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
