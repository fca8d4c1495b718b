//! Why there is no backup, or none in the place of the database.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::store::StoreError;

/// Why a database was not backed up, or not restored.
#[derive(Debug, Error)]
pub(super) enum BackupError {
    #[error("the database is on PostgreSQL, which has programs of its own for this: {program}")]
    Shared { program: &'static str },
    #[error("the database is only in the memory of the process that made it")]
    InMemory,
    #[error("there is no database at {0}")]
    NoDatabase(PathBuf),
    #[error("there is a database at {0} already; --force puts the backup in its place and keeps it beside")]
    DatabaseExists(PathBuf),
    #[error("{0} is there already; --force writes over it")]
    BackupExists(PathBuf),
    #[error("{0} is the database itself")]
    Itself(PathBuf),
    #[error(
        "{0} has a file beside it with what is not yet in it: it is a database in use and no backup; make one with `underlay backup`"
    )]
    InUse(PathBuf),
    #[error("{0} is damaged: it is not as it was backed up, as the checksum at its end shows")]
    Damaged(PathBuf),
    #[error(
        "{0} has no checksum at its end: it was cut off, is no backup, or was made by a version without checksums; \
         --no-checksum restores it all the same"
    )]
    NoChecksum(PathBuf),
    #[error("{path}: {error}", path = .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("ended by a signal: nothing was changed")]
    Ended,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the system says of a file.
pub(super) fn of_file(path: &Path) -> impl FnOnce(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    |error| BackupError::File { path, error }
}
