//! How work lets other work run: in turns, and aside where it cannot be parted.
//!
//! A thread that answers requests also waits for the next ones. While it works on one for milliseconds, what else comes
//! in may wait for as long, although another thread is free: nobody looks.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// How long anything works at a time before it lets others run.
pub const TURN: Duration = Duration::from_micros(500);

/// Does something that takes longer than a turn. Another thread looks after requests meanwhile.
pub fn in_place<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        // There is no other thread, or nobody waits for this one.
        _ => work(),
    }
}

/// Waits for something of which the parts between two waits take longer than a turn.
pub async fn aside<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|context| in_place(|| work.as_mut().poll(context))).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn others_are_answered_meanwhile() {
        let (ask, asked) = mpsc::channel::<mpsc::Sender<()>>();
        let working = tokio::spawn(aside(async move {
            // The only worker waits here for something that only another task does.
            asked.recv_timeout(Duration::from_secs(60)).map(|answer| answer.send(())).is_ok()
        }));
        let (answer, answered) = mpsc::channel();
        let asking = tokio::spawn(async move { ask.send(answer).is_ok() });
        assert!(asking.await.unwrap());
        assert!(working.await.unwrap());
        assert!(answered.try_recv().is_ok());
    }

    #[tokio::test]
    async fn where_there_is_one_thread_it_does_the_work_itself() {
        assert_eq!(aside(async { in_place(|| 3) }).await, 3);
    }
}
