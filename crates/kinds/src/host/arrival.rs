//! The states that a host can come with from elsewhere, when nobody here has touched its machine: people adopt it in
//! one of them, or the source that brings it says which.

use async_graphql::{Enum, resolver_utils::EnumType};
use serde::Serialize;
use underlay_entity::host::{HostState, Model};

use crate::common::words;
use underlay_inventory::{Arrival, cast_mut};

/// The state that a host is adopted in, or that its source reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HostAdoption {
    /// The host is free and can be acquired.
    Available,
    /// The host runs a system that somebody uses.
    Installed,
}

impl From<HostAdoption> for HostState {
    fn from(adoption: HostAdoption) -> Self {
        match adoption {
            HostAdoption::Available => Self::Available,
            HostAdoption::Installed => Self::Installed,
        }
    }
}

/// The member in which a source reports the state of a new host.
pub const ARRIVAL: Arrival = Arrival {
    member: "arrivesAs",
    words: words::<HostAdoption>,
    put: |row, word| {
        if let Some(item) = HostAdoption::items().iter().find(|item| item.name == word) {
            cast_mut::<Model>(row).state = item.value.into();
        }
    },
    remedy: "adopt a host with adoptHosts",
};
