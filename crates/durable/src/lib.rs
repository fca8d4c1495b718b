//! Writes a file beside its final place and renames it, so that readers find the old file or the whole new one.
//!
//! Guarantees: a file under its final name is never partly written, and a write that fails leaves what was there before.
//! Only the owner can read these files, because they hold keys, positions and inventories. [`Durability`] says which
//! crashes a file survives. A link at the final name is replaced itself; callers that follow it resolve the path first.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

/// The beginning of the names of files that are not complete.
const PREFIX: &str = ".underlay-";
/// The end of the names of files that are not complete.
const SUFFIX: &str = ".part";

/// The crashes after which a file is the old one or the new one, and never a part of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A crash of the process. A power failure can leave an empty file.
    Process,
    /// A power failure too. Until the system has written the folder by itself, a power failure brings back the old file.
    Content,
    /// A power failure too, and as soon as the call has returned, it leaves the new file.
    Name,
}

/// Writes a file, in the place of the one that may be there. Returns the new file, open for writing.
///
/// # Errors
/// Returns the error of the operating system. The old file is unchanged then, unless only its folder could not be synced.
pub fn replace_file(path: &Path, durability: Durability, content: &[u8]) -> io::Result<File> {
    written(path, content)?.replace(durability)
}

/// Writes a file that is not there yet.
///
/// # Errors
/// Returns the error of the operating system; that of a file which is there is [`io::ErrorKind::AlreadyExists`].
pub fn create_file(path: &Path, durability: Durability, content: &[u8]) -> io::Result<File> {
    written(path, content)?.create(durability)
}

fn written(path: &Path, content: &[u8]) -> io::Result<PendingFile> {
    let pending = PendingFile::of(path)?;
    pending.as_file().write_all(content)?;
    Ok(pending)
}

/// A file that is being written under a temporary name. Dropping it removes it.
#[derive(Debug)]
pub struct PendingFile {
    // The file must be declared before its folder, because fields are dropped in this order.
    file: NamedTempFile,
    _folder: Option<TempDir>,
    path: PathBuf,
}

impl PendingFile {
    /// Creates an empty file in the folder of the final file.
    ///
    /// # Errors
    /// Returns the error of the operating system, such as that of a missing folder.
    pub fn of(path: &Path) -> io::Result<Self> {
        let file = Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder(path))?;
        Ok(Self { file, _folder: None, path: path.to_owned() })
    }

    /// Creates an empty file in a hidden folder beside the final file. What another library writes beside this file,
    /// as SQLite does, is removed with the folder.
    ///
    /// # Errors
    /// Returns the error of the operating system, such as that of a missing folder.
    pub fn in_own_folder(path: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let own = builder.prefix(PREFIX).suffix(SUFFIX).tempdir_in(folder(path))?;
        let file = NamedTempFile::new_in(own.path())?;
        Ok(Self { file, _folder: Some(own), path: path.to_owned() })
    }

    /// Returns the temporary path.
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the open file. Writers of it need no exclusive reference.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Opens the file again.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Gives the file its final name, in the place of the file that may have it.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn replace(self, durability: Durability) -> io::Result<File> {
        self.finish(durability, |file, path| file.persist(path))
    }

    /// Gives the file its final name, which no other file may have.
    ///
    /// # Errors
    /// Returns the error of the operating system; that of a file which is there is [`io::ErrorKind::AlreadyExists`].
    pub fn create(self, durability: Durability) -> io::Result<File> {
        self.finish(durability, |file, path| file.persist_noclobber(path))
    }

    fn finish(
        self,
        durability: Durability,
        persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, tempfile::PersistError>,
    ) -> io::Result<File> {
        if durability != Durability::Process {
            self.file.as_file().sync_all()?;
        }
        let file = persist(self.file, &self.path).map_err(|error| error.error)?;
        if durability == Durability::Name {
            sync_folder_of(&self.path)?;
        }
        Ok(file)
    }
}

/// Returns the folder that contains a file.
pub fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the names in the folder of a file to the disk. They are entries of the folder, which is synced separately from
/// its files.
///
/// # Errors
/// Returns the error of the operating system.
pub fn sync_folder_of(file: &Path) -> io::Result<()> {
    // Other systems cannot sync a folder.
    if cfg!(unix) { File::open(folder(file))?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ALL: [Durability; 3] = [Durability::Process, Durability::Content, Durability::Name];

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        for (durability, content) in ALL.into_iter().zip(["a longer text", "text", ""]) {
            replace_file(&path, durability, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
            assert_eq!(names(folder.path()), ["state"]);
        }
    }

    #[test]
    fn a_file_that_is_there_is_not_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        create_file(&path, Durability::Name, b"first").unwrap();
        for durability in ALL {
            let error = create_file(&path, durability, b"second").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(names(folder.path()), ["key"]);
    }

    #[test]
    fn a_pending_file_is_hidden_and_removed_with_what_is_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let both: [fn(&Path) -> io::Result<PendingFile>; 2] = [PendingFile::of, PendingFile::in_own_folder];
        for begin in both {
            let pending = begin(&path).unwrap();
            let [name] = &names(folder.path())[..] else { panic!("one entry") };
            assert!(name.starts_with(PREFIX) && name.ends_with(SUFFIX), "{name}");
            if pending._folder.is_some() {
                fs::write(pending.temporary_path().with_extension("wal"), "a log").unwrap();
            }
            drop(pending);
            assert!(names(folder.path()).is_empty());
        }
        let pending = PendingFile::in_own_folder(&path).unwrap();
        pending.reopen().unwrap().write_all(b"rows").unwrap();
        pending.create(Durability::Name).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "rows");
        assert_eq!(names(folder.path()), ["a.db"]);
    }

    #[test]
    fn the_folder_of_a_bare_name_is_the_current_one() {
        for (file, expected) in [("a", "."), ("b/a", "b"), ("/a", "/")] {
            assert_eq!(folder(Path::new(file)), Path::new(expected));
        }
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing/a");
        assert_eq!(replace_file(&missing, Durability::Name, b"").unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_a_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        replace_file(&path, Durability::Process, b"secret").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
