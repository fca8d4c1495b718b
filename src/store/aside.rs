//! How work lets other work run: in turns, and aside where it cannot be parted. And how it is shared by two threads.
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

/// From so many objects on it pays to work on them on two threads.
const MANY: usize = 1_000;

/// Does something with each of some things that do not depend on each other. When it is about many objects, it is done
/// with half of the things on another thread. The results are in the order of the things.
pub fn in_halves<T: Sync, R: Send>(things: &[T], objects: usize, work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    if objects < MANY {
        return work(things);
    }
    let (first, second) = things.split_at(things.len() / 2);
    let (mut results, second) = both(|| work(first), || work(second));
    results.extend(second);
    results
}

/// Does two things at the same time.
fn both<A, B: Send>(this: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    let (this, other) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, &other);
        // Where there is no thread to be had, one does it all.
        (this(), thread.map_or_else(|_| Ok(other()), |thread| thread.join()))
    });
    match other {
        Ok(other) => (this, other),
        Err(panic) => std::panic::resume_unwind(panic),
    }
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

    #[test]
    fn halves_are_put_together_in_order() {
        for count in [0, 1, MANY - 1, MANY, 2 * MANY + 1] {
            let things: Vec<usize> = (0..count).collect();
            let doubled = in_halves(&things, count, |things| things.iter().map(|thing| thing * 2).collect());
            assert_eq!(doubled, things.iter().map(|thing| thing * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "in the other half")]
    fn a_panic_in_the_other_half_is_handed_on() {
        let things: Vec<usize> = (0..MANY).collect();
        in_halves(&things, MANY, |things| -> Vec<()> {
            assert!(!things.contains(&(MANY - 1)), "in the other half");
            Vec::new()
        });
    }

    #[tokio::test]
    async fn where_there_is_one_thread_it_does_the_work_itself() {
        assert_eq!(aside(async { in_place(|| 3) }).await, 3);
    }
}
