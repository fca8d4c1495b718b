//! The GraphQL object of a provider network.

use crate::circuit_termination::CircuitTermination;
use crate::object;
use crate::provider::Provider;

object! {
    /// A provider network: a network of a provider in which circuits end.
    ProviderNetwork: Model;

    own {}

    requires {
        /// The provider that owns the network.
        provider: Provider by ProviderNetwork::PROVIDER;
    }

    refers {}

    lists {
        /// The circuit terminations in the network.
        circuit_terminations: CircuitTermination by CircuitTermination::PROVIDER_NETWORK;
    }

    more {}
}
