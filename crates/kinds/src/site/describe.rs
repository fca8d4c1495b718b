//! Describes a site to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::lifecycle::Status;
use underlay_entity::site::{Model, SiteType};

use super::node::Site;
use super::topology::TOPOLOGY;
use crate::common::{COORDINATES, LONG_TEXT, TEXT, coordinates, time_zone, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    field!(6, Model.display_name, "displayName", TEXT),
    reference!(7, Model.region_id, "region", Form::One, &["Region"]).within(),
    reference!(8, Model.provider_id, "provider", Form::One, &["Provider"]),
    field!(9, Model.r#type, "type", Shape::Choice(words::<SiteType>)).required(),
    field!(10, Model.address, "address", LONG_TEXT),
    field!(11, Model.coordinates, "coordinates", COORDINATES).normalised(coordinates),
    field!(12, Model.time_zone, "timeZone", TEXT).normalised(time_zone),
    field!(13, Model.status, "status", Shape::Choice(words::<Status>)),
];

/// The description of sites in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::SITE,
    name: "Site",
    singular: "site",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "site" },
    blank: || Arc::new(blank()),
    rules: &[],
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
        "displayName" => |site| &site.display_name,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Site {
    type Row = Model;
    const ID: KindId = ids::SITE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Site {
    /// The region that the site is in.
    pub const REGION: ReferenceId = Description::reference(ids::SITE, FIELDS, "region");
    /// The provider that runs the facility.
    pub const PROVIDER: ReferenceId = Description::reference(ids::SITE, FIELDS, "provider");
}

blank!(Model {
    display_name: None,
    region_id: None,
    provider_id: None,
    r#type: SiteType::Datacenter,
    address: None,
    coordinates: None,
    time_zone: None,
    status: Status::default(),
});
