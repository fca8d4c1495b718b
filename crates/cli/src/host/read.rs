//! A host as the commands read it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Deserialize;

/// The GraphQL selection for a host.
pub(super) const HOST: &str = "id name shortId title state power generation generationDone acquiredFor deleting createdAt \
     maintenance class { name } appliance { name } cluster { name } step { attempt name of since } \
     failure { during reason message } lastOrder { number outcome reason message } conditions { type status message messageForTenants } \
     seenIdentity { uuid serial macs } \
     machine { __typename ... on Device { name placement { rack { name site { name } } } } ... on VirtualMachine { name } }";

/// A host.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Host {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) short_id: String,
    pub(super) title: Option<String>,
    pub(super) state: String,
    pub(super) power: String,
    pub(super) generation: i64,
    pub(super) generation_done: i64,
    pub(super) acquired_for: Option<String>,
    pub(super) deleting: bool,
    pub(super) created_at: DateTime<Utc>,
    pub(super) maintenance: BTreeMap<String, String>,
    pub(super) class: Option<NamedRef>,
    pub(super) appliance: Option<NamedRef>,
    pub(super) cluster: Option<NamedRef>,
    pub(super) step: Option<Step>,
    pub(super) failure: Option<Failure>,
    pub(super) last_order: Option<LastOrder>,
    pub(super) conditions: Vec<Condition>,
    pub(super) machine: Option<Machine>,
    pub(super) seen_identity: Option<SeenIdentity>,
}

/// What the machine of a host said of itself at the first look.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct SeenIdentity {
    pub(super) uuid: Option<String>,
    pub(super) serial: Option<String>,
    pub(super) macs: Vec<String>,
}

/// An object of which only the name is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamedRef {
    pub(super) name: String,
}

/// The step at which a controller works for a host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Step {
    pub(super) attempt: i32,
    pub(super) name: String,
    pub(super) of: i64,
    pub(super) since: DateTime<Utc>,
}

/// The failure of an order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Failure {
    pub(super) during: String,
    pub(super) reason: String,
    pub(super) message: String,
}

/// The end of the last order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct LastOrder {
    pub(super) number: i64,
    pub(super) outcome: String,
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
}

/// A condition of a host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Condition {
    pub(super) r#type: String,
    pub(super) status: String,
    pub(super) message: Option<String>,
    pub(super) message_for_tenants: Option<String>,
}

/// The machine of a host.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Machine {
    pub(super) name: String,
    #[serde(default)]
    pub(super) placement: Option<Placement>,
}

/// The place of a device.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Placement {
    pub(super) rack: Rack,
}

/// A rack with its site.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Rack {
    pub(super) name: String,
    pub(super) site: NamedRef,
}

impl Host {
    /// Returns true if the host has an order that is neither done nor failed.
    pub(super) fn is_at_work(&self) -> bool {
        self.generation_done < self.generation
    }
}
