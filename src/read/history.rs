//! What of the change log is held: a history that is not there any more, or not there yet, is never shown as one in
//! which nothing happened.

use chrono::{DateTime, SecondsFormat, Utc};

use super::error::ReadError;
use crate::store::Store;

/// The first revision of all.
const FIRST: i64 = 1;

/// What a question to the change log says of where the history that it asks for begins or ends.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Revisions, each with the argument that names it. Changes of this revision are asked for.
    pub revisions: Vec<(&'static str, i64)>,
    /// Times, the same way.
    pub times: Vec<(&'static str, DateTime<Utc>)>,
}

impl Bounds {
    /// Refuses a question for what was dropped. To be asked *after* the changes were read: what is held then was held
    /// when they were.
    ///
    /// # Errors
    /// `REVISION_COMPACTED` when a bound is below the oldest revision that is held.
    pub async fn check(&self, store: &Store) -> Result<(), ReadError> {
        if self.revisions.is_empty() && self.times.is_empty() {
            return Ok(());
        }
        let Some((oldest, since)) = store.oldest().await? else { return Ok(()) };
        held(&self.revisions, oldest)?;
        if oldest == FIRST {
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

/// Refuses revisions below the oldest one that is held. Before anything was dropped there are none.
pub fn held(revisions: &[(&'static str, i64)], oldest: i64) -> Result<(), ReadError> {
    match revisions.iter().find(|(_, revision)| oldest > FIRST && *revision < oldest) {
        Some((argument, revision)) => {
            Err(ReadError::Dropped { argument, asked: format!("revision {revision}"), oldest })
        }
        None => Ok(()),
    }
}

/// Refuses a revision that is not there yet.
pub fn not_future(argument: &'static str, revision: i64, newest: i64) -> Result<(), ReadError> {
    if revision > newest { Err(ReadError::Future { argument, revision, newest }) } else { Ok(()) }
}
