//! The end of a circuit in the API.

use underlay_entity::circuit_termination::{CircuitSide, Model};

use crate::kinds::cable::{Cable, CableEnd};
use crate::kinds::circuit::Circuit;
use crate::kinds::port::Port;
use crate::kinds::provider_network::ProviderNetwork;
use crate::kinds::site::Site;
use crate::object;

object! {
    /// The end A or Z of a circuit. It is written through its circuit.
    CircuitTermination: Model;

    own {
        /// Which end of the circuit it is.
        side: CircuitSide = |end| end.side;
    }

    requires {
        /// The circuit that it is an end of.
        circuit: Circuit by CircuitTermination::CIRCUIT;
    }

    refers {
        /// The site where it is.
        site: Site by CircuitTermination::SITE;
        /// The provider network where it is.
        provider_network: ProviderNetwork by CircuitTermination::PROVIDER_NETWORK;
        /// The port that it is plugged straight into.
        port: Port by CircuitTermination::PORT;
    }

    lists {}

    traced {}

    more {
        /// The cable on it.
        async fn cable(&self) -> Option<Cable> {
            Cable::on(&self.0)
        }

        /// The ends on the other side of the cable on it. Where the cable has lanes: those that a lane joins it with.
        async fn peers(&self) -> Vec<CableEnd> {
            Cable::peers(&self.0)
        }
    }
}
