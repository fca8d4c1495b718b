//! The steps of a question, which are counted, so that every question ends, and yield after each time slice.

use crate::runtime::TimeSlice;

/// A question has no step left; with how many it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoStepLeft(pub u64);

/// The steps that a question has left.
#[derive(Debug)]
pub(super) struct Steps {
    left: u64,
    most: u64,
    slice: TimeSlice,
}

impl Steps {
    /// The steps of a new question.
    pub fn new(most: u64) -> Self {
        Self { left: most, most, slice: TimeSlice::begin() }
    }

    /// Takes a step. A question whose client went away is dropped when it yields.
    ///
    /// # Errors
    /// When there is no step left.
    #[inline]
    pub async fn take(&mut self) -> Result<(), NoStepLeft> {
        let Some(left) = self.left.checked_sub(1) else { return Err(NoStepLeft(self.most)) };
        self.left = left;
        self.slice.step().await;
        Ok(())
    }
}
