//! The order of a host and its end, as the API shows them.

use async_graphql::{ID, Object};
use chrono::{DateTime, Utc};
use underlay_entity::host::{HostAct, HostOrderOutcome, HostState, LastOrder, Wanted};
use underlay_entity::long::Long;
use underlay_entity::text_map::TextMap;

use super::kind::Host;
use crate::profile::Profile;
use underlay_inventory::Held;

/// The order that a host has, or had last.
#[derive(Clone, Debug)]
pub struct HostWanted {
    host: Held<Host>,
    wanted: Wanted,
}

impl HostWanted {
    /// Returns the order of a host; `None` if it never had one.
    pub fn of(host: &Held<Host>) -> Option<Self> {
        let wanted = host.row.wanted.clone()?;
        Some(Self { host: host.clone(), wanted })
    }
}

/// The order that a host has, or had last.
#[Object]
impl HostWanted {
    /// The id of the order. Its number, `Host.generation`, can come again for another order after a restore; its id never
    /// does. Null for an order of a server that gave none.
    async fn id(&self) -> Option<ID> {
        self.wanted.id.map(ID::from)
    }

    /// The act that is ordered.
    async fn act(&self) -> HostAct {
        self.wanted.act
    }

    /// The profile that is booted.
    async fn profile(&self) -> Option<Profile> {
        self.host.follow(Host::WANTED).map(Profile)
    }

    /// The variables that the profile reads.
    async fn variables(&self) -> &TextMap {
        &self.wanted.variables
    }

    /// True if the machine may be switched off without being asked to shut down.
    async fn force(&self) -> bool {
        self.wanted.force
    }

    /// The time after which the order is not begun any more. Null: it does not expire.
    async fn until(&self) -> Option<DateTime<Utc>> {
        self.wanted.until
    }

    /// True if the order covers a machine that runs: a person said so by force, for this host alone.
    async fn covers_running(&self) -> bool {
        self.wanted.covers_running
    }

    /// True if the order was given for this host alone. Only such an order is carried out on a machine that tells nothing.
    async fn alone(&self) -> bool {
        self.wanted.alone
    }

    /// True if the discovery of a REGISTERED host makes it AVAILABLE. Otherwise it stays REGISTERED.
    async fn adopt(&self) -> bool {
        self.wanted.adopt
    }

    /// The state in which the order was given. The host goes back to it if the order is refused.
    async fn given_in(&self) -> Option<HostState> {
        self.wanted.given_in
    }

    /// The outcome with which the order is to end: CANCELLED, or EXPIRED after controllers could only observe. They begin
    /// no further step for it that touches the machine. Null: the order goes on.
    async fn stop(&self) -> Option<HostOrderOutcome> {
        self.wanted.stop
    }
}

/// The end of the last order of a host.
#[derive(Clone, Debug)]
pub struct HostLastOrder(pub LastOrder);

/// The end of the last order of a host.
#[Object]
impl HostLastOrder {
    /// The id of the order. Null for an order of a server that gave none.
    async fn id(&self) -> Option<ID> {
        self.0.id.map(ID::from)
    }

    /// The number of the order.
    async fn number(&self) -> Long {
        self.0.number
    }

    /// The act that was ordered.
    async fn act(&self) -> HostAct {
        self.0.act
    }

    /// The outcome of the order.
    async fn outcome(&self) -> HostOrderOutcome {
        self.0.outcome
    }

    /// The reason for it, as one word. Null for an order that was done.
    async fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// A sentence that says why the order was not done, and what to do. Null for an order that was done.
    async fn message(&self) -> Option<&str> {
        self.0.message.as_deref()
    }

    /// The time when the order ended.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }
}
