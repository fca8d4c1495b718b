//! Putting a backup in the place of a database.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::checksum::{self, Checksum};
use super::error::{BackupError, of_file};
use super::place::{self, Part, There, with_suffix};
use super::told;
use crate::kinds;
use crate::store::{DatabaseUrl, check_copy, make_folder, settle};

/// What SQLite has not yet moved into a file stands beside it under this name.
const LOG: &str = "-wal";
/// What it shares between processes that use the file.
const SHARED: &str = "-shm";
/// The number of restores of one second whose databases are all kept.
const MOST_OF_A_SECOND: u32 = 100;

/// The treatment of a file without a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unchecked {
    /// It is not restored.
    Refused,
    /// It is restored as it is.
    Accepted,
}

/// Restores a backup; gives what is to be said of it.
pub(super) async fn restore(
    url: &DatabaseUrl,
    backup: &Path,
    there: There,
    unchecked: Unchecked,
) -> Result<String, BackupError> {
    let database = place::file_of(url, "pg_restore")?;
    let size = |path: &Path| path.metadata().map_or(0, |found| found.len());
    if place::same(&database, backup) {
        return Err(BackupError::Itself(database));
    }
    if size(&with_suffix(backup, LOG)) > 0 {
        return Err(BackupError::InUse(backup.to_owned()));
    }
    let source = File::open(backup).map_err(of_file(backup))?;
    make_folder(place::folder(&database)).map_err(of_file(place::folder(&database)))?;
    // Until the end no server may begin.
    let _lock_file = url.lock_place()?;
    if database.exists() && there == There::Stays {
        return Err(BackupError::DatabaseExists(database));
    }
    let part = copy(source, &database).await?;
    match part.take_checksum().await? {
        Checksum::Agrees => {}
        Checksum::Missing if unchecked == Unchecked::Accepted => {}
        Checksum::Missing => return Err(BackupError::NoChecksum(backup.to_owned())),
        Checksum::Differs => return Err(BackupError::Damaged(backup.to_owned())),
    }
    let contents = check_copy(part.path(), kinds::tables()).await?;
    let owner = if database.exists() { database.as_path() } else { place::folder(&database) };
    place::give_to_owner_of(part.path(), owner).map_err(of_file(part.path()))?;
    part.sync()?;
    let kept = put_aside(url, &database).await?;
    part.put(&database, There::Goes)?;
    if let Some(kept) = &kept {
        add_checksum(kept).await;
    }
    let restored = format!("restored {} to {}", told(&contents), database.display());
    Ok(match kept {
        Some(kept) => format!("{restored}\nthe database that was there is kept as {}", kept.display()),
        None => restored,
    })
}

/// A copy of the backup beside the database.
async fn copy(source: File, database: &Path) -> Result<Part, BackupError> {
    let part = Part::of(database)?;
    let to = part.reopen()?;
    let (mut from, mut to) = (tokio::fs::File::from_std(source), tokio::fs::File::from_std(to));
    tokio::io::copy(&mut from, &mut to).await.map_err(of_file(part.path()))?;
    tokio::io::AsyncWriteExt::flush(&mut to).await.map_err(of_file(part.path()))?;
    Ok(part)
}

/// Keeps the database that is there under another name, and sees that nothing stands beside it that SQLite would take for
/// a part of what takes its place. Gives what it is called now.
async fn put_aside(url: &DatabaseUrl, database: &Path) -> Result<Option<PathBuf>, BackupError> {
    let kept = name_to_keep(database, Utc::now());
    let is_there = database.exists();
    if is_there {
        // What cannot be moved into it, because it is damaged or somebody looks at it, is kept beside it.
        if let Err(error) = settle(url).await {
            eprintln!("note: what stands beside the database that was there is kept as it is: {error}");
        }
        place::keep_as(database, &kept)?;
    }
    let log = with_suffix(database, LOG);
    match log.metadata() {
        Ok(found) if found.len() > 0 => {
            let kept = with_suffix(&kept, LOG);
            fs::rename(&log, &kept).map_err(of_file(&log))?;
        }
        _ => remove(&log)?,
    }
    remove(&with_suffix(database, SHARED))?;
    place::sync_folder(database)?;
    Ok(is_there.then_some(kept))
}

/// Returns the name under which a database is kept. A number follows the time if an earlier restore of the same second has
/// that name.
fn name_to_keep(database: &Path, now: DateTime<Utc>) -> PathBuf {
    let first = with_suffix(database, &format!(".before-restore-{}", now.format("%Y%m%dT%H%M%SZ")));
    let is_free = |name: &PathBuf| !name.exists() && !with_suffix(name, LOG).exists();
    let numbered = (2..=MOST_OF_A_SECOND).map(|number| with_suffix(&first, &format!("-{number}")));
    // If no name is free, keeping the database under the first one fails, and nothing is lost.
    std::iter::once(first.clone()).chain(numbered).find(is_free).unwrap_or(first)
}

/// Appends its checksum to the database that was there, so that the way back is a restore as any other. With a log beside
/// it the file alone is not the database, and gets none.
async fn add_checksum(kept: &Path) {
    if with_suffix(kept, LOG).exists() {
        return;
    }
    let opened = File::options().read(true).write(true).open(kept);
    let work = move || opened.and_then(|file| checksum::append(&file).and_then(|()| file.sync_all()));
    let added = tokio::task::spawn_blocking(work).await;
    if let Err(error) = added.unwrap_or_else(|error| Err(io::Error::other(error))) {
        eprintln!("note: {} gets no checksum, and needs --no-checksum to be restored: {error}", kept.display());
    }
}

/// Removes a file, if it is there.
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
    fn what_is_kept_is_never_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("a.db");
        let name = || name_to_keep(&database, DateTime::UNIX_EPOCH);
        let kept = |end: &str| folder.path().join(format!("a.db.before-restore-19700101T000000Z{end}"));
        assert_eq!(name(), kept(""));
        fs::write(kept(""), "the database").expect("a file");
        assert_eq!(name(), kept("-2"));
        fs::write(with_suffix(&kept("-2"), LOG), "only its log").expect("a file");
        assert_eq!(name(), kept("-3"));
    }
}
