//! Sends the reports of a run, which are also its signs of life.
//!
//! Guarantee: ids of a kind that the server does not know are not named as seen, and keep nothing else of a report from
//! the server.

use std::collections::BTreeMap;

use tokio::time::Instant;
use underlay_client::ClientError;

use super::error::SyncError;
use super::item::ExternalId;
use super::messages::RunReport;
use super::server::Server;
use super::unnamed::Unnamed;
use crate::problem::shown;

/// The argument that the server names when it refuses the name of a kind.
const KINDS_ARGUMENT: &str = "kinds";

/// Reports for one run.
#[derive(Debug)]
pub struct Reporter<'a> {
    server: &'a Server,
    run: &'a str,
    /// The time at which the last call of the run was made.
    pub called_at: Instant,
    /// The things that no report can name.
    pub unnamed: Unnamed,
}

impl<'a> Reporter<'a> {
    /// Returns the reporter of a run that was started a moment ago.
    pub fn new(server: &'a Server, run: &'a str) -> Self {
        Self { server, run, called_at: Instant::now(), unnamed: Unnamed::default() }
    }

    /// Sends a report. Returns the identities that the server wants whole.
    ///
    /// # Errors
    /// Returns an error if the server does not take it.
    pub async fn report(&mut self, report: &RunReport) -> Result<Vec<ExternalId>, SyncError> {
        match self.send(report).await {
            // The server refuses a report as a whole, so the kind that it does not know is looked for.
            Err(SyncError::Client(error)) if refuses_kind(&error) => self.report_by_kind(report).await,
            answer => answer,
        }
    }

    async fn report_by_kind(&mut self, report: &RunReport) -> Result<Vec<ExternalId>, SyncError> {
        let RunReport { seen, gone, counts, errors } = report.clone();
        let mut kinds: BTreeMap<String, RunReport> = BTreeMap::new();
        for (kind, ids) in seen {
            kinds.entry(kind.clone()).or_default().seen.insert(kind, ids);
        }
        for thing in gone {
            kinds.entry(thing.kind.clone()).or_default().gone.push(thing);
        }
        let mut wanted = self.send(&RunReport { counts, errors, ..RunReport::default() }).await?;
        for (kind, report) in &kinds {
            match self.send(report).await {
                Err(SyncError::Client(error)) if refuses_kind(&error) => {
                    for id in report.seen.values().flatten() {
                        self.unnamed.add(1, id, format!("the server knows no kind {}", shown(kind)));
                    }
                }
                answer => wanted.extend(answer?),
            }
        }
        Ok(wanted)
    }

    async fn send(&mut self, report: &RunReport) -> Result<Vec<ExternalId>, SyncError> {
        self.called_at = Instant::now();
        self.server.report(self.run, report).await
    }
}

/// Returns true if the server refused a report because of the name of a kind.
fn refuses_kind(error: &ClientError) -> bool {
    let is_of_kind = |error: &underlay_client::GraphqlError| error.field() == Some(KINDS_ARGUMENT);
    error.has_code("INVALID") && matches!(error, ClientError::Graphql(errors) if errors.iter().any(is_of_kind))
}
