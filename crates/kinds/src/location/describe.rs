//! Describes a location to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::location::{LocationType, Model};
use uuid::Uuid;

use super::node::Location;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::words;
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference};

const FIELDS: &[Field] = fields![
    reference!(6, Model.site_id, "site", Form::One, &["Site"]).required().contained(),
    reference!(7, Model.parent_id, "parent", Form::One, &["Location"]).contained(),
    field!(8, Model.r#type, "type", Shape::Choice(words::<LocationType>)),
];

/// The description of locations in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::LOCATION,
    name: "Location",
    singular: "location",
    fields: FIELDS,
    key: Key { parents: &["parent", "site"], family: None, name_member: "location" },
    blank: || Arc::new(blank()),
    rules: &[rules::parent, rules::moved],
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
    searched: &[],
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Location {
    type Row = Model;
    const ID: KindId = ids::LOCATION;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Location {
    /// The site that the location is in.
    pub const SITE: ReferenceId = Description::reference(ids::LOCATION, FIELDS, "site");
    /// The parent location.
    pub const PARENT: ReferenceId = Description::reference(ids::LOCATION, FIELDS, "parent");
}

blank!(Model { site_id: Uuid::nil(), parent_id: None, r#type: None });
