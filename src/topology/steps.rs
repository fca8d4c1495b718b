//! The steps of a question: counted, and taken in turns, so that a long question gives way to others and ends.

use std::time::Instant;

use crate::store::TURN;

/// After how many steps the clock is looked at: it costs as much as some of them.
const LOOK: u64 = 64;

/// A question has no step left; with how many it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoStepLeft(pub u64);

/// The steps that a question has left.
#[derive(Debug)]
pub(super) struct Steps {
    left: u64,
    most: u64,
    began: Instant,
}

impl Steps {
    /// The steps of a new question.
    pub fn new(most: u64) -> Self {
        Self { left: most, most, began: Instant::now() }
    }

    /// Takes a step; lets others run first when this turn has been long. A question whose client went away is dropped
    /// while others run.
    ///
    /// # Errors
    /// When there is no step left.
    #[inline]
    pub async fn take(&mut self) -> Result<(), NoStepLeft> {
        let Some(left) = self.left.checked_sub(1) else { return Err(NoStepLeft(self.most)) };
        self.left = left;
        if left.is_multiple_of(LOOK) && self.began.elapsed() > TURN {
            tokio::task::yield_now().await;
            self.began = Instant::now();
        }
        Ok(())
    }
}
