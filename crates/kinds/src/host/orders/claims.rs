//! The mutation that acquires hosts.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, Object, Result};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::input::AcquireHostsInput;
use super::payload::AcquireHostsPayload;
use super::{accepted, as_sent, decided, host_refused, named, read_ids};
use crate::errors::forbidden;
use crate::host::role::ROLE;
use crate::host_class::HostClass;
use crate::hosts::{Claim, Desk, Selection, acquire, worst};
use crate::object_arguments::place_id;
use crate::request::Request;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::write::{Decision, WriteAnswer};
use underlay_inventory::{Kind, Refusal, Snapshot};

/// Root fields that acquire hosts.
#[derive(Debug, Default)]
pub struct ClaimMutation;

/// Root fields that acquire hosts.
#[Object]
impl ClaimMutation {
    /// Acquires hosts: as many as are asked for, or none. Those that are AVAILABLE for the longest time come first. With
    /// `spread`, those are chosen of which a single failure takes as few as possible.
    async fn acquire_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hosts to choose from, and how.")] input: AcquireHostsInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day acquires nothing and gets the hosts of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<AcquireHostsPayload>> {
        Box::pin(claim(context, input, request_id)).await.map(Some)
    }
}

async fn claim(
    context: &Context<'_>,
    input: AcquireHostsInput,
    request_id: Option<String>,
) -> Result<AcquireHostsPayload> {
    let request = Request::of(context);
    let handle = request.handle(WriteKind::Order).map_err(|it| forbidden(&it))?;
    let (sent, claim) = (as_sent("acquireHosts", &input), read(&request.snapshot(), input)?);
    let (spread, found) = (claim.spread, Mutex::new(None));
    let writing = async {
        let _turn = request.sources().choosing().await;
        let desk = ClaimDesk { request, handle: &handle, request_id };
        let acquired = acquire(ROLE, claim, sent, &desk).await.map_err(|it| host_refused(&it))?;
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(acquired.worst);
        Ok(acquired.answer)
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let worst = match (found, spread) {
        (Some(found), _) => found,
        (None, None) => None,
        // The field is executed again, because a fragment repeats it.
        (None, Some(spread)) => worst(ROLE, spread, &answer).await.map_err(|it| host_refused(&it.into()))?,
    };
    Ok(AcquireHostsPayload::of(&answer, worst.as_ref()))
}

/// The server as a claim of a caller uses it.
struct ClaimDesk<'a> {
    request: &'a Request,
    handle: &'a WriteHandle,
    request_id: Option<String>,
}

impl Desk for ClaimDesk<'_> {
    fn current(&self) -> Arc<Snapshot> {
        self.request.sources().current()
    }

    fn seen_at(&self, host: Uuid) -> Option<DateTime<Utc>> {
        self.request.view.observed.seen(host).map(|seen| seen.at)
    }

    async fn claim(&self, claim: Arc<dyn Decision>) -> std::result::Result<WriteAnswer, Refusal> {
        accepted(self.handle.write(decided(self.handle, claim, self.request_id.clone())).await)
    }

    async fn look(&self, looks: Arc<dyn Decision>) -> std::result::Result<WriteAnswer, Refusal> {
        accepted(self.handle.write(decided(self.handle, looks, None)).await)
    }
}

fn read(snapshot: &Snapshot, input: AcquireHostsInput) -> Result<Claim> {
    let AcquireHostsInput { class, labels, ids, count, r#for: purpose, within, spread, most } = input;
    let class = class.map(|class| named(snapshot, HostClass::describe(), "class", &class)).transpose()?;
    if ids.as_ref().is_some_and(Vec::is_empty) {
        let reason = "must have at least one entry, or be absent".to_owned();
        return Err(host_refused(&Refusal::Invalid { field: "ids".to_owned(), reason }));
    }
    let ids = ids.map(|ids| read_ids(&ids)).transpose()?.unwrap_or_default();
    let within =
        within.map(|within| place_id(snapshot, "within", &within)).transpose().map_err(|it| host_refused(&it))?;
    let count = match count {
        Some(count) => positive("count", count)?,
        None if ids.is_empty() => {
            let reason = "is required unless ids are given".to_owned();
            return Err(host_refused(&Refusal::Invalid { field: "count".to_owned(), reason }));
        }
        None => ids.len(),
    };
    let most = most.map(|most| positive("most", most)).transpose()?;
    let selection = Selection { class, labels: labels.unwrap_or_default(), ids, within };
    Ok(Claim { selection, count, purpose, spread: spread.map(Into::into), most })
}

fn positive(field: &str, number: i32) -> Result<usize> {
    usize::try_from(number).ok().filter(|number| *number > 0).ok_or_else(|| {
        let reason = format!("must be at least 1, not {number}");
        host_refused(&Refusal::Invalid { field: field.to_owned(), reason })
    })
}
