//! Calls that must end before something else does.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use tokio::time::{Instant, sleep_until};

/// The time of a call is over. It is not known how far the call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut;

/// Makes a call until a time, and drops it then.
///
/// Unlike `tokio::time::timeout` it looks at the clock before the call goes on, each time: a process that was frozen
/// past the time does nothing more when it wakes up.
pub async fn bounded<T>(until: Instant, call: impl Future<Output = T>) -> Result<T, Cut> {
    let mut call = pin!(call);
    let mut end = pin!(sleep_until(until));
    poll_fn(|context| {
        if Instant::now() >= until || end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(Cut));
        }
        call.as_mut().poll(context).map(Ok)
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use tokio::time::{advance, sleep};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_by_itself_or_is_cut() {
        let now = Instant::now();
        assert_eq!(bounded(now + SECOND * 2, async { sleep(SECOND).await }).await, Ok(()));
        assert_eq!(bounded(now + SECOND * 2, async { sleep(SECOND * 9).await }).await, Err(Cut));
        assert_eq!(now.elapsed(), SECOND * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_that_slept_past_the_end_does_nothing_more() {
        let went_on = Cell::new(false);
        let call = bounded(Instant::now() + SECOND * 2, async {
            sleep(SECOND).await;
            went_on.set(true);
        });
        let mut call = pin!(call);
        poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_pending())).await;
        // Both times are over before the process has its next turn.
        advance(SECOND * 10).await;
        assert_eq!((call.await, went_on.get()), (Err(Cut), false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_whose_time_is_over_does_not_start() {
        let started = Cell::new(false);
        assert_eq!(bounded(Instant::now(), async { started.set(true) }).await, Err(Cut));
        assert!(!started.get());
    }
}
