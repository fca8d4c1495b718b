//! Traces in the API: follow the line of a port, a power feed or the end of a circuit, hop by hop.
//!
//! The walk is that of `topology`; here its places become objects of the snapshot that the request is answered from.

mod answer;
mod drawing;
mod hop;

use async_graphql::{Context, ID, Object, Result};
use uuid::Uuid;

pub use answer::Trace;
pub use drawing::{DrawError, draw};
pub use hop::{Hop, far_ends, far_ends_truncated};

use super::asked::Asked;
use super::errors::refused;
use super::lines;
use super::request::Request;
use crate::inventory::{Refusal, Snapshot, parse_id};
use crate::topology::line::{self, LineError, Through, Tracer};

/// The root field that follows a line.
#[derive(Debug, Default)]
pub struct TraceRoots;

/// The root field that follows a line.
#[Object]
impl TraceRoots {
    /// The line of an end, followed hop by hop through panels and across circuits, to everything that it leads to: a
    /// branch each. From the middle of a line (a patch port, the end of a circuit) both ways. At most 1,000 branches
    /// and 10,000 hops, and 1,000 hops on each strand.
    async fn trace(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Where to begin: a Port, a PowerFeed or a CircuitTermination.")] from: ID,
        #[graphql(desc = "Which position of it: from 1. Default: each that it has.")] position: Option<i32>,
        #[graphql(desc = "Go on through power devices, from outlets to what feeds them. Default: false.")]
        through_devices: Option<bool>,
    ) -> Result<Option<Trace>> {
        let snapshot = Request::of(context).snapshot();
        let through = if through_devices == Some(true) { Through::Sources } else { Through::Stop };
        let id = parse_id("from", &from).map_err(|refusal| refused(&refusal, None, None))?;
        let trace =
            follow(&snapshot, "from", id, position, through).map_err(|refusal| refused(&refusal, None, Some(id)))?;
        Ok(Some(Trace::new(snapshot, trace)))
    }
}

/// The trace from an object. Refusals call the object by a name, `from`, and its position `position`.
pub(super) fn follow(
    snapshot: &Snapshot,
    from: &str,
    id: Uuid,
    position: Option<i32>,
    through: Through,
) -> Result<line::Trace, Refusal> {
    let missing = || Refusal::NotFound { field: from.to_owned(), what: format!("an object with the id {id}") };
    let asked = Asked::begin("trace");
    let place = snapshot.find(id).ok_or_else(missing)?;
    // No end has a position below 1.
    let position = position.map(|position| u32::try_from(position).unwrap_or_default());
    let trace = Tracer::new(snapshot, lines()).trace(place, position, through).map_err(|error| match &error {
        LineError::Missing => missing(),
        LineError::NoEnd { .. } => Refusal::Invalid { field: from.to_owned(), reason: error.to_string() },
        LineError::Position { .. } => Refusal::Invalid { field: "position".to_owned(), reason: error.to_string() },
    })?;
    asked.answered(trace.branches.iter().map(|branch| branch.hops().len()).sum());
    Ok(trace)
}

/// A length as people say it, of metres.
pub fn metres(length: f64) -> String {
    match length {
        length if length >= 1_000.0 => format!("{} km", (length / 100.0).round() / 10.0),
        length => format!("{} m", (length * 100.0).round() / 100.0),
    }
}
