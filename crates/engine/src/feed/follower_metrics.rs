//! Metrics of replication and of retention: the lag of this process behind the database, and the age of the change log.

use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use metrics::{counter, gauge};

use crate::store::Retention;

/// The metric with the number of revisions by which this process was behind the database at the last poll.
pub const LAG: &str = "underlay_follower_lag_revisions";
/// The metric with the time when this process was last in step with the database, in seconds since 1970.
pub const IN_STEP_AT: &str = "underlay_follower_in_step_timestamp_seconds";
/// The metric with the time for which changes are kept, in seconds. 0 means that they are kept for ever.
pub const RETENTION: &str = "underlay_retention_seconds";
/// The metric with the oldest revision that was held after the last sweep.
pub const OLDEST: &str = "underlay_oldest_revision";
/// The metric with the time when the oldest held revision was made, in seconds since 1970.
pub const OLDEST_AT: &str = "underlay_oldest_revision_timestamp_seconds";
/// The metric that counts the rows of old changes that were pruned.
pub const DROPPED: &str = "underlay_dropped_rows_total";
/// The metric that counts the sweeps that failed.
pub const SWEEPS_FAILED: &str = "underlay_sweeps_failed_total";

/// The metric with the time by which the clock jumped ahead, in seconds. 0 if it did not, or the jump was accepted.
pub const CLOCK_JUMP: &str = "underlay_clock_jump_seconds";

/// Records by how much the clock jumped ahead.
pub(super) fn jumped(by: TimeDelta) {
    gauge!(CLOCK_JUMP).set(by.num_seconds() as f64);
}

/// Records that this process is behind the database by this number of revisions.
pub(super) fn behind(revisions: i64) {
    gauge!(LAG).set(revisions.max(0) as f64);
    if revisions == 0 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        gauge!(IN_STEP_AT).set(now.as_secs_f64());
    }
}

/// Records the time for which changes are kept.
pub(super) fn kept_for(retention: Retention) {
    gauge!(RETENTION).set(match retention {
        Retention::ForEver => 0.0,
        Retention::For(time) => time.as_secs_f64(),
    });
}

/// Records that this number of rows was pruned.
pub(super) fn dropped(rows: u64) {
    counter!(DROPPED).increment(rows);
}

/// Counts a sweep that failed.
pub(super) fn failed() {
    counter!(SWEEPS_FAILED).increment(1);
}

/// Records the oldest revision in the log and its time. Does nothing while no revision was written.
pub(super) fn held_from(oldest: Option<(i64, DateTime<Utc>)>) {
    let Some((revision, at)) = oldest else { return };
    gauge!(OLDEST).set(revision as f64);
    gauge!(OLDEST_AT).set(at.timestamp() as f64);
}
