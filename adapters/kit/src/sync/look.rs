//! A partial run: the things that hints named are read again and written.
//!
//! A thing that a look finds gone is only reported, unless the source proves that it has deleted it: the server judges
//! that at once. All else waits for the next full run.

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::adapter::{Adapter, Items};
use super::error::{AdapterError, SyncError};
use super::item::ExternalId;
use super::messages::{RunOutcome, RunReport, RunState};
use super::prepared::{Digest, Prepared, key};
use super::server::Server;
use super::state::State;
use super::tally::{Observer, Tally};
use super::writer::Writer;

/// The maximum number of looks at a time.
pub const MAX_LOOKS: usize = 8;

/// A thing that was looked at: its items, or that it is gone.
pub type Looked = (ExternalId, Option<Items>);

/// The results of looks.
#[derive(Debug, Default)]
pub struct Found {
    changed: Vec<Prepared>,
    /// The things that are there.
    pub there: Vec<ExternalId>,
    /// The things that are gone.
    pub gone: Vec<ExternalId>,
    /// The things that the source has deleted for certain.
    pub deleted: Vec<ExternalId>,
    errors: Vec<(String, String, String)>,
}

/// The end of a partial run.
#[derive(Debug)]
pub struct Written {
    /// The end of the run, as the server reports it.
    pub outcome: RunOutcome,
    /// The things that were refused, and may not be when others are gone.
    pub refused: Vec<ExternalId>,
    /// True if something stays that the source has deleted.
    pub is_left: bool,
}

impl Found {
    /// Returns true if there is nothing to report to the server.
    pub const fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.deleted.is_empty() && self.errors.is_empty()
    }
}

/// Reads things again.
///
/// # Errors
/// Returns the error of the first look that failed.
pub async fn read<A: Adapter>(adapter: &A, things: Vec<ExternalId>) -> Result<Vec<Looked>, AdapterError> {
    let looks = things.into_iter().map(|id| async move {
        let seen = adapter.look(&id).await;
        seen.map(|items| (id, items))
    });
    stream::iter(looks).buffered(MAX_LOOKS).try_collect().await
}

/// Reads things again, and compares them with what the server has.
///
/// # Errors
/// Returns the error of the first look that failed.
pub async fn look<A: Adapter>(
    adapter: &A,
    state: &State,
    things: Vec<ExternalId>,
    tally: &mut Tally,
) -> Result<Found, AdapterError> {
    let mut found = Found::default();
    for (id, items) in read(adapter, things).await? {
        match items {
            None => found.gone.push(id),
            Some(items) => {
                found.there.push(id);
                found.add(state, items, tally);
            }
        }
    }
    Ok(found)
}

/// Has the server remove what the source has deleted, within a partial run. Returns what the server says of the run,
/// and true if something stays. What is deleted is not known any more.
///
/// # Errors
/// Returns an error if the server does not take it.
pub async fn settle(
    server: &Server,
    run: &str,
    state: &mut State,
    deleted: &[ExternalId],
) -> Result<(RunOutcome, bool), SyncError> {
    let keys: Vec<Digest> = deleted.iter().map(key).collect();
    let known = keys.iter().filter(|key| state.knows(key)).count() as u64;
    state.touch(&keys)?;
    let outcome = server.settle_deleted(run, deleted).await?;
    let removed = outcome.retired + outcome.deleted + outcome.released;
    Ok((outcome, outcome.state != RunState::Held && removed < known))
}

impl Found {
    fn add(&mut self, state: &State, items: Items, tally: &mut Tally) {
        for item in items {
            tally.items += 1;
            match Prepared::new(&item) {
                Ok(item) if state.has(&item.key, item.content) => tally.unchanged += 1,
                // Two hints can lead to one thing.
                Ok(item) if self.changed.iter().any(|other| other.key == item.key) => {}
                Ok(item) => self.changed.push(item),
                Err(error) => {
                    tally.bad += 1;
                    self.errors.push((item.id().id.clone(), "INVALID".to_owned(), error.to_string()));
                }
            }
        }
    }

    /// Writes what was found within a run that was started for it, and finishes the run.
    ///
    /// # Errors
    /// Returns an error if the server does not take it.
    pub async fn write(
        self,
        server: &Server,
        run: &str,
        state: &mut State,
        tally: &mut Tally,
        observer: &dyn Observer,
    ) -> Result<Written, SyncError> {
        self.errors.iter().for_each(|(id, _, reason)| observer.problem(&format!("{id}: {reason}")));
        let mut writer = Writer::new(server, run, state);
        writer.tally = *tally;
        let written = write(self, server, run, &mut writer).await;
        *tally = writer.tally;
        writer.take_reasons().iter().for_each(|reason| observer.problem(reason));
        let (is_left, refused) = (written?, writer.take_given_up());
        let outcome = server.finish(run, None).await?;
        tally.held = outcome.held_count;
        tally.gone = outcome.retired + outcome.deleted + outcome.released;
        Ok(Written { outcome, refused, is_left })
    }
}

/// Writes what was found. Returns true if something stays that the source has deleted.
async fn write(found: Found, server: &Server, run: &str, writer: &mut Writer<'_>) -> Result<bool, SyncError> {
    let Found { changed, gone, deleted, errors, .. } = found;
    for item in changed {
        writer.write(item).await?;
    }
    writer.flush().await?;
    writer.retry_each().await?;
    if !gone.is_empty() || !errors.is_empty() {
        writer.report(&RunReport { gone, errors, ..RunReport::default() }).await?;
    }
    let mut is_left = false;
    if !deleted.is_empty() {
        (_, is_left) = settle(server, run, writer.state(), &deleted).await?;
    }
    writer.retry_together().await?;
    Ok(is_left)
}
