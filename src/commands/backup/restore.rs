//! Puts a backup in the place of a database.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use underlay_durable::{folder, sync_folder_of};

use super::checksum::{self, Checksum};
use super::error::{BackupError, of_file};
use super::files::{self, IfExists, PartialFile, with_suffix};
use super::{describe_contents, describe_facts};
use underlay_engine::store::{DatabaseUrl, check_copy, make_folder, set_observe_only_in, settle};

/// The suffix of SQLite's write-ahead log: changes that are not yet in the database file.
const WAL_SUFFIX: &str = "-wal";
/// The suffix of the memory that SQLite shares between processes that use the database.
const SHM_SUFFIX: &str = "-shm";
/// The maximum number of restores in one second whose replaced databases are all kept.
const RESTORES_IN_ONE_SECOND: u32 = 100;

/// The reason why controllers may only observe what a restored database describes.
const OBSERVE_ONLY: &str =
    "the database was restored from a backup: compare the hosts with the inventory, then run `underlay hosts resume`";

/// The treatment of a file without a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unchecked {
    /// The file is not restored.
    Refused,
    /// The file is restored without a check.
    Accepted,
}

/// Restores a backup. Returns the message for the user.
pub(super) async fn restore(
    url: &DatabaseUrl,
    backup: &Path,
    if_exists: IfExists,
    unchecked: Unchecked,
) -> Result<String, BackupError> {
    let database = files::file_of(url, "pg_restore")?;
    let size = |path: &Path| path.metadata().map_or(0, |found| found.len());
    if files::same(&database, backup) {
        return Err(BackupError::Itself(database));
    }
    if size(&with_suffix(backup, WAL_SUFFIX)) > 0 {
        return Err(BackupError::InUse(backup.to_owned()));
    }
    let source = File::open(backup).map_err(of_file(backup))?;
    make_folder(folder(&database)).map_err(of_file(folder(&database)))?;
    // The lock is held until the end, so that no server starts on the database.
    let _lock_file = url.lock_place()?;
    if database.exists() && if_exists == IfExists::Keep {
        return Err(BackupError::DatabaseExists(database));
    }
    let part = copy(source, &database).await?;
    match part.take_checksum().await? {
        Checksum::Agrees => {}
        Checksum::Missing if unchecked == Unchecked::Accepted => {}
        Checksum::Missing => return Err(BackupError::NoChecksum(backup.to_owned())),
        Checksum::Differs => return Err(BackupError::Damaged(backup.to_owned())),
    }
    let contents = check_copy(part.path(), underlay_kinds::tables()).await?;
    // Machines may have changed since the backup, so controllers wait until a person has looked.
    set_observe_only_in(part.path(), OBSERVE_ONLY, "underlay restore").await?;
    let owner = if database.exists() { database.as_path() } else { folder(&database) };
    files::give_to_owner_of(part.path(), owner).map_err(of_file(part.path()))?;
    part.sync()?;
    let kept = keep_existing(url, &database).await?;
    part.persist(&database, IfExists::Replace)?;
    if let Some(kept) = &kept {
        add_checksum(kept).await;
    }
    let what = describe_contents(&contents) + &describe_facts(&contents);
    let restored = format!("restored {what} to {}", database.display());
    let restored = match contents.secrets {
        0 => restored,
        _ => format!("{restored}\nthe server needs the keys with which its secrets were encrypted (secrets.keyFile)"),
    };
    Ok(match kept {
        Some(kept) => format!("{restored}\nthe previous database is kept as {}", kept.display()),
        None => restored,
    })
}

/// Copies the backup to a temporary file beside the database.
async fn copy(source: File, database: &Path) -> Result<PartialFile, BackupError> {
    let part = PartialFile::of(database)?;
    let to = part.reopen()?;
    let (mut from, mut to) = (tokio::fs::File::from_std(source), tokio::fs::File::from_std(to));
    tokio::io::copy(&mut from, &mut to).await.map_err(of_file(part.path()))?;
    tokio::io::AsyncWriteExt::flush(&mut to).await.map_err(of_file(part.path()))?;
    Ok(part)
}

/// Keeps the existing database under another name, and removes the files beside it that SQLite would take for parts of
/// the new database. Returns the new name of the existing database.
async fn keep_existing(url: &DatabaseUrl, database: &Path) -> Result<Option<PathBuf>, BackupError> {
    let kept = name_to_keep(database, Utc::now());
    let is_there = database.exists();
    if is_there {
        // The log stays beside the database if it cannot be moved into it, because the database is damaged or in use.
        if let Err(error) = settle(url).await {
            eprintln!("note: the log of the previous database is kept beside it: {error}");
        }
        files::keep_as(database, &kept)?;
    }
    let log = with_suffix(database, WAL_SUFFIX);
    match log.metadata() {
        Ok(found) if found.len() > 0 => {
            let kept = with_suffix(&kept, WAL_SUFFIX);
            fs::rename(&log, &kept).map_err(of_file(&log))?;
        }
        _ => remove(&log)?,
    }
    remove(&with_suffix(database, SHM_SUFFIX))?;
    sync_folder_of(database).map_err(of_file(folder(database)))?;
    Ok(is_there.then_some(kept))
}

/// Returns the name under which a database is kept. A number follows the time if an earlier restore of the same second
/// has that name.
fn name_to_keep(database: &Path, now: DateTime<Utc>) -> PathBuf {
    let first = with_suffix(database, &format!(".before-restore-{}", now.format("%Y%m%dT%H%M%SZ")));
    let is_free = |name: &PathBuf| !name.exists() && !with_suffix(name, WAL_SUFFIX).exists();
    let numbered = (2..=RESTORES_IN_ONE_SECOND).map(|number| with_suffix(&first, &format!("-{number}")));
    // If no name is free, keeping the database under the first one fails, so the restore fails and nothing is lost.
    std::iter::once(first.clone()).chain(numbered).find(is_free).unwrap_or(first)
}

/// Appends the checksum to the replaced database, so that it can be restored like any backup. A database with a log
/// beside it gets no checksum, because its file alone is not the complete database.
async fn add_checksum(kept: &Path) {
    if with_suffix(kept, WAL_SUFFIX).exists() {
        return;
    }
    let opened = File::options().read(true).write(true).open(kept);
    let work = move || opened.and_then(|file| checksum::append(&file).and_then(|()| file.sync_all()));
    let added = tokio::task::spawn_blocking(work).await;
    if let Err(error) = added.unwrap_or_else(|error| Err(io::Error::other(error))) {
        eprintln!("note: {} gets no checksum, and needs --no-checksum to be restored: {error}", kept.display());
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), BackupError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(of_file(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_database_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("a.db");
        let name = || name_to_keep(&database, DateTime::UNIX_EPOCH);
        let kept = |end: &str| folder.path().join(format!("a.db.before-restore-19700101T000000Z{end}"));
        assert_eq!(name(), kept(""));
        fs::write(kept(""), "the database").expect("a file");
        assert_eq!(name(), kept("-2"));
        fs::write(with_suffix(&kept("-2"), WAL_SUFFIX), "only its log").expect("a file");
        assert_eq!(name(), kept("-3"));
    }
}
