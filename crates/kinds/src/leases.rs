//! Leases in the API: controllers take, renew and release them to divide their work. They are objects of the database
//! alone, in no snapshot, and make no revision.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use underlay_entity::lease;
use underlay_entity::long::Long;

use super::errors::{forbidden, refused};
use super::request::Request;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{Fence, LeasesAt, MAX_LEASES, Store, StoreError};
use underlay_engine::write::check_name;
use underlay_inventory::Refusal;

/// The greatest number of leases in one call.
const MAX_NAMED_LEASES: usize = 256;
/// The greatest number of leases that a list returns.
const MAX_LISTED_LEASES: i32 = 1_000;
/// The longest life of a lease, in seconds.
const MAX_LEASE_SECONDS: i32 = 3_600;

/// The right of one holder to work on a part of the inventory, until a time.
#[derive(Clone, Debug, SimpleObject)]
pub struct Lease {
    /// The name of the lease, such as `hosts/00`.
    pub name: String,
    /// The holder, or the last holder of a lease that has ended.
    pub holder: String,
    /// The number that goes up by one each time that the lease is taken by another holder, or after it had ended. It is 1
    /// only if nobody held the lease before, or one that excludes it.
    pub epoch: Long,
    /// The time at which the lease ends, by the clock of the database.
    pub until: DateTime<Utc>,
}

impl From<lease::Model> for Lease {
    fn from(lease: lease::Model) -> Self {
        Self { name: lease.name, holder: lease.holder, epoch: Long(lease.epoch), until: lease.until }
    }
}

/// Leases, with the time at which they were read.
#[derive(Clone, Debug, SimpleObject)]
pub struct Leases {
    /// The leases, in the order of their names.
    pub leases: Vec<Lease>,
    /// The time of the database, which decides when a lease ends.
    pub now: DateTime<Utc>,
}

impl From<LeasesAt> for Leases {
    fn from(LeasesAt { leases, now }: LeasesAt) -> Self {
        Self { leases: leases.into_iter().map(Lease::from).collect(), now }
    }
}

/// The result of a mutation of leases.
#[derive(Clone, Debug, SimpleObject)]
pub struct LeasesPayload {
    /// Those of the named leases that the holder held when the mutation was done, or released by it.
    pub leases: Vec<Lease>,
    /// The time of the database, which decides when a lease ends.
    pub now: DateTime<Utc>,
}

impl From<LeasesAt> for LeasesPayload {
    fn from(at: LeasesAt) -> Self {
        let Leases { leases, now } = at.into();
        Self { leases, now }
    }
}

/// Leases to be taken.
#[derive(Clone, Debug, InputObject)]
pub struct TakeLeasesInput {
    /// The names of the leases: at most 256.
    pub names: Vec<String>,
    /// The holder, a name that no other process uses.
    pub holder: String,
    /// The time until the leases end, in seconds: 1 to 3,600.
    pub seconds: i32,
}

/// A lease that the caller has.
#[derive(Clone, Debug, InputObject)]
pub struct HeldLeaseInput {
    /// The name of the lease.
    pub name: String,
    /// The epoch with which it was taken.
    pub epoch: Long,
}

/// Leases to be renewed.
#[derive(Clone, Debug, InputObject)]
pub struct RenewLeasesInput {
    /// The leases: at most 256.
    pub leases: Vec<HeldLeaseInput>,
    /// The holder that took them.
    pub holder: String,
    /// The time until the leases end, in seconds: 1 to 3,600.
    pub seconds: i32,
}

/// Leases to be released.
#[derive(Clone, Debug, InputObject)]
pub struct ReleaseLeasesInput {
    /// The leases: at most 256.
    pub leases: Vec<HeldLeaseInput>,
    /// The holder that took them.
    pub holder: String,
}

/// The root field that reads leases.
#[derive(Debug, Default)]
pub struct LeaseRoots;

/// The root field that reads leases.
#[Object]
impl LeaseRoots {
    /// The leases by which controllers divide their work, also those that have ended.
    async fn leases(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Selects the leases whose names begin like this. Defaults to all.")] prefix: Option<String>,
        #[graphql(desc = "The maximum number of leases: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Option<Leases>> {
        let store = Request::of(context).database_for("leases").map_err(|it| forbidden(&it))?;
        let first = first.unwrap_or(MAX_LISTED_LEASES);
        let most = u64::try_from(first).ok().filter(|_| first <= MAX_LISTED_LEASES);
        let most =
            most.ok_or_else(|| invalid("first", format!("must be from 0 to {MAX_LISTED_LEASES}, not {first}")))?;
        let leases = Box::pin(store.leases(&prefix.unwrap_or_default(), most)).await.map_err(unstored)?;
        Ok(Some(leases.into()))
    }
}

/// Root fields that write leases.
#[derive(Debug, Default)]
pub struct LeaseMutation;

/// Root fields that write leases.
#[Object]
impl LeaseMutation {
    /// Takes those of the named leases that are free, and extends those that the holder has. Another holder's lease is
    /// free when it has ended. A controller that takes a lease of another one must wait until calls that the other one
    /// began have ended. The leases `a/00` to `a/99` divide a work as a whole, and `a/b/00` to `a/b/99` divide its part `b`:
    /// nothing is taken, with the code IN_USE, while another holder divides the same work the other way.
    async fn take_leases(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The leases, the holder, and their life.")] input: TakeLeasesInput,
    ) -> Result<Option<LeasesPayload>> {
        let store = writer(context)?;
        check_count("names", input.names.len())?;
        let names = input.names.iter().enumerate();
        names.into_iter().try_for_each(|(at, name)| named(&format!("names[{at}]"), name))?;
        named("holder", &input.holder)?;
        let life = life(input.seconds)?;
        let leases = Box::pin(store.take_leases(&input.names, &input.holder, life)).await.map_err(unstored)?;
        Ok(Some(leases.into()))
    }

    /// Extends leases that the holder has. A lease that has ended is not renewed: it must be taken again.
    async fn renew_leases(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The leases, the holder, and their life.")] input: RenewLeasesInput,
    ) -> Result<Option<LeasesPayload>> {
        let store = writer(context)?;
        let fences = fences(input.leases, &input.holder)?;
        let life = life(input.seconds)?;
        let leases = Box::pin(store.renew_leases(&fences, life)).await.map_err(unstored)?;
        Ok(Some(leases.into()))
    }

    /// Ends leases that the holder has, so that others can take them at once.
    async fn release_leases(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The leases, and the holder.")] input: ReleaseLeasesInput,
    ) -> Result<Option<LeasesPayload>> {
        let store = writer(context)?;
        let fences = fences(input.leases, &input.holder)?;
        let leases = Box::pin(store.release_leases(&fences)).await.map_err(unstored)?;
        Ok(Some(leases.into()))
    }
}

/// Returns the database for a caller that may write leases.
fn writer<'a>(context: &Context<'a>) -> Result<&'a Store> {
    let request = Request::of(context);
    request.handle(WriteKind::Lease).map_err(|it| forbidden(&it))?;
    Ok(request.sources().store())
}

fn fences(leases: Vec<HeldLeaseInput>, holder: &str) -> Result<Vec<Fence>> {
    check_count("leases", leases.len())?;
    named("holder", holder)?;
    let fence = |(at, lease): (usize, HeldLeaseInput)| {
        named(&format!("leases[{at}].name"), &lease.name)?;
        Ok(Fence { lease: lease.name, holder: holder.to_owned(), epoch: lease.epoch.0 })
    };
    leases.into_iter().enumerate().map(fence).collect()
}

fn named(field: &str, name: &str) -> Result<()> {
    check_name(field, Some(name)).map_err(|it| refused(&it, None, None))
}

fn check_count(field: &str, count: usize) -> Result<()> {
    match count <= MAX_NAMED_LEASES {
        true => Ok(()),
        false => Err(invalid(field, format!("has {count} entries; at most {MAX_NAMED_LEASES} are allowed"))),
    }
}

fn life(seconds: i32) -> Result<TimeDelta> {
    match (1..=MAX_LEASE_SECONDS).contains(&seconds) {
        true => Ok(TimeDelta::seconds(seconds.into())),
        false => Err(invalid("seconds", format!("must be from 1 to {MAX_LEASE_SECONDS}, not {seconds}"))),
    }
}

fn invalid(field: &str, reason: String) -> async_graphql::Error {
    refused(&Refusal::Invalid { field: field.to_owned(), reason }, None, None)
}

fn unstored(error: StoreError) -> async_graphql::Error {
    let refusal = match error {
        StoreError::TooManyLeases => {
            let reason = format!("would make more than {MAX_LEASES} leases: a lease that has ended is kept for a day");
            Refusal::Invalid { field: "names".to_owned(), reason }
        }
        StoreError::LeaseExcluded { lease, holder } => Refusal::LeaseExcluded { lease, holder },
        error => {
            tracing::warn!("leases cannot be stored: {error}");
            let message = "the database does not answer, or cannot be written: try again later";
            Refusal::Unavailable(message.to_owned())
        }
    };
    refused(&refusal, None, None)
}
