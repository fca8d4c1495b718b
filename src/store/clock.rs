//! The database's clock. Every time that is stored, and every time that decides what is forgotten, is the database's: the
//! clocks of the processes that share a database may differ by any amount.
//!
//! A process reads the clock when it connects and at least every second while it follows the database, and counts on
//! from the last reading by its own monotonic clock. An SQLite database has no clock but that of its machine.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use super::connection::Store;
use super::error::StoreError;

/// The last reading of a clock.
#[derive(Clone, Copy, Debug)]
struct Reading {
    database: DateTime<Utc>,
    /// The moment of the reading, by the process's own monotonic clock.
    read: Instant,
}

/// The clock of a database, as a process knows it. Copies share their readings.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// `None` for a database that has the clock of this machine.
    reading: Arc<RwLock<Option<Reading>>>,
}

impl Clock {
    /// The time by the database's clock, in the microseconds that databases store.
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
    /// When the database does not answer. The last reading holds on.
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
    /// The database's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Reads the database's clock, and gives the time.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read_clock(&self) -> Result<DateTime<Utc>, StoreError> {
        self.clock.read(&self.follower).await?;
        Ok(self.clock.now())
    }
}
