//! Writes the files that a report is made of into a new folder, so that the same report can be made elsewhere.
//!
//! Guarantees: only what the sections read is written. Without serial numbers, the folder has none of the machine, and
//! no UUID and no MAC address.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use underlay_facts::Report;

use crate::error::AgentError;
use crate::redact::Inventor;
use crate::report::report;
use crate::root::{Root, Seen, UNREAD, below};

/// The fate of serial numbers, UUIDs and MAC addresses in a recorded tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serials {
    /// They stay.
    Kept,
    /// Made-up ones stand for them: the same one for the same value on the same machine.
    MadeUp,
}

/// Makes a report, writes what it read into a new folder, and returns it, with the serial numbers of the machine.
///
/// # Errors
/// Returns an error if the folder is not empty, or cannot be written.
pub fn record(root: &Root, folder: &Path, serials: Serials, patience: Duration) -> Result<Report, AgentError> {
    let folder = prepared(folder)?;
    let root = root.noting();
    let report = report(&root, patience);
    let mut seen = root.seen();
    if serials == Serials::MadeUp {
        let inventor = Inventor::of(&root);
        for (path, entry) in &mut seen {
            match entry {
                Seen::File(bytes) => *bytes = inventor.redacted(path, bytes),
                Seen::Link(target) => *target = inventor.path(target),
                Seen::Folder | Seen::Unread(_) => {}
            }
            *path = inventor.path(path);
        }
    }
    // Links come before what is read through them.
    seen.sort_by_key(|(path, entry)| (!matches!(entry, Seen::Link(_)), path.len()));
    for (path, entry) in &seen {
        write(&folder, path, entry)?;
    }
    Ok(report)
}

/// Makes the folder, and returns where it really is.
fn prepared(folder: &Path) -> Result<PathBuf, AgentError> {
    let wrong = |source| AgentError::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(wrong)?;
    if fs::read_dir(folder).map_err(wrong)?.next().is_some() {
        return Err(AgentError::NotEmpty { folder: folder.to_owned() });
    }
    fs::canonicalize(folder).map_err(wrong)
}

fn write(folder: &Path, path: &str, entry: &Seen) -> Result<(), AgentError> {
    let full = match entry {
        Seen::Unread(_) => below(&below(folder, UNREAD), path),
        _ => below(folder, path),
    };
    let written = match entry {
        Seen::Folder => fs::create_dir_all(&full),
        Seen::File(bytes) => with_parent(&full).and_then(|()| fs::write(&full, bytes)),
        Seen::Unread(reason) => with_parent(&full).and_then(|()| fs::write(&full, reason)),
        Seen::Link(target) => with_parent(&full).and_then(|()| link(folder, &full, target)),
    };
    written.map_err(|source| AgentError::Write { path: full, source })
}

fn with_parent(full: &Path) -> io::Result<()> {
    full.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Makes a link, and the folder to which it leads if that is in the tree.
fn link(folder: &Path, full: &Path, target: &str) -> io::Result<()> {
    match symlink(target, full) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let Some(parent) = full.parent() else { return Ok(()) };
    let mut end = fs::canonicalize(parent)?;
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => {
                end.pop();
            }
            Component::Normal(name) => end.push(name),
            _ => {}
        }
    }
    if end.starts_with(folder) && !target.starts_with('/') { fs::create_dir_all(end) } else { Ok(()) }
}
