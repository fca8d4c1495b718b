//! Describes a circuit to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::lifecycle::Status;
use uuid::Uuid;

use super::node::Circuit;
use super::topology::TOPOLOGY;
use crate::common::{LARGE_COUNT, MEASURE, OBJECT_REFERENCE, TEXT, TEXTS, names, object_reference, words};
use crate::ids;
use crate::{blank, fields};
use underlay_entity::row::Row;
use underlay_inventory::{
    Audience, Description, Echo, Field, Form, Key, Kind, KindId, Part, ReferenceId, Shape, Unique, cast,
};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    reference!(6, Model.provider_id, "provider", Form::One, &["Provider"]).required(),
    field!(7, Model.circuit_id, "circuitId", TEXT),
    field!(8, Model.r#type, "type", Shape::Choice(words::<CircuitType>)).required(),
    field!(9, Model.bandwidth_mbps, "bandwidthMbps", LARGE_COUNT),
    field!(10, Model.distance_m, "distanceM", MEASURE),
    field!(11, Model.latency_ms, "latencyMs", MEASURE),
    field!(12, Model.installed_on, "installedOn", Shape::Date),
    field!(13, Model.risk_groups, "riskGroups", TEXTS).normalised(names),
    field!(14, Model.status, "status", Shape::Choice(words::<Status>)),
    field!(15, Model.service_ref, "serviceRef", OBJECT_REFERENCE).normalised(object_reference),
];

/// The description of circuits in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::CIRCUIT,
    name: "Circuit",
    singular: "circuit",
    fields: FIELDS,
    key: Key { parents: &["provider"], family: None, name_member: "circuit" },
    blank: || Arc::new(blank()),
    rules: &[],
    parts: &[end("aEnd", END_A), end("zEnd", END_Z)],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[Unique { field: "circuitId", of: circuit_id }],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "circuitId" => |circuit| &circuit.circuit_id,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Circuit {
    type Row = Model;
    const ID: KindId = ids::CIRCUIT;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Circuit {
    /// The provider that runs the circuit.
    pub const PROVIDER: ReferenceId = Description::reference(ids::CIRCUIT, FIELDS, "provider");
}

blank!(Model {
    provider_id: Uuid::nil(),
    circuit_id: None,
    r#type: CircuitType::ProviderCircuit,
    bandwidth_mbps: None,
    distance_m: None,
    latency_ms: None,
    installed_on: None,
    risk_groups: Default::default(),
    status: Status::default(),
    service_ref: None,
});

const END_A: &[(&str, &str)] = &[("name", "A"), ("side", "A")];
const END_Z: &[(&str, &str)] = &[("name", "Z"), ("side", "Z")];

/// Describes an end of a circuit: a termination, which is an object of its own and is written through the circuit.
const fn end(field: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Part {
    Part { field, kind: "CircuitTermination", whole: "circuit", fixed, replaced: &["site", "providerNetwork", "port"] }
}

/// Returns the key that makes the provider's id unique in the provider. Its last line is the id, which messages show.
fn circuit_id(row: &dyn Row) -> Option<String> {
    let circuit = cast::<Model>(row);
    Some(format!("{}\n{}", circuit.provider_id, circuit.circuit_id.as_ref()?))
}
