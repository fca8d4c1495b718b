//! The row of a link: it states that two sites, clusters or devices are connected, whatever cables they use.

use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::Ids;
use crate::targets::Targets;

crate::row::kind_row! {
    /// One link in the table `link`.
    table "link" {
        pub a: LinkEnd,
        /// The other end, which is never the same as `a`.
        pub b: LinkEnd,
        pub r#type: LinkType,
        /// The capacity in megabits per second.
        pub capacity_mbps: Option<i64>,
        /// The latency in milliseconds.
        pub latency_ms: Option<f64>,
        /// The cables that implement the link.
        pub cables: Ids,
    }
}

crate::choice::choice! {
    /// The way in which a link is implemented.
    pub enum LinkType {
        /// The link has cables or fibre of its own.
        Physical,
        /// The link runs on top of other links: a tunnel, a VLAN, a wavelength.
        Logical,
        /// The link runs over the public internet.
        Internet,
    }
}

/// The end of a link: a reference to the object that it connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum LinkEnd {
    /// A site, by its id.
    Site(Uuid),
    /// A cluster, by its id.
    Cluster(Uuid),
    /// A device, by its id.
    Device(Uuid),
}

impl LinkEnd {
    /// Returns the id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Site(id) | Self::Cluster(id) | Self::Device(id) => id,
        }
    }
}

impl Targets for LinkEnd {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(self.id());
    }
}
