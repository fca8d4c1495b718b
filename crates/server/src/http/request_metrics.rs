//! The metrics of requests and subscriptions.

use std::time::Instant;

use async_graphql::parser::types::OperationType;
use async_graphql::{Response as GraphqlResponse, ServerError, Value};
use metrics::{counter, gauge, histogram};
use serde::Deserialize;

use underlay_error::Code;

/// The name of the counter of answered requests, labelled by operation and code.
pub const REQUESTS: &str = "underlay_requests_total";
/// The name of the histogram of their durations in seconds, labelled by operation.
pub const REQUEST_SECONDS: &str = "underlay_request_seconds";
/// The name of the gauge of running subscriptions.
pub const SUBSCRIPTIONS: &str = "underlay_subscriptions";
/// The name of the counter of subscriptions that ended with an error, labelled by its code.
pub const SUBSCRIPTIONS_ENDED: &str = "underlay_subscriptions_ended_total";
/// The name of the counter of connections that were dropped because the client was silent, or accepted nothing.
pub const DROPPED: &str = "underlay_connections_dropped_total";

/// The label of a request without an error.
const OK: &str = "OK";
/// The label of a request that was refused before its operation was known.
const UNREAD: &str = "unread";

/// A request that is being answered.
pub struct RequestTimer {
    operation: &'static str,
    began: Instant,
}

impl RequestTimer {
    /// Begins to measure a request that executes an operation of this type. `None` means that the document cannot be
    /// parsed.
    pub fn begin(operation: Option<OperationType>) -> Self {
        let operation = match operation {
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

    /// Counts a request that was answered.
    pub fn answered(self, answer: &GraphqlResponse) {
        count(self.operation, answer.errors.first().map_or_else(|| OK.to_owned(), code));
        histogram!(REQUEST_SECONDS, "operation" => self.operation).record(self.began.elapsed());
    }
}

/// Counts a request that was refused before it was executed.
pub fn refused(error: &ServerError) {
    count(UNREAD, code(error));
}

fn count(operation: &'static str, code: String) {
    counter!(REQUESTS, "operation" => operation, "code" => code).increment(1);
}

/// Returns the code of an error. There are few codes, so the label has few values.
fn code(error: &ServerError) -> String {
    match error.extensions.as_ref().and_then(|extensions| extensions.get("code")) {
        Some(Value::String(code)) => code.clone(),
        _ => Code::Invalid.as_str().to_owned(),
    }
}

/// A running subscription, which counts until this value is dropped.
pub struct Running(());

impl Running {
    /// Counts a further subscription.
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

/// Counts a subscription that ended with errors, which are a JSON list.
pub fn ended(errors: &[u8]) {
    #[derive(Deserialize)]
    struct Failed {
        extensions: Coded,
    }
    #[derive(Deserialize)]
    struct Coded {
        code: Code,
    }
    let first = serde_json::from_slice::<Vec<Failed>>(errors).ok().and_then(|errors| errors.into_iter().next());
    let code = first.map_or(Code::Internal, |failed| failed.extensions.code);
    counter!(SUBSCRIPTIONS_ENDED, "code" => code.as_str()).increment(1);
}

/// Counts a connection that was dropped.
pub fn dropped() {
    counter!(DROPPED).increment(1);
}
