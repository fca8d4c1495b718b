//! A provider: a company that hosts, sells circuits or runs an exchange. It contains provider networks. Its name is
//! unique over all providers.

mod kind;
mod topology;

pub use kind::{
    DESCRIPTION, Provider, ProviderFilter, ProviderInput, ProviderListFilter, ProviderMutation, ProviderQuery,
    ProviderRef,
};
pub use topology::TOPOLOGY;
