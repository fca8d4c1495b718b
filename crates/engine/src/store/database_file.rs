//! The files of an SQLite database, as the process opened them.
//!
//! A process that has a file open writes to it even after its name leads to another file, or to none. Nobody would ever read
//! that again. So each commit compares the files under the names with those that were opened.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The names of the files of a database, and the files that they led to when they were opened.
#[derive(Clone, Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    opened: Option<Identity>,
    companions: Arc<Companions>,
}

/// The files that SQLite keeps beside the database while a process has it open. SQLite creates them as the first
/// transaction begins, and deletes them with the last connection, which the writer keeps for as long as the process lives.
#[derive(Debug)]
struct Companions {
    /// The write-ahead log, which has what was committed last, and the index of this log in shared memory.
    paths: [PathBuf; 2],
    opened: OnceLock<[Option<Identity>; 2]>,
}

/// The device and the number of a file on it. They are of one file as long as somebody has it open.
type Identity = (u64, u64);

impl DatabaseFile {
    /// Notes the file that a name leads to now.
    pub fn at(path: PathBuf) -> Self {
        let opened = identity(&path);
        // SQLite follows links, and keeps the other files beside the file to which they lead.
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let beside = |ending| {
            let mut name = OsString::from(&real);
            name.push(ending);
            PathBuf::from(name)
        };
        let companions = Companions { paths: ["-wal", "-shm"].map(beside), opened: OnceLock::new() };
        Self { path, opened, companions: Arc::new(companions) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes the files beside the database, unless that has been done. To be called while a transaction is open, which
    /// has them open.
    pub fn note_companions(&self) {
        self.companions.opened.get_or_init(|| self.companions.now());
    }

    /// Returns the first name that leads to another file than the one that was opened, or to none. There is none on systems
    /// other than Unix, where an open file can be neither replaced nor deleted.
    pub fn replaced(&self) -> Option<&Path> {
        if self.opened.is_some_and(|opened| identity(&self.path) != Some(opened)) {
            return Some(&self.path);
        }
        let opened = self.companions.opened.get()?;
        let now = self.companions.now();
        let index = (0..opened.len()).find(|&index| opened[index] != now[index])?;
        Some(&self.companions.paths[index])
    }
}

impl Companions {
    fn now(&self) -> [Option<Identity>; 2] {
        [identity(&self.paths[0]), identity(&self.paths[1])]
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}
