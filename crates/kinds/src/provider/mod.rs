//! A provider: a company that hosts, sells circuits or runs an exchange. It contains provider networks. Its name is
//! unique over all providers.

mod api;
mod describe;
mod input;
mod node;
mod topology;

pub use api::{ProviderMutation, ProviderQuery};
pub use describe::DESCRIPTION;
pub use input::{ProviderFilter, ProviderInput, ProviderListFilter, ProviderRef};
pub use node::Provider;
pub use topology::TOPOLOGY;
