//! The state of a source: which items the server has as this synchronizer last wrote them.
//!
//! Guarantees: the file may be lost, cut off or corrupted at any time. Then it is put aside, and the next scan sends
//! everything. An item counts as written only if the server confirmed it. Before an item is sent, its key is *touched*:
//! it is removed from the state in memory and on the disk. So a synchronizer that is killed at any point sends the item
//! again. Only one synchronizer uses a file at a time.
//!
//! The file is replaced as a whole by [`State::save`]; between two of these, touched keys are appended to it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use underlay_durable::{Durability, replace_file, sync_folder_of};

use super::messages::{RunMode, RunRequest};
use super::prepared::Digest;

const MAGIC: &[u8] = b"underlay-sync/1\n";
/// The maximum length of a file that is read: enough for 30 million objects.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// The suffix of a file that was put aside, appended to the name of the state file.
const OLD_SUFFIX: &str = ".old";
/// The suffix of the lock file, appended to the name of the state file.
const LOCK_SUFFIX: &str = ".lock";
/// The maximum length of the lock file, in bytes: a process id, and the request of a run.
const MAX_LOCK_BYTES: u64 = 200;
const DIGEST_BYTES: usize = size_of::<Digest>();
/// The length of the digest over the file, and of that over an appended part.
const SUM_BYTES: usize = 32;
const SHORT_SUM_BYTES: usize = 8;

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

/// The first part of a file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    source: String,
    history: String,
}

/// The facts that are known of an object.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The content that the server has, if that is certain.
    content: Option<Digest>,
    /// The number of the scan that saw the object last.
    seen: u32,
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

/// A state file that this process has locked. Dropping it releases the lock.
#[derive(Debug)]
struct StateFile {
    path: PathBuf,
    lock: File,
    /// The file of the last save, open for appending; `None` if there is no file.
    saved: Option<File>,
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
            let _ = write_lock(&mut file.lock, run);
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

    /// Returns true if the server is known to have this content.
    pub fn has(&self, key: &Digest, content: Digest) -> bool {
        self.known.get(key).is_some_and(|known| known.content == Some(content))
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

impl StateFile {
    /// Takes the lock. Returns also the request of the run that the process before
    /// this one left open.
    fn lock(path: &Path) -> Result<(Self, Option<RunRequest>), StateError> {
        // Each save replaces the file by a rename, so the path must not be a link to the file.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(StateError::NoFile { file: path.display().to_string() });
        }
        let beside = with_suffix(&path, LOCK_SUFFIX);
        let unusable = |error| StateError::Lock { file: beside.to_string_lossy().into_owned(), error };
        // The lock is not truncated on opening: until it is acquired it names the holder.
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&beside);
        let mut lock = opened.map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StateError::Held { file: path.display().to_string(), holder: holder(&mut lock) });
            }
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        let left_open = read_lock(&mut lock).and_then(|(_, run)| run);
        write_lock(&mut lock, None).map_err(unusable)?;
        Ok((Self { path, lock, saved: None }, left_open))
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the file, and keeps it open for appending; `None` if there is none.
    fn read(&mut self) -> io::Result<Option<(Header, HashMap<Digest, Known>)>> {
        let mut file = match OpenOptions::new().read(true).append(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = Vec::new();
        (&mut file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        let read = decode(&bytes).ok_or_else(|| io::Error::other("it is not whole"))?;
        self.saved = Some(file);
        Ok(Some(read))
    }

    fn replace(&mut self, header: &Header, known: &HashMap<Digest, Known>) -> io::Result<()> {
        // The new file has its name from here on, so touched keys go to it even if the folder cannot be synced.
        self.saved = Some(replace_file(&self.path, Durability::Content, &encode(header, known)?)?);
        sync_folder_of(&self.path)
    }

    /// Appends touched keys. If that fails, as on a full disk, the file is removed: it would become wrong.
    fn append(&mut self, keys: &[Digest]) -> Result<(), StateError> {
        let Some(saved) = &mut self.saved else { return Ok(()) };
        let mut bytes = (keys.len() as u32).to_le_bytes().to_vec();
        keys.iter().for_each(|key| bytes.extend_from_slice(key));
        let sum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&sum[..SHORT_SUM_BYTES]);
        let written =
            saved.seek(SeekFrom::End(0)).and_then(|_| saved.write_all(&bytes)).and_then(|()| saved.sync_data());
        if written.is_err() { self.remove() } else { Ok(()) }
    }

    /// Renames the file. Returns its new name.
    fn put_aside(&mut self) -> Result<String, StateError> {
        self.saved = None;
        let old = with_suffix(&self.path, OLD_SUFFIX);
        match std::fs::rename(&self.path, &old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StateError::Write { file: self.name(), error })
            }
            _ => Ok(old.display().to_string()),
        }
    }

    fn remove(&mut self) -> Result<(), StateError> {
        self.saved = None;
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StateError::Write { file: self.name(), error })
            }
            _ => Ok(()),
        }
    }
}

/// Returns the path of a file beside another one.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

fn encode(header: &Header, known: &HashMap<Digest, Known>) -> io::Result<Vec<u8>> {
    let header = serde_json::to_vec(header)?;
    let entries = known.iter().filter_map(|(key, known)| Some((key, known.content?)));
    let mut bytes = Vec::with_capacity(MAGIC.len() + header.len() + 12 + known.len() * 2 * DIGEST_BYTES + SUM_BYTES);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&(entries.clone().count() as u64).to_le_bytes());
    for (key, content) in entries {
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(&content);
    }
    let sum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Reads a file; `None` if any byte of it is not as it was written.
fn decode(bytes: &[u8]) -> Option<(Header, HashMap<Digest, Known>)> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let header = number(&mut rest)?;
    let header: Header = serde_json::from_slice(rest.split_off(..header)?).ok()?;
    let count = usize::try_from(u64::from_le_bytes(rest.split_off(..8)?.try_into().ok()?)).ok()?;
    let entries = rest.split_off(..count.checked_mul(2 * DIGEST_BYTES)?)?;
    let sum = Sha256::digest(&bytes[..bytes.len() - rest.len()]);
    if rest.split_off(..SUM_BYTES)? != &sum[..] {
        return None;
    }
    let mut known = HashMap::with_capacity(count);
    for entry in entries.chunks_exact(2 * DIGEST_BYTES) {
        let (key, content) = entry.split_at(DIGEST_BYTES);
        known.insert(key.try_into().ok()?, Known { content: content.try_into().ok(), seen: 0 });
    }
    while !rest.is_empty() {
        for key in touched(&mut rest)?.chunks_exact(DIGEST_BYTES) {
            known.remove(key);
        }
    }
    Some((header, known))
}

/// Takes an appended part off, and returns its keys.
fn touched<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let whole = *rest;
    let keys = rest_of(rest)?;
    let sum = Sha256::digest(&whole[..4 + keys.len()]);
    (rest.split_off(..SHORT_SUM_BYTES)? == &sum[..SHORT_SUM_BYTES]).then_some(keys)
}

fn rest_of<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let count = number(rest)?;
    rest.split_off(..count.checked_mul(DIGEST_BYTES)?)
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(rest.split_off(..4)?.try_into().ok()?)).ok()
}

/// Describes the holder of a lock, which wrote its process id to the file.
fn holder(file: &mut File) -> String {
    match read_lock(file) {
        Some((process, _)) => format!("the synchronizer of process {process}"),
        // The holder has not written its id yet, or the system does not allow reading a locked file.
        None => "another synchronizer".to_owned(),
    }
}

/// Reads the process that had the lock last, and the request of the run that it left open.
fn read_lock(file: &mut File) -> Option<(u32, Option<RunRequest>)> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(MAX_LOCK_BYTES).read_to_string(&mut text).ok()?;
    let mut words = text.split_whitespace();
    let process = words.next()?.parse().ok()?;
    let mut request = || Some(RunRequest { mode: RunMode::named(words.next()?)?, id: words.next()?.parse().ok()? });
    Some((process, request()))
}

fn write_lock(file: &mut File, run: Option<RunRequest>) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    write!(file, "{}", std::process::id())?;
    match run {
        Some(RunRequest { mode, id }) => write!(file, " {} {id}", mode.name()),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
