//! The clock of the database. All stored times, and all times that decide about pruning, come from it. The clocks of
//! the processes that share the database may differ by any amount.
//!
//! A process reads the clock when it connects, and at least once a second while it replicates the database. Between
//! readings it counts on by its own monotonic clock. SQLite has no clock of its own, so the clock of the machine is
//! used.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use super::connection::Store;
use super::error::StoreError;

/// The last time that was read from a database.
#[derive(Clone, Copy, Debug)]
struct Reading {
    database: DateTime<Utc>,
    /// The moment of the reading, by the process's own monotonic clock.
    read: Instant,
}

/// A process's view of the clock of a database. Clones share their readings.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The last reading; `None` for a database that uses the clock of this machine.
    reading: Arc<RwLock<Option<Reading>>>,
}

impl Clock {
    /// Returns the time of the database, truncated to the microseconds that databases store.
    pub fn now(&self) -> DateTime<Utc> {
        let reading = *self.reading.read().unwrap_or_else(PoisonError::into_inner);
        let now = reading.and_then(|reading| {
            let passed = TimeDelta::from_std(reading.read.elapsed()).ok()?;
            reading.database.checked_add_signed(passed)
        });
        now.unwrap_or_else(Utc::now).trunc_subsecs(6)
    }

    /// Reads the clock through a connection.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The last reading stays in use.
    pub(super) async fn read(&self, connection: &DatabaseConnection) -> Result<(), StoreError> {
        if connection.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let ask = Statement::from_string(DbBackend::Postgres, "SELECT clock_timestamp() AS now");
        let row = connection.query_one_raw(ask).await?;
        if let Some(database) = row.map(|row| row.try_get("", "now")).transpose()? {
            let reading = Reading { database, read: Instant::now() };
            *self.reading.write().unwrap_or_else(PoisonError::into_inner) = Some(reading);
        }
        Ok(())
    }
}

impl Store {
    /// Returns the clock of the database.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Reads the clock of the database, and returns the time.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn read_clock(&self) -> Result<DateTime<Utc>, StoreError> {
        self.clock.read(&self.replication).await?;
        Ok(self.clock.now())
    }
}
