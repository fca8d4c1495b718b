//! The GraphQL inputs, filters and sort orders of provider networks.

use underlay_entity::provider_network::Model;

use super::node::ProviderNetwork;
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};
use crate::{filter, inputs, order};

inputs! {
    ProviderNetwork as provider_network;
    input ProviderNetworkInput;
    patch ProviderNetworkPatch;
    payload ProviderNetworkPayload;

    reference ProviderNetworkRef {
        /// The name of the provider network's provider.
        provider: String;
        /// The name of the provider network.
        provider_network: String;
    }

    fixed {}

    fields {
        /// The provider that owns the network. Required to create a provider network.
        provider: ProviderRef;
    }
}

filter! {
    ProviderNetwork: Model;
    filter ProviderNetworkFilter, ProviderNetworkListFilter;

    values {}

    references {
        provider: ProviderFilter => Provider, ProviderNetwork::PROVIDER;
    }

    lists {
        circuit_terminations: CircuitTerminationListFilter => CircuitTermination, CircuitTermination::PROVIDER_NETWORK;
    }

    more {}
}

order! {
    ProviderNetwork: Model;
    order ProviderNetworkOrder, ProviderNetworkOrderBy;

    values {}
}
