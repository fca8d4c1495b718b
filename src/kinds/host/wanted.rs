//! The order of a host, as the API shows it.

use async_graphql::{ID, Object};
use chrono::{DateTime, Utc};
use underlay_entity::host::{HostAct, Wanted};
use underlay_entity::text_map::TextMap;

use super::node::Host;
use crate::kinds::profile::Profile;
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
}
