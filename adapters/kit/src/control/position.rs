//! The newest position in the change log that a controller knows, kept in a file over restarts.
//!
//! Guarantees: when a write has returned, the file has the new position also after a power failure. Of several processes
//! that use one file, none replaces a newer position of the same history by an older one, unless it means to.

use std::fs::File;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use underlay_durable::{Durability, replace_file};

/// The maximum bytes of a file that is read.
const MAX_FILE_BYTES: u64 = 64 << 10;
/// The end of the name of the file by which processes wait for each other.
const LOCK_SUFFIX: &str = ".lock";

/// A position in the change log of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The history that the position belongs to. A database that was restored begins another history.
    pub history: String,
    /// The number of its revision, by which the positions of one history are ordered. Files of earlier versions have none,
    /// which is 0.
    #[serde(default)]
    pub revision: i64,
    /// The cursor. It also has the random id of the batch that made the revision, which no other course of the history has.
    pub cursor: String,
}

/// The reason why a position cannot be read or kept.
#[derive(Debug, Error)]
pub enum PositionError {
    /// The file cannot be read or written.
    #[error("the state file {path} cannot be used: {error}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The reason, as the operating system names it.
        error: std::io::Error,
    },
    /// The file is not one that a controller wrote.
    #[error("the state file {path} is damaged: {reason}")]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The first thing that is wrong with it.
        reason: String,
    },
}

/// The file of a position. It is replaced as a whole, so that a crash leaves the old position or the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionFile {
    path: PathBuf,
}

impl PositionFile {
    /// Returns the file with this path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Reads the position, or `None` if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is damaged.
    pub fn read(&self) -> Result<Option<Position>, PositionError> {
        match std::fs::metadata(&self.path) {
            Ok(about) if about.len() > MAX_FILE_BYTES => {
                return Err(self.damaged(&format!("it has {} bytes, at most {MAX_FILE_BYTES} are read", about.len())));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed(error)),
        }
        let bytes = std::fs::read(&self.path).map_err(|error| self.failed(error))?;
        serde_json::from_slice(&bytes).map(Some).map_err(|error| self.damaged(&error.to_string()))
    }

    /// Replaces the position, whatever is there.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The old position is kept then.
    pub fn write(&self, position: &Position) -> Result<(), PositionError> {
        let _lock = self.lock().map_err(|error| self.failed(error))?;
        self.replace(position).map_err(|error| self.failed(error))
    }

    /// Replaces the position, unless the file has a newer one of the same history.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or is damaged. The old position is kept then.
    pub fn advance(&self, position: &Position) -> Result<(), PositionError> {
        let _lock = self.lock().map_err(|error| self.failed(error))?;
        let is_newer = |it: Position| it.history == position.history && it.revision > position.revision;
        if self.read()?.is_some_and(is_newer) {
            return Ok(());
        }
        self.replace(position).map_err(|error| self.failed(error))
    }

    /// Waits until no other process writes the file. The lock is a file of its own, because each write replaces the other.
    fn lock(&self) -> std::io::Result<File> {
        let mut name = self.path.clone().into_os_string();
        name.push(LOCK_SUFFIX);
        let lock = File::options().create(true).truncate(false).write(true).open(PathBuf::from(name))?;
        lock.lock()?;
        Ok(lock)
    }

    fn replace(&self, position: &Position) -> std::io::Result<()> {
        replace_file(&self.path, Durability::Name, &serde_json::to_vec(position)?).map(drop)
    }

    fn failed(&self, error: std::io::Error) -> PositionError {
        PositionError::File { path: self.path.clone(), error }
    }

    fn damaged(&self, reason: &str) -> PositionError {
        PositionError::Damaged { path: self.path.clone(), reason: reason.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_a_damaged_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hosts.json");
        let file = PositionFile::new(&path);
        assert!(file.read().unwrap().is_none());
        for (revision, cursor) in [(1, "1.0"), (2, "2.7")] {
            let position = Position { history: "h1".into(), revision, cursor: cursor.into() };
            file.write(&position).unwrap();
            assert_eq!(file.read().unwrap(), Some(position));
        }
        for (history, revision, kept) in [("h1", 1, ("h1", 2)), ("h1", 3, ("h1", 3)), ("h2", 1, ("h2", 1))] {
            file.advance(&Position { history: history.into(), revision, cursor: String::new() }).unwrap();
            let position = file.read().unwrap().unwrap();
            assert_eq!((position.history.as_str(), position.revision), kept, "{history} {revision}");
        }
        std::fs::write(&path, "{\"history\":\"h1\",\"cursor\":\"2.7\"}").unwrap();
        let earlier = Position { history: "h1".into(), revision: 0, cursor: "2.7".into() };
        assert_eq!(file.read().unwrap(), Some(earlier), "a file of an earlier version");
        for (bytes, reason) in [
            ("{\"history\":\"h1\"", "EOF"),
            ("{\"history\":\"h1\"}", "missing field `cursor`"),
            ("{\"history\":\"h\",\"cursor\":\"c\",\"more\":1}", "unknown field `more`"),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let error = file.read().unwrap_err().to_string();
            assert!(error.contains("is damaged") && error.contains(reason), "{error}");
        }
        std::fs::write(&path, vec![b' '; 100_000]).unwrap();
        assert!(matches!(file.read(), Err(PositionError::Damaged { .. })));
        let nowhere = PositionFile::new(folder.path().join("missing/hosts.json"));
        let position = Position { history: "h".into(), revision: 1, cursor: "c".into() };
        assert!(matches!(nowhere.write(&position), Err(PositionError::File { .. })));
    }
}
