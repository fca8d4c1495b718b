//! The root fields that trace lines, and the field `trace` of the objects where lines begin.

use std::sync::Arc;

use async_graphql::{Context, Error, ErrorExtensions, ID, Object, Result};

use super::answer::Trace;
use super::{follow, follow_from};
use crate::AnyRef;
use crate::errors::{refused, too_complex, unreadable};
use crate::object_arguments::{Arguments, NamedObject};
use crate::request::Request;
use underlay_entity::row::Row;
use underlay_inventory::{Held, Kind, parse_id};
use underlay_read::{MAX_PAGE_OBJECTS, Paced, ReadError};
use underlay_topology::line::Through;

/// The maximum number of hops that the traces of one field have together.
const MAX_HOPS_PER_FIELD: usize = 200_000;

/// The root fields that trace lines.
#[derive(Debug, Default)]
pub struct TraceRoots;

/// The root fields that trace lines.
#[Object]
impl TraceRoots {
    /// Follows the line of an end, hop by hop through panels and across circuits, to everything that it leads to: one
    /// branch for each end. From the middle of a line (a patch port, the end of a circuit), it follows both directions.
    /// A trace has at most 1,000 branches and 10,000 hops, and 1,000 hops on each strand. Exactly one of `from` and
    /// `object` must be given.
    async fn trace(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The start, by its id: a Port, a PowerFeed or a CircuitTermination.")] from: Option<ID>,
        #[graphql(desc = "The start, by a reference: an external id with its source, or a name with its parents.")]
        object: Option<AnyRef>,
        #[graphql(desc = "The position of the start to follow, from 1. Defaults to all its positions.")]
        position: Option<i32>,
        #[graphql(
            desc = "Continues through power devices, from outlets to the sources that feed them. Defaults to false."
        )]
        through_devices: Option<bool>,
    ) -> Result<Option<Trace>> {
        let snapshot = Request::of(context).snapshot();
        let named = NamedObject::required(START, from.as_ref(), object.as_ref());
        let named = named.map_err(|refusal| refused(&refusal, None, None))?;
        let start = named.find(&snapshot).map_err(|refusal| refused(&refusal, None, None))?;
        let id = snapshot.row(start).map(|row| row.common().id);
        let trace = follow_from(&snapshot, named.field(), start, position, through(through_devices))
            .map_err(|refusal| refused(&refusal, None, id))?;
        Ok(Some(Trace::new(snapshot, trace)))
    }

    /// Follows the lines of several ends, in the order of their ids, all at one revision: at most 1,000 traces with
    /// 200,000 hops together.
    async fn traces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The starts of the traces: ids of Ports, PowerFeeds and CircuitTerminations, at most 1000.")]
        from: Vec<ID>,
        #[graphql(
            desc = "Continues through power devices, from outlets to the sources that feed them. Defaults to false."
        )]
        through_devices: Option<bool>,
    ) -> Result<Option<Vec<Paced<Trace>>>> {
        if from.len() > MAX_PAGE_OBJECTS {
            let reason = format!("has {} entries; at most {MAX_PAGE_OBJECTS} are allowed", from.len());
            return Err(unreadable(&ReadError::Argument { argument: "from", reason }));
        }
        let (request, through) = (Request::of(context), through(through_devices));
        let snapshot = request.snapshot();
        let (mut traces, mut hops) = (Vec::with_capacity(from.len()), 0);
        for (at, id) in from.iter().enumerate() {
            request.yield_now().await;
            let field = format!("from[{at}]");
            let id = parse_id(&field, id).map_err(|refusal| refused(&refusal, None, None))?;
            let trace = follow(&snapshot, &field, id, None, through);
            let trace = trace.map_err(|refusal| refused(&refusal, None, Some(id)))?;
            hops += trace.branches.iter().map(|branch| branch.hops().len()).sum::<usize>();
            if hops > MAX_HOPS_PER_FIELD {
                return Err(too_long(at, from.len()));
            }
            traces.push(Paced(Trace::new(Arc::clone(&snapshot), trace)));
        }
        Ok(Some(traces))
    }
}

/// Returns the trace of an object of a kind where lines begin.
///
/// # Errors
/// Returns an error if the object does not have the position.
pub async fn trace_of<K: Kind>(
    context: &Context<'_>,
    end: &Held<K>,
    position: Option<i32>,
    through_devices: Option<bool>,
) -> Result<Option<Trace>> {
    Request::of(context).yield_now().await;
    let trace = follow_from(&end.snapshot, "from", end.object_ref(), position, through(through_devices));
    let trace = trace.map_err(|refusal| refused(&refusal, Some(K::describe().name), Some(end.row.common().id)))?;
    Ok(Some(Trace::new(Arc::clone(&end.snapshot), trace)))
}

fn through(devices: Option<bool>) -> Through {
    if devices == Some(true) { Through::Sources } else { Through::Stop }
}

/// The arguments that name the start of a trace.
const START: Arguments = Arguments { ids: "from", references: "object" };

fn too_long(at: usize, of: usize) -> Error {
    let message = format!(
        "the first {} of the {of} traces have more than {MAX_HOPS_PER_FIELD} hops together: ask for fewer at a time",
        at + 1
    );
    too_complex(message).extend_with(|_, extensions| extensions.set("field", "from"))
}
