//! The state of a source: which items the server has as this synchronizer last wrote them.
//!
//! Guarantees: the file may be lost, cut off or corrupted at any time. Then it is put aside, and the next scan sends
//! everything. An item counts as written only if the server confirmed it. Before an item is sent, its key is *touched*:
//! it is removed from the state in memory and on the disk. So a synchronizer that is killed at any point sends the item
//! again. Only one synchronizer uses a file at a time.
//!
//! The file is replaced as a whole by [`State::save`]; between two of these, touched keys are appended to it.

mod file;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use thiserror::Error;

use self::file::{Header, Known, StateFile};
use super::messages::RunRequest;
use super::prepared::Digest;

/// The reason why a state file cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// Another synchronizer uses the file.
    #[error("the state file {file} is used by {holder}: end it first, or name another file")]
    Held {
        /// The state file.
        file: String,
        /// The process that uses it.
        holder: String,
    },
    /// The path is that of a folder or a device.
    #[error("the state file {file} is no regular file: name another one")]
    NoFile {
        /// The path.
        file: String,
    },
    /// The lock beside the file cannot be taken.
    #[error("the lock {file} of the state file cannot be made: {error}")]
    Lock {
        /// The lock file.
        file: String,
        /// The reason.
        error: io::Error,
    },
    /// The file can be neither written nor removed, so what it says would become wrong.
    #[error("the state file {file} cannot be written: {error}")]
    Write {
        /// The state file.
        file: String,
        /// The reason.
        error: io::Error,
    },
}

/// The comparison of an item with the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The server has the item as it is.
    Same,
    /// The server has another content, or it is not known what it has.
    Different,
    /// The scan had an item with this identity before.
    Repeated,
}

/// The state of a source.
#[derive(Debug)]
pub struct State {
    source: String,
    history: Option<String>,
    known: HashMap<Digest, Known>,
    scan: u32,
    file: Option<StateFile>,
    /// The run that the process before this one left open.
    left_open: Option<RunRequest>,
}

impl State {
    /// Returns an empty state that is kept in memory only.
    pub fn in_memory(source: &str) -> Self {
        Self { source: source.to_owned(), history: None, known: HashMap::new(), scan: 0, file: None, left_open: None }
    }

    /// Locks a state file, which need not exist, and reads it. A file that cannot be used is put aside, because it can
    /// be another one than the operator meant; the sentence says why.
    ///
    /// # Errors
    /// Returns an error if another process uses the file, it is no regular file, or the lock beside it cannot be made.
    pub fn open(path: &Path, source: &str) -> Result<(Self, Option<String>), StateError> {
        let (mut file, left_open) = StateFile::lock(path)?;
        let mut state = Self { left_open, ..Self::in_memory(source) };
        let note = match file.read() {
            Ok(None) => None,
            Ok(Some((header, known))) if header.source == source => {
                state.history = Some(header.history);
                state.known = known;
                None
            }
            Ok(Some((header, _))) => Some(format!("it belongs to the source {:?}", header.source)),
            Err(error) => Some(error.to_string()),
        };
        let note = match note {
            Some(reason) => {
                let (name, old) = (file.name(), file.put_aside()?);
                Some(format!("the state file {name} is put aside as {old}, so everything is sent once: {reason}"))
            }
            None => None,
        };
        Ok((Self { file: Some(file), ..state }, note))
    }

    /// Tells the state to which history the server's database belongs. With another one than before, nothing is known
    /// any more. Returns true if something was thrown away.
    ///
    /// # Errors
    /// Returns an error if the file of the other history cannot be removed.
    pub fn of_history(&mut self, history: &str) -> Result<bool, StateError> {
        if self.history.as_deref() == Some(history) {
            return Ok(false);
        }
        let lost = self.known.values().any(|known| known.content.is_some());
        self.history = Some(history.to_owned());
        self.known.clear();
        if let Some(file) = &mut self.file {
            file.remove()?;
        }
        Ok(lost)
    }

    /// Takes the request of the run that the process before this one may have left open: it was killed.
    pub fn take_left_open(&mut self) -> Option<RunRequest> {
        self.left_open.take()
    }

    /// Notes the request of a run before it is sent, so that the next process can end the run if this one is killed.
    /// That is a courtesy: without it, the server abandons the run after some minutes.
    pub fn note_run(&mut self, run: Option<RunRequest>) {
        if let Some(file) = &mut self.file {
            // If it cannot be written, the next process waits until the server has abandoned the run.
            let _ = file.note(run);
        }
    }

    /// Begins a scan: nothing counts as seen.
    pub fn begin_scan(&mut self) {
        self.scan = self.scan.wrapping_add(1);
    }

    /// Compares an item of the scan with the state, and notes that it was seen.
    pub fn see(&mut self, key: Digest, content: Digest) -> Compared {
        let known = self.known.entry(key).or_insert(Known { content: None, seen: self.scan.wrapping_sub(1) });
        if known.seen == self.scan {
            return Compared::Repeated;
        }
        known.seen = self.scan;
        if known.content == Some(content) { Compared::Same } else { Compared::Different }
    }

    /// Notes that the scan knows a thing.
    pub fn note_seen(&mut self, key: Digest) {
        if let Some(known) = self.known.get_mut(&key) {
            known.seen = self.scan;
        }
    }

    /// Returns true if the server is known to have this content.
    pub fn has(&self, key: &Digest, content: Digest) -> bool {
        self.known.get(key).is_some_and(|known| known.content == Some(content))
    }

    /// Returns true if the server is known to have a thing, whatever its content.
    pub fn knows(&self, key: &Digest) -> bool {
        self.known.get(key).is_some_and(|known| known.content.is_some())
    }

    /// Notes that items are about to be sent: from now on it is not known what the server has of them.
    ///
    /// # Errors
    /// Returns an error if the file can be neither written nor removed.
    pub fn touch(&mut self, keys: &[Digest]) -> Result<(), StateError> {
        let mut had = Vec::new();
        for key in keys {
            if let Some(known) = self.known.get_mut(key) {
                had.extend(known.content.take().map(|_| *key));
            }
        }
        match &mut self.file {
            Some(file) if !had.is_empty() => file.append(&had),
            _ => Ok(()),
        }
    }

    /// Notes that the server has an item with this content.
    pub fn applied(&mut self, key: Digest, content: Digest) {
        let seen = self.scan;
        self.known.entry(key).or_insert(Known { content: None, seen }).content = Some(content);
    }

    /// Forgets what the last scan did not see: the server judges what becomes of it.
    pub fn end_scan(&mut self) {
        self.known.retain(|_, known| known.seen == self.scan);
    }

    /// Replaces the file by the state as it is now.
    ///
    /// # Errors
    /// Returns an error if the file cannot be replaced. What was there before stays, and is still right.
    pub fn save(&mut self) -> Result<(), StateError> {
        let (Some(file), Some(history)) = (&mut self.file, &self.history) else { return Ok(()) };
        let header = Header { source: self.source.clone(), history: history.clone() };
        file.replace(&header, &self.known).map_err(|error| StateError::Write { file: file.name(), error })
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
