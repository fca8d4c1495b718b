//! The file of an SQLite database, as the process opened it.
//!
//! A process that has a file open writes to it even after its name leads to another file, or to none. Nobody would ever read
//! that again. So each commit compares the file under the name with the one that was opened.

use std::path::{Path, PathBuf};

/// The name of a file, and the file that it led to when it was opened.
#[derive(Clone, Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    opened: Option<Identity>,
}

/// The device and the number of a file on it. They are of one file as long as somebody has it open.
type Identity = (u64, u64);

impl DatabaseFile {
    /// Notes the file that a name leads to now.
    pub fn at(path: PathBuf) -> Self {
        let opened = identity(&path);
        Self { path, opened }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the name leads to another file than the one that was opened, or to none. It never does on systems
    /// other than Unix, where an open file can be neither replaced nor deleted.
    pub fn is_replaced(&self) -> bool {
        self.opened.is_some_and(|opened| identity(&self.path) != Some(opened))
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
