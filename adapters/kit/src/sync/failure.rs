//! Ends a run that failed, with its reason.
//!
//! Guarantee: a run that was judged as complete is not reported as failed, and a run that failed never as complete.

use underlay_client::ClientError;

use super::error::{AdapterError, SyncError};
use super::messages::{RunMode, RunReport};
use super::server::Server;

/// A run that failed, and that the server does not know of yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFailure {
    run: String,
    /// True if the server can end the run as failed: it is a full one, of which nothing was judged.
    can_fail: bool,
    code: String,
    reason: String,
}

/// The result of a report to the server.
#[derive(Debug)]
pub enum Reported {
    /// The run is not going on any more.
    Done,
    /// The run goes on as far as the server knows, for this reason or because time was short.
    NotYet(Option<SyncError>),
}

impl ItemFailure {
    /// Returns the failure of a run; `None` if the server ended the run itself. `is_settled` is true if the server may
    /// have judged what is gone.
    pub fn of(run: &str, mode: RunMode, is_settled: bool, error: &SyncError) -> Option<Self> {
        let can_fail = mode == RunMode::Full && !is_settled;
        let is_over = matches!(error, SyncError::Ended { .. });
        (!is_over).then(|| Self { run: run.to_owned(), can_fail, code: code(error), reason: error.to_string() })
    }

    /// Adds the reason to the errors of the run, and ends the run.
    pub async fn report(&self, server: &Server) -> Reported {
        match self.try_report(server).await {
            Err(error) if may_succeed_later(&error) => Reported::NotYet(Some(error)),
            // Else the run has ended, or the server refuses its end for good and abandons it.
            _ => Reported::Done,
        }
    }

    async fn try_report(&self, server: &Server) -> Result<(), SyncError> {
        let errors = vec![(server.source().to_owned(), self.code.clone(), self.reason.clone())];
        let reported = server.report(&self.run, &RunReport { errors, ..RunReport::default() }).await;
        // A run whose reason is refused for good still ends.
        if let Err(error) = reported
            && may_succeed_later(&error)
        {
            return Err(error);
        }
        match self.can_fail {
            true => {
                server.settle(&self.run, false).await?;
                server.finish(&self.run, None).await.map(drop)
            }
            // The server would count another end as a success.
            false => server.cancel(&self.run).await,
        }
    }
}

/// Returns true if a call was refused for something that can change: the server is away, or has to get another token.
fn may_succeed_later(error: &SyncError) -> bool {
    let needs_token = |error: &ClientError| {
        matches!(error, ClientError::NoToken(_)) || error.has_code("UNAUTHENTICATED") || error.has_code("FORBIDDEN")
    };
    error.is_passing() || matches!(error, SyncError::Client(error) if needs_token(error))
}

/// Returns the code of an error, as the server knows codes.
fn code(error: &SyncError) -> String {
    let code = match error {
        SyncError::Adapter(AdapterError::Refused { .. }) => "FORBIDDEN",
        SyncError::Client(error) => match error.code() {
            Some(code) => code,
            None if error.is_passing() => "UNAVAILABLE",
            None => "INVALID",
        },
        error if error.is_passing() => "UNAVAILABLE",
        _ => "INVALID",
    };
    code.to_owned()
}
