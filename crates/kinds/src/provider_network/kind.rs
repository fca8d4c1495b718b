//! Declares a provider network.

use underlay_entity::provider_network::Model;
use underlay_kind_derive::{kind, resolvers};

use super::topology::TOPOLOGY;
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};

/// A provider network: a network of a provider in which circuits end.
#[kind(
    id = PROVIDER_NETWORK,
    row = Model,
    key(provider),
    reference(
        provider = "The name of the provider network's provider.",
        provider_network = "The name of the provider network.",
    ),
)]
pub struct ProviderNetwork {
    /// The provider that owns the network.
    #[written = "Required to create a provider network."]
    #[reference(6, filter, required, contained)]
    provider: Provider,

    /// The circuit terminations in the network.
    #[list(CircuitTermination::PROVIDER_NETWORK, filter)]
    circuit_terminations: Vec<CircuitTermination>,
}

#[resolvers]
impl ProviderNetwork {}
