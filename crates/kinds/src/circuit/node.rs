//! The GraphQL object of a circuit.

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::circuit_termination::CircuitSide;
use underlay_entity::date::Date;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::object_reference::ObjectReference;

use crate::circuit_termination::CircuitTermination;
use crate::object;
use crate::provider::Provider;

object! {
    /// A circuit: a line that a provider runs between two ends, A and Z.
    Circuit: Model;

    own {
        /// The provider's id of the circuit, unique in the provider.
        circuit_id: Option<&str> = |circuit| circuit.circuit_id.as_deref();
        /// The type of the circuit.
        r#type: CircuitType = |circuit| circuit.r#type;
        /// The bandwidth of the circuit in Mbit/s.
        bandwidth_mbps: Option<Long> = |circuit| circuit.bandwidth_mbps.map(Long);
        /// The length of the circuit in metres.
        distance_m: Option<f64> = |circuit| circuit.distance_m;
        /// The one-way latency of the circuit in milliseconds.
        latency_ms: Option<f64> = |circuit| circuit.latency_ms;
        /// The date when the circuit was installed.
        installed_on: Option<Date> = |circuit| circuit.installed_on.map(Date);
        /// The names of ducts, trenches or routes. Objects that name the same risk group fail together.
        risk_groups: &[String] = |circuit| &circuit.risk_groups.0;
        /// The lifecycle status of the circuit.
        status: Status = |circuit| circuit.status;
        /// The service on another platform that the circuit carries. The reference is stored, but never resolved.
        service_ref: Option<&ObjectReference> = |circuit| circuit.service_ref.as_ref();
    }

    requires {
        /// The provider that runs the circuit.
        provider: Provider by Circuit::PROVIDER;
    }

    refers {}

    lists {}

    more {
        /// The end A of the circuit. Null if it is not recorded.
        async fn a_end(&self) -> Option<CircuitTermination> {
            self.end(CircuitSide::A)
        }

        /// The end Z of the circuit. Null if it is not recorded.
        async fn z_end(&self) -> Option<CircuitTermination> {
            self.end(CircuitSide::Z)
        }
    }
}

impl Circuit {
    fn end(&self, side: CircuitSide) -> Option<CircuitTermination> {
        let mut ends = self.0.referrers(CircuitTermination::CIRCUIT).map(CircuitTermination);
        ends.find(|end| end.0.row.side == side)
    }
}
