//! What is measured of questions to the topology: how long each takes, and how large its answer is.

use std::time::Instant;

use metrics::histogram;

/// The name of the times, in seconds, by question.
pub const QUESTION_SECONDS: &str = "underlay_question_seconds";
/// The name of the sizes of answers, in objects, by question.
pub const QUESTION_OBJECTS: &str = "underlay_question_objects";

/// A question that is being answered. One that is refused or given up is not measured.
pub struct Asked {
    question: &'static str,
    began: Instant,
}

impl Asked {
    /// A question is asked.
    pub fn begin(question: &'static str) -> Self {
        Self { question, began: Instant::now() }
    }

    /// It is answered; the answer speaks of so many objects.
    pub fn answered(self, objects: usize) {
        histogram!(QUESTION_SECONDS, "question" => self.question).record(self.began.elapsed());
        histogram!(QUESTION_OBJECTS, "question" => self.question).record(objects as f64);
    }
}
