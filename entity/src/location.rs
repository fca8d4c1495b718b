//! The row of a location: an optional level between a site and its racks.

use sea_orm::entity::prelude::*;

crate::row::kind_row! {
    /// One location in the table `location`.
    table "location" {
        /// The site of the location. It never changes.
        pub site_id: Uuid,
        /// The location of the same site that contains this one. The chain of parents has no cycle.
        pub parent_id: Option<Uuid>,
        pub r#type: Option<LocationType>,
    }
}

crate::choice::choice! {
    /// The type of a location.
    pub enum LocationType {
        /// One building of a campus.
        Building,
        /// A floor of a building.
        Floor,
        /// A room or hall.
        Room,
        /// A fenced part of a room.
        Cage,
        /// A row of racks.
        Row,
    }
}
