//! The mutation that deletes a host. What exists of a host outside of the inventory is cleared up first: a controller
//! does so, and then deletes the host.

use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use underlay_entity::host::{HostState, Model};

use super::{accepted, as_sent, decided, host_refused};
use crate::errors::forbidden;
use crate::grammar::{Deleted, DeletedObject, delete};
use crate::host::Host;
use crate::host::role::ROLE;
use crate::hosts::{Act, Order};
use crate::request::Request;
use crate::scalars::Revision;
use underlay_engine::access::WriteKind;
use underlay_inventory::{Refusal, parse_id};

/// The result of a delete of a host.
#[derive(Clone, Debug, SimpleObject)]
pub struct DeleteHostPayload {
    /// The objects that were deleted, or would be deleted by a dry run. Empty if a controller clears up first.
    pub deleted: Vec<DeletedObject>,
    /// The host that is marked: a controller deletes it when it has cleared up what exists outside. Null if the host is
    /// deleted already.
    pub host: Option<Host>,
    /// Sentences that say what a delete with `force` leaves outside of the inventory.
    pub left: Vec<String>,
    /// The revision that the delete created. Null for a dry run, or if the host was marked before.
    pub revision: Option<Revision>,
}

/// The root field that deletes hosts.
#[derive(Debug, Default)]
pub struct HostDeletion;

/// The root field that deletes hosts.
#[Object]
impl HostDeletion {
    /// Deletes a Host. A host that was ever adopted or ordered something is marked, and a controller deletes it when it
    /// has cleared up what exists outside. Fails with IN_USE while the host belongs to somebody.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn delete_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the object.")] id: ID,
        #[graphql(desc = "Deletes the object only if it has this version.")] if_version: Option<Revision>,
        #[graphql(name = "cascade", desc = "Has no effect: a host contains no objects.")] _cascade: Option<bool>,
        #[graphql(
            desc = "Deletes the host at once, without clearing up: the answer says what is left outside. Only an admin may. Defaults to false."
        )]
        force: Option<bool>,
        #[graphql(desc = "Returns what would be deleted or marked, without writing anything. Defaults to false.")]
        dry_run: Option<bool>,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<DeleteHostPayload>> {
        let asked = Deleted { id, if_version, cascade: None, dry_run, request_id };
        Box::pin(delete_host(context, asked, force.unwrap_or_default())).await.map(Some)
    }
}

async fn delete_host(context: &Context<'_>, asked: Deleted, force: bool) -> Result<DeleteHostPayload> {
    let request = Request::of(context);
    let kind = if force { WriteKind::Override } else { WriteKind::Single };
    request.handle(kind).map_err(|it| forbidden(&it))?;
    let id = parse_id("id", &asked.id).map_err(|it| host_refused(&it))?;
    let host = request.snapshot().get::<Host>(id).cloned();
    match host {
        Some(host) if !force && is_outside(&host) => mark(context, asked, &host).await,
        host => {
            let left = host.filter(is_outside).map(|host| left(&host)).unwrap_or_default();
            let payload = delete::<Host>(context, asked).await?;
            Ok(DeleteHostPayload { deleted: payload.deleted, host: None, left, revision: payload.revision })
        }
    }
}

/// Marks a host, so that a controller deletes it.
async fn mark(context: &Context<'_>, asked: Deleted, host: &Model) -> Result<DeleteHostPayload> {
    let request = Request::of(context);
    let handle = request.handle(WriteKind::Single).map_err(|it| forbidden(&it))?;
    let if_version = asked.if_version.map(|version| version.0);
    let sent = as_sent("deleteHost", &(host.id, if_version));
    let order = Order::new(ROLE, vec![host.id], Act::Delete { if_version }, sent);
    let order = order.map_err(|error| host_refused(&error.into()))?;
    let writing = async {
        let batch = decided(&handle, Arc::new(order), asked.request_id);
        let answer = match asked.dry_run.unwrap_or_default() {
            true => handle.dry_run(batch).await,
            false => handle.write(batch).await,
        };
        accepted(answer).map_err(|refusal| host_refused(&refusal))
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    let held = answer.snapshot.find(host.id).and_then(|object| answer.snapshot.hold(object)).map(Host);
    let gone = || Refusal::NotFound { field: "id".to_owned(), what: format!("host {}", host.id) };
    let held = held.ok_or_else(|| host_refused(&gone()))?;
    let revision = answer.revision.map(Revision);
    Ok(DeleteHostPayload { deleted: Vec::new(), host: Some(held), left: Vec::new(), revision })
}

/// Returns true if something of a host may exist outside of the inventory.
fn is_outside(host: &Model) -> bool {
    host.state != HostState::Registered || host.generation > 0
}

/// Returns what a host that nobody cleared up leaves outside.
fn left(host: &Model) -> Vec<String> {
    let mut left = Vec::new();
    if let Some(provisioner) = &host.provisioner {
        left.push(format!("the provisioner {provisioner} may still know the host: remove it there"));
    }
    left.push("the machine keeps its power, its disks, and the device that it boots from".to_owned());
    left
}
