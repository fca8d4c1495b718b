//! The root fields for racks.

use super::input::{RackInput, RackPatch, RackPayload};
use super::node::Rack;
use crate::roots;

roots! {
    Rack;
    query RackQuery {
        rack(
            /// The name of its site.
            site: String,
        ),
        racks
    }
    mutation RackMutation { create_rack, update_rack, delete_rack }
    with RackInput, RackPatch, RackPayload { rack }
}
