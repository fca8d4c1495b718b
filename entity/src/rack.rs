//! The row of a rack, a cabinet with numbered units.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lifecycle::Status;

crate::row::kind_row! {
    /// One rack in the table `rack`.
    table "rack" {
        /// The site of the rack.
        pub site_id: Uuid,
        /// A location of the same site.
        pub location_id: Option<Uuid>,
        pub cage: Option<String>,
        pub row: Option<String>,
        /// The height in rack units.
        pub height_u: i32,
        pub serial: Option<String>,
        pub asset_tag: Option<String>,
        pub status: Status,
        /// The position on the plan of the location, or of the site if there is no location.
        pub position: Option<RackPosition>,
    }
}

/// The position of a rack on a plan, whose origin is any fixed corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "RackPositionInput")]
pub struct RackPosition {
    /// The distance of the middle of the rack from the origin, to the right on the plan, in metres: −10,000 to 10,000.
    pub x: f64,
    /// The distance of the middle of the rack from the origin, downwards on the plan, in metres: −10,000 to 10,000.
    pub y: f64,
    /// The direction of the front of the rack, in degrees clockwise from the top of the plan: from 0 to less than 360.
    pub turn: f64,
}
