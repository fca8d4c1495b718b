//! One server for an SQLite file: the claim to it, which a second server is refused.
//!
//! The claim is a lock on a file beside the database. The system lets go of it when the process ends, however it ends,
//! so nothing is ever left to clean up; the file itself stays. On PostgreSQL any number of processes may serve one
//! database, and there is nothing to claim.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{DbErr, RuntimeErr};

use super::connection::DatabaseUrl;
use super::error::StoreError;

/// What the name of a database has behind it in the name of its lock.
const SUFFIX: &str = ".lock";
/// The longest id of a process that is looked at, in bytes.
const LONGEST_ID: u64 = 20;

/// The claim of this process to be the only one that serves a database; given up when dropped.
#[derive(Debug)]
pub struct Claim {
    /// Held, never read: closing it gives up the lock.
    _lock: File,
}

impl DatabaseUrl {
    /// Claims the database for this process; `None` where others may serve it too, or cannot know it.
    ///
    /// # Errors
    /// [`StoreError::Claimed`] when another process serves it; [`StoreError::Lock`] when the lock cannot be made.
    pub fn claim(&self) -> Result<Option<Claim>, StoreError> {
        match self.sqlite_file()? {
            Some(database) => claim(&database).map(Some),
            None => Ok(None),
        }
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

fn claim(database: &Path) -> Result<Claim, StoreError> {
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
    Ok(Claim { _lock: file })
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
        drop(held);
        assert!(url.claim().is_ok_and(|claim| claim.is_some()), "it was given up");
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
