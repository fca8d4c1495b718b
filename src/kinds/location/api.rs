//! The root fields for locations.

use super::input::{LocationInput, LocationPatch, LocationPayload};
use super::node::Location;
use crate::roots;

roots! {
    Location;
    query LocationQuery {
        location(
            /// The name of its site.
            site: String,
            /// The name of the location that it is in.
            parent: String,
        ),
        locations
    }
    mutation LocationMutation { create_location, update_location, delete_location }
    with LocationInput, LocationPatch, LocationPayload { location }
}
