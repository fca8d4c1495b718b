//! Dropping what is older than the configured time, and forgetting requests that are not answered again, in the
//! background.
//!
//! In small steps that give way: between two of them writers have the database for longer than the step took. All
//! replicas do it; it does not matter which of them.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::measured;
use crate::store::{Dropped, REPEATABLE_HOURS, Retention, Store, StoreError};

/// How many rows are dropped at a time.
const STEP: u64 = 1_000;
/// For how many times as long as a step took the database is left to others after it.
const REST: f64 = 4.0;
/// The shortest rest.
const LEAST_REST: Duration = Duration::from_millis(5);
/// How long to wait at the start: a process that was just started has other things to do.
const FIRST: Duration = Duration::from_secs(2);
/// How long to wait before looking again for what has become old.
const PAUSE: Duration = Duration::from_secs(10 * 60);
/// How long to wait after an error, the first time; twice as long each time after, up to the usual pause.
const AFTER_ERROR: Duration = Duration::from_secs(10);

/// Drops what becomes older than the retention, and forgets old requests, over and over.
pub async fn keep_short(store: Store, retention: Retention) {
    measured::kept_for(retention);
    let mut after_error = AFTER_ERROR;
    let mut pause = FIRST;
    loop {
        tokio::time::sleep(jittered(pause)).await;
        match drop_old(&store, retention).await {
            Ok(()) => (pause, after_error) = (PAUSE, AFTER_ERROR),
            Err(error) => {
                measured::failed();
                (pause, after_error) = (after_error, (after_error * 2).min(PAUSE));
                tracing::warn!("old changes cannot be dropped now: {error}");
            }
        }
    }
}

/// Drops what is too old by the database's clock.
async fn drop_old(store: &Store, retention: Retention) -> Result<(), StoreError> {
    let now = store.read_clock().await?;
    forget(store, now).await?;
    let Retention::For(time) = retention else { return Ok(()) };
    // Before all times that can be reckoned with nothing was written.
    let before = TimeDelta::from_std(time).ok().and_then(|time| now.checked_sub_signed(time));
    let Some(before) = before else { return Ok(()) };
    let rows = sweep(store, before).await?;
    measured::dropped(rows);
    // What is not known now is known after the next sweep.
    if let Ok(oldest) = store.oldest().await {
        measured::held_from(oldest);
    }
    if rows > 0 {
        tracing::info!(rows, %before, "dropped old changes");
    }
    Ok(())
}

/// Forgets the requests whose repeats are not answered any more.
async fn forget(store: &Store, now: DateTime<Utc>) -> Result<(), StoreError> {
    let before = now - TimeDelta::hours(i64::from(REPEATABLE_HOURS));
    loop {
        let began = Instant::now();
        if store.forget_requests(before, STEP).await? < STEP {
            return Ok(());
        }
        tokio::time::sleep(jittered(began.elapsed().mul_f64(REST).max(LEAST_REST))).await;
    }
}

/// Drops all revisions that were made before a time, but the newest; gives how many rows that were.
///
/// # Errors
/// When the database does not answer. What was dropped until then is gone; the rest is dropped the next time.
pub async fn sweep(store: &Store, before: DateTime<Utc>) -> Result<u64, StoreError> {
    let mut rows = 0;
    loop {
        let began = Instant::now();
        match store.drop_before(before, STEP).await? {
            Dropped::Some(count) => rows += count,
            Dropped::Nothing | Dropped::Busy => return Ok(rows),
        }
        tokio::time::sleep(jittered(began.elapsed().mul_f64(REST).max(LEAST_REST))).await;
    }
}

/// About so long: replicas that were started together do not all come at the same moment.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(0.75 + rand::random::<f64>() / 2.0)
}
