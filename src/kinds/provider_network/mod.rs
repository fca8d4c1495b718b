//! A provider network: where circuits end in the network of a provider, out of sight. Its name is unique in its
//! provider.

mod api;
mod describe;
mod failure;
mod input;
pub mod line;
mod node;
mod path;

pub use api::{ProviderNetworkMutation, ProviderNetworkQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{ProviderNetworkFilter, ProviderNetworkInput, ProviderNetworkListFilter, ProviderNetworkRef};
pub use node::ProviderNetwork;
pub use path::PATH;
