//! One server for an SQLite file: the claim to it, which a second server is refused.
//!
//! The claim is a lock on a file beside the database, and a lock on the database file itself. The first tells who holds
//! it, and holds for a database that is not there yet; the second holds by whatever path another process reaches the
//! file, also by a hard link in another folder, where SQLite would look for other files beside it. The system lets go of
//! both when the process ends, however it ends, so nothing is ever left to clean up; the file beside the database stays.
//! On PostgreSQL any number of processes may serve one database, and there is nothing to claim.
//!
//! SQLite locks the database file too. Its locks belong to the process, and the system drops all of them as soon as the
//! process closes any descriptor of the file. So the descriptor of the claim is opened before SQLite opens the file, and
//! closed after; and its own lock belongs to that descriptor alone, on a byte that SQLite never locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{DbErr, RuntimeErr};

use super::connection::DatabaseUrl;
use super::error::StoreError;
use super::private;

/// What the name of a database has behind it in the name of its lock.
const SUFFIX: &str = ".lock";
/// The longest id of a process that is looked at, in bytes.
const LONGEST_ID: u64 = 20;

/// The claim of this process to be the only one that serves a database; given up when dropped. It must outlive all
/// connections to the database.
#[derive(Debug)]
pub struct Claim {
    /// Held, never read.
    lock: File,
    database: Option<File>,
}

impl Drop for Claim {
    /// Closing the files would give up the locks only once no program is being started: until it is that program, it has
    /// the descriptors too.
    fn drop(&mut self) {
        // What cannot be unlocked is closed.
        let _ = self.lock.unlock();
        let _ = self.database.as_ref().map(unlock_byte);
    }
}

impl DatabaseUrl {
    /// Claims the database for this process, which serves it, and makes its file; `None` where others may serve it too, or
    /// cannot know it.
    ///
    /// # Errors
    /// [`StoreError::Claimed`] and [`StoreError::ClaimedElsewhere`] when another process serves it; [`StoreError::Lock`]
    /// when the lock cannot be made.
    pub fn claim(&self) -> Result<Option<Claim>, StoreError> {
        let Some(database) = self.sqlite_file()? else { return Ok(None) };
        let lock = lock_beside(&database)?;
        private::make_file(&database)?;
        Ok(Some(Claim { lock, database: Some(lock_itself(&database)?) }))
    }

    /// The same for a process that puts another file in the place of the database, and makes none there.
    ///
    /// # Errors
    /// As [`Self::claim`].
    pub fn claim_place(&self) -> Result<Option<Claim>, StoreError> {
        let Some(database) = self.sqlite_file()? else { return Ok(None) };
        let lock = lock_beside(&database)?;
        let there = database.exists();
        Ok(Some(Claim { lock, database: there.then(|| lock_itself(&database)).transpose()? }))
    }

    /// The file of an SQLite database; `None` where it is in none.
    ///
    /// # Errors
    /// When the URL is of no known form.
    pub fn sqlite_file(&self) -> Result<Option<PathBuf>, StoreError> {
        let Some(rest) = self.text().strip_prefix("sqlite:") else { return Ok(None) };
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let in_memory = place.trim_start_matches("//") == ":memory:";
        if in_memory || parameters.split('&').any(|parameter| parameter == "mode=memory") {
            return Ok(None);
        }
        let options = SqliteConnectOptions::from_str(self.text())
            .map_err(|error| DbErr::Conn(RuntimeErr::Internal(error.to_string())))?;
        Ok(Some(options.get_filename().to_owned()))
    }
}

/// Locks the file beside a database.
fn lock_beside(database: &Path) -> Result<File, StoreError> {
    let path = lock_path(database);
    let unusable = |error| StoreError::Lock { path: path.display().to_string(), error };
    // Not truncated: it says who holds it until it is ours.
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(StoreError::Claimed { database: database.display().to_string(), holder: holder(&mut file) });
        }
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    // Only for the message that another process shows.
    file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(unusable)?;
    Ok(file)
}

/// Locks the file of a database.
fn lock_itself(database: &Path) -> Result<File, StoreError> {
    let unusable = |error| StoreError::Lock { path: database.display().to_string(), error };
    let file = OpenOptions::new().read(true).write(true).open(database).map_err(unusable)?;
    match lock_byte(&file) {
        Ok(true) => Ok(file),
        Ok(false) => Err(StoreError::ClaimedElsewhere { database: database.display().to_string() }),
        Err(error) => Err(unusable(error)),
    }
}

/// The byte of a database file that is locked. SQLite keeps nothing in the page that begins at 2^30, and locks the first
/// 512 bytes of it; the file need not be as long.
#[cfg(target_os = "linux")]
const LOCKED_BYTE: libc::off_t = (1 << 30) + 1024;

/// Takes the lock that belongs to a descriptor, not to the process; gives whether it is free.
#[cfg(target_os = "linux")]
fn lock_byte(file: &File) -> io::Result<bool> {
    match change_lock(file, libc::F_WRLCK) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Gives up that lock.
#[cfg(target_os = "linux")]
fn unlock_byte(file: &File) -> io::Result<()> {
    change_lock(file, libc::F_UNLCK)
}

#[cfg(target_os = "linux")]
fn change_lock(file: &File, change: libc::c_int) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    // SAFETY: zeros are a valid value of this plain structure, of which the fields differ between systems.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = change as _;
    lock.l_whence = libc::SEEK_SET as _;
    (lock.l_start, lock.l_len) = (LOCKED_BYTE, 1);
    // SAFETY: the descriptor is open for as long as the call lasts, and the structure is one that the command takes.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Other systems have no such lock, and there a hard link is not seen.
#[cfg(not(target_os = "linux"))]
fn lock_byte(_file: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn unlock_byte(_file: &File) -> io::Result<()> {
    Ok(())
}

/// The lock of a database. Ways to one file over links lead to one lock.
fn lock_path(database: &Path) -> PathBuf {
    let real = database.canonicalize().or_else(|_| {
        // It is not there yet, but its folder is.
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

/// Who holds a lock, as it said itself: the end of a sentence.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(LONGEST_ID).read_to_string(&mut text));
    match (read, text.parse::<u32>()) {
        (Ok(_), Ok(process)) => format!("process {process}"),
        // It has not written it yet, or the system lets nobody read what is locked.
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(url: &str) -> Result<Option<Claim>, StoreError> {
        url.parse::<DatabaseUrl>().and_then(|url| url.claim())
    }

    #[test]
    fn a_file_is_claimed_once_by_whatever_way_it_is_called() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a b.db");
        let (url, other) = (DatabaseUrl::file(&path), folder.path().join("link"));
        let held = url.claim().expect("nobody has it").expect("a file is claimed");
        std::fs::write(&path, "").expect("the database is made");
        std::os::unix::fs::symlink(folder.path(), &other).expect("a link");
        for again in [url.clone(), DatabaseUrl::file(&other.join("a b.db"))] {
            let refused = again.claim().expect_err("it is held").to_string();
            assert!(refused.contains(&format!("is served by process {}", std::process::id())), "{refused}");
        }
        let neighbour = DatabaseUrl::file(&folder.path().join("b.db"));
        assert!(neighbour.claim().is_ok_and(|claim| claim.is_some()), "another file");
        // By a hard link SQLite and the lock beside the file would be other ones.
        let elsewhere = tempfile::tempdir().expect("another folder");
        let link = DatabaseUrl::file(&elsewhere.path().join("x.db"));
        std::fs::hard_link(&path, elsewhere.path().join("x.db")).expect("a hard link");
        for refused in [link.claim(), link.claim_place()] {
            let refused = refused.expect_err("it is held").to_string();
            assert!(refused.contains("knows the file by another path"), "{refused}");
        }
        drop(held);
        let held = link.claim().expect("nobody has it");
        assert!(held.is_some() && url.claim().is_err(), "the other way round too");
        drop(held);
        assert!(url.claim().is_ok_and(|claim| claim.is_some()), "it was given up");
    }

    #[test]
    fn a_place_is_claimed_without_a_file_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = DatabaseUrl::file(&folder.path().join("x.db"));
        let held = url.claim_place().expect("nobody has it");
        assert!(held.is_some() && !folder.path().join("x.db").exists());
        assert!(url.claim().is_err() && url.claim_place().is_err(), "it is held");
    }

    #[test]
    fn what_nobody_else_can_open_is_not_claimed() {
        for url in ["sqlite::memory:", "sqlite://:memory:", "sqlite://x?mode=memory", "postgres://h/d"] {
            assert!(claimed(url).is_ok_and(|claim| claim.is_none()), "{url}");
        }
        let error = claimed("sqlite:///no/such/folder/x.db").expect_err("no folder").to_string();
        assert!(error.starts_with("the lock /no/such/folder/x.db.lock cannot be made: "), "{error}");
    }
}
