//! Declares a circuit.

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::circuit_termination::CircuitSide;
use underlay_entity::date::Date;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::row::Row;
use underlay_inventory::{Part, Unique, cast};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::ends::CircuitEndInput;
use super::topology::TOPOLOGY;
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::common::{LARGE_COUNT, MEASURE, OBJECT_REFERENCE, TEXTS, names, object_reference};
use crate::filters::StatusFilter;
use crate::provider::{Provider, ProviderFilter, ProviderRef};

enum_filter!(CircuitTypeFilter, CircuitType);

const END_A: &[(&str, &str)] = &[("name", "A"), ("side", "A")];

const END_Z: &[(&str, &str)] = &[("name", "Z"), ("side", "Z")];

/// A circuit: a line that a provider runs between two ends, A and Z.
#[kind(
    id = CIRCUIT,
    row = Model,
    key(provider),
    reference(provider = "The name of the circuit's provider.", circuit = "The name of the circuit."),
    parts = &[end("aEnd", END_A), end("zEnd", END_Z)],
    unique = &[Unique { field: "circuitId", of: circuit_id }],
    searched(circuit_id),
)]
pub struct Circuit {
    /// The provider that runs the circuit.
    #[written = "Required to create a circuit."]
    #[reference(6, filter, required)]
    provider: Provider,

    /// The provider's id of the circuit, unique in the provider.
    #[field(7, filter, order("the provider's id of the circuit"))]
    circuit_id: Option<String>,

    /// The type of the circuit.
    #[written = "Required to create a circuit."]
    #[field(8, default = CircuitType::ProviderCircuit, filter, required)]
    r#type: CircuitType,

    /// The bandwidth of the circuit in Mbit/s.
    #[input = "The bandwidth of the circuit in Mbit/s: at least 1."]
    #[field(9, shape = LARGE_COUNT, filter, order("the bandwidth"))]
    bandwidth_mbps: Option<Long>,

    /// The length of the circuit in metres.
    #[input = "The length of the circuit in metres: at least 0."]
    #[field(10, shape = MEASURE, filter)]
    distance_m: Option<f64>,

    /// The one-way latency of the circuit in milliseconds.
    #[input = "The one-way latency in milliseconds: at least 0."]
    #[field(11, shape = MEASURE, filter, order("the latency"))]
    latency_ms: Option<f64>,

    /// The date when the circuit was installed.
    #[field(12, filter)]
    installed_on: Option<Date>,

    /// The names of ducts, trenches or routes. Objects that name the same risk group fail together.
    #[written = "A write replaces the whole list."]
    #[field(13, shape = TEXTS, normalised(names))]
    risk_groups: Vec<String>,

    /// The lifecycle status of the circuit.
    #[written = "Defaults to ACTIVE."]
    #[field(14, filter)]
    status: Status,

    /// The service on another platform that the circuit carries. The reference is stored, but never resolved.
    #[field(15, shape = OBJECT_REFERENCE, borrowed, normalised(object_reference))]
    service_ref: Option<ObjectReference>,

    /// The end A of the circuit.
    #[input_only]
    a_end: CircuitEndInput,

    /// The end Z of the circuit.
    #[input_only]
    z_end: CircuitEndInput,

    /// Matches if the circuit names this risk group.
    #[filter(|group, circuit, _| circuit.risk_groups.0.contains(group))]
    risk_group: String,

    /// The ends of the circuit. The API names them `aEnd` and `zEnd`.
    #[list(CircuitTermination::CIRCUIT, filter, unread)]
    terminations: Vec<CircuitTermination>,
}

#[resolvers]
impl Circuit {
    /// The end A of the circuit. Null if it is not recorded.
    async fn a_end(&self) -> Option<CircuitTermination> {
        self.end(CircuitSide::A)
    }

    /// The end Z of the circuit. Null if it is not recorded.
    async fn z_end(&self) -> Option<CircuitTermination> {
        self.end(CircuitSide::Z)
    }
}

/// Describes an end of a circuit: a termination, which is an object of its own and is written through the circuit.
const fn end(field: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Part {
    Part { field, kind: "CircuitTermination", whole: "circuit", fixed, replaced: &["site", "providerNetwork", "port"] }
}

/// Returns the key that makes the provider's id unique in the provider. Its last line is the id, which messages show.
fn circuit_id(row: &dyn Row) -> Option<String> {
    let circuit = cast::<Model>(row);
    Some(format!("{}\n{}", circuit.provider_id, circuit.circuit_id.as_ref()?))
}

impl Circuit {
    fn end(&self, side: CircuitSide) -> Option<CircuitTermination> {
        let mut ends = self.0.referrers(CircuitTermination::CIRCUIT).map(CircuitTermination);
        ends.find(|end| end.0.row.side == side)
    }
}
