//! The errors of calls for runs.

use thiserror::Error;
use underlay_entity::source_run::RunState;
use uuid::Uuid;

use crate::store::StoreError;
use underlay_error::Code;
use underlay_inventory::Refusal;

/// The reason for which a call for a run is refused.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("run {} does not exist", .0.escape_debug())]
    NoRun(String),
    #[error(
        "source {0} does not exist: create it, give newSource, or start the run with the token of its synchronizer"
    )]
    NoSource(String),
    #[error("run {run} is {}: {remedy}", word(*state))]
    State { run: Uuid, state: RunState, remedy: &'static str },
    #[error("run {running} of source {source_name} is still running; at most one full run of a source runs at a time")]
    Busy { source_name: String, running: Uuid },
    #[error("source {0} is paused: resume it to start runs")]
    Paused(String),
    #[error("nothing is held with run {run} any more, but with run {newest}: decide about run {newest}")]
    Replaced { run: Uuid, newest: Uuid },
    #[error("{field} {reason}")]
    Invalid { field: &'static str, reason: String },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("other processes write for the same source: try again")]
    Overtaken,
    #[error("the runs of sources cannot be stored now: {0}")]
    Store(StoreError),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::RunOvertaken => Self::Overtaken,
            error => Self::Store(error),
        }
    }
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        let (code, field) = match &error {
            RunError::NoRun(_) => (Code::NotFound, Some("run")),
            RunError::NoSource(_) => (Code::NotFound, Some("source")),
            RunError::State { .. } | RunError::Replaced { .. } => (Code::Incompatible, Some("run")),
            RunError::Busy { .. } => (Code::InUse, Some("source")),
            RunError::Paused(_) => (Code::Incompatible, Some("source")),
            RunError::Invalid { field, .. } => (Code::Invalid, Some(*field)),
            RunError::Overtaken => (Code::Unavailable, None),
            RunError::Store(inside) => {
                tracing::warn!("the runs of sources cannot be stored: {inside}");
                let message = "the database does not answer, or cannot be written: try again later".to_owned();
                return Self::Unavailable(message);
            }
            RunError::Refused(refusal) => return refusal.clone(),
        };
        Self::Recorded { code, field: field.map(str::to_owned), message: error.to_string() }
    }
}

fn word(state: RunState) -> &'static str {
    match state {
        RunState::Running => "RUNNING",
        RunState::Succeeded => "SUCCEEDED",
        RunState::Failed => "FAILED",
        RunState::Held => "HELD",
        RunState::Abandoned => "ABANDONED",
        RunState::Cancelled => "CANCELLED",
    }
}
