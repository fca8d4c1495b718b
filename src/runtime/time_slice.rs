//! Time slices, after which long work yields to other tasks of its thread.

use std::time::{Duration, Instant};

/// The time for which a task works before it yields.
pub const TIME_SLICE: Duration = Duration::from_micros(500);
/// The number of steps between two reads of the clock. One read costs as much as several steps.
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

    /// Counts a step. If the time slice is over, yields and then begins the next time slice.
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
