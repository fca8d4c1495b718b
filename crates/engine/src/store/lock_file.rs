//! The lock that gives an SQLite file one server: a second server is rejected.
//!
//! The lock has two parts: a lock file beside the database, and a lock on the database file itself. The first names the
//! process that holds it, and also protects a database that does not exist yet. The second protects the file under any
//! path, even through a hard link in another folder, where SQLite would look for other files beside it. The operating
//! system releases both locks when the process ends for any reason, so nothing needs cleaning up; the lock file itself
//! stays. On PostgreSQL any number of processes can serve one database, and no lock is taken.
//!
//! SQLite locks the database file too. Its locks belong to the process, and the system drops all of them as soon as the
//! process closes any descriptor of the file. The descriptor of the lock is therefore opened before SQLite opens the
//! file, and closed after. Its own lock belongs to that descriptor alone, on a byte that SQLite never locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{DbErr, RuntimeErr};

use super::connection::DatabaseUrl;
use super::error::StoreError;
use super::private;

/// The suffix of the lock file: it is appended to the name of the database.
const SUFFIX: &str = ".lock";
/// The greatest number of bytes that are read from a lock file for the id of the process.
const MAX_ID_BYTES: u64 = 20;

/// The right of this process to be the only server of a database. Dropping it releases the locks. It must outlive all
/// connections to the database.
#[derive(Debug)]
pub struct LockFile {
    /// The lock file; it is held open, and never read.
    lock: File,
    database: Option<File>,
}

impl Drop for LockFile {
    /// Releases the locks explicitly. Closing the files would not be enough while a child process is being started:
    /// until the child runs its own program, it has copies of the descriptors.
    fn drop(&mut self) {
        // If a file cannot be unlocked, closing it releases the lock.
        let _ = self.lock.unlock();
        let _ = self.database.as_ref().map(unlock_byte);
    }
}

impl DatabaseUrl {
    /// Locks the database for this process as its server, and creates its file. Returns `None` if other processes may
    /// serve the database too, or cannot reach it.
    ///
    /// # Errors
    /// Returns [`StoreError::Locked`] or [`StoreError::LockedElsewhere`] if another process serves the database, and
    /// [`StoreError::Lock`] if the lock cannot be made.
    pub fn lock_file(&self) -> Result<Option<LockFile>, StoreError> {
        let Some(database) = self.sqlite_file()? else { return Ok(None) };
        let lock = lock_beside(&database)?;
        private::make_file(&database)?;
        Ok(Some(LockFile { lock, database: Some(lock_itself(&database)?) }))
    }

    /// Locks the database for a process that replaces its file. It does not create a missing file.
    ///
    /// # Errors
    /// Returns the errors of [`Self::lock_file`].
    pub fn lock_place(&self) -> Result<Option<LockFile>, StoreError> {
        let Some(database) = self.sqlite_file()? else { return Ok(None) };
        let lock = lock_beside(&database)?;
        let there = database.exists();
        Ok(Some(LockFile { lock, database: there.then(|| lock_itself(&database)).transpose()? }))
    }

    /// Returns the file of an SQLite database; `None` for a database in memory and for PostgreSQL.
    ///
    /// # Errors
    /// Returns an error if the URL cannot be parsed.
    pub fn sqlite_file(&self) -> Result<Option<PathBuf>, StoreError> {
        let Some(rest) = self.text().strip_prefix("sqlite:") else { return Ok(None) };
        let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let in_memory = path.trim_start_matches("//") == ":memory:";
        if in_memory || parameters.split('&').any(|parameter| parameter == "mode=memory") {
            return Ok(None);
        }
        let options = SqliteConnectOptions::from_str(self.text())
            .map_err(|error| DbErr::Conn(RuntimeErr::Internal(error.to_string())))?;
        Ok(Some(options.get_filename().to_owned()))
    }

    /// Returns a name of the database that stays the same whoever uses it: the path of its file, or the server, port and
    /// name of a database of PostgreSQL. It holds no account.
    ///
    /// # Errors
    /// Returns an error if the URL cannot be parsed.
    pub fn public_name(&self) -> Result<String, StoreError> {
        if let Some(file) = self.sqlite_file()? {
            return Ok(resolved(&file).display().to_string());
        }
        if !self.is_shared() {
            return Ok(self.text().to_owned());
        }
        let options = PgConnectOptions::from_str(self.text())
            .map_err(|error| DbErr::Conn(RuntimeErr::Internal(error.to_string())))?;
        let socket = options.get_socket().map(|socket| socket.display().to_string());
        let host = socket.unwrap_or_else(|| options.get_host().to_owned());
        let database = options.get_database().unwrap_or(options.get_username());
        Ok(format!("postgres://{host}:{}/{database}", options.get_port()))
    }
}

/// Returns the path of a file that need not exist, without links of its folder.
fn resolved(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}

/// Locks the lock file beside a database.
fn lock_beside(database: &Path) -> Result<File, StoreError> {
    let path = lock_path(database);
    let unusable = |error| StoreError::Lock { path: path.display().to_string(), error };
    // The file is not truncated on opening: it names its holder until this process has the lock.
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(StoreError::Locked { database: database.display().to_string(), holder: holder(&mut file) });
        }
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    // The id only serves the error message of another process.
    file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(unusable)?;
    Ok(file)
}

/// Locks the file of a database.
fn lock_itself(database: &Path) -> Result<File, StoreError> {
    let unusable = |error| StoreError::Lock { path: database.display().to_string(), error };
    let file = OpenOptions::new().read(true).write(true).open(database).map_err(unusable)?;
    match lock_byte(&file) {
        Ok(true) => Ok(file),
        Ok(false) => Err(StoreError::LockedElsewhere { database: database.display().to_string() }),
        Err(error) => Err(unusable(error)),
    }
}

/// The byte of a database file that is locked. SQLite stores nothing in the page that begins at 2^30, and locks the
/// first 512 bytes of that page. The file can be shorter.
#[cfg(target_os = "linux")]
const LOCKED_BYTE: libc::off_t = (1 << 30) + 1024;

/// Tries to take the lock, which belongs to the descriptor and not to the process. Returns false if another process has
/// it.
#[cfg(target_os = "linux")]
fn lock_byte(file: &File) -> io::Result<bool> {
    match change_lock(file, libc::F_WRLCK) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Releases the lock of [`lock_byte`].
#[cfg(target_os = "linux")]
fn unlock_byte(file: &File) -> io::Result<()> {
    change_lock(file, libc::F_UNLCK)
}

#[cfg(target_os = "linux")]
fn change_lock(file: &File, change: libc::c_int) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    // SAFETY: zeros are a valid value of this plain structure. Its fields differ between systems.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = change as _;
    lock.l_whence = libc::SEEK_SET as _;
    (lock.l_start, lock.l_len) = (LOCKED_BYTE, 1);
    // SAFETY: the descriptor stays open during the call, and the command expects a pointer to this structure.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Does nothing: other systems have no such lock, so a hard link is not detected there.
#[cfg(not(target_os = "linux"))]
fn lock_byte(_file: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn unlock_byte(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Returns the path of the lock file. All paths that lead to a database file over symbolic links give the same lock
/// file.
fn lock_path(database: &Path) -> PathBuf {
    let real = database.canonicalize().or_else(|_| {
        // The database does not exist yet, but its folder does.
        let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else {
            return Ok(database.to_owned());
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().map(|folder| folder.join(name))
    });
    let mut path = real.unwrap_or_else(|_: std::io::Error| database.to_owned()).into_os_string();
    path.push(SUFFIX);
    path.into()
}

/// Reads the holder of a lock file, as the end of a sentence.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(MAX_ID_BYTES).read_to_string(&mut text));
    match (read, text.parse::<u32>()) {
        (Ok(_), Ok(process)) => format!("process {process}"),
        // The holder has not written its id yet, or the system does not allow reading a locked file.
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(url: &str) -> Result<Option<LockFile>, StoreError> {
        url.parse::<DatabaseUrl>().and_then(|url| url.lock_file())
    }

    #[test]
    fn a_database_has_the_same_name_for_every_account() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("a path").join("a b.db");
        let name = |url: &str| url.parse::<DatabaseUrl>().and_then(|url| url.public_name()).expect("a name");
        assert_eq!(name(DatabaseUrl::file(&path).text()), path.display().to_string());
        std::fs::write(&path, "").expect("written");
        assert_eq!(name(DatabaseUrl::file(&path).text()), path.display().to_string(), "it is there now");
        for (url, expected) in [
            ("postgres://ana:secret@db.example.com/inventory", "postgres://db.example.com:5432/inventory"),
            (
                "postgresql://eve@db.example.com:6432/inventory?sslmode=disable",
                "postgres://db.example.com:6432/inventory",
            ),
        ] {
            assert_eq!(name(url), expected, "{url}");
        }
    }

    #[test]
    fn a_file_is_locked_once_by_whatever_path_it_is_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a b.db");
        let (url, other) = (DatabaseUrl::file(&path), folder.path().join("link"));
        let held = url.lock_file().expect("nobody has it").expect("a file is locked");
        std::fs::write(&path, "").expect("the database is made");
        std::os::unix::fs::symlink(folder.path(), &other).expect("a link");
        for again in [url.clone(), DatabaseUrl::file(&other.join("a b.db"))] {
            let refused = again.lock_file().expect_err("it is held").to_string();
            assert!(refused.contains(&format!("is served by process {}", std::process::id())), "{refused}");
        }
        let neighbour = DatabaseUrl::file(&folder.path().join("b.db"));
        assert!(neighbour.lock_file().is_ok_and(|lock_file| lock_file.is_some()), "another file");
        // Through a hard link, SQLite's other files and the lock file would have other names.
        let elsewhere = tempfile::tempdir().expect("another folder");
        let link = DatabaseUrl::file(&elsewhere.path().join("x.db"));
        std::fs::hard_link(&path, elsewhere.path().join("x.db")).expect("a hard link");
        for refused in [link.lock_file(), link.lock_place()] {
            let refused = refused.expect_err("it is held").to_string();
            assert!(refused.contains("knows the file by another path"), "{refused}");
        }
        drop(held);
        let held = link.lock_file().expect("nobody has it");
        assert!(held.is_some() && url.lock_file().is_err(), "the other way round too");
        drop(held);
        assert!(url.lock_file().is_ok_and(|lock_file| lock_file.is_some()), "it was given up");
    }

    #[test]
    fn a_path_is_locked_without_a_file_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = DatabaseUrl::file(&folder.path().join("x.db"));
        let held = url.lock_place().expect("nobody has it");
        assert!(held.is_some() && !folder.path().join("x.db").exists());
        assert!(url.lock_file().is_err() && url.lock_place().is_err(), "it is held");
    }

    #[test]
    fn databases_of_one_process_have_no_lock() {
        for url in ["sqlite::memory:", "sqlite://:memory:", "sqlite://x?mode=memory", "postgres://h/d"] {
            assert!(locked(url).is_ok_and(|lock_file| lock_file.is_none()), "{url}");
        }
        let error = locked("sqlite:///no/such/folder/x.db").expect_err("no folder").to_string();
        assert!(error.starts_with("the lock file /no/such/folder/x.db.lock cannot be created: "), "{error}");
    }
}
