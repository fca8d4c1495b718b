//! Counts the steps of a query, so that every query ends, and ends early when nobody waits for its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of steps between two looks at the flag that stops a query.
const STEPS_BETWEEN_LOOKS: u64 = 1_024;

/// The flag that stops a query. A query whose flag becomes true soon ends with an error.
pub type StopFlag = Arc<AtomicBool>;

/// The reason why a query ended before it had its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The query used up this number of steps, which is the most that it was allowed.
    NoStepLeft(u64),
    /// The query was cancelled.
    Stopped,
}

/// The steps that a query has left.
#[derive(Debug)]
pub(super) struct Steps {
    left: u64,
    most: u64,
    stop: Option<StopFlag>,
}

impl Steps {
    /// Starts to count the steps of a query that may take at most `most`. Without a flag, the query cannot be stopped.
    pub fn new(most: u64, stop: Option<StopFlag>) -> Self {
        Self { left: most, most, stop }
    }

    /// Takes one step.
    ///
    /// # Errors
    /// Returns an error if no step is left, or if the query was stopped.
    #[inline]
    pub fn take(&mut self) -> Result<(), Ended> {
        let Some(left) = self.left.checked_sub(1) else { return Err(Ended::NoStepLeft(self.most)) };
        self.left = left;
        if left.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.is_stopped() {
            return Err(Ended::Stopped);
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_ends_with_its_steps_or_its_flag() {
        let stop = StopFlag::default();
        let mut few = Steps::new(2, Some(Arc::clone(&stop)));
        assert_eq!([few.take(), few.take(), few.take()], [Ok(()), Ok(()), Err(Ended::NoStepLeft(2))]);
        let mut many = Steps::new(10 * STEPS_BETWEEN_LOOKS, Some(Arc::clone(&stop)));
        assert!((0..STEPS_BETWEEN_LOOKS).all(|_| many.take().is_ok()));
        stop.store(true, Ordering::Relaxed);
        let ended = (0..STEPS_BETWEEN_LOOKS).find_map(|_| many.take().err());
        assert_eq!(ended, Some(Ended::Stopped));
    }
}
