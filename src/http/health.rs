//! The health of the process: that it is alive, and that it is ready to serve.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::Service;
use crate::store::{Store, StoreError, Trouble};

/// How long the database may take to answer. Who asks waits a second, as a rule.
const PATIENCE: Duration = Duration::from_millis(500);

/// For how long what was seen of the database answers those who ask.
const FRESH: Duration = Duration::from_secs(1);

/// How long a revision that the database holds is not here yet, as far as somebody has looked.
#[derive(Debug)]
pub struct Lag {
    longest: Duration,
    /// The revision that is waited for, and since when.
    waits: Mutex<Option<(i64, Instant)>>,
}

impl Lag {
    /// Nothing is waited for.
    pub fn new(longest: Duration) -> Self {
        Self { longest, waits: Mutex::default() }
    }

    /// Whether this process is too far behind, having one revision where the database has another one.
    fn is_too_long(&self, here: i64, there: i64, now: Instant) -> bool {
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        // While others write all the time there always is another one; each of them must come.
        if waits.is_none_or(|(revision, _)| here >= revision) {
            *waits = (here < there).then_some((there, now));
        }
        waits.is_some_and(|(_, since)| now.duration_since(since) > self.longest)
    }
}

/// Alive: the process answers.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// What was seen of the database.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// When it was looked at.
    at: Instant,
    /// Whether it can be read.
    read: Read,
    /// What kept this process from writing the last time.
    trouble: Option<Trouble>,
}

/// Whether the database can be read, and up to which revision.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// It answers; this is its last revision.
    Upto(i64),
    /// It answers, in a form that this version does not know.
    Outdated,
    /// It does not answer.
    Unreachable,
}

impl Seen {
    /// Whether the database answered.
    pub fn answers(&self) -> bool {
        !matches!(self.read, Read::Unreachable)
    }

    /// What keeps this process from writing.
    pub fn trouble(&self) -> Option<Trouble> {
        match self.read {
            Read::Unreachable => Some(Trouble::Unreachable),
            Read::Outdated => Some(Trouble::Outdated),
            Read::Upto(_) => self.trouble,
        }
    }
}

/// The last look at the database, which answers everybody who asks within [`FRESH`]. So a flood of questions costs the
/// database a statement each second, and does not slow down those that write.
#[derive(Debug, Default)]
pub struct Looks(tokio::sync::Mutex<Option<Seen>>);

impl Looks {
    /// What was seen at most [`FRESH`] ago. One looks at a time; the others wait for what it sees.
    async fn recent(&self, store: &Store) -> Seen {
        let mut last = self.0.lock().await;
        match *last {
            Some(seen) if seen.at.elapsed() < FRESH => seen,
            _ => *last.insert(look(store).await),
        }
    }
}

/// Looks at the database.
async fn look(store: &Store) -> Seen {
    let read = tokio::time::timeout(PATIENCE, store.last_revision());
    // It changes nothing, and is tried only while writing does not work: so the state follows by itself.
    let tried = async {
        if store.write_trouble().is_some() {
            // What comes of it is noted in the store.
            let _ = tokio::time::timeout(PATIENCE, store.try_write()).await;
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

/// Ready: the inventory is loaded, which it is before the first request is taken, this process is not too far behind what
/// the database holds, and it can read that. The answer says, too, whether the database answers and can be written: reads
/// go on without it.
pub async fn ready(State(service): State<Service>) -> (StatusCode, Json<Value>) {
    let seen = seen(&service).await;
    let here = service.views.whole().newest.get().revision();
    let is_behind = match seen.read {
        Read::Upto(there) => service.lag.is_too_long(here, there, Instant::now()),
        Read::Outdated | Read::Unreachable => false,
    };
    let (code, status) = match (seen.read, seen.trouble()) {
        (Read::Outdated, _) => (StatusCode::SERVICE_UNAVAILABLE, "outdated"),
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

/// What was seen of the database a moment ago.
pub async fn seen(service: &Service) -> Seen {
    service.looks.recent(&service.store).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_behind_for_long_is_not_ready() {
        let lag = Lag::new(Duration::from_secs(30));
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        for (here, there, seconds, too_long) in [
            (5, 5, 0, false),
            (5, 7, 100, false),
            (6, 9, 129, false),
            (6, 9, 131, true),
            // The one that was waited for is here; others are not, for no time yet.
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
