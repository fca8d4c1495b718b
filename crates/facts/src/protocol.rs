//! The conversation of an agent with a server: `POST /facts` with a message in JSON, and the answer to it.
//!
//! An agent whose facts are as they were sends their digest alone. A server that does not have the facts of this digest
//! asks for all of them.

use chrono::{DateTime, Utc};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::report::{AgentProgram, Report};

/// The greatest size of a message in bytes, before it is compressed.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// The greatest number of values in a message. A machine with a thousand interfaces and disks has a tenth of them.
pub const MAX_MESSAGE_VALUES: usize = 100_000;

/// A message of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// The facts are those of a digest, which were sent before. Only this message has a digest.
    Unchanged(Unchanged),
    /// All facts.
    Report(Box<Report>),
}

impl Message {
    /// Reads a message from JSON.
    ///
    /// # Errors
    /// Returns an error if the text is no JSON, or not that of a message. It names the line and the column.
    pub fn read(text: &[u8]) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Outline {
            digest: Option<IgnoredAny>,
        }

        let outline: Outline = serde_json::from_slice(text)?;
        Ok(match outline.digest {
            Some(IgnoredAny) => Self::Unchanged(serde_json::from_slice(text)?),
            None => Self::Report(serde_json::from_slice(text)?),
        })
    }
}

/// The message that facts are as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unchanged {
    /// The number of the form of the facts.
    pub format: u16,
    /// The program that read them.
    pub agent: AgentProgram,
    /// The time at which they were read, by the clock of the machine.
    pub observed_at: DateTime<Utc>,
    /// The digest of the facts ([`Report::digest`]).
    pub digest: String,
}

/// The answer of a server to a message that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The effect of the message.
    pub outcome: Outcome,
    /// The time between two messages that the server wants, in seconds. It is the base that an agent spreads.
    pub every_seconds: u32,
}

/// The effect of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Outcome {
    /// The facts are stored.
    Stored,
    /// The facts are the stored ones, and the time of the message is noted.
    Unchanged,
    /// The server does not have the facts of the digest: send all of them.
    SendAll,
}

/// The request of an agent to be enrolled: `POST /facts/enrol` with the token of an enrolment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnrolRequest {
    /// The token that the agent made for itself. A repeated request has the same one.
    pub token: String,
    /// The facts, by which the server finds the host of the machine.
    pub report: Report,
}

impl EnrolRequest {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// Returns an error if the text is no JSON, or not that of a request. It names the line and the column.
    pub fn read(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }
}

/// The answer of a server to an agent that is enrolled: the token of the request is accepted from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnrolAnswer {
    /// The host of the machine.
    pub host: EnrolledHost,
    /// The time between two messages that the server wants, in seconds.
    pub every_seconds: u32,
}

/// The host of a machine whose agent is enrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnrolledHost {
    /// The id of the host.
    pub id: String,
    /// The name of the host.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_message_with_a_digest_says_that_nothing_changed() {
        let read = |text: Value| Message::read(text.to_string().as_bytes()).expect("a message");
        let head = json!({"format": 1, "agent": {"version": "0.1.0"}, "observedAt": "2026-11-01T10:00:00Z"});
        assert!(matches!(read(head.clone()), Message::Report(_)));

        let mut unchanged = head;
        unchanged["digest"] = json!("ab");
        let message = read(unchanged.clone());
        assert!(matches!(&message, Message::Unchanged(it) if it.digest == "ab"));
        assert_eq!(serde_json::to_value(message).expect("JSON"), unchanged);
        for (text, says) in [("{", "EOF"), ("[]", "invalid length 0"), (r#"{"format":1}"#, "missing field `agent`")] {
            let error = Message::read(text.as_bytes()).expect_err("no message").to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
