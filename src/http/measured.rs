//! What is measured of requests and subscriptions.

use std::time::Instant;

use async_graphql::parser::types::OperationType;
use async_graphql::{Response as Answer, ServerError, Value};
use metrics::{counter, gauge, histogram};
use serde::Deserialize;

use underlay_inventory::Code;

/// The name of the number of requests that were answered, by operation and code.
pub const REQUESTS: &str = "underlay_requests_total";
/// The name of the times that they took, in seconds, by operation.
pub const REQUEST_SECONDS: &str = "underlay_request_seconds";
/// The name of the number of subscriptions that run.
pub const SUBSCRIPTIONS: &str = "underlay_subscriptions";
/// The name of the number of subscriptions that ended with an error, by its code.
pub const SUBSCRIPTIONS_ENDED: &str = "underlay_subscriptions_ended_total";
/// The name of the number of connections whose other end said or took nothing for too long.
pub const DROPPED: &str = "underlay_connections_dropped_total";

/// The code of what has no error.
const OK: &str = "OK";
/// The operation of what was refused before it was known.
const UNREAD: &str = "unread";

/// A request that is being answered.
pub struct Measured {
    operation: &'static str,
    began: Instant,
}

impl Measured {
    /// A request is about to be executed, which does this; `None`: that cannot be told.
    pub fn begin(does: Option<OperationType>) -> Self {
        let operation = match does {
            Some(OperationType::Query) => "query",
            Some(OperationType::Mutation) => "mutation",
            Some(OperationType::Subscription) => "subscription",
            None => UNREAD,
        };
        Self { operation, began: Instant::now() }
    }

    /// Begins to measure a batch of `POST /apply`.
    pub fn batch() -> Self {
        Self { operation: "apply", began: Instant::now() }
    }

    /// Counts a batch that was written or refused as a whole, with the code of the refusal.
    pub fn written(self, refused: Option<Code>) {
        count(self.operation, refused.map_or(OK, Code::as_str).to_owned());
        histogram!(REQUEST_SECONDS, "operation" => self.operation).record(self.began.elapsed());
    }

    /// It was.
    pub fn answered(self, answer: &Answer) {
        count(self.operation, answer.errors.first().map_or_else(|| OK.to_owned(), code));
        histogram!(REQUEST_SECONDS, "operation" => self.operation).record(self.began.elapsed());
    }
}

/// A request was refused before it was executed.
pub fn refused(error: &ServerError) {
    count(UNREAD, code(error));
}

fn count(operation: &'static str, code: String) {
    counter!(REQUESTS, "operation" => operation, "code" => code).increment(1);
}

/// The code of an error: one of ours, which are few.
fn code(error: &ServerError) -> String {
    match error.extensions.as_ref().and_then(|extensions| extensions.get("code")) {
        Some(Value::String(code)) => code.clone(),
        _ => "INVALID".to_owned(),
    }
}

/// A subscription that runs, for as long as this is held.
pub struct Running(());

impl Running {
    /// One more.
    pub fn begin() -> Self {
        gauge!(SUBSCRIPTIONS).increment(1);
        Self(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        gauge!(SUBSCRIPTIONS).decrement(1);
    }
}

/// A subscription ended with errors: a JSON list.
pub fn ended(errors: &[u8]) {
    #[derive(Deserialize)]
    struct Failed {
        extensions: Coded,
    }
    #[derive(Deserialize)]
    struct Coded {
        code: String,
    }
    let first = serde_json::from_slice::<Vec<Failed>>(errors).ok().and_then(|errors| errors.into_iter().next());
    let code = first.map_or_else(|| "INTERNAL".to_owned(), |failed| failed.extensions.code);
    counter!(SUBSCRIPTIONS_ENDED, "code" => code).increment(1);
}

/// A connection was given up.
pub fn dropped() {
    counter!(DROPPED).increment(1);
}
