//! The site of an appliance.

use underlay_entity::appliance::Model;
use uuid::Uuid;

use crate::rack::Rack;
use underlay_inventory::Snapshot;

/// Returns the id of the site of an appliance: its own, otherwise that of its rack.
pub fn appliance_site(snapshot: &Snapshot, appliance: &Model) -> Option<Uuid> {
    let rack = || snapshot.get::<Rack>(appliance.rack_id?).map(|rack| rack.site_id);
    appliance.site_id.or_else(rack)
}
