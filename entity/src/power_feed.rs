//! The row of a power feed: an electrical circuit that supplies a rack or a site.

use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::Texts;
use crate::lifecycle::Status;
use crate::targets::Targets;

crate::row::kind_row! {
    /// One power feed in the table `power_feed`.
    table "power_feed" {
        pub site_id: Uuid,
        pub rack_id: Option<Uuid>,
        pub phase: Option<Phase>,
        /// The voltage in volts.
        pub voltage: Option<i32>,
        /// The rated current in amperes.
        pub amps_rated: Option<i32>,
        /// The source that supplies the feed. The chain of sources has no cycle.
        pub upstream: Option<PowerSource>,
        /// Free names of shared risks. Objects that share a name fail together.
        pub risk_groups: Texts,
        pub status: Status,
    }
}

crate::choice::choice! {
    /// The number of phases of a power feed.
    pub enum Phase {
        /// The power feed has one phase.
        SinglePhase,
        /// The power feed has three phases.
        ThreePhase,
    }
}

/// A source of power: a port or a power feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum PowerSource {
    /// A port: the outlet that supplies a feed, or the inlet that supplies an outlet.
    Port(Uuid),
    /// A power feed, by its id.
    PowerFeed(Uuid),
}

impl PowerSource {
    /// Returns the id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Port(id) | Self::PowerFeed(id) => id,
        }
    }
}

/// All sources of one outlet. The outlet is live while one of them is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct PowerSources(pub Box<[PowerSource]>);

impl Targets for PowerSource {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(self.id());
    }
}

impl Targets for PowerSources {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.0.each(visit);
    }
}
