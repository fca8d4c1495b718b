//! The reasons for which a database cannot be written, as an operator sees them, and the current one.
//!
//! The last attempt to write decides if writing works. While it does not, each query for the state of the server tests
//! the database ([`Store::try_write`]). The state is therefore up to date even if no client writes.

use std::sync::{Mutex, PoisonError};

use sea_orm::EntityTrait;
use sea_orm::sea_query::{Expr, ExprTrait};
use underlay_entity::revision;

use super::commit::step;
use super::connection::Store;
use super::database_file::DatabaseFile;
use super::error::StoreError;
use super::migrate;

/// The free space, in bytes, at which a disk that was full counts as usable again. Below it, a small write may still
/// succeed in a file that need not grow.
const MIN_FREE_BYTES: u64 = 256 * 1024;

/// The reason for which a database cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The disk of the database is full.
    Full,
    /// The disk of the database fails.
    Disk,
    /// The database rejects writes: its file system is read-only, or it is a standby.
    ReadOnly,
    /// The database is damaged.
    Damaged,
    /// A file of the database, which may be its log, was replaced or deleted while this process had it open.
    Replaced,
    /// A newer version of Underlay writes to the database in a format that this version does not know.
    Outdated,
    /// The database answers, but not in time.
    Slow,
    /// The database does not answer.
    Unreachable,
    /// The database reports another error, which is in the log of the server.
    Other,
}

impl Trouble {
    /// All reasons, in the order of the enum.
    pub const ALL: [Self; 9] = [
        Self::Full,
        Self::Disk,
        Self::ReadOnly,
        Self::Damaged,
        Self::Replaced,
        Self::Outdated,
        Self::Slow,
        Self::Unreachable,
        Self::Other,
    ];

    /// Returns the name of the reason for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "disk_full",
            Self::Disk => "disk_error",
            Self::ReadOnly => "read_only",
            Self::Damaged => "damaged",
            Self::Replaced => "replaced",
            Self::Outdated => "outdated",
            Self::Slow => "slow",
            Self::Unreachable => "unreachable",
            Self::Other => "error",
        }
    }

    /// Returns a clause that describes the reason for people.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Full => "the disk is full: the database has no room for what is to be written",
            Self::Disk => "the disk of the database fails",
            Self::ReadOnly => "the database is read-only",
            Self::Damaged => "the database is damaged",
            Self::Replaced => {
                "a file of the database was replaced or deleted while the server had it open, so nobody would read what it writes"
            }
            Self::Outdated => "this server is too old to write to the database, which a newer version has taken over",
            Self::Slow => "the database did not answer in time",
            Self::Unreachable => "the database cannot be reached",
            Self::Other => "the database reports an error, which stands in the log of the server",
        }
    }

    /// Returns a clause with the solution, for people.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Full => "make room on the disk of the database, then try again",
            Self::Disk | Self::ReadOnly => "see to the disk of the database, then try again",
            Self::Damaged => "run underlay doctor",
            Self::Replaced => "put the file back, or start the server again to use the files that are there now",
            Self::Outdated => "use a server of the newer version",
            Self::Slow | Self::Unreachable | Self::Other => "try again later",
        }
    }
}

/// Checks that the files of a database, if it has any, are still those that were opened.
///
/// # Errors
/// Returns [`StoreError::Replaced`] if one is not.
pub(super) fn check(file: Option<&DatabaseFile>) -> Result<(), StoreError> {
    match file.and_then(DatabaseFile::replaced) {
        Some(path) => Err(StoreError::Replaced { file: path.display().to_string() }),
        None => Ok(()),
    }
}

/// The reason for which the last attempt to write failed; `None` if it succeeded.
#[derive(Debug, Default)]
pub(super) struct Writes(Mutex<Option<Trouble>>);

impl Writes {
    fn get(&self) -> Option<Trouble> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, trouble: Option<Trouble>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }
}

impl Store {
    /// Returns the reason for which the database could not be written the last time; `None` if it could.
    pub fn write_trouble(&self) -> Option<Trouble> {
        self.writes.get()
    }

    /// Checks that writes would reach the database that others open.
    ///
    /// # Errors
    /// Returns [`StoreError::Replaced`] if a file of the database was replaced or deleted.
    pub fn check_file(&self) -> Result<(), StoreError> {
        let checked = check(self.file.as_ref());
        if let Err(error) = &checked {
            self.failed_to_write(error);
        }
        checked
    }

    /// Records that a write succeeded.
    pub fn wrote(&self) {
        match self.writes.get() {
            None => {}
            // The write fitted into the space that the files already have. A larger write would still fail.
            Some(Trouble::Full) if !self.has_room() => {}
            Some(_) => {
                tracing::info!("the database can be written again");
                self.writes.set(None);
            }
        }
    }

    /// Records an error of a write, and returns its reason. An error that only says that the rows themselves cannot be
    /// stored is ignored.
    pub fn failed_to_write(&self, error: &StoreError) -> Option<Trouble> {
        if error.is_violation() || matches!(error, StoreError::Overtaken(_)) {
            return None;
        }
        let trouble = self.trouble(error);
        self.writes.set(Some(trouble));
        Some(trouble)
    }

    /// Records an error of background maintenance that writes. Maintenance waits for a connection while batches are
    /// written. If it does not get one in time, that says nothing about the database.
    pub(super) fn failed_to_tidy(&self, error: &StoreError) {
        if !matches!(self.trouble(error), Trouble::Slow | Trouble::Unreachable) {
            self.failed_to_write(error);
        }
    }

    /// Returns the reason that an error stands for.
    pub fn trouble(&self, error: &StoreError) -> Trouble {
        match error.trouble() {
            // The disk error may mean a full disk: an exhausted quota, a shared file that cannot grow, or a disk that
            // reports it late.
            Trouble::Disk if !self.has_room() => Trouble::Full,
            trouble => trouble,
        }
    }

    /// Records if this version knows the format in which the database is written.
    pub(super) fn note_format(&self, row: &revision::Model) {
        match (migrate::may_write(row), self.writes.get()) {
            (Err(_), _) => self.writes.set(Some(Trouble::Outdated)),
            (Ok(()), Some(Trouble::Outdated)) => self.writes.set(None),
            (Ok(()), _) => {}
        }
    }

    /// Tests if the database can be written, with a transaction that changes nothing in the end.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written.
    pub async fn try_write(&self) -> Result<(), StoreError> {
        let tried = async {
            let writing = self.begin_write().await?;
            writing.hold().await?;
            // The number goes up and down again: setting a row to its current content would not reach the disk.
            for number in [1, -1] {
                let next = Expr::col(revision::Column::Number).add(number);
                let touch = revision::Entity::update_many().col_expr(revision::Column::Number, next);
                step(touch.exec(&writing.transaction)).await?;
            }
            // Other processes are not notified, because nothing changed.
            step(writing.transaction.commit()).await
        };
        let tried = tried.await;
        match &tried {
            Ok(()) => self.wrote(),
            Err(error) => drop(self.failed_to_write(error)),
        }
        tried
    }

    /// Returns true if the disk of an SQLite file has room. It is always true for other databases and on other systems
    /// than Unix.
    fn has_room(&self) -> bool {
        #[cfg(unix)]
        if let Some(file) = &self.file
            && let Ok(disk) = rustix::fs::statvfs(file.path())
        {
            return disk.f_bavail.saturating_mul(disk.f_frsize) >= MIN_FREE_BYTES;
        }
        true
    }
}
