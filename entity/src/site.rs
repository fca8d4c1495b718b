//! The row of a site: one facility, or a zone of a cloud.

use sea_orm::entity::prelude::*;

use crate::lifecycle::Status;
use crate::place::Coordinates;

crate::row::kind_row! {
    /// One site in the table `site`.
    table "site" {
        pub display_name: Option<String>,
        pub region_id: Option<Uuid>,
        /// The provider that operates the facility.
        pub provider_id: Option<Uuid>,
        pub r#type: SiteType,
        /// The postal address of the facility.
        pub address: Option<String>,
        pub coordinates: Option<Coordinates>,
        /// The IANA name of the time zone, such as `Europe/Amsterdam`.
        pub time_zone: Option<String>,
        pub status: Status,
    }
}

crate::choice::choice! {
    /// The type of a site.
    pub enum SiteType {
        /// A building, or a part of one, that is made for machines.
        Datacenter,
        /// A zone of a cloud provider.
        AvailabilityZone,
        /// A small place near users: a tower, a shop, a point of presence.
        Edge,
        /// A group for objects without a physical place.
        Virtual,
        /// Any other type of site.
        Other,
    }
}
