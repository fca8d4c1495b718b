//! The row of a region: a part of the world that contains sites and smaller regions.

use sea_orm::entity::prelude::*;

use crate::place::Coordinates;

crate::row::kind_row! {
    /// One region in the table `region`.
    table "region" {
        pub display_name: Option<String>,
        /// The region that contains this one. The chain of parents has no cycle.
        pub parent_id: Option<Uuid>,
        pub coordinates: Option<Coordinates>,
    }
}
