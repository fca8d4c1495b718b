//! This module runs work that takes longer than a time slice and cannot yield.

use std::future::{Future, poll_fn};
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task;

/// Runs work that takes longer than a time slice. Meanwhile another thread takes over the other tasks of this thread.
/// In a runtime with a single thread, those tasks wait.
pub fn block_in_place<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => task::block_in_place(work),
        _ => work(),
    }
}

/// Awaits a future that works for longer than a time slice between two of its own waits.
pub async fn offload<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|context| block_in_place(|| work.as_mut().poll(context))).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use underlay_testing::HANG;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_run_meanwhile() {
        let (ask, asked) = mpsc::channel::<mpsc::Sender<()>>();
        let working = tokio::spawn(offload(async move {
            // The only worker waits here for something that only another task does.
            asked.recv_timeout(HANG).map(|answer| answer.send(())).is_ok()
        }));
        let (answer, answered) = mpsc::channel();
        let asking = tokio::spawn(async move { ask.send(answer).is_ok() });
        assert!(asking.await.unwrap());
        assert!(working.await.unwrap());
        assert!(answered.try_recv().is_ok());
    }

    #[tokio::test]
    async fn a_single_thread_does_the_work_itself() {
        assert_eq!(offload(async { block_in_place(|| 3) }).await, 3);
    }
}
