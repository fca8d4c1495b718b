//! The file of a state, and the lock beside it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use underlay_durable::{Durability, replace_file, sync_folder_of};

use super::StateError;
use crate::sync::messages::{RunMode, RunRequest};
use crate::sync::prepared::Digest;

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

/// The first part of a file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) source: String,
    pub(super) history: String,
}

/// The facts that are known of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The content that the server has, if that is certain.
    pub(super) content: Option<Digest>,
    /// The number of the scan that saw the object last.
    pub(super) seen: u32,
}

/// A state file that this process has locked. Dropping it releases the lock.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    lock: File,
    /// The file of the last save, open for appending; `None` if there is no file.
    pub(super) saved: Option<File>,
}

impl StateFile {
    /// Takes the lock. Returns also the request of the run that the process before this one left open.
    pub(super) fn lock(path: &Path) -> Result<(Self, Option<RunRequest>), StateError> {
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

    /// Writes the request of the open run to the lock file.
    pub(super) fn note(&mut self, run: Option<RunRequest>) -> io::Result<()> {
        write_lock(&mut self.lock, run)
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the file, and keeps it open for appending; `None` if there is none.
    pub(super) fn read(&mut self) -> io::Result<Option<(Header, HashMap<Digest, Known>)>> {
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

    pub(super) fn replace(&mut self, header: &Header, known: &HashMap<Digest, Known>) -> io::Result<()> {
        // The new file has its name from here on, so touched keys go to it even if the folder cannot be synced.
        self.saved = Some(replace_file(&self.path, Durability::Content, &encode(header, known)?)?);
        sync_folder_of(&self.path)
    }

    /// Appends touched keys. If that fails, as on a full disk, the file is removed: it would become wrong.
    pub(super) fn append(&mut self, keys: &[Digest]) -> Result<(), StateError> {
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
    pub(super) fn put_aside(&mut self) -> Result<String, StateError> {
        self.saved = None;
        let old = with_suffix(&self.path, OLD_SUFFIX);
        match std::fs::rename(&self.path, &old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StateError::Write { file: self.name(), error })
            }
            _ => Ok(old.display().to_string()),
        }
    }

    pub(super) fn remove(&mut self) -> Result<(), StateError> {
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
pub(super) fn decode(bytes: &[u8]) -> Option<(Header, HashMap<Digest, Known>)> {
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
