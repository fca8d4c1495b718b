//! The enlistment of an appliance: the order to make hosts of the machines that it lists.

use async_graphql::{Context, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::enlistment::{self, EnlistedMachine};
use underlay_entity::long::Long;
use uuid::Uuid;

use super::load::{EnlistmentOf, load};

/// The order to make hosts of the machines that an appliance lists, and how it ended.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "Enlistment")]
pub struct Enlistment {
    /// The number of the enlistment among those of the appliance.
    pub number: Long,
    /// The pattern of the names of the machines. Null: that of the appliance.
    pub pattern: Option<String>,
    /// True if the new hosts are discovered.
    pub discover: bool,
    /// True if the hosts that are discovered become AVAILABLE. Otherwise they stay REGISTERED.
    pub adopt: bool,
    /// True if the only new machine is discovered also if it runs, which reboots it.
    pub force: bool,
    /// The provisioner of the new hosts.
    pub provisioner: Option<String>,
    /// The user who asked for it.
    pub by: String,
    /// The time when it was asked for.
    pub at: DateTime<Utc>,
    /// The time when it ended. Null while no controller has done it.
    pub done_at: Option<DateTime<Utc>>,
    /// The number of machines that the appliance listed.
    pub found: Option<i32>,
    /// The number of hosts that were created.
    pub enlisted: Option<i32>,
    /// The number of hosts that got another address, because the appliance lists their machines at another one.
    pub changed: Option<i32>,
    /// A sentence about what went wrong, or was left out.
    pub message: Option<String>,
    /// What became of each machine: of the first 1,000. Null while no controller has done it.
    pub machines: Option<Vec<EnlistedMachine>>,
}

impl From<enlistment::Model> for Enlistment {
    fn from(it: enlistment::Model) -> Self {
        Self {
            number: Long(it.number),
            pattern: it.pattern,
            discover: it.discover,
            adopt: it.adopt,
            force: it.force,
            provisioner: it.provisioner,
            by: it.by,
            at: it.at,
            done_at: it.done_at,
            found: it.found,
            enlisted: it.enlisted,
            changed: it.changed,
            message: it.sentence,
            machines: it.machines.map(|machines| machines.0),
        }
    }
}

/// Returns the last enlistment of an appliance. The future is on the heap, because the resolver of every field of an object
/// takes as much space as its largest field.
pub fn enlistment_of<'a>(context: &'a Context<'_>, appliance: Uuid) -> BoxFuture<'a, Result<Option<Enlistment>>> {
    Box::pin(async move { Ok(load(context, EnlistmentOf(appliance)).await?.map(Enlistment::from)) })
}
