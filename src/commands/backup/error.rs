//! The errors of `backup` and `restore`.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use underlay_engine::store::StoreError;

/// The reason why a database was not backed up or not restored.
#[derive(Debug, Error)]
pub(super) enum BackupError {
    #[error("the database is on PostgreSQL: use its own program {program}")]
    Shared { program: &'static str },
    #[error("the database exists only in the memory of the process that created it")]
    InMemory,
    #[error("there is no database at {0}")]
    NoDatabase(PathBuf),
    #[error("there is already a database at {0}; --force replaces it and keeps it in the same folder")]
    DatabaseExists(PathBuf),
    #[error("{0} already exists; --force replaces it")]
    BackupExists(PathBuf),
    #[error("{0} is the database itself")]
    Itself(PathBuf),
    #[error(
        "{0} is not a backup but a database in use, with changes in a separate file; make a backup with `underlay backup`"
    )]
    InUse(PathBuf),
    #[error("{0} is damaged: its content does not match the checksum at its end")]
    Damaged(PathBuf),
    #[error(
        "{0} has no checksum at its end: it was cut off, is not a backup, or was made by a version without checksums; \
         --no-checksum restores it nevertheless"
    )]
    NoChecksum(PathBuf),
    #[error("{path}: {error}", path = .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("ended by a signal: nothing was changed")]
    Ended,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns a function that adds the path of the file to an error of the operating system.
pub(super) fn of_file(path: &Path) -> impl FnOnce(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    |error| BackupError::File { path, error }
}
