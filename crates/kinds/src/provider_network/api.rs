//! The GraphQL root fields that read and write provider networks.

use super::input::{ProviderNetworkInput, ProviderNetworkPatch, ProviderNetworkPayload};
use super::node::ProviderNetwork;
use crate::roots;

roots! {
    ProviderNetwork;
    query ProviderNetworkQuery {
        provider_network(
            /// The name of the provider network's provider.
            provider: String,
        ),
        provider_networks
    }
    mutation ProviderNetworkMutation { create_provider_network, update_provider_network, delete_provider_network }
    with ProviderNetworkInput, ProviderNetworkPatch, ProviderNetworkPayload { provider_network }
}
