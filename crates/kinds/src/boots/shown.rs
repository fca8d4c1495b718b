//! Shows the attempt of a host, and what its machine was given at its last boots.

use async_graphql::{Context, ID, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::boot::{self, BootTarget};
use underlay_entity::boot_attempt::{BootAttemptState, BootPurpose, Model};
use underlay_entity::long::Long;
use underlay_entity::machine::{CpuArchitecture, Disk};
use uuid::Uuid;

use super::report::FoundHardware;
use crate::control::{BootAttemptOf, BootsOf, load};

/// The greatest number of boots that are shown of a host.
const MAX_BOOTS: i32 = 100;
/// The number of boots that are shown unless another one is asked for.
const USUAL_BOOTS: i32 = 10;

/// The permission for the machine of a host to boot from the network for an order, and what came of it.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostBootAttempt")]
pub struct BootAttempt {
    /// The id of the order.
    pub order: ID,
    /// The purpose. Null: it is of a later version of the server.
    pub purpose: Option<BootPurpose>,
    /// The state. Null: it is of a later version of the server.
    pub state: Option<BootAttemptState>,
    /// The time when the attempt was opened.
    pub opened_at: DateTime<Utc>,
    /// The time from which on the machine gets its disk.
    pub until: DateTime<Utc>,
    /// The number of boots so far. At most three, of which none fetched what it works by.
    pub boots: i32,
    /// The time when the last boot began.
    pub booted_at: Option<DateTime<Utc>>,
    /// The time when the last boot asked for its kernel.
    pub loaded_at: Option<DateTime<Utc>>,
    /// The time when a boot fetched the text that it works by.
    pub text_at: Option<DateTime<Utc>>,
    /// The time when the machine booted again, though it had fetched that text. It got its disk.
    pub rebooted_at: Option<DateTime<Utc>>,
    /// The time of the last report of the machine.
    pub heard_at: Option<DateTime<Utc>>,
    /// The stage that the machine reported last.
    pub stage: Option<String>,
    /// The progress of the stage in percent.
    pub percent: Option<i32>,
    /// A sentence about the stage, or about the end.
    pub message: Option<String>,
    /// The hardware that a discovery found.
    pub facts: Option<BootFacts>,
}

/// The hardware that a discovery found.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostBootFacts")]
pub struct BootFacts {
    /// The serial number.
    pub serial: Option<String>,
    /// The UUID.
    pub uuid: Option<String>,
    /// The MAC address that the machine booted from.
    pub boot_mac: Option<String>,
    /// The number of threads of its processors.
    pub cpu_cores: Option<i32>,
    /// The instruction set of the processors.
    pub cpu_architecture: Option<CpuArchitecture>,
    /// The memory in bytes.
    pub memory_bytes: Option<Long>,
    /// The disks.
    pub disks: Option<Vec<Disk>>,
}

/// A boot of the machine of a host from the network.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostNetworkBoot")]
pub struct NetworkBoot {
    /// The number of the boot among those of the host. It grows with each boot.
    pub number: Long,
    /// The time of the boot.
    pub at: DateTime<Utc>,
    /// The target that the machine was given. Null: it is of a later version of the server.
    pub target: Option<BootTarget>,
    /// A sentence that says why.
    pub reason: String,
    /// The first MAC address that the machine said.
    pub mac: Option<String>,
    /// The address from which it asked.
    pub address: Option<String>,
}

impl From<&Model> for BootAttempt {
    fn from(row: &Model) -> Self {
        let row = row.clone();
        let facts = row.facts.and_then(|facts| serde_json::from_value::<FoundHardware>(facts).ok());
        Self {
            order: ID::from(row.order_id),
            purpose: BootPurpose::of(row.purpose),
            state: BootAttemptState::of(row.state),
            opened_at: row.opened_at,
            until: row.until,
            boots: row.boots,
            booted_at: row.booted_at,
            loaded_at: row.loaded_at,
            text_at: row.text_at,
            rebooted_at: row.rebooted_at,
            heard_at: row.heard_at,
            stage: row.stage,
            percent: row.percent.map(i32::from),
            message: row.message,
            facts: facts.map(BootFacts::from),
        }
    }
}

impl From<FoundHardware> for BootFacts {
    fn from(found: FoundHardware) -> Self {
        let FoundHardware { serial, uuid, boot_mac, cpu_cores, cpu_architecture, memory_bytes, disks } = found;
        Self { serial, uuid, boot_mac, cpu_cores, cpu_architecture, memory_bytes: memory_bytes.map(Long), disks }
    }
}

impl From<boot::Model> for NetworkBoot {
    fn from(row: boot::Model) -> Self {
        let boot::Model { host_id: _, number, at, target, reason, mac, address } = row;
        Self { number: Long(number), at, target: BootTarget::of(target), reason, mac, address }
    }
}

/// Returns the last attempt of a host. The future is on the heap, because the resolver of every field of an object takes as
/// much space as its largest field.
pub fn attempt_of<'a>(context: &'a Context<'_>, host: Uuid) -> BoxFuture<'a, Result<Option<BootAttempt>>> {
    Box::pin(async move { Ok(load(context, BootAttemptOf(host)).await?.as_ref().map(BootAttempt::from)) })
}

/// Returns the last boots of the machine of a host, the newest first.
pub fn boots_of<'a>(
    context: &'a Context<'_>,
    host: Uuid,
    first: Option<i32>,
) -> BoxFuture<'a, Result<Option<Vec<NetworkBoot>>>> {
    Box::pin(async move {
        let first = first.unwrap_or(USUAL_BOOTS);
        let most = u64::try_from(first).ok().filter(|_| first <= MAX_BOOTS);
        let wrong = || crate::reports::invalid("first", format!("must be from 0 to {MAX_BOOTS}, not {first}"));
        let most = most.ok_or_else(|| crate::errors::refused(&wrong(), None, None))?;
        if crate::request::Request::of(context).view.log().is_none() {
            return Ok(None);
        }
        let boots = load(context, BootsOf { host, most }).await?.unwrap_or_default();
        Ok(Some(boots.into_iter().map(NetworkBoot::from).collect()))
    })
}
