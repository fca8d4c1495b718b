//! Describes a circuit termination to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::circuit_termination::{CircuitSide, Model};
use uuid::Uuid;

use super::node::CircuitTermination;
use super::rules;
use super::topology::TOPOLOGY;
use super::write;
use crate::common::words;
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape, Unnamed};
use underlay_inventory::{field, reference};

const FIELDS: &[Field] = fields![
    reference!(6, Model.circuit_id, "circuit", Form::One, &["Circuit"]).required().contained().placing_target(),
    field!(7, Model.side, "side", Shape::Choice(words::<CircuitSide>)).required().in_reduced_form(),
    reference!(8, Model.site_id, "site", Form::One, &["Site"]).within().in_reduced_form(),
    reference!(9, Model.provider_network_id, "providerNetwork", Form::One, &["ProviderNetwork"]),
    reference!(10, Model.port_id, "port", Form::One, &["Port"]).placing(),
];

/// The description of circuit terminations in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::CIRCUIT_TERMINATION,
    name: "CircuitTermination",
    singular: "circuitTermination",
    fields: FIELDS,
    key: Key { parents: &["circuit"], family: None, name_member: "side" },
    blank: || Arc::new(blank()),
    rules: &[rules::place, rules::port],
    parts: &[],
    on_loss: None,
    on_write: Some(write::name_of_side),
    unnamed: Some(Unnamed::Field("side")),
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: &[],
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for CircuitTermination {
    type Row = Model;
    const ID: KindId = ids::CIRCUIT_TERMINATION;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl CircuitTermination {
    /// The circuit that the termination is an end of.
    pub const CIRCUIT: ReferenceId = Description::reference(ids::CIRCUIT_TERMINATION, FIELDS, "circuit");
    /// The site where the termination is.
    pub const SITE: ReferenceId = Description::reference(ids::CIRCUIT_TERMINATION, FIELDS, "site");
    /// The provider network where the termination is.
    pub const PROVIDER_NETWORK: ReferenceId =
        Description::reference(ids::CIRCUIT_TERMINATION, FIELDS, "providerNetwork");
    /// The port that the termination is plugged directly into.
    pub const PORT: ReferenceId = Description::reference(ids::CIRCUIT_TERMINATION, FIELDS, "port");
}

blank!(Model {
    circuit_id: Uuid::nil(),
    side: CircuitSide::A,
    site_id: None,
    provider_network_id: None,
    port_id: None,
});
