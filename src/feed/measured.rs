//! What is measured of following and of dropping: how far behind this process is, and how far back the log goes.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use metrics::{counter, gauge};

use crate::store::Retention;

/// The name of the number of revisions that the database is ahead of this process, when it last looked.
pub const LAG: &str = "underlay_follower_lag_revisions";
/// The name of the time when this process was last in step with the database, as seconds since 1970.
pub const IN_STEP_AT: &str = "underlay_follower_in_step_timestamp_seconds";
/// The name of the time for which changes are kept, in seconds; 0: for ever.
pub const RETENTION: &str = "underlay_retention_seconds";
/// The name of the oldest revision that was held after the last sweep.
pub const OLDEST: &str = "underlay_oldest_revision";
/// The name of the time when that was made, as seconds since 1970.
pub const OLDEST_AT: &str = "underlay_oldest_revision_timestamp_seconds";
/// The name of the number of rows of old changes that were dropped.
pub const DROPPED: &str = "underlay_dropped_rows_total";
/// The name of the number of sweeps that failed.
pub const SWEEPS_FAILED: &str = "underlay_sweeps_failed_total";

/// The database was so many revisions ahead.
pub(super) fn behind(revisions: i64) {
    gauge!(LAG).set(revisions.max(0) as f64);
    if revisions == 0 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        gauge!(IN_STEP_AT).set(now.as_secs_f64());
    }
}

/// Changes are kept for so long.
pub(super) fn kept_for(retention: Retention) {
    gauge!(RETENTION).set(match retention {
        Retention::ForEver => 0.0,
        Retention::For(time) => time.as_secs_f64(),
    });
}

/// So many rows were dropped.
pub(super) fn dropped(rows: u64) {
    counter!(DROPPED).increment(rows);
}

/// A sweep failed.
pub(super) fn failed() {
    counter!(SWEEPS_FAILED).increment(1);
}

/// The log goes back to this revision; to none while nothing was written.
pub(super) fn held_from(oldest: Option<(i64, DateTime<Utc>)>) {
    let Some((revision, at)) = oldest else { return };
    gauge!(OLDEST).set(revision as f64);
    gauge!(OLDEST_AT).set(at.timestamp() as f64);
}
