//! Describes a power feed to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};
use uuid::Uuid;

use super::node::PowerFeed;
use super::topology::TOPOLOGY;
use super::{rules, supply};
use crate::common::{COUNT, TEXTS, names, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference};

const FIELDS: &[Field] = fields![
    reference!(6, Model.site_id, "site", Form::One, &["Site"]).required().contained(),
    reference!(7, Model.rack_id, "rack", Form::One, &["Rack"]).contained(),
    field!(8, Model.phase, "phase", Shape::Choice(words::<Phase>)),
    field!(9, Model.voltage, "voltage", COUNT),
    field!(10, Model.amps_rated, "ampsRated", COUNT),
    reference!(11, Model.upstream, "upstream", Form::OneOf, &["PowerFeed", "Port"]),
    field!(12, Model.risk_groups, "riskGroups", TEXTS).normalised(names),
    field!(13, Model.status, "status", Shape::Choice(words::<Status>)),
];

/// The description of power feeds in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::POWER_FEED,
    name: "PowerFeed",
    singular: "powerFeed",
    fields: FIELDS,
    key: Key { parents: &["rack", "site"], family: None, name_member: "powerFeed" },
    blank: || Arc::new(blank()),
    rules: &[rules::rack, rules::outlets, rules::upstream, supply::feeds],
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

impl Kind for PowerFeed {
    type Row = Model;
    const ID: KindId = ids::POWER_FEED;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl PowerFeed {
    /// The site that the power feed is at.
    pub const SITE: ReferenceId = Description::reference(ids::POWER_FEED, FIELDS, "site");
    /// The rack that the power feed supplies.
    pub const RACK: ReferenceId = Description::reference(ids::POWER_FEED, FIELDS, "rack");
    /// The power feed or outlet that supplies the power feed.
    pub const UPSTREAM: ReferenceId = Description::reference(ids::POWER_FEED, FIELDS, "upstream");
}

blank!(Model {
    site_id: Uuid::nil(),
    rack_id: None,
    phase: None,
    voltage: None,
    amps_rated: None,
    upstream: None,
    risk_groups: Default::default(),
    status: Status::default(),
});
