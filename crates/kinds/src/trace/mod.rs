//! Traces in the API: follows the line of a port, a power feed or the end of a circuit, hop by hop.
//!
//! The walk is done by `topology`. This module turns its results into objects of the snapshot that answers the request.

mod answer;
mod api;
mod hop;
mod scene;

use uuid::Uuid;

pub use answer::Trace;
pub use api::{TraceRoots, trace_of};
pub use hop::{Hop, far_ends, far_ends_truncated};
pub use scene::scene_from;

use super::query_metrics::QueryTimer;
use super::topology;
use underlay_inventory::{ObjectRef, Refusal, Snapshot};
use underlay_topology::line::{self, LineError, Through, Tracer};

/// Returns the trace from an object. Refusals call the object by the name in `from`, and its position `position`.
pub(super) fn follow(
    snapshot: &Snapshot,
    from: &str,
    id: Uuid,
    position: Option<i32>,
    through: Through,
) -> Result<line::Trace, Refusal> {
    let missing = || Refusal::NotFound { field: from.to_owned(), what: format!("an object with the id {id}") };
    let object = snapshot.find(id).ok_or_else(missing)?;
    follow_from(snapshot, from, object, position, through)
}

/// Returns the trace from an object. Refusals use the same names as those of `follow`.
fn follow_from(
    snapshot: &Snapshot,
    from: &str,
    object: ObjectRef,
    position: Option<i32>,
    through: Through,
) -> Result<line::Trace, Refusal> {
    let missing = || Refusal::NotFound { field: from.to_owned(), what: "the object".to_owned() };
    let timer = QueryTimer::begin("trace");
    // No end has a position below 1, so 0 is rejected like every position that the end does not have.
    let position = position.map(|position| u32::try_from(position).unwrap_or_default());
    let trace = Tracer::new(snapshot, topology()).trace(object, position, through).map_err(|error| match &error {
        LineError::Missing => missing(),
        LineError::NoEnd { .. } => Refusal::Invalid { field: from.to_owned(), reason: error.to_string() },
        LineError::Position { .. } => Refusal::Invalid { field: "position".to_owned(), reason: error.to_string() },
    })?;
    timer.answered(trace.branches.iter().map(|branch| branch.hops().len()).sum());
    Ok(trace)
}

/// Formats a length for people, in metres or kilometres.
pub fn metres(length: f64) -> String {
    match length {
        length if length >= 1_000.0 => format!("{} km", (length / 100.0).round() / 10.0),
        length => format!("{} m", (length * 100.0).round() / 100.0),
    }
}
