//! The GraphQL root fields that read and write locations.

use super::input::{LocationInput, LocationPatch, LocationPayload};
use super::node::Location;
use crate::roots;

roots! {
    Location;
    query LocationQuery {
        location(
            /// The name of the location's site.
            site: String,
            /// The name of the parent location.
            parent: String,
        ),
        locations
    }
    mutation LocationMutation { create_location, update_location, delete_location }
    with LocationInput, LocationPatch, LocationPayload { location }
}
