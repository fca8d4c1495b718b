//! Whether the process is alive, and whether it is ready to serve.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::Service;

/// How long the database may take to answer. Who asks waits a second, as a rule.
const PATIENCE: Duration = Duration::from_millis(500);

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

/// Ready: the inventory is loaded, which it is before the first request is taken, and not too far behind what the database
/// holds. Says whether the database answers: reads go on without it.
pub async fn ready(State(service): State<Service>) -> (StatusCode, Json<Value>) {
    let there = last_revision(&service).await;
    let here = service.views.whole().newest.get().revision();
    let (code, status, database) = match there {
        None => (StatusCode::OK, "degraded", "unreachable"),
        Some(there) if service.lag.is_too_long(here, there, Instant::now()) => {
            (StatusCode::SERVICE_UNAVAILABLE, "behind", "ok")
        }
        Some(_) => (StatusCode::OK, "ready", "ok"),
    };
    (code, Json(json!({ "status": status, "revision": here, "database": database })))
}

/// Whether the database answers now.
pub async fn database_answers(service: &Service) -> bool {
    last_revision(service).await.is_some()
}

/// The last revision that the database holds, if it answers.
async fn last_revision(service: &Service) -> Option<i64> {
    match tokio::time::timeout(PATIENCE, service.store.last_revision()).await {
        Ok(Ok((revision, _))) => Some(revision),
        Ok(Err(error)) => {
            tracing::warn!("the database does not answer: {error}");
            None
        }
        Err(_) => None,
    }
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
