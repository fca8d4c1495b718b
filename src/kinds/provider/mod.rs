//! A provider: a company that hosts, sells circuits or runs an exchange. It contains provider networks. Its name is
//! unique over all providers.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;

pub use api::{ProviderMutation, ProviderQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{ProviderFilter, ProviderInput, ProviderListFilter, ProviderRef};
pub use node::Provider;
pub use path::PATH;
