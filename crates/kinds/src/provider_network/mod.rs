//! A provider network: a network of a provider in which circuits end and whose inside the inventory does not show. Its
//! name is unique in its provider.

mod kind;
mod topology;

pub use kind::{
    DESCRIPTION, ProviderNetwork, ProviderNetworkFilter, ProviderNetworkInput, ProviderNetworkListFilter,
    ProviderNetworkMutation, ProviderNetworkQuery, ProviderNetworkRef,
};
pub use topology::TOPOLOGY;
