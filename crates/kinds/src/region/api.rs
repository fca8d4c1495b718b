//! The GraphQL root fields that read and write regions.

use super::input::{RegionInput, RegionPatch, RegionPayload};
use super::node::Region;
use crate::roots;

roots! {
    Region;
    query RegionQuery { region(), regions }
    mutation RegionMutation { create_region, update_region, delete_region }
    with RegionInput, RegionPatch, RegionPayload { region }
}
