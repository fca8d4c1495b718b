//! Prunes changes that are older than the configured retention, and forgets old requests whose repeats are no longer
//! answered. Runs in the background.
//!
//! The work is done in small steps. After each step the database is left to the writers for longer than the step took.
//! All replicas prune, and it does not matter which of them deletes a row.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::follower_metrics;
use crate::runtime::{BackOff, jittered};
use crate::store::{Dropped, REPEATABLE_HOURS, Retention, Store, StoreError};

/// The number of rows that are pruned at a time.
const ROWS_PER_STEP: u64 = 1_000;
/// The rest after a step, as a multiple of the time that the step took.
const STEP_PAUSE_FACTOR: f64 = 4.0;
/// The minimum rest after a step.
const MIN_STEP_PAUSE: Duration = Duration::from_millis(5);
/// The wait before the first sweep. A process that was just started has more urgent work.
const FIRST_SWEEP_DELAY: Duration = Duration::from_secs(2);
/// The time between two sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// The least wait after the first failed sweep. The wait doubles after each failure, up to [`SWEEP_INTERVAL`].
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(10);

/// Prunes changes beyond the retention and forgets old requests, again and again. Never returns.
pub async fn keep_short(store: Store, retention: Retention) {
    follower_metrics::kept_for(retention);
    let (mut pause, mut failures) = (jittered(FIRST_SWEEP_DELAY), BackOff::new(FIRST_RETRY_DELAY, SWEEP_INTERVAL));
    loop {
        tokio::time::sleep(pause).await;
        match drop_old(&store, retention).await {
            Ok(()) => {
                failures.succeeded();
                pause = jittered(SWEEP_INTERVAL);
            }
            Err(error) => {
                follower_metrics::failed();
                pause = failures.failed();
                tracing::warn!("old changes cannot be dropped now: {error}");
            }
        }
    }
}

/// Prunes changes and requests that are too old according to the clock of the database, without its jumps.
async fn drop_old(store: &Store, retention: Retention) -> Result<(), StoreError> {
    let now = store.keep_time().await?;
    match store.clock_jump().await? {
        None => follower_metrics::jumped(TimeDelta::zero()),
        Some(jump) => {
            follower_metrics::jumped(jump.by);
            tracing::warn!(by = %jump.by, seen_at = %jump.seen_at, "the clock jumped: what became old by it is kept; accept \
                the clock if it is right (acceptClock)");
        }
    }
    forget(store, now).await?;
    let Retention::For(time) = retention else { return Ok(()) };
    // If the subtraction overflows, the limit lies before all representable times, and nothing is that old.
    let before = TimeDelta::from_std(time).ok().and_then(|time| now.checked_sub_signed(time));
    let Some(before) = before else { return Ok(()) };
    let rows = sweep(store, before).await?;
    follower_metrics::dropped(rows);
    // If the oldest revision cannot be read now, the next sweep reports it.
    if let Ok(oldest) = store.oldest().await {
        follower_metrics::held_from(oldest);
    }
    if rows > 0 {
        tracing::info!(rows, %before, "dropped old changes");
    }
    Ok(())
}

/// Forgets the requests that are too old to be repeated, and the old counts of reads of secrets.
async fn forget(store: &Store, now: DateTime<Utc>) -> Result<(), StoreError> {
    let before = now - TimeDelta::hours(i64::from(REPEATABLE_HOURS));
    loop {
        let began = Instant::now();
        if store.forget_requests(before, ROWS_PER_STEP).await? < ROWS_PER_STEP {
            return store.forget_secret_reads(now).await;
        }
        tokio::time::sleep(jittered(began.elapsed().mul_f64(STEP_PAUSE_FACTOR).max(MIN_STEP_PAUSE))).await;
    }
}

/// Prunes all revisions that were made before a time, except the newest. Returns the number of pruned rows.
///
/// # Errors
/// Returns an error if the database does not answer. Rows that were pruned before stay pruned, and the next sweep
/// prunes the rest.
pub async fn sweep(store: &Store, before: DateTime<Utc>) -> Result<u64, StoreError> {
    let mut rows = 0;
    loop {
        let began = Instant::now();
        match store.drop_before(before, ROWS_PER_STEP).await? {
            Dropped::Some(count) => rows += count,
            Dropped::Nothing | Dropped::Busy => return Ok(rows),
        }
        tokio::time::sleep(jittered(began.elapsed().mul_f64(STEP_PAUSE_FACTOR).max(MIN_STEP_PAUSE))).await;
    }
}
