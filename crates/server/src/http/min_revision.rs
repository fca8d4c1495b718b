//! This module handles `minRevision` in the extensions of a request. The request is answered from that revision or a
//! later one, or not at all.
//!
//! A client that wrote on one replica and reads from another uses it to see its own writes. The request waits for the
//! replica to catch up, within bounds.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Request, Value};
use axum::http::StatusCode;

use super::refusal::Refused;
use underlay_engine::feed::CurrentSnapshot;
use underlay_error::Code;
use underlay_inventory::Snapshot;

/// The longest time that a request waits. Replicas look for changes of other processes every second.
pub const MIN_REVISION_TIMEOUT: Duration = Duration::from_secs(5);
/// The name of the revision in the extensions.
const MIN_REVISION: &str = "minRevision";

/// Returns the snapshot to answer a request from, once it has the requested revision.
///
/// # Errors
/// Returns an error if the requested revision is not valid or did not arrive in time.
pub async fn reached(current: &CurrentSnapshot, request: &Request) -> Result<Arc<Snapshot>, Refused> {
    let least = match request.extensions.get(MIN_REVISION) {
        None | Some(Value::Null) => return Ok(current.get()),
        Some(Value::Number(number)) => number.as_i64().filter(|number| *number >= 0),
        Some(_) => None,
    };
    let Some(least) = least else {
        let message = "minRevision in the extensions must be a revision: a whole number of at least 0";
        return Err(Refused::new(Code::Invalid, message).with("field", MIN_REVISION));
    };
    let snapshot = current.wait_for(least, MIN_REVISION_TIMEOUT).await;
    match snapshot.revision() {
        there if there >= least => Ok(snapshot),
        there => {
            let message = format!(
                "revision {least} did not arrive within {} s: the newest here is {there}",
                MIN_REVISION_TIMEOUT.as_secs()
            );
            let refused = Refused::new(Code::Timeout, message).with_status(StatusCode::SERVICE_UNAVAILABLE);
            Err(refused.with(MIN_REVISION, least).with("newestRevision", there))
        }
    }
}
