//! Describes a link to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::link::{LinkEnd, LinkType, Model};
use uuid::Uuid;

use super::node::Link;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{LARGE_COUNT, MEASURE, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference};

/// The kinds that a link can end at.
const ENDS: &[&str] = &["Site", "Cluster", "Device"];

const FIELDS: &[Field] = fields![
    reference!(6, Model.a, "a", Form::OneOf, ENDS).required().ending(),
    reference!(7, Model.b, "b", Form::OneOf, ENDS).required().ending(),
    field!(8, Model.r#type, "type", Shape::Choice(words::<LinkType>)).required(),
    field!(9, Model.capacity_mbps, "capacityMbps", LARGE_COUNT),
    field!(10, Model.latency_ms, "latencyMs", MEASURE),
    reference!(11, Model.cables, "cables", Form::Many, &["Cable"]),
];

/// The description of links in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::LINK,
    name: "Link",
    singular: "link",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "link" },
    blank: || Arc::new(blank()),
    rules: &[rules::ends, rules::cables],
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

impl Kind for Link {
    type Row = Model;
    const ID: KindId = ids::LINK;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Link {
    /// The end A of the link.
    pub const A: ReferenceId = Description::reference(ids::LINK, FIELDS, "a");
    /// The end B of the link.
    pub const B: ReferenceId = Description::reference(ids::LINK, FIELDS, "b");
    /// The cables that realise the link.
    pub const CABLES: ReferenceId = Description::reference(ids::LINK, FIELDS, "cables");
}

blank!(Model {
    a: LinkEnd::Site(Uuid::nil()),
    b: LinkEnd::Site(Uuid::nil()),
    r#type: LinkType::Logical,
    capacity_mbps: None,
    latency_ms: None,
    cables: Default::default(),
});
