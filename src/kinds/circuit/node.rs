//! A circuit in the API.

use underlay_entity::circuit::{CircuitType, Model};
use underlay_entity::circuit_termination::CircuitSide;
use underlay_entity::date::Date;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::object_reference::ObjectReference;

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::provider::Provider;
use crate::object;

object! {
    /// A circuit: a line that a provider runs between two ends, A and Z.
    Circuit: Model;

    own {
        /// What the provider calls it, unique in the provider.
        circuit_id: Option<&str> = |circuit| circuit.circuit_id.as_deref();
        /// What it is.
        r#type: CircuitType = |circuit| circuit.r#type;
        /// The bandwidth in Mbit/s.
        bandwidth_mbps: Option<Long> = |circuit| circuit.bandwidth_mbps.map(Long);
        /// The length of the way in metres.
        distance_m: Option<f64> = |circuit| circuit.distance_m;
        /// The latency of one way in milliseconds.
        latency_ms: Option<f64> = |circuit| circuit.latency_ms;
        /// When it was installed.
        installed_on: Option<Date> = |circuit| circuit.installed_on.map(Date);
        /// Names of ducts, trenches or routes: what fails together with it.
        risk_groups: &[String] = |circuit| &circuit.risk_groups.0;
        /// Where it stands in its life.
        status: Status = |circuit| circuit.status;
        /// The service on another platform that it carries; recorded, never resolved.
        service_ref: Option<&ObjectReference> = |circuit| circuit.service_ref.as_ref();
    }

    requires {
        /// The provider that runs it.
        provider: Provider by Circuit::PROVIDER;
    }

    refers {}

    lists {}

    more {
        /// Its end A.
        async fn a_end(&self) -> Option<CircuitTermination> {
            self.end(CircuitSide::A)
        }

        /// Its end Z.
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
