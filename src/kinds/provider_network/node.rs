//! A provider network in the API.

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::provider::Provider;
use crate::object;

object! {
    /// A provider network: where circuits end in the network of a provider.
    ProviderNetwork: Model;

    own {}

    requires {
        /// The provider whose network it is.
        provider: Provider by ProviderNetwork::PROVIDER;
    }

    refers {}

    lists {
        /// The ends of circuits in it.
        circuit_terminations: CircuitTermination by CircuitTermination::PROVIDER_NETWORK;
    }

    more {}
}
