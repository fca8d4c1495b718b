//! The mutations by which a controller opens and closes the attempt of an order.
//!
//! Guarantee: an attempt is opened and closed only under the lease of its host.

use std::time::Duration;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use underlay_engine::access::WriteKind;
use underlay_engine::sources::Sources;
use underlay_engine::store::{BootDecision, BootGround, Fence, StoreError};
use underlay_engine::write::check_name;
use underlay_entity::boot_attempt;
use underlay_entity::host::Model as Host;
use underlay_entity::long::Long;
use underlay_inventory::{Refusal, Snapshot, parse_id};
use uuid::Uuid;

use super::attempt;
use super::machine::boots_from_here;
use super::render;
use super::shown::BootAttempt;
use crate::control::unanswered;
use crate::errors::{forbidden, refused};
use crate::host::Host as HostKind;
use crate::reports::LeasesOf;
use crate::request::Request;

/// The number of times that a call is decided again because another batch was written meanwhile.
const MAX_DECISIONS: usize = 8;
/// The longest time for which this server waits until it has the newest revision.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(2);

/// The attempt of an order.
#[derive(Clone, Debug, InputObject)]
pub struct BootAttemptInput {
    /// The controller, by the name with which it took its leases.
    pub holder: String,
    /// The lease of the host, as for `reportHosts`.
    pub lease: String,
    /// The epoch under which the controller holds the lease.
    pub epoch: Long,
    /// The id of the host.
    pub host: ID,
    /// The id of the order.
    pub order: ID,
}

/// The result of `openBootAttempt` and of `closeBootAttempt`.
#[derive(Clone, Debug, SimpleObject)]
pub struct BootAttemptPayload {
    /// The attempt of the host as it is now. Null: it has none.
    pub attempt: Option<BootAttempt>,
    /// A sentence that says why no attempt was opened. Null: it is open.
    pub refused: Option<String>,
}

/// Root fields for the attempts of orders.
#[derive(Debug, Default)]
pub struct BootControlMutation;

/// Root fields for the attempts of orders.
#[Object]
impl BootControlMutation {
    /// Lets the machine of a host boot from the network for its order, in the step `prepare`. Controllers call it. A machine
    /// that has worked for the order gets no second attempt.
    async fn open_boot_attempt(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The order.")] input: BootAttemptInput,
    ) -> Result<Option<BootAttemptPayload>> {
        control(context, input, open).await.map(Some)
    }

    /// Takes back what `openBootAttempt` allowed, if the work has not ended. Controllers call it.
    async fn close_boot_attempt(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The order.")] input: BootAttemptInput,
    ) -> Result<Option<BootAttemptPayload>> {
        control(context, input, close).await.map(Some)
    }
}

type Decide = fn(&Snapshot, &Host, &BootGround, Uuid) -> BootDecision<BootAttemptPayload>;

async fn control(context: &Context<'_>, input: BootAttemptInput, decide: Decide) -> Result<BootAttemptPayload> {
    let request = Request::of(context);
    request.permits(WriteKind::Report).map_err(|it| forbidden(&it))?;
    let read = || {
        check_name("holder", Some(&input.holder))?;
        Ok::<_, Refusal>((parse_id("host", &input.host)?, parse_id("order", &input.order)?))
    };
    let (host, order) = read().map_err(|it| refused(&it, None, None))?;
    let fence = Fence { lease: input.lease, holder: input.holder, epoch: input.epoch.0 };
    Box::pin(decided(request.sources(), host, order, &fence, decide)).await
}

async fn decided(
    sources: &Sources,
    host: Uuid,
    order: Uuid,
    fence: &Fence,
    decide: Decide,
) -> Result<BootAttemptPayload> {
    let mut snapshot = sources.current();
    for _ in 0..MAX_DECISIONS {
        let missing = || Refusal::NotFound { field: "host".to_owned(), what: format!("Host {host}") };
        let find = || {
            let row = snapshot.get::<HostKind>(host).ok_or_else(missing)?;
            LeasesOf::host(&snapshot, host).ok_or_else(missing)?.check(&fence.lease)?;
            Ok::<_, Refusal>(row)
        };
        let row = find().map_err(|it| refused(&it, None, None))?;
        let head = snapshot.head();
        let planned_on = (head.revision, head.batch_id);
        let decided =
            sources.store().decide_boot(host, planned_on, Some(fence), |ground| decide(&snapshot, row, ground, order));
        match decided.await {
            Ok(payload) => return Ok(payload),
            Err(StoreError::Overtaken(newest)) => snapshot = sources.caught_up(newest, CATCH_UP_TIMEOUT).await,
            Err(StoreError::LeaseLost { lease, epoch }) => {
                return Err(refused(&Refusal::LeaseLost { lease, epoch }, None, None));
            }
            Err(error) => return Err(unanswered(&error)),
        }
    }
    Err(unanswered(&StoreError::Overtaken(snapshot.revision())))
}

fn open(snapshot: &Snapshot, host: &Host, ground: &BootGround, order: Uuid) -> BootDecision<BootAttemptPayload> {
    let opened = || {
        if !boots_from_here(host) {
            return Err("the provisioner of the host is another one".to_owned());
        }
        let attempt = attempt::open(host, ground, order).map_err(|why| why.to_string())?;
        let purpose = boot_attempt::BootPurpose::of(attempt.purpose);
        let purpose = purpose.ok_or_else(|| "the attempt is of a later version of this server".to_owned())?;
        render::profile_for(snapshot, host, purpose).map_err(|why| why.to_string())?;
        Ok(attempt)
    };
    match opened() {
        Ok(attempt) => payload(ground, Some(attempt), None),
        Err(why) => payload(ground, None, Some(why)),
    }
}

fn close(_: &Snapshot, _: &Host, ground: &BootGround, order: Uuid) -> BootDecision<BootAttemptPayload> {
    payload(ground, attempt::close(ground, order), None)
}

/// Returns the decision to store an attempt, if it changes.
fn payload(
    ground: &BootGround,
    next: Option<boot_attempt::Model>,
    refused: Option<String>,
) -> BootDecision<BootAttemptPayload> {
    let shown = next.as_ref().or(ground.attempt.as_ref()).map(BootAttempt::from);
    let next = next.filter(|next| Some(next) != ground.attempt.as_ref());
    BootDecision { attempt: next, line: None, answer: BootAttemptPayload { attempt: shown, refused } }
}
