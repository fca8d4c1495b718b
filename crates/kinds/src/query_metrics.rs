//! Metrics of topology queries: how long each query takes, how large its answer is, and how many pages reuse a cached
//! answer.

use std::time::Instant;

use metrics::{counter, histogram};

/// The name of the histogram of query durations in seconds, labelled by query.
pub const QUESTION_SECONDS: &str = "underlay_question_seconds";
/// The name of the histogram of answer sizes in objects, labelled by query.
pub const QUESTION_OBJECTS: &str = "underlay_question_objects";
/// The name of the counter of answered impact requests, labelled by the source of the answer.
pub const IMPACT_ANSWERS: &str = "underlay_impact_answers_total";

/// The source of the answer to an impact request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredFrom {
    /// The answer was computed for this request.
    WorkedOut,
    /// The answer was computed for an earlier page and cached.
    Kept,
}

impl AnsweredFrom {
    /// Every source of an answer.
    pub const ALL: [Self; 2] = [Self::WorkedOut, Self::Kept];

    /// Returns the value of the metric label `from`.
    pub fn label(self) -> &'static str {
        match self {
            Self::WorkedOut => "worked_out",
            Self::Kept => "kept",
        }
    }

    /// Counts a request that was answered from this source.
    pub fn count(self) {
        counter!(IMPACT_ANSWERS, "from" => self.label()).increment(1);
    }
}

/// A query that is running. A query that is rejected or cancelled is not measured.
pub struct QueryTimer {
    question: &'static str,
    began: Instant,
}

impl QueryTimer {
    /// Starts to measure a query.
    pub fn begin(question: &'static str) -> Self {
        Self { question, began: Instant::now() }
    }

    /// Records the duration of the query and the number of objects in its answer.
    pub fn answered(self, objects: usize) {
        histogram!(QUESTION_SECONDS, "question" => self.question).record(self.began.elapsed());
        histogram!(QUESTION_OBJECTS, "question" => self.question).record(objects as f64);
    }
}
