//! The progress of a machine's work, judged by what the server keeps of its attempt.

use std::time::Duration;

use chrono::TimeDelta;
use serde::Deserialize;
use uuid::Uuid;

use crate::host::{Facts, Time};
use crate::provisioner::{FailureKind, Progress};

/// The time in which a machine that booted again reports that its work is done.
const LAST_WORD: TimeDelta = TimeDelta::minutes(10);

/// The attempt of a host, as the server keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BootAttempt {
    /// The id of the order.
    pub order: Uuid,
    /// The state; `None` if it is one of a later version of the server.
    pub state: Option<BootAttemptState>,
    /// The number of boots so far.
    pub boots: u32,
    pub booted_at: Option<Time>,
    /// The time when the last boot asked for its kernel.
    pub loaded_at: Option<Time>,
    /// The time when a boot fetched the text that it works by.
    pub text_at: Option<Time>,
    /// The time when the machine booted again after that.
    pub rebooted_at: Option<Time>,
    pub stage: Option<String>,
    pub percent: Option<u8>,
    pub message: Option<String>,
    /// The hardware that a discovery found.
    pub facts: Option<Facts>,
}

/// The state of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BootAttemptState {
    /// The machine may boot for the order, or works for it.
    Open,
    Done,
    Failed,
    /// A controller closed the attempt.
    Closed,
}

impl BootAttempt {
    /// Returns the progress at a time of the server.
    pub fn progress(&self, now: Time, again: Duration) -> Progress {
        match self.state {
            Some(BootAttemptState::Done) => Progress::Done { facts: self.facts.clone() },
            Some(BootAttemptState::Failed) => failed(self.message.as_deref().unwrap_or("the machine said no reason")),
            Some(BootAttemptState::Closed) => failed("what was prepared for the order was taken back"),
            None => Progress::Unknown,
            Some(BootAttemptState::Open) if self.is_silent(now) => failed(
                "the machine rebooted without reporting that its work was done, so nobody knows what its disk holds",
            ),
            Some(BootAttemptState::Open) => Progress::Wait { again, sentence: Some(self.sentence(now)) },
        }
    }

    fn is_silent(&self, now: Time) -> bool {
        self.rebooted_at.is_some_and(|at| at + LAST_WORD < now)
    }

    /// Returns a sentence about the last that was seen of the machine.
    fn sentence(&self, now: Time) -> String {
        let ago = |at: Time| match (now - at).num_minutes() {
            ..1 => "just now".to_owned(),
            1 => "a minute ago".to_owned(),
            minutes => format!("{minutes} minutes ago"),
        };
        if let Some(at) = self.rebooted_at {
            return format!("it booted again {} and has not reported that its work is done", ago(at));
        }
        if let Some(stage) = &self.stage {
            let percent = self.percent.map(|percent| format!(" {percent} %")).unwrap_or_default();
            let message = self.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
            return format!("{stage}{percent}{message}");
        }
        match (self.text_at, self.loaded_at, self.booted_at) {
            (Some(at), _, _) => format!("it fetched the text that it works by {} and has not reported", ago(at)),
            (None, Some(at), _) => {
                format!("it fetched its kernel {} and did not ask for the text that it works by", ago(at))
            }
            (None, None, Some(at)) => format!("it booted {} and did not ask for its kernel", ago(at)),
            (None, None, None) => "it has not booted from the network".to_owned(),
        }
    }
}

fn failed(sentence: &str) -> Progress {
    Progress::Failed { kind: FailureKind::Work, sentence: sentence.to_owned() }
}
