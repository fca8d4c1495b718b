//! Checks which part of the change log is stored. A history that was dropped, or does not exist yet, is never shown as
//! one without changes.

use chrono::{DateTime, SecondsFormat, Utc};

use super::error::ReadError;
use underlay_engine::store::Store;

/// The first revision.
const FIRST_REVISION: i64 = 1;

/// The bounds of a query to the change log.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Revisions whose changes are queried, each with the name of its argument.
    pub revisions: Vec<(&'static str, i64)>,
    /// Times, each with the name of its argument.
    pub times: Vec<(&'static str, DateTime<Utc>)>,
}

impl Bounds {
    /// Refuses a query for changes that were dropped. It must be called *after* the changes were read, because changes
    /// that are stored then were stored when they were read.
    ///
    /// # Errors
    /// Returns `REVISION_COMPACTED` if a bound is below the oldest stored revision.
    pub async fn check(&self, store: &Store) -> Result<(), ReadError> {
        if self.revisions.is_empty() && self.times.is_empty() {
            return Ok(());
        }
        let Some((oldest, since)) = store.oldest().await? else { return Ok(()) };
        held(&self.revisions, oldest)?;
        if oldest == FIRST_REVISION {
            return Ok(());
        }
        match self.times.iter().find(|(_, at)| *at < since) {
            Some((argument, at)) => {
                let asked = at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
                Err(ReadError::Dropped { argument, asked, oldest })
            }
            None => Ok(()),
        }
    }
}

/// Refuses revisions below the oldest stored one. As long as nothing was dropped, there are none.
pub fn held(revisions: &[(&'static str, i64)], oldest: i64) -> Result<(), ReadError> {
    match revisions.iter().find(|(_, revision)| oldest > FIRST_REVISION && *revision < oldest) {
        Some((argument, revision)) => {
            Err(ReadError::Dropped { argument, asked: format!("revision {revision}"), oldest })
        }
        None => Ok(()),
    }
}

/// Refuses a revision that does not exist yet.
pub fn not_future(argument: &'static str, revision: i64, newest: i64) -> Result<(), ReadError> {
    if revision > newest { Err(ReadError::Future { argument, revision, newest }) } else { Ok(()) }
}
