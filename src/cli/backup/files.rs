//! Files that come to their place whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use super::checksum::{self, Checksum};
use super::error::{BackupError, of_file};
use crate::store::DatabaseUrl;

/// The folder that a file is in.
pub(super) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file of a database.
///
/// # Errors
/// When it is in none; `program` is what does on PostgreSQL what is asked for.
pub(super) fn file_of(url: &DatabaseUrl, program: &'static str) -> Result<PathBuf, BackupError> {
    match url.sqlite_file()? {
        Some(file) => Ok(file),
        None if url.is_shared() => Err(BackupError::Shared { program }),
        None => Err(BackupError::InMemory),
    }
}

/// Whether two paths lead to one file.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The path with something behind it.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(path);
    path.push(suffix);
    path.into()
}

/// A file that is not yet in its place. It and what SQLite has beside it are gone when it is dropped.
pub(super) struct Part {
    // Before its folder: fields are dropped in this order.
    file: NamedTempFile,
    _folder: TempDir,
}

impl Part {
    /// Makes an empty one for its owner alone, on the disk of the file that it is to become, in a folder that nobody
    /// takes for that.
    pub fn of(file: &Path) -> Result<Self, BackupError> {
        let failed = of_file(folder(file));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let made = builder.prefix(".underlay-").suffix(".part").tempdir_in(folder(file));
        let made = made.and_then(|folder| Ok(Self { file: NamedTempFile::new_in(folder.path())?, _folder: folder }));
        made.map_err(failed)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The way to write to it.
    pub fn reopen(&self) -> Result<File, BackupError> {
        self.file.reopen().map_err(of_file(self.path()))
    }

    /// Appends its checksum.
    pub async fn add_checksum(&self) -> Result<(), BackupError> {
        self.with_file(checksum::append).await
    }

    /// Looks at the checksum at its end, and cuts it off if it agrees.
    pub async fn take_checksum(&self) -> Result<Checksum, BackupError> {
        self.with_file(checksum::take).await
    }

    /// Does something with the whole file that takes long.
    async fn with_file<T: Send + 'static>(&self, work: fn(&File) -> io::Result<T>) -> Result<T, BackupError> {
        let file = self.reopen()?;
        let done = tokio::task::spawn_blocking(move || work(&file)).await;
        done.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(of_file(self.path()))
    }

    /// Sees that what is in it lasts.
    pub fn sync(&self) -> Result<(), BackupError> {
        self.file.as_file().sync_all().map_err(of_file(self.path()))
    }

    /// Puts it in its place, so that it is there whatever happens from now on.
    pub fn put(self, file: &Path, there: There) -> Result<(), BackupError> {
        self.sync()?;
        let put = match there {
            There::Stays => self.file.persist_noclobber(file),
            There::Goes => self.file.persist(file),
        };
        put.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::BackupExists(file.to_owned()),
            _ => of_file(file)(error.error),
        })?;
        sync_folder(file)
    }
}

/// What becomes of a file that is in the place already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum There {
    /// It stays, and the new one is refused.
    Stays,
    /// The new one takes its place.
    Goes,
}

/// Sees that the names in the folder of a file last.
pub(super) fn sync_folder(file: &Path) -> Result<(), BackupError> {
    // Other systems have no such thing.
    if cfg!(unix) {
        File::open(folder(file)).and_then(|folder| folder.sync_all()).map_err(of_file(folder(file)))?;
    }
    Ok(())
}

/// Gives a second name to a file, or another one where the disk knows no second ones.
pub(super) fn keep_as(file: &Path, name: &Path) -> Result<(), BackupError> {
    match fs::hard_link(file, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(file, name),
        linked => linked,
    }
    .map_err(of_file(name))
}

/// Lets a file belong to whom another one belongs: who restores as root is not who serves.
#[cfg(unix)]
pub(super) fn give_to_owner_of(file: &Path, other: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let (own, theirs) = (file.metadata()?, other.metadata()?);
    match (own.uid(), own.gid()) == (theirs.uid(), theirs.gid()) {
        true => Ok(()),
        false => chown(file, Some(theirs.uid()), Some(theirs.gid())),
    }
}

/// Elsewhere files belong to whoever made them.
#[cfg(not(unix))]
pub(super) fn give_to_owner_of(_file: &Path, _other: &Path) -> io::Result<()> {
    Ok(())
}
