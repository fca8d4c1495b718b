//! Repeats calls of the server that failed in passing.

use std::future::Future;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use underlay_client::ClientError;

/// The pauses between two tries of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pauses {
    /// The first pause; it doubles with each try. A random part is added, so that many clients do not come back at
    /// once.
    pub first: Duration,
    /// The upper bound of a pause, also of one that the server asks for.
    pub longest: Duration,
    /// The sum of the pauses after which the call has failed.
    pub total: Duration,
}

impl Default for Pauses {
    /// Returns pauses within which a server can be restarted. The server abandons a run that it got no call for
    /// 5 minutes.
    fn default() -> Self {
        Self { first: Duration::from_millis(200), longest: Duration::from_secs(30), total: Duration::from_secs(240) }
    }
}

impl Pauses {
    /// Makes a call, and makes it again while it fails in passing: the server or a proxy is away, restarts or has no
    /// room. A pause is at least as long as the server asks for by `Retry-After`.
    pub async fn persist<T, F>(self, call: impl FnMut() -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.first)
            .with_max_delay(self.longest)
            .without_max_times()
            .with_total_delay(Some(self.total))
            .with_jitter();
        let longest = self.longest;
        call.retry(pauses)
            .when(ClientError::is_passing)
            .adjust(move |error, pause| {
                let asked = error.retry_after().unwrap_or_default().min(longest);
                pause.map(|pause| pause.max(asked))
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn busy(after: Option<u64>) -> ClientError {
        let retry_after = after.map(Duration::from_secs);
        ClientError::Http { server: "http://s".into(), status: 503, body: String::new(), retry_after }
    }

    #[tokio::test(start_paused = true)]
    async fn a_temporary_failure_is_retried_until_the_time_is_over() {
        let tries = Cell::new(0);
        let started = tokio::time::Instant::now();
        let failed = Pauses::default().persist(async || -> Result<(), ClientError> {
            tries.set(tries.get() + 1);
            Err(busy(None))
        });
        assert_eq!(failed.await, Err(busy(None)));
        let waited = started.elapsed();
        assert!(tries.get() > 8 && waited > Duration::from_secs(60), "{} tries in {waited:?}", tries.get());
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_is_as_long_as_the_server_asks() {
        let tries = Cell::new(0);
        let started = tokio::time::Instant::now();
        let answer = Pauses::default().persist(async || {
            tries.set(tries.get() + 1);
            if tries.get() == 1 { Err(busy(Some(7))) } else { Ok(()) }
        });
        assert_eq!(answer.await, Ok(()));
        assert!(started.elapsed() >= Duration::from_secs(7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_permanent_failure_is_not_retried() {
        let tries = Cell::new(0);
        let refused = ClientError::NoToken("there is none".into());
        let answer = Pauses::default().persist(async || {
            tries.set(tries.get() + 1);
            Err::<(), _>(refused.clone())
        });
        assert_eq!((answer.await, tries.get()), (Err(refused.clone()), 1));
    }
}
