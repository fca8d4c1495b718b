//! The GraphQL root fields that read and write racks.

use super::input::{RackInput, RackPatch, RackPayload};
use super::node::Rack;
use crate::roots;

roots! {
    Rack;
    query RackQuery {
        rack(
            /// The name of the rack's site.
            site: String,
        ),
        racks
    }
    mutation RackMutation { create_rack, update_rack, delete_rack }
    with RackInput, RackPatch, RackPayload { rack }
}
