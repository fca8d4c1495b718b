//! Time slices: long work yields to other tasks of its thread.

use std::time::{Duration, Instant};

/// The time that anything works before it yields.
pub const TIME_SLICE: Duration = Duration::from_micros(500);
/// The number of steps after which the clock is read: that costs as much as some of them.
const STEPS: u32 = 64;

/// The time slice of a task that works in many small steps.
#[derive(Debug)]
pub struct TimeSlice {
    began: Instant,
    steps: u32,
}

impl TimeSlice {
    /// Begins a time slice.
    pub fn begin() -> Self {
        Self { began: Instant::now(), steps: 0 }
    }

    /// Counts a step. Yields first if the time slice is over, and then begins the next one.
    #[inline]
    pub async fn step(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) && self.began.elapsed() > TIME_SLICE {
            tokio::task::yield_now().await;
            self.began = Instant::now();
        }
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
        for _ in 1..STEPS {
            slice.step().await;
        }
        assert!(!ran.load(Ordering::Relaxed), "nothing yields before the clock is read");
        std::thread::sleep(TIME_SLICE * 2);
        slice.step().await;
        assert!(ran.load(Ordering::Relaxed));
    }
}
