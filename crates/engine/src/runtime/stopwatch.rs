//! This module measures for how long a thread has worked. The time for which other threads or other programs had the
//! processor does not count, so the same work takes about as long on a busy machine as on an idle one.
//!
//! Only Unix tells the processor time of a thread. On other systems, all time counts.

use std::time::{Duration, Instant};

/// Measures from its beginning on the thread that began it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: Instant,
    /// The processor time of the thread at the beginning.
    thread: Option<Duration>,
}

impl Stopwatch {
    /// Begins to measure.
    pub fn begin() -> Self {
        Self { began: Instant::now(), thread: thread_time() }
    }

    /// Returns the time at the beginning.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Returns for how long this thread has worked since the beginning. On another thread than that of the beginning,
    /// the result means nothing, but is never more than the time that has passed.
    pub fn worked(&self) -> Duration {
        let passed = self.began.elapsed();
        // A thread cannot have worked for longer than what has passed, so more is the time of another thread.
        let worked = thread_time().zip(self.thread).and_then(|(now, then)| now.checked_sub(then));
        worked.map_or(passed, |worked| worked.min(passed))
    }

    /// Returns whether this thread has worked for longer than this. That is quick to answer while not even as much time
    /// has passed.
    pub fn exceeds(&self, length: Duration) -> bool {
        self.began.elapsed() > length && self.worked() > length
    }
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn only_work_counts() {
        let (watch, pause) = (Stopwatch::begin(), Duration::from_millis(20));
        std::thread::sleep(pause);
        assert!(watch.worked() < pause && !watch.exceeds(pause), "{watch:?}");
        while !watch.exceeds(pause) {
            std::hint::spin_loop();
        }
        assert!(watch.began().elapsed() >= pause * 2, "{watch:?}");
    }

    #[test]
    fn another_thread_counts_at_most_what_has_passed() {
        let began = Instant::now();
        // A thread that has worked for less than the one of the beginning had, and one that has worked for more.
        let [less, more] = [Duration::MAX, Duration::ZERO].map(|then| Stopwatch { began, thread: Some(then) });
        let passed = began.elapsed();
        assert!(less.worked() >= passed, "{less:?} of {passed:?}");
        let worked = more.worked();
        assert!(worked <= began.elapsed(), "{worked:?} of {began:?}");
    }
}
