//! The folders of the tests: all of them are in one folder for each test process, which is removed when the process
//! ends.
//!
//! The folder is locked while its process lives. A killed process cannot remove its folder, but its lock is released.
//! The next test process therefore removes all folders of this form without a lock.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

struct Run {
    path: PathBuf,
    /// Held, never read: closing it would give up the lock.
    _lock: File,
}

static RUN: OnceLock<Run> = OnceLock::new();

/// A new folder, removed when dropped.
pub fn folder(name: &str) -> TempDir {
    let prefix = format!("{name}-");
    tempfile::Builder::new().prefix(&prefix).tempdir_in(&run().path).expect("make a temporary folder")
}

fn run() -> &'static Run {
    RUN.get_or_init(|| {
        let system = std::env::temp_dir();
        let prefix = format!("underlay-it-{}-", user());
        remove_leftovers(&system, &prefix);

        // It gets the name that `remove_leftovers` looks for only once it is locked, so that nobody ever sees it free.
        let made = tempfile::Builder::new().prefix(".underlay-it-").tempdir_in(&system).expect("make a folder").keep();
        // Only passed through by others: PostgreSQL runs as another user when we are root, in a folder inside.
        fs::set_permissions(&made, fs::Permissions::from_mode(0o711)).expect("set permissions");
        let lock = File::open(&made).expect("open a folder");
        lock.try_lock().expect("lock a new folder");
        let unique = made.file_name().expect("a name").to_string_lossy().replace(".underlay-it-", "");
        let path = system.join(prefix + &unique);
        fs::rename(&made, &path).expect("rename a folder");

        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(remove_run) };
        Run { path, _lock: lock }
    })
}

/// Called by `exit`, because statics are never dropped.
extern "C" fn remove_run() {
    if let Some(run) = RUN.get() {
        // A folder that cannot be removed now is left for the next run.
        let _ = fs::remove_dir_all(&run.path);
    }
}

fn remove_leftovers(system: &Path, prefix: &str) {
    for entry in fs::read_dir(system).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix)
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user());
        if !ours {
            continue;
        }
        // Another run may be removing it at the same time: whatever fails here is its business.
        if let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns the current user.
pub fn user() -> u32 {
    // SAFETY: a system call without arguments that cannot fail.
    unsafe { libc::geteuid() }
}
