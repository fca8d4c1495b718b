//! This module reports the health of the process: that it is alive, and that it is ready to serve.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::Service;
use underlay_engine::store::{Store, StoreError, Trouble};

/// The time-out of a check of the database. Health probes usually wait for one second.
const DATABASE_CHECK_TIMEOUT: Duration = Duration::from_millis(500);

/// The time for which the result of a check is reused.
const CHECK_LIFETIME: Duration = Duration::from_secs(1);

/// The time for which a revision in the database has not arrived in this process, as far as the checks have seen.
#[derive(Debug)]
pub struct Lag {
    longest: Duration,
    /// The revision that has not arrived, and the time when it was first seen.
    waits: Mutex<Option<(i64, Instant)>>,
}

impl Lag {
    /// Creates the state of a process that waits for no revision. The process may be behind for at most `longest`.
    pub fn new(longest: Duration) -> Self {
        Self { longest, waits: Mutex::default() }
    }

    /// Returns true if this process, which has the revision `here`, has been behind the revision `there` for too long.
    fn is_too_long(&self, here: i64, there: i64, now: Instant) -> bool {
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        // While others keep writing, the database is always ahead. So each revision that was seen must arrive in time.
        if waits.is_none_or(|(revision, _)| here >= revision) {
            *waits = (here < there).then_some((there, now));
        }
        waits.is_some_and(|(_, since)| now.duration_since(since) > self.longest)
    }
}

/// Answers that the process is alive.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// The result of a check of the database.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The time of the check.
    at: Instant,
    /// The result of reading the last revision.
    read: Read,
    /// The reason why the last write of this process failed.
    trouble: Option<Trouble>,
}

/// The result of reading the last revision of the database.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// The database answers, and this is its last revision.
    Upto(i64),
    /// The database answers, in a format that this version does not know.
    Outdated,
    /// The database does not answer.
    Unreachable,
}

impl Seen {
    /// Returns true if the database answered.
    pub fn answers(&self) -> bool {
        !matches!(self.read, Read::Unreachable)
    }

    /// Returns the reason why this process cannot write, if there is one.
    pub fn trouble(&self) -> Option<Trouble> {
        match self.read {
            Read::Unreachable => Some(Trouble::Unreachable),
            Read::Outdated => Some(Trouble::Outdated),
            Read::Upto(_) => self.trouble,
        }
    }
}

/// The last check of the database, whose result answers all health probes within `CHECK_LIFETIME`. So even very many
/// probes cost the database one statement per second, and do not slow down writes.
#[derive(Debug, Default)]
pub struct Looks(tokio::sync::Mutex<Option<Seen>>);

impl Looks {
    /// Returns the result of a check that is at most [`CHECK_LIFETIME`] old. One task checks at a time, and the others
    /// wait for its result.
    async fn recent(&self, store: &Store) -> Seen {
        let mut last = self.0.lock().await;
        match *last {
            Some(seen) if seen.at.elapsed() < CHECK_LIFETIME => seen,
            _ => *last.insert(look(store).await),
        }
    }
}

/// Checks if the database can be read, and if it can be written again.
async fn look(store: &Store) -> Seen {
    let read = tokio::time::timeout(DATABASE_CHECK_TIMEOUT, store.last_revision());
    // The attempt changes nothing. It is made only while writing fails, so that the state recovers by itself.
    let tried = async {
        // Nothing may be written for long, and the file must be missed all the same.
        if store.check_file().is_err() || store.write_trouble().is_some() {
            // The store notes the result.
            let _ = tokio::time::timeout(DATABASE_CHECK_TIMEOUT, store.try_write()).await;
        }
    };
    let (read, ()) = futures_util::future::join(read, tried).await;
    let read = match read {
        Ok(Ok((revision, _))) => Read::Upto(revision),
        Ok(Err(StoreError::TooNew { .. })) => Read::Outdated,
        Ok(Err(error)) => {
            tracing::warn!("the database does not answer: {error}");
            Read::Unreachable
        }
        Err(_) => Read::Unreachable,
    };
    Seen { at: Instant::now(), read, trouble: store.write_trouble() }
}

/// Answers that the process is ready: the inventory is loaded, the process is not too far behind the database, and it
/// knows the database's format. The inventory is loaded before the first request is accepted. The answer also says if
/// the database can be reached and written, because reads continue without it.
pub async fn ready(State(service): State<Service>) -> (StatusCode, Json<Value>) {
    let seen = seen(&service).await;
    let here = service.views.whole().current.get().revision();
    let is_behind = match seen.read {
        Read::Upto(there) => service.lag.is_too_long(here, there, Instant::now()),
        Read::Outdated | Read::Unreachable => false,
    };
    let (code, status) = match (seen.read, seen.trouble()) {
        (Read::Outdated, _) => (StatusCode::SERVICE_UNAVAILABLE, "outdated"),
        (_, Some(Trouble::Replaced)) => (StatusCode::SERVICE_UNAVAILABLE, "replaced"),
        _ if is_behind => (StatusCode::SERVICE_UNAVAILABLE, "behind"),
        (_, Some(_)) => (StatusCode::OK, "degraded"),
        (_, None) => (StatusCode::OK, "ready"),
    };
    let mut answer = json!({
        "status": status,
        "revision": here,
        "database": if seen.answers() { "ok" } else { "unreachable" },
        "writes": seen.trouble().map_or("ok", Trouble::word),
        "ageMs": u64::try_from(seen.at.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    if let Some(trouble) = seen.trouble() {
        answer["problem"] = trouble.clause().into();
    }
    (code, Json(answer))
}

/// Returns the result of a recent check of the database.
pub async fn seen(service: &Service) -> Seen {
    service.looks.recent(&service.store).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_that_is_behind_for_long_is_not_ready() {
        let lag = Lag::new(Duration::from_secs(30));
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        for (here, there, seconds, too_long) in [
            (5, 5, 0, false),
            (5, 7, 100, false),
            (6, 9, 129, false),
            (6, 9, 131, true),
            // The awaited revision has arrived. Others have not, but they are awaited from now on only.
            (7, 12, 140, false),
            (11, 20, 169, false),
            (11, 20, 171, true),
            (20, 20, 172, false),
            (20, 21, 500, false),
        ] {
            assert_eq!(lag.is_too_long(here, there, after(seconds)), too_long, "{here} of {there} after {seconds} s");
        }
    }
}
