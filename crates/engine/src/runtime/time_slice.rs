//! Time slices, after which long work yields to other tasks of its thread.

use std::time::{Duration, Instant};

/// The time for which a task works before it yields.
pub const TIME_SLICE: Duration = Duration::from_micros(500);
/// The number of steps between two reads of the clock. One read costs as much as several steps.
const STEPS_PER_CLOCK_READ: u64 = 64;

/// The time slice of a task that works in many small steps.
#[derive(Debug)]
pub struct TimeSlice {
    began: Instant,
    /// The number of steps since the clock was read.
    steps: u64,
}

impl TimeSlice {
    /// Begins a time slice.
    pub fn begin() -> Self {
        Self { began: Instant::now(), steps: 0 }
    }

    /// Returns the time at which the time slice began.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Counts a step. If the time slice is over, yields and then begins the next time slice.
    #[inline]
    pub async fn step(&mut self) {
        self.steps(1).await;
    }

    /// Counts steps. If the time slice is over, yields and then begins the next time slice.
    #[inline]
    pub async fn steps(&mut self, count: u64) {
        self.steps += count;
        if self.steps >= STEPS_PER_CLOCK_READ {
            self.steps = 0;
            if self.began.elapsed() > TIME_SLICE {
                self.renew().await;
            }
        }
    }

    /// Yields, and then begins the next time slice.
    pub async fn renew(&mut self) {
        tokio::task::yield_now().await;
        self.began = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[tokio::test]
    async fn long_work_lets_other_tasks_run() {
        let ran = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&ran);
        tokio::spawn(async move { other.store(true, Ordering::Relaxed) });
        let mut slice = TimeSlice::begin();
        for _ in 1..STEPS_PER_CLOCK_READ {
            slice.step().await;
        }
        assert!(!ran.load(Ordering::Relaxed), "nothing yields before the clock is read");
        std::thread::sleep(TIME_SLICE * 2);
        slice.step().await;
        assert!(ran.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn a_long_step_counts_as_several() {
        let (ran, mut slice) = (Arc::new(AtomicBool::new(false)), TimeSlice::begin());
        let other = Arc::clone(&ran);
        tokio::spawn(async move { other.store(true, Ordering::Relaxed) });
        std::thread::sleep(TIME_SLICE * 2);
        slice.steps(STEPS_PER_CLOCK_READ + 1).await;
        assert!(ran.load(Ordering::Relaxed));
    }
}
