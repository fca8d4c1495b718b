//! Describes a cable to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::cable::{CableStatus, Media, Model};

use super::lanes;
use super::node::Cable;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{MEASURE, TEXT, TEXTS, names, words};
use crate::ids;
use crate::power_feed::check_cables_supply;
use crate::{blank, fields};
use underlay_inventory::{
    Audience, Description, Echo, Field, Form, Key, Kind, KindId, MadeName, ReferenceId, Shape, Unnamed,
};
use underlay_inventory::{field, reference, searched};

/// The kinds that a cable can end at.
const ENDS: &[&str] = &["Port", "PowerFeed", "CircuitTermination"];

const LANES: Shape = Shape::Structure("a list of objects with aEnd, aPosition, bEnd and bPosition");

const FIELDS: &[Field] = fields![
    field!(6, Model.label, "label", TEXT),
    field!(7, Model.media, "media", Shape::Choice(words::<Media>)),
    field!(8, Model.status, "status", Shape::Choice(words::<CableStatus>)),
    field!(9, Model.length_m, "lengthM", MEASURE),
    field!(10, Model.color, "color", TEXT),
    field!(11, Model.risk_groups, "riskGroups", TEXTS).normalised(names),
    reference!(12, Model.a_ends, "aEnds", Form::ManyOf, ENDS).required().ending(),
    reference!(13, Model.b_ends, "bEnds", Form::ManyOf, ENDS).required().ending(),
    field!(14, Model.lanes, "lanes", LANES).normalised(lanes::normal),
];

/// The description of cables in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::CABLE,
    name: "Cable",
    singular: "cable",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "cable" },
    blank: || Arc::new(blank()),
    rules: &[rules::ends, rules::one_cable, lanes::lanes, check_cables_supply],
    parts: &[],
    on_loss: Some(lanes::on_loss),
    on_write: Some(lanes::on_write),
    unnamed: Some(Unnamed::Referring { by: "aEnds", name: MadeName::Unique(|id| format!("cable-{}", id.simple())) }),
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "label" => |cable| &cable.label,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Cable {
    type Row = Model;
    const ID: KindId = ids::CABLE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Cable {
    /// The ends of the cable on the A side.
    pub const A_ENDS: ReferenceId = Description::reference(ids::CABLE, FIELDS, "aEnds");
    /// The ends of the cable on the B side.
    pub const B_ENDS: ReferenceId = Description::reference(ids::CABLE, FIELDS, "bEnds");
}

blank!(Model {
    label: None,
    media: None,
    status: CableStatus::default(),
    length_m: None,
    color: None,
    risk_groups: Default::default(),
    a_ends: Default::default(),
    b_ends: Default::default(),
    lanes: Default::default(),
});
