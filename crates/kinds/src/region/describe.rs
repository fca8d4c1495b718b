//! Describes a region to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::region::Model;

use super::node::Region;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{COORDINATES, TEXT, coordinates};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    field!(6, Model.display_name, "displayName", TEXT),
    reference!(7, Model.parent_id, "parent", Form::One, &["Region"]).contained(),
    field!(8, Model.coordinates, "coordinates", COORDINATES).normalised(coordinates),
];

/// The description of regions in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::REGION,
    name: "Region",
    singular: "region",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "region" },
    blank: || Arc::new(blank()),
    rules: &[rules::no_cycle],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "displayName" => |region| &region.display_name,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Region {
    type Row = Model;
    const ID: KindId = ids::REGION;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Region {
    /// The parent region.
    pub const PARENT: ReferenceId = Description::reference(ids::REGION, FIELDS, "parent");
}

blank!(Model { display_name: None, parent_id: None, coordinates: None });
