//! Describes an appliance to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::appliance::{ApplianceType, Model};

use super::node::Appliance;
use super::topology::TOPOLOGY;
use super::{rules, write};
use crate::address::{ADDRESS, address};
use crate::bounds::text;
use crate::common::{TEXT, words};
use crate::credential::of_appliances;
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference, searched};

/// The time between two looks, in seconds: from ten seconds to one day.
const INTERVAL: Shape = Shape::Integer { least: 10, most: 24 * 60 * 60 };
/// The default time between two looks, in seconds.
const USUAL_INTERVAL: i32 = 300;
/// The maximum length of the beginning of a name, which leaves room for the rest of the name.
const MAX_PREFIX_CHARACTERS: usize = 63;

const FIELDS: &[Field] = fields![
    field!(6, Model.r#type, "type", Shape::Choice(words::<ApplianceType>)).required(),
    field!(7, Model.url, "url", ADDRESS).normalised(address),
    reference!(8, Model.credential_id, "credential", Form::One, &["Credential"]),
    field!(9, Model.name_pattern, "namePattern", TEXT).normalised(|value| text(value, 253)),
    field!(10, Model.prefix, "prefix", Shape::Text { longest: MAX_PREFIX_CHARACTERS })
        .normalised(|value| text(value, MAX_PREFIX_CHARACTERS)),
    reference!(11, Model.site_id, "site", Form::One, &["Site"]).within(),
    reference!(12, Model.rack_id, "rack", Form::One, &["Rack"]).within(),
    field!(13, Model.interval_seconds, "interval", INTERVAL),
];

/// The description of appliances in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::APPLIANCE,
    name: "Appliance",
    singular: "appliance",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "appliance" },
    blank: || Arc::new(blank()),
    rules: &[rules::url, rules::place, of_appliances],
    parts: &[],
    on_loss: Some(write::on_loss),
    on_write: Some(write::on_write),
    unnamed: None,
    unique: &[],
    audience: Audience::Operators,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "url" => |appliance| &appliance.url,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Appliance {
    type Row = Model;
    const ID: KindId = ids::APPLIANCE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Appliance {
    /// The credential with which the appliance is opened.
    pub const CREDENTIAL: ReferenceId = Description::reference(ids::APPLIANCE, FIELDS, "credential");
    /// The site of the appliance's machines.
    pub const SITE: ReferenceId = Description::reference(ids::APPLIANCE, FIELDS, "site");
    /// The rack of the appliance's machines.
    pub const RACK: ReferenceId = Description::reference(ids::APPLIANCE, FIELDS, "rack");
}

blank!(Model {
    r#type: ApplianceType::Manual,
    url: None,
    credential_id: None,
    name_pattern: None,
    prefix: None,
    site_id: None,
    rack_id: None,
    interval_seconds: USUAL_INTERVAL,
});
