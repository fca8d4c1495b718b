//! Measures writing: the number, size and duration of batches, and how many of them share a commit.

use std::time::Instant;

use metrics::{counter, histogram};

use super::job::WriteAnswer;
use super::outcome::Status;
use crate::store::Trouble;
use underlay_inventory::Refusal;

/// The metric of the number of batches, by outcome.
pub const BATCHES: &str = "underlay_batches_total";
/// The metric of the sizes of batches, in items.
pub const BATCH_ITEMS: &str = "underlay_batch_items";
/// The metric of the time from a request for a batch to its answer, in seconds.
pub const BATCH_SECONDS: &str = "underlay_batch_seconds";
/// The metric of the time that the database takes for a commit, in seconds.
pub const COMMIT_SECONDS: &str = "underlay_commit_seconds";
/// The metric of the number of batches that share a commit.
pub const COMMIT_BATCHES: &str = "underlay_commit_batches";

/// The metric of the number of failed attempts to write the database, by reason.
pub const WRITES_FAILED: &str = "underlay_write_failures_total";

const WRITTEN: &str = "written";
const UNCHANGED: &str = "unchanged";
const REFUSED: &str = "refused";
const FAILED: &str = "failed";
/// All outcomes of a batch.
pub const OUTCOMES: [&str; 4] = [WRITTEN, UNCHANGED, REFUSED, FAILED];

/// The measurement of one batch. A batch that its caller withdrew is not measured.
pub(super) struct BatchTimer {
    began: Instant,
}

impl BatchTimer {
    /// Begins the measurement of a batch with a number of items.
    pub fn begin(items: usize) -> Self {
        histogram!(BATCH_ITEMS).record(items as f64);
        Self { began: Instant::now() }
    }

    /// Ends the measurement with the answer.
    pub fn answered(self, answer: &Result<WriteAnswer, Refusal>) {
        let outcome = match answer {
            Ok(answer) if answer.revision.is_some() => WRITTEN,
            Ok(answer) if answer.outcomes.iter().any(|it| it.status == Status::Failed) => REFUSED,
            Ok(_) => UNCHANGED,
            Err(_) => FAILED,
        };
        counter!(BATCHES, "outcome" => outcome).increment(1);
        histogram!(BATCH_SECONDS).record(self.began.elapsed());
    }
}

/// Records a commit of a number of batches.
pub(super) fn committed(batches: usize, began: Instant) {
    histogram!(COMMIT_BATCHES).record(batches as f64);
    histogram!(COMMIT_SECONDS).record(began.elapsed());
}

/// Records a failed attempt to write the database.
pub(super) fn write_failed(trouble: Trouble) {
    counter!(WRITES_FAILED, "reason" => trouble.word()).increment(1);
}
