//! A partial run: the things that hints named are read again and written.
//!
//! A thing that a look finds gone is only reported. Only the next full run judges it.

use futures_util::stream::{self, StreamExt as _};

use super::adapter::{Adapter, Items};
use super::error::{AdapterError, SyncError};
use super::item::ExternalId;
use super::messages::{RunOutcome, RunReport};
use super::prepared::Prepared;
use super::server::Server;
use super::state::State;
use super::tally::{Observer, Tally};
use super::writer::Writer;

/// The maximum number of looks at a time.
const MAX_LOOKS: usize = 8;

/// The results of looks.
#[derive(Debug, Default)]
pub struct Found {
    changed: Vec<Prepared>,
    gone: Vec<ExternalId>,
    errors: Vec<(String, String, String)>,
}

impl Found {
    /// Returns true if there is nothing to report to the server.
    pub const fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.errors.is_empty()
    }

    /// Returns true if something is gone.
    pub const fn has_gone(&self) -> bool {
        !self.gone.is_empty()
    }
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
    let looks = things.into_iter().map(|id| async move {
        let seen = adapter.look(&id).await;
        seen.map(|items| (id, items))
    });
    let mut looks = stream::iter(looks).buffered(MAX_LOOKS);
    let mut found = Found::default();
    while let Some(seen) = looks.next().await {
        match seen? {
            (id, None) => found.gone.push(id),
            (_, Some(items)) => found.add(state, items, tally),
        }
    }
    Ok(found)
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
    ) -> Result<RunOutcome, SyncError> {
        self.errors.iter().for_each(|(id, _, reason)| observer.problem(&format!("{id}: {reason}")));
        let mut writer = Writer::new(server, run, state);
        writer.tally = *tally;
        let written = write(self, &mut writer).await;
        *tally = writer.tally;
        writer.take_reasons().iter().for_each(|reason| observer.problem(reason));
        written?;
        let outcome = server.finish(run, None).await?;
        tally.held = outcome.held_count;
        Ok(outcome)
    }
}

async fn write(found: Found, writer: &mut Writer<'_>) -> Result<(), SyncError> {
    let Found { changed, gone, errors } = found;
    for item in changed {
        writer.write(item).await?;
    }
    writer.flush().await?;
    writer.retry_each().await?;
    writer.retry_together().await?;
    if !gone.is_empty() || !errors.is_empty() {
        writer.report(&RunReport { gone, errors, ..RunReport::default() }).await?;
    }
    Ok(())
}
