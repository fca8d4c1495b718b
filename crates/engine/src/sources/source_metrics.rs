//! Metrics of sources: health, the last success, the number of runs, of objects and of what is held.
//!
//! Gauges of a recorder stay for ever. So the state of each source is kept here, and set in a new recorder for each
//! answer: a source that was deleted is in no answer any more.

use chrono::{DateTime, Utc};
use metrics::{counter, gauge};
use underlay_entity::source_run::RunState;

use super::role::Health;

/// The metric that is 1 for the health of a source, and 0 for every other state.
pub const HEALTH: &str = "underlay_source_health";
/// The metric with the time of the last full run that succeeded, in seconds since 1970. 0 until there is one.
pub const LAST_SUCCESS: &str = "underlay_source_last_success_timestamp_seconds";
/// The metric that counts runs, by the state in which they ended.
pub const RUNS: &str = "underlay_source_runs_total";
/// The metric with the number of objects that carry the reference of a source and are not retired.
pub const OBJECTS: &str = "underlay_source_objects";

/// The metric with the number of objects and fields of a source that the guard holds.
pub const HELD: &str = "underlay_source_held";

/// Counts a run that has ended.
pub(super) fn ended(source: &str, state: RunState) {
    counter!(RUNS, "source" => source.to_owned(), "state" => word(state)).increment(1);
}

/// The state of a source, as a process last measured it.
#[derive(Clone, Debug)]
pub struct Measured {
    pub health: Health,
    /// The time of the last full run that succeeded.
    pub success: Option<DateTime<Utc>>,
    /// The number of objects that carry its reference and are not retired.
    pub objects: u64,
    /// The number of objects and fields that the guard holds.
    pub held: u64,
}

impl Measured {
    /// Sets the metrics of the source.
    pub(super) fn set(&self, source: &str, words: &[(Health, &'static str)]) {
        for (health, word) in words {
            let is_it = if *health == self.health { 1.0 } else { 0.0 };
            gauge!(HEALTH, "source" => source.to_owned(), "health" => *word).set(is_it);
        }
        let success = self.success.map_or(0, |at| at.timestamp());
        gauge!(LAST_SUCCESS, "source" => source.to_owned()).set(success as f64);
        gauge!(OBJECTS, "source" => source.to_owned()).set(self.objects as f64);
        gauge!(HELD, "source" => source.to_owned()).set(self.held as f64);
    }
}

const fn word(state: RunState) -> &'static str {
    match state {
        RunState::Running => "RUNNING",
        RunState::Succeeded => "SUCCEEDED",
        RunState::Failed => "FAILED",
        RunState::Held => "HELD",
        RunState::Abandoned => "ABANDONED",
        RunState::Cancelled => "CANCELLED",
    }
}
