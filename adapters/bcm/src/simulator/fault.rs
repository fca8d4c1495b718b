//! The ways in which a call of the simulator fails.

use std::time::Duration;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

/// The number of times that a call fails which passes again.
type Times = usize;

/// The way in which a call fails.
#[derive(Clone, Debug)]
pub enum Fault {
    /// BCM reports an error, with the status 200.
    Message(String),
    /// The answer is another value than the result.
    Instead(Value),
    /// The text of the answer ends in the middle.
    Truncated,
    /// The status is an error, for a number of calls that is at least 1. The server asks to be left alone for a second.
    Status(u16, Times),
    /// The answer comes after this time.
    Slow(Duration),
}

impl Fault {
    /// Returns the message of BCM about a caller that has no right.
    pub fn forbidden(call: &str) -> Self {
        Self::Message(format!("Your certificate (profile:) does not allow access to CMDevice::{call}\n"))
    }

    /// Returns what is left of the fault after a call, `None` if it ends.
    pub(super) fn after_call(self) -> Option<Self> {
        match self {
            Self::Status(_, 0 | 1) => None,
            Self::Status(status, times) => Some(Self::Status(status, times - 1)),
            lasting => Some(lasting),
        }
    }

    /// Returns the answer to a call that has a result.
    pub(super) async fn answer(self, result: Value) -> Response {
        match self {
            Self::Message(message) => json_of(&json!({ "errormessage": message }).to_string()),
            Self::Instead(value) => json_of(&value.to_string()),
            Self::Truncated => {
                let text = result.to_string();
                let half: String = text.chars().take(text.chars().count() / 2).collect();
                json_of(&half)
            }
            Self::Status(status, _) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, [(header::RETRY_AFTER, "1")], "busy").into_response()
            }
            Self::Slow(time) => {
                tokio::time::sleep(time).await;
                json_of(&result.to_string())
            }
        }
    }
}

/// Returns an answer with JSON.
pub fn json_of(text: &str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.to_owned()).into_response()
}
