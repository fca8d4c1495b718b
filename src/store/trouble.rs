//! The reasons for which a database cannot be written, as an operator tells them apart, and the one that holds now.
//!
//! The last attempt to write says whether writing works. While it does not, whoever asks for the state of the server lets
//! the database be tried ([`Store::try_write`]), so that the state follows without a write by a client.

use std::sync::{Mutex, PoisonError};

use sea_orm::EntityTrait;
use sea_orm::sea_query::{Expr, ExprTrait};
use underlay_entity::revision;

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::migrate;

/// The free space, in bytes, from which on a disk that was full has room again. Below it a small write may still
/// succeed, inside of a file that does not have to grow.
const LEAST_ROOM: u64 = 256 * 1024;

/// The reason for which a database cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The disk of the database has no room.
    Full,
    /// The disk of the database fails.
    Disk,
    /// The database takes no writes: its file system is read-only, or it is a standby.
    ReadOnly,
    /// The database is damaged.
    Damaged,
    /// A newer version of Underlay writes to the database in a form that this one does not know.
    Outdated,
    /// The database answers, but not in time.
    Slow,
    /// The database does not answer.
    Unreachable,
    /// The database reports an error that is none of these; the log has it.
    Other,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Full,
        Self::Disk,
        Self::ReadOnly,
        Self::Damaged,
        Self::Outdated,
        Self::Slow,
        Self::Unreachable,
        Self::Other,
    ];

    /// The word for it, for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "disk_full",
            Self::Disk => "disk_error",
            Self::ReadOnly => "read_only",
            Self::Damaged => "damaged",
            Self::Outdated => "outdated",
            Self::Slow => "slow",
            Self::Unreachable => "unreachable",
            Self::Other => "error",
        }
    }

    /// A clause that says it, for people.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Full => "the disk is full: the database has no room for what is to be written",
            Self::Disk => "the disk of the database fails",
            Self::ReadOnly => "the database is read-only",
            Self::Damaged => "the database is damaged",
            Self::Outdated => "this server is too old to write to the database, which a newer version has taken over",
            Self::Slow => "the database did not answer in time",
            Self::Unreachable => "the database cannot be reached",
            Self::Other => "the database reports an error, which stands in the log of the server",
        }
    }

    /// A clause that says what helps.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Full => "make room on the disk of the database, then try again",
            Self::Disk | Self::ReadOnly => "see to the disk of the database, then try again",
            Self::Damaged => "run underlay doctor",
            Self::Outdated => "use a server of the newer version",
            Self::Slow | Self::Unreachable | Self::Other => "try again later",
        }
    }
}

/// The trouble that the last attempt to write met, if it met any.
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
    /// The reason for which the database could not be written the last time; `None` when it could.
    pub fn write_trouble(&self) -> Option<Trouble> {
        self.writes.get()
    }

    /// Notes that something was written.
    pub fn wrote(&self) {
        match self.writes.get() {
            None => {}
            // It fitted into what the files have; what is larger would not.
            Some(Trouble::Full) if !self.has_room() => {}
            Some(_) => {
                tracing::info!("the database can be written again");
                self.writes.set(None);
            }
        }
    }

    /// Notes an error of an attempt to write, and gives what kind of trouble it is. An error that only says that the
    /// rows themselves cannot be stored is none.
    pub fn failed_to_write(&self, error: &StoreError) -> Option<Trouble> {
        if error.is_violation() || matches!(error, StoreError::Overtaken(_)) {
            return None;
        }
        let trouble = self.trouble(error);
        self.writes.set(Some(trouble));
        Some(trouble)
    }

    /// Notes an error of upkeep that writes. Upkeep gives way to batches, and waits for a connection while they write: that
    /// it does not get one in time says nothing of the database.
    pub(super) fn failed_to_tidy(&self, error: &StoreError) {
        if !matches!(self.trouble(error), Trouble::Slow | Trouble::Unreachable) {
            self.failed_to_write(error);
        }
    }

    /// The kind of trouble that an error means.
    pub fn trouble(&self, error: &StoreError) -> Trouble {
        match error.trouble() {
            // A quota that is used up, a file shared by processes that cannot grow, a disk that finds out in the end.
            Trouble::Disk if !self.has_room() => Trouble::Full,
            trouble => trouble,
        }
    }

    /// Notes whether the format in which the database is written is one that this version knows.
    pub(super) fn note_format(&self, row: &revision::Model) {
        match (migrate::may_write(row), self.writes.get()) {
            (Err(_), _) => self.writes.set(Some(Trouble::Outdated)),
            (Ok(()), Some(Trouble::Outdated)) => self.writes.set(None),
            (Ok(()), _) => {}
        }
    }

    /// Tries whether the database can be written, by a transaction that changes nothing in the end.
    ///
    /// # Errors
    /// When it cannot.
    pub async fn try_write(&self) -> Result<(), StoreError> {
        let tried = async {
            let writing = self.begin_write().await?;
            writing.hold().await?;
            // There and back: a row that is set to what it is already would not reach the disk.
            for number in [1, -1] {
                let next = Expr::col(revision::Column::Number).add(number);
                let touch = revision::Entity::update_many().col_expr(revision::Column::Number, next);
                step(touch.exec(&writing.transaction)).await?;
            }
            // No other process is told: there is nothing new.
            step(writing.transaction.commit()).await
        };
        let tried = tried.await;
        match &tried {
            Ok(()) => self.wrote(),
            Err(error) => drop(self.failed_to_write(error)),
        }
        tried
    }

    /// Whether the disk of an SQLite file has room; of other databases nothing is known, and of other systems neither.
    fn has_room(&self) -> bool {
        #[cfg(unix)]
        if let Some(file) = &self.file
            && let Ok(disk) = rustix::fs::statvfs(file)
        {
            return disk.f_bavail.saturating_mul(disk.f_frsize) >= LEAST_ROOM;
        }
        true
    }
}
