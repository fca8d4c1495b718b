//! A provider network: where circuits end in the network of a provider, out of sight. Its name is unique in its
//! provider.

mod api;
mod describe;
mod input;
pub mod line;
mod node;

pub use api::{ProviderNetworkMutation, ProviderNetworkQuery};
pub use describe::DESCRIPTION;
pub use input::{ProviderNetworkFilter, ProviderNetworkInput, ProviderNetworkListFilter, ProviderNetworkRef};
pub use node::ProviderNetwork;
