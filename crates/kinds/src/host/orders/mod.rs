//! The orders for hosts in the API: people adopt, acquire, install, power and release hosts, and a controller does the
//! work. `crate::hosts` has the rules.

mod claims;
mod delete;
mod ending;
mod input;
mod mutation;
mod payload;
mod replace;

pub use claims::ClaimMutation;
pub use delete::HostDeletion;
pub use ending::end_orders;
pub use mutation::OrderMutation;
pub use replace::ReplaceMutation;

use std::sync::Arc;

use async_graphql::{Context, ID, Result};
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::role::ROLE;
use crate::errors::{forbidden, refused};
use crate::hosts::{Act, MAX_HOSTS, Order};
use crate::request::Request;
use crate::write_handle::WriteHandle;
use payload::HostsPayload;
use underlay_engine::access::WriteKind;
use underlay_engine::write::{Batch, Conflicts, Decision, Mode, Origin, WriteAnswer};
use underlay_inventory::{Description, Refusal, Selector, Snapshot, parse_id};

/// The bytes of a batch for each host, which count towards the limit of the queue.
const BYTES_OF_A_HOST: usize = 256;

/// Gives an order for hosts. `requested` is the order as the client sent it.
async fn order(
    context: &Context<'_>,
    kind: WriteKind<'_>,
    hosts: Vec<Uuid>,
    act: Act,
    requested: RequestedOrder<'_, impl Serialize>,
) -> Result<Option<HostsPayload>> {
    let request = Request::of(context);
    let handle = request.handle(kind).map_err(|it| forbidden(&it))?;
    let RequestedOrder { name, input, request_id } = requested;
    let order = Order::new(ROLE, hosts, act, as_sent(name, input));
    let order = order.map_err(|error| host_refused(&error.into()))?;
    let writing = async {
        let batch = decided(&handle, Arc::new(order), request_id);
        accepted(handle.write(batch).await).map_err(|refusal| host_refused(&refusal))
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    Ok(Some(HostsPayload::of(&answer)))
}

/// A mutation as the client sent it.
struct RequestedOrder<'a, I> {
    /// The name of the mutation.
    name: &'static str,
    input: &'a I,
    request_id: Option<String>,
}

fn as_sent(name: &str, input: &impl Serialize) -> Json {
    json!({ name: input })
}

/// Returns the batch of a decision of the server, in the name of a caller.
fn decided(handle: &WriteHandle, decision: Arc<dyn Decision>, request_id: Option<String>) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        items: Vec::new(),
        mode: Mode::Atomic,
        conflicts: Conflicts::Force,
        author: handle.author(),
        bytes: decision.size() * BYTES_OF_A_HOST,
        origin: Origin::Decision(decision),
        request_id,
    }
}

/// Returns the answer to a batch that was accepted as a whole.
fn accepted(answer: std::result::Result<WriteAnswer, Refusal>) -> std::result::Result<WriteAnswer, Refusal> {
    let answer = answer?;
    match answer.outcomes.iter().find_map(|outcome| outcome.error.as_ref()) {
        None => Ok(answer),
        Some(refusal) => Err(Refusal::Recorded {
            code: refusal.code(),
            // The arguments are members of what the host wants.
            field: refusal.field().map(|field| field.strip_prefix("wanted.").unwrap_or(field).to_owned()),
            message: refusal.to_string().replace("wanted.", ""),
        }),
    }
}

/// Reads the ids of hosts.
fn read_ids(ids: &[ID]) -> Result<Vec<Uuid>> {
    if ids.len() > MAX_HOSTS {
        let reason = format!("must have 1 to {MAX_HOSTS} entries, not {}", ids.len());
        return Err(host_refused(&Refusal::Invalid { field: "ids".to_owned(), reason }));
    }
    let read = |(at, id): (usize, &ID)| parse_id(&format!("ids[{at}]"), id).map_err(|it| host_refused(&it));
    ids.iter().enumerate().map(read).collect()
}

/// Returns the id of the object that a reference names.
fn named(snapshot: &Snapshot, kind: &'static Description, field: &str, reference: &impl Serialize) -> Result<Uuid> {
    let found = || {
        let selector = Selector::parse(kind, field, &json!(reference), None)?;
        let missing = || Refusal::NotFound { field: field.to_owned(), what: selector.words(kind) };
        let object = snapshot.select(kind, field, &selector)?.ok_or_else(missing)?;
        snapshot.row(object).map(|row| row.common().id).ok_or_else(missing)
    };
    found().map_err(|refusal| host_refused(&refusal))
}

fn host_refused(refusal: &Refusal) -> async_graphql::Error {
    refused(refusal, Some("Host"), None)
}
