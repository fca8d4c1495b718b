//! The GraphQL inputs, filters and sort orders of circuits.

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::date::Date;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::object_reference::ObjectReference;

use super::ends::CircuitEndInput;
use super::node::Circuit;
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::filters::StatusFilter;
use crate::provider::{Provider, ProviderFilter, ProviderRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{DateFilter, FloatFilter, LongFilter, TextFilter};

enum_filter!(CircuitTypeFilter, CircuitType);

inputs! {
    Circuit as circuit;
    input CircuitInput;
    patch CircuitPatch;
    payload CircuitPayload;

    reference CircuitRef {
        /// The name of the circuit's provider.
        provider: String;
        /// The name of the circuit.
        circuit: String;
    }

    fixed {}

    fields {
        /// The provider that runs the circuit. Required to create a circuit.
        provider: ProviderRef;
        /// The provider's id of the circuit, unique in the provider.
        circuit_id: String;
        /// The type of the circuit. Required to create a circuit.
        r#type: CircuitType;
        /// The bandwidth of the circuit in Mbit/s: at least 1.
        bandwidth_mbps: Long;
        /// The length of the circuit in metres: at least 0.
        distance_m: f64;
        /// The one-way latency in milliseconds: at least 0.
        latency_ms: f64;
        /// The date when the circuit was installed.
        installed_on: Date;
        /// The names of ducts, trenches or routes. Objects that name the same risk group fail together. A write
        /// replaces the whole list.
        risk_groups: Vec<String>;
        /// The lifecycle status of the circuit. Defaults to ACTIVE.
        status: Status;
        /// The service on another platform that the circuit carries. The reference is stored, but never resolved.
        service_ref: ObjectReference;
        /// The end A of the circuit.
        a_end: CircuitEndInput;
        /// The end Z of the circuit.
        z_end: CircuitEndInput;
    }
}

filter! {
    Circuit: Model;
    filter CircuitFilter, CircuitListFilter;

    values {
        circuit_id: TextFilter = |circuit| circuit.circuit_id.as_deref();
        r#type: CircuitTypeFilter = |circuit| Some(circuit.r#type);
        bandwidth_mbps: LongFilter = |circuit| circuit.bandwidth_mbps.map(Long);
        distance_m: FloatFilter = |circuit| circuit.distance_m;
        latency_ms: FloatFilter = |circuit| circuit.latency_ms;
        installed_on: DateFilter = |circuit| circuit.installed_on.map(Date);
        status: StatusFilter = |circuit| Some(circuit.status);
    }

    references {
        provider: ProviderFilter => Provider, Circuit::PROVIDER;
    }

    lists {
        terminations: CircuitTerminationListFilter => CircuitTermination, CircuitTermination::CIRCUIT;
    }

    more {
        /// Matches if the circuit names this risk group.
        risk_group: String = |group, circuit, _| circuit.risk_groups.0.contains(group);
    }
}

order! {
    Circuit: Model;
    order CircuitOrder, CircuitOrderBy;

    values {
        CircuitId as "circuitId": "the provider's id of the circuit" = |circuit| circuit.circuit_id.as_deref();
        BandwidthMbps as "bandwidthMbps": "the bandwidth" = |circuit| circuit.bandwidth_mbps;
        LatencyMs as "latencyMs": "the latency" = |circuit| circuit.latency_ms;
    }
}
