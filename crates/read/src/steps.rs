//! The work that a filter may do. A filter on references and lists visits other objects than the one that it is applied
//! to, and these may be many: it counts each of them, and each filter that it applies.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The number of steps between two checks whether the work must stop.
const STEPS_PER_CHECK: u64 = 64;

/// The steps of one evaluation of a filter. After they are used up, the result of the evaluation means nothing.
#[derive(Debug)]
pub struct Steps {
    most: u64,
    used: Cell<u64>,
    end: End,
    ended: Cell<bool>,
}

/// The event that ends an evaluation before its steps are used up.
#[derive(Debug)]
enum End {
    /// The time since a moment.
    After(Instant, Duration),
    /// A flag that says that nobody waits for the result.
    Flag(Arc<AtomicBool>),
    Nothing,
}

impl Steps {
    /// Allows a number of steps.
    pub fn new(most: u64) -> Self {
        Self::with(most, End::Nothing)
    }

    /// Allows a number of steps until some time has passed since a moment. The clock is read only by evaluations of
    /// many steps.
    pub fn within(most: u64, began: Instant, time: Duration) -> Self {
        Self::with(most, End::After(began, time))
    }

    /// Allows a number of steps until a flag is true.
    pub fn until(most: u64, stop: Arc<AtomicBool>) -> Self {
        Self::with(most, End::Flag(stop))
    }

    fn with(most: u64, end: End) -> Self {
        Self { most, used: Cell::new(0), end, ended: Cell::new(false) }
    }

    /// Takes a step. Returns false if the evaluation must stop.
    #[inline]
    pub fn take(&self) -> bool {
        let used = self.used.get() + 1;
        if used > self.most || used.is_multiple_of(STEPS_PER_CHECK) && self.must_end() {
            self.ended.set(true);
        }
        self.used.set(used);
        !self.ended.get()
    }

    fn must_end(&self) -> bool {
        match &self.end {
            End::After(began, time) => began.elapsed() > *time,
            End::Flag(stop) => stop.load(Ordering::Relaxed),
            End::Nothing => false,
        }
    }

    /// Returns the number of steps that were taken.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Returns true if the evaluation was stopped, and so has no result.
    pub fn are_over(&self) -> bool {
        self.ended.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(steps: &Steps) -> usize {
        (0..1_000).take_while(|_| steps.take()).count()
    }

    #[test]
    fn steps_end_with_their_number_their_time_or_a_flag() {
        let few = Steps::new(10);
        assert_eq!((taken(&few), few.are_over()), (10, true));
        assert!(!few.take(), "they stay used up");
        let now = Instant::now();
        let soon = Steps::within(10_000, now, Duration::ZERO);
        assert_eq!((taken(&soon), soon.used()), (63, 64), "the clock is read once in a while");
        assert_eq!(taken(&Steps::within(10_000, now, Duration::MAX)), 1_000);
        let stop = Arc::new(AtomicBool::new(false));
        let waited = Steps::until(10_000, Arc::clone(&stop));
        assert_eq!((taken(&waited), waited.are_over()), (1_000, false));
        stop.store(true, Ordering::Relaxed);
        assert!(taken(&waited) < 64 && waited.are_over());
    }
}
