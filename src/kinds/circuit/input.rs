//! What clients write and ask of circuits.

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::date::Date;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::object_reference::ObjectReference;

use super::ends::CircuitEndInput;
use super::node::Circuit;
use crate::kinds::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::kinds::filters::StatusFilter;
use crate::kinds::provider::{Provider, ProviderFilter, ProviderRef};
use crate::read::{DateFilter, FloatFilter, LongFilter, TextFilter};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(CircuitTypeFilter, CircuitType);

inputs! {
    Circuit as circuit;
    input CircuitInput;
    patch CircuitPatch;
    payload CircuitPayload;

    reference CircuitRef {
        /// The name of its provider.
        provider: String;
        /// Its name.
        circuit: String;
    }

    fixed {
        /// The provider that runs it. Required to create it.
        provider: ProviderRef;
    }

    fields {
        /// What the provider calls it, unique in the provider.
        circuit_id: String;
        /// What it is. Required to create it.
        r#type: CircuitType;
        /// The bandwidth in Mbit/s: at least 1.
        bandwidth_mbps: Long;
        /// The length of the way in metres: at least 0.
        distance_m: f64;
        /// The latency of one way in milliseconds: at least 0.
        latency_ms: f64;
        /// When it was installed.
        installed_on: Date;
        /// Names of ducts, trenches or routes: what fails together with it; replaced as a whole.
        risk_groups: Vec<String>;
        /// Where it stands in its life. Default: ACTIVE.
        status: Status;
        /// The service on another platform that it carries; recorded, never resolved.
        service_ref: ObjectReference;
        /// Its end A.
        a_end: CircuitEndInput;
        /// Its end Z.
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
        /// One of its risk groups is this.
        risk_group: String = |group, circuit, _| circuit.risk_groups.0.contains(group);
    }
}

order! {
    Circuit: Model;
    order CircuitOrder, CircuitOrderBy;

    values {
        CircuitId as "circuitId" = |circuit| circuit.circuit_id.as_deref();
        BandwidthMbps as "bandwidthMbps" = |circuit| circuit.bandwidth_mbps;
        LatencyMs as "latencyMs" = |circuit| circuit.latency_ms;
    }
}
