//! Files that appear under their names only when they are complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use underlay_durable::{Durability, PendingFile};

use super::checksum::{self, Checksum};
use super::error::{BackupError, of_file};
use underlay_engine::store::DatabaseUrl;

/// Returns the file of a database.
///
/// # Errors
/// Returns an error if the database is not in a file. `program` is the PostgreSQL program to use instead.
pub(super) fn file_of(url: &DatabaseUrl, program: &'static str) -> Result<PathBuf, BackupError> {
    match url.sqlite_file()? {
        Some(file) => Ok(file),
        None if url.is_shared() => Err(BackupError::Shared { program }),
        None => Err(BackupError::InMemory),
    }
}

/// Returns true if two paths lead to the same file.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the path with a suffix appended.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(path);
    path.push(suffix);
    path.into()
}

/// A file that is being written under a temporary name. Dropping it removes it and the files that SQLite keeps beside
/// it.
pub(super) struct PartialFile(PendingFile);

impl PartialFile {
    /// Creates an empty file on the disk of the final file, in a hidden folder. Only the owner can read it.
    pub fn of(file: &Path) -> Result<Self, BackupError> {
        PendingFile::in_own_folder(file).map(Self).map_err(of_file(underlay_durable::folder(file)))
    }

    /// Returns the path of the temporary file.
    pub fn path(&self) -> &Path {
        self.0.temporary_path()
    }

    /// Opens the file again, for writing.
    pub fn reopen(&self) -> Result<File, BackupError> {
        self.0.reopen().map_err(of_file(self.path()))
    }

    /// Appends the checksum to the file.
    pub async fn add_checksum(&self) -> Result<(), BackupError> {
        self.with_file(checksum::append).await
    }

    /// Checks the checksum at the end of the file, and removes it if it matches.
    pub async fn take_checksum(&self) -> Result<Checksum, BackupError> {
        self.with_file(checksum::take).await
    }

    /// Runs a long operation on the file, on a thread for blocking calls.
    async fn with_file<T: Send + 'static>(&self, work: fn(&File) -> io::Result<T>) -> Result<T, BackupError> {
        let file = self.reopen()?;
        let done = tokio::task::spawn_blocking(move || work(&file)).await;
        done.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(of_file(self.path()))
    }

    /// Writes the content of the file to the disk.
    pub fn sync(&self) -> Result<(), BackupError> {
        self.0.as_file().sync_all().map_err(of_file(self.path()))
    }

    /// Moves the file to its final name. After this returns, a crash does not lose it.
    pub fn persist(self, file: &Path, if_exists: IfExists) -> Result<(), BackupError> {
        let persisted = match if_exists {
            IfExists::Keep => self.0.create(Durability::Name),
            IfExists::Replace => self.0.replace(Durability::Name),
        };
        persisted.map(drop).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::BackupExists(file.to_owned()),
            _ => of_file(file)(error),
        })
    }
}

/// The behaviour if the final file already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfExists {
    /// Keep the existing file and return an error.
    Keep,
    /// Replace the existing file.
    Replace,
}

/// Gives a file a second name, or renames it if the file system has no hard links.
pub(super) fn keep_as(file: &Path, name: &Path) -> Result<(), BackupError> {
    match fs::hard_link(file, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(file, name),
        linked => linked,
    }
    .map_err(of_file(name))
}

/// Gives a file to the owner of another file. The user who restores, such as root, is often not the user who serves.
#[cfg(unix)]
pub(super) fn give_to_owner_of(file: &Path, other: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let (own, theirs) = (file.metadata()?, other.metadata()?);
    match (own.uid(), own.gid()) == (theirs.uid(), theirs.gid()) {
        true => Ok(()),
        false => chown(file, Some(theirs.uid()), Some(theirs.gid())),
    }
}

/// On other systems, a file belongs to the user who created it.
#[cfg(not(unix))]
pub(super) fn give_to_owner_of(_file: &Path, _other: &Path) -> io::Result<()> {
    Ok(())
}
