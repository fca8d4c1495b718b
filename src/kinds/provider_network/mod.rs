//! A provider network: a network of a provider in which circuits end and whose inside the inventory does not show. Its
//! name is unique in its provider.

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
