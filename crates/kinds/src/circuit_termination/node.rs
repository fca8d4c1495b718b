//! The GraphQL object of a circuit termination.

use underlay_entity::circuit_termination::{CircuitSide, Model};

use crate::cable::{Cable, CableEnd};
use crate::circuit::Circuit;
use crate::object;
use crate::port::Port;
use crate::provider_network::ProviderNetwork;
use crate::site::Site;

object! {
    /// The end A or Z of a circuit. It is usually written through its circuit.
    CircuitTermination: Model;

    own {
        /// The side of the circuit: A or Z.
        side: CircuitSide = |end| end.side;
    }

    requires {
        /// The circuit that the termination is an end of.
        circuit: Circuit by CircuitTermination::CIRCUIT;
    }

    refers {
        /// The site where the termination is. Null if it is not at a site.
        site: Site by CircuitTermination::SITE;
        /// The provider network where the termination is. Null if it is in none.
        provider_network: ProviderNetwork by CircuitTermination::PROVIDER_NETWORK;
        /// The port that the termination is plugged directly into. Null if it is plugged into none.
        port: Port by CircuitTermination::PORT;
    }

    lists {}

    traced {}

    more {
        /// The cable that is plugged into the circuit termination. Null if there is none.
        async fn cable(&self) -> Option<Cable> {
            Cable::on(&self.0)
        }

        /// The ends on the other side of the cable. If the cable has lanes, only those that a lane joins to the circuit
        /// termination.
        async fn peers(&self) -> Vec<CableEnd> {
            Cable::peers(&self.0)
        }
    }
}
