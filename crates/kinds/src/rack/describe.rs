//! Describes a rack to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::lifecycle::Status;
use underlay_entity::rack::Model;
use uuid::Uuid;

use super::node::Rack;
use super::rules;
use super::topology::TOPOLOGY;
use super::values::position;
use crate::common::{POSITION, TEXT, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    reference!(6, Model.site_id, "site", Form::One, &["Site"]).required().contained(),
    reference!(7, Model.location_id, "location", Form::One, &["Location"]).within(),
    field!(8, Model.cage, "cage", TEXT),
    field!(9, Model.row, "row", TEXT),
    field!(10, Model.height_u, "heightU", Shape::Integer { least: 1, most: 100 }).required(),
    field!(11, Model.serial, "serial", TEXT),
    field!(12, Model.asset_tag, "assetTag", TEXT),
    field!(13, Model.status, "status", Shape::Choice(words::<Status>)),
    field!(14, Model.position, "position", POSITION).normalised(position),
];

/// The description of racks in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::RACK,
    name: "Rack",
    singular: "rack",
    fields: FIELDS,
    key: Key { parents: &["site"], family: None, name_member: "rack" },
    blank: || Arc::new(blank()),
    rules: &[rules::location, rules::moved, rules::height],
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
        "serial" => |rack| &rack.serial,
        "assetTag" => |rack| &rack.asset_tag,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Rack {
    type Row = Model;
    const ID: KindId = ids::RACK;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Rack {
    /// The site where the rack stands.
    pub const SITE: ReferenceId = Description::reference(ids::RACK, FIELDS, "site");
    /// The location of the rack within its site.
    pub const LOCATION: ReferenceId = Description::reference(ids::RACK, FIELDS, "location");
}

blank!(Model {
    site_id: Uuid::nil(),
    location_id: None,
    cage: None,
    row: None,
    height_u: 1,
    serial: None,
    asset_tag: None,
    status: Status::default(),
    position: None,
});
