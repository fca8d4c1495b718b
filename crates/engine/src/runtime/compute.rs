//! This module runs long computations beside the threads that answer requests.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::spawn_in_background;

/// Runs a computation on a thread of its own with a lower priority, so that short requests do not wait for a processor.
/// The computation gets a flag that becomes true when nobody waits for its result any more, and should look at it
/// regularly. A panic of the computation continues in the caller.
pub async fn compute<T: Send + 'static>(work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static) -> T {
    let waiting = Waiting(Arc::default());
    let stop = Arc::clone(&waiting.0);
    match spawn_in_background(move || work(stop)).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime shuts down, and drops this future soon.
            Err(_) => std::future::pending().await,
        },
    }
}

/// Sets the flag of a computation when its caller stops waiting.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use underlay_testing::HANG;

    use super::*;

    #[tokio::test]
    async fn a_computation_returns_its_result_or_its_panic() {
        assert_eq!(compute(|_| 3).await, 3);
        let panicking = std::panic::AssertUnwindSafe(compute(|_| panic!("on purpose"))).catch_unwind();
        let panic: Result<(), _> = panicking.await;
        assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"));
    }

    #[tokio::test]
    async fn a_computation_without_a_caller_is_stopped() {
        let (begin, began) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let computing = tokio::spawn(compute(move |stop| {
            begin.send(()).unwrap();
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            end.send(()).unwrap();
        }));
        tokio::task::spawn_blocking(move || began.recv_timeout(HANG)).await.unwrap().unwrap();
        computing.abort();
        let ended = move || ended.recv_timeout(HANG);
        tokio::task::spawn_blocking(ended).await.unwrap().unwrap();
    }
}
