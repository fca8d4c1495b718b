//! The files of a machine, and what programs say of it: those of the machine itself, or those of a recorded tree.
//!
//! Guarantees: all that sections read passes through here. No read returns more than its bound. A recorded tree is never
//! left, not even by its links, and runs no program. What is read is noted where somebody wants to record it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::error::AgentError;
use crate::lldp::Listener;
use crate::permanent_mac;
use crate::programs::{self, Call, Programs};

/// The most that is read of a file of text.
pub const TEXT: u64 = 64 * 1024;
/// The folder of a recorded tree with the reasons why files could not be read, by their paths.
pub const UNREAD: &str = "/unread";
/// The folder of a recorded tree with the permanent MAC addresses, by the names of interfaces.
const PERMANENT: &str = "/net/permanent";

/// What EINVAL, EOPNOTSUPP and ENODATA say of a file of `/sys`: it has no value now, such as the speed of an interface
/// that is switched off.
const NO_VALUE: [i32; 3] = [libc::EINVAL, libc::EOPNOTSUPP, libc::ENODATA];

/// The reason why something was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is not there, or has no value.
    Absent,
    /// It may be there, but cannot be read. The reason is a sentence without its full stop.
    Unread(String),
}

/// Something that was read.
#[derive(Clone, Debug)]
pub enum Seen {
    /// A file and its contents.
    File(Vec<u8>),
    /// A folder.
    Folder,
    /// A link and its target.
    Link(String),
    /// Something that could not be read, and why.
    Unread(String),
}

/// The root of the files of a machine. Clones share the notes about what was read, but each has its own place at which
/// it reads.
#[derive(Debug)]
pub struct Root {
    shared: Arc<Shared>,
    now: Arc<Mutex<String>>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    is_live: bool,
    /// Absent for a recorded tree, which has files in their place.
    programs: Option<Arc<Programs>>,
    /// The listener to the neighbours, once there is one.
    listener: OnceLock<Arc<Listener>>,
    seen: Option<Mutex<Vec<(String, Seen)>>>,
    /// The sections that are being read, each with the place at which its reader is.
    reading: Mutex<BTreeMap<&'static str, Arc<Mutex<String>>>>,
}

/// A section that is being read. Another reader of it can enter once this is dropped.
#[derive(Debug)]
pub struct Entered {
    section: &'static str,
    root: Root,
}

impl Entered {
    /// Returns the root at which the section is read.
    pub fn root(&self) -> Root {
        self.root.along()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        held(&self.root.shared.reading).remove(self.section);
    }
}

impl Root {
    /// Returns the root of this machine.
    #[must_use]
    pub fn live() -> Self {
        Self::of(PathBuf::from("/"), Some(Arc::new(Programs::of_system())), None)
    }

    /// Returns the root of a recorded tree, or of this machine if the folder is `/`.
    ///
    /// # Errors
    /// Returns an error if there is no such folder.
    pub fn tree(folder: &Path) -> Result<Self, AgentError> {
        let found = fs::canonicalize(folder).and_then(|real| fs::read_dir(&real).map(|_| real));
        let real = found.map_err(|source| AgentError::Tree { folder: folder.to_owned(), source })?;
        if real == Path::new("/") { Ok(Self::live()) } else { Ok(Self::of(real, None, None)) }
    }

    /// Returns the same root with some programs, which a recorded tree has not.
    #[must_use]
    pub fn with_programs(&self, programs: Programs) -> Self {
        Self::of(self.shared.folder.clone(), Some(Arc::new(programs)), None)
    }

    fn of(folder: PathBuf, programs: Option<Arc<Programs>>, seen: Option<Mutex<Vec<(String, Seen)>>>) -> Self {
        let is_live = folder == Path::new("/");
        let reading = Mutex::default();
        let shared = Shared { folder, is_live, programs, listener: OnceLock::new(), seen, reading };
        Self { shared: Arc::new(shared), now: Arc::default() }
    }

    /// Begins to listen to the neighbours of this machine, for as long as this root and its clones are used. A recorded
    /// tree has no neighbours that speak.
    pub fn listen(&self) {
        if self.shared.is_live {
            self.shared.listener.get_or_init(|| Arc::new(Listener::start()));
        }
    }

    /// Returns what listens to the neighbours, if anything does.
    pub fn listener(&self) -> Option<Arc<Listener>> {
        self.shared.listener.get().map(Arc::clone)
    }

    /// Returns the same root, which notes what is read.
    pub fn noting(&self) -> Self {
        Self::of(self.shared.folder.clone(), self.shared.programs.clone(), Some(Mutex::default()))
    }

    /// Returns what was read, in order, if it is noted.
    pub fn seen(&self) -> Vec<(String, Seen)> {
        self.shared.seen.iter().flat_map(|seen| held(seen).clone()).collect()
    }

    /// Returns the path at which this root, or one that shares its place, reads or read last.
    pub fn now(&self) -> String {
        held(&self.now).clone()
    }

    /// Begins to read a section, with a place of its own.
    ///
    /// # Errors
    /// While an earlier reader of the section is at work, the root of that one is returned.
    pub fn enter(&self, section: &'static str) -> Result<Entered, Self> {
        let mut reading = held(&self.shared.reading);
        if let Some(now) = reading.get(section) {
            return Err(Self { shared: Arc::clone(&self.shared), now: Arc::clone(now) });
        }
        let root = self.beside();
        reading.insert(section, Arc::clone(&root.now));
        Ok(Entered { section, root })
    }

    /// Returns the same root with a place of its own.
    pub fn beside(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), now: Arc::default() }
    }

    /// Returns the same root, which shares its place with this one.
    pub fn along(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), now: Arc::clone(&self.now) }
    }

    /// Reads a file of at most so many bytes.
    pub fn bytes(&self, path: &str, bound: u64) -> Result<Vec<u8>, Failure> {
        self.noted(path, |full| read(full, bound), |bytes| Seen::File(bytes.clone()))
    }

    /// Reads the names in a folder, in order.
    pub fn names(&self, path: &str) -> Result<Vec<String>, Failure> {
        self.noted(path, names, |_| Seen::Folder)
    }

    /// Reads the target of a link, as it stands there.
    pub fn link(&self, path: &str) -> Result<String, Failure> {
        let read = |full: &Path| fs::read_link(full).map(|target| target.to_string_lossy().into_owned());
        self.noted(path, read, |target| Seen::Link(target.clone()))
    }

    /// Checks that there is a folder. A link to it is noted as one, unless its target would be outside of a tree.
    pub fn folder(&self, path: &str) -> Result<(), Failure> {
        let check = |full: &Path| fs::metadata(full).map(|_| fs::read_link(full).ok().filter(|to| to.is_relative()));
        let seen = |target: &Option<PathBuf>| match target {
            Some(target) => Seen::Link(target.to_string_lossy().into_owned()),
            None => Seen::Folder,
        };
        self.noted(path, check, seen).map(|_| ())
    }

    /// Returns the permanent MAC address that the driver of an interface names: only the kernel has it, so a recorded
    /// tree has a file in its place.
    pub fn permanent_mac(&self, interface: &str) -> Result<Vec<u8>, Failure> {
        let path = format!("{PERMANENT}/{interface}");
        if !self.shared.is_live {
            return self.bytes(&path, TEXT);
        }
        let ask = |_: &Path| permanent_mac::of(interface).map(String::into_bytes);
        self.noted(&path, ask, |bytes| Seen::File(bytes.clone()))
    }

    /// Reads the first bytes of a file, however long it is.
    pub fn head(&self, path: &str, count: u64) -> Result<Vec<u8>, Failure> {
        self.noted(path, |full| read_head(full, count), |bytes| Seen::File(bytes.clone()))
    }

    /// Returns the time that the programs of a section may take.
    pub fn limit_of_programs(&self) -> Duration {
        self.shared.programs.as_ref().map_or(Duration::ZERO, |programs| programs.limit_of_section())
    }

    /// Returns what a program writes, which may run until the deadline.
    pub fn program(&self, call: &Call, deadline: Instant) -> Result<Vec<u8>, Failure> {
        let Some(programs) = &self.shared.programs else { return self.bytes(&call.path(), programs::MOST) };
        call.title().clone_into(&mut held(&self.now));
        let found = programs.output(call, deadline);
        self.note(&call.path(), &found, |bytes| Seen::File(bytes.clone()));
        found
    }

    /// Reads by a function, and notes what came of it.
    fn noted<T>(
        &self,
        path: &str,
        read: impl FnOnce(&Path) -> io::Result<T>,
        seen: impl FnOnce(&T) -> Seen,
    ) -> Result<T, Failure> {
        path.clone_into(&mut held(&self.now));
        let found = self.within(path).and_then(|full| read(&full).map_err(|error| failure(&error)));
        self.note(path, &found, seen);
        found
    }

    fn note<T>(&self, path: &str, found: &Result<T, Failure>, seen: impl FnOnce(&T) -> Seen) {
        let entry = match found {
            Ok(value) => seen(value),
            Err(Failure::Unread(reason)) => Seen::Unread(reason.clone()),
            Err(Failure::Absent) => return,
        };
        if let Some(list) = &self.shared.seen {
            held(list).push((path.to_owned(), entry));
        }
    }

    /// Returns where a path is, if it may be read.
    fn within(&self, path: &str) -> Result<PathBuf, Failure> {
        let full = below(&self.shared.folder, path);
        if self.shared.is_live {
            return Ok(full);
        }
        if let Ok(reason) = read(&below(&below(&self.shared.folder, UNREAD), path), TEXT) {
            return Err(Failure::Unread(String::from_utf8_lossy(&reason).trim().to_owned()));
        }
        // The link itself is inside if the folder is in which it stands.
        let is_link = fs::symlink_metadata(&full).is_ok_and(|found| found.is_symlink());
        let inner = fs::canonicalize(&full).or_else(|error| match full.parent() {
            Some(parent) if is_link => fs::canonicalize(parent),
            _ => Err(error),
        });
        match inner {
            Ok(real) if real.starts_with(&self.shared.folder) => Ok(full),
            Ok(_) => Err(Failure::Unread("leads out of the tree".to_owned())),
            Err(error) => Err(failure(&error)),
        }
    }
}

/// Returns where an absolute path of a machine is below a folder.
pub fn below(folder: &Path, path: &str) -> PathBuf {
    folder.join(path.trim_start_matches('/'))
}

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(full: &Path, bound: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(full)?.take(bound + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bound {
        return Err(io::Error::other(format!("is larger than {} KiB", bound / 1024)));
    }
    Ok(bytes)
}

fn read_head(full: &Path, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(full)?.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn names(full: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(full)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Says why something was not read.
fn failure(error: &io::Error) -> Failure {
    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || error.raw_os_error().is_some_and(|code| NO_VALUE.contains(&code))
    {
        return Failure::Absent;
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    Failure::Unread(first + letters.as_str())
}
