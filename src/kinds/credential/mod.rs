//! A credential: the public part of what a system is opened with, such as a user name. Its secrets are kept elsewhere,
//! and are never in a row, a change, an export or an event. Only operators see credentials.
//!
//! Guarantees: a credential that a source wrote is used by objects of that source only, and no credential is beside an
//! address whose host it is not allowed for, as far as that can be judged without resolving names.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod secret_api;
mod secrets;
mod topology;

pub use api::{CredentialMutation, CredentialQuery};
pub use describe::DESCRIPTION;
pub use input::{CredentialFilter, CredentialInput, CredentialListFilter, CredentialRef};
pub use node::Credential;
pub use rules::{of_appliances, of_hosts};
pub use secret_api::{SecretMutation, SecretRoots};
pub use secrets::SecretLoader;
pub use topology::TOPOLOGY;
