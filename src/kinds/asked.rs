//! What is measured of questions to the topology: how long each takes, how large its answer is, and how many pages went
//! on with an answer that was kept.

use std::time::Instant;

use metrics::{counter, histogram};

/// The name of the times, in seconds, by question.
pub const QUESTION_SECONDS: &str = "underlay_question_seconds";
/// The name of the sizes of answers, in objects, by question.
pub const QUESTION_OBJECTS: &str = "underlay_question_objects";
/// The name of the number of requests for an impact that were answered, by where the answer is from.
pub const IMPACT_ANSWERS: &str = "underlay_impact_answers_total";

/// Where the answer of a request for an impact is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredFrom {
    /// It was worked out for this request.
    WorkedOut,
    /// An earlier page had it worked out.
    Kept,
}

impl AnsweredFrom {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::WorkedOut, Self::Kept];

    /// The value of the label `from`.
    pub fn label(self) -> &'static str {
        match self {
            Self::WorkedOut => "worked_out",
            Self::Kept => "kept",
        }
    }

    /// A request was answered.
    pub fn count(self) {
        counter!(IMPACT_ANSWERS, "from" => self.label()).increment(1);
    }
}

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
