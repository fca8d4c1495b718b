//! What is measured of writing: how many batches there are, how large, how long they take, and how many share a commit.

use std::time::Instant;

use metrics::{counter, histogram};

use super::batch::Status;
use super::sequencer::Answer;
use crate::store::Trouble;
use underlay_inventory::Refusal;

/// The name of the number of batches, by what became of them.
pub const BATCHES: &str = "underlay_batches_total";
/// The name of their sizes, in items.
pub const BATCH_ITEMS: &str = "underlay_batch_items";
/// The name of the times from when a batch was asked for to its answer, in seconds.
pub const BATCH_SECONDS: &str = "underlay_batch_seconds";
/// The name of the times that the database takes for a commit, in seconds.
pub const COMMIT_SECONDS: &str = "underlay_commit_seconds";
/// The name of the numbers of batches that share a commit.
pub const COMMIT_BATCHES: &str = "underlay_commit_batches";

/// The name of the number of attempts to write the database that failed, by the reason.
pub const WRITES_FAILED: &str = "underlay_write_failures_total";

const WRITTEN: &str = "written";
const UNCHANGED: &str = "unchanged";
const REFUSED: &str = "refused";
const FAILED: &str = "failed";
/// All that may become of a batch.
pub const OUTCOMES: [&str; 4] = [WRITTEN, UNCHANGED, REFUSED, FAILED];

/// A batch that was asked for. One that its caller took back is not measured.
pub(super) struct Measured {
    began: Instant,
}

impl Measured {
    /// A batch of so many items is asked for.
    pub fn begin(items: usize) -> Self {
        histogram!(BATCH_ITEMS).record(items as f64);
        Self { began: Instant::now() }
    }

    /// It is answered.
    pub fn answered(self, answer: &Result<Answer, Refusal>) {
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

/// A commit of so many batches was answered by the database.
pub(super) fn committed(batches: usize, began: Instant) {
    histogram!(COMMIT_BATCHES).record(batches as f64);
    histogram!(COMMIT_SECONDS).record(began.elapsed());
}

/// An attempt to write the database failed.
pub(super) fn write_failed(trouble: Trouble) {
    counter!(WRITES_FAILED, "reason" => trouble.word()).increment(1);
}
