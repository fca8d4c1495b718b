//! A provider network: a network of a provider in which circuits end and whose inside the inventory does not show. Its
//! name is unique in its provider.

mod api;
mod describe;
mod input;
mod node;
mod topology;

pub use api::{ProviderNetworkMutation, ProviderNetworkQuery};
pub use describe::DESCRIPTION;
pub use input::{ProviderNetworkFilter, ProviderNetworkInput, ProviderNetworkListFilter, ProviderNetworkRef};
pub use node::ProviderNetwork;
pub use topology::TOPOLOGY;
