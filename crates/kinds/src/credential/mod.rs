//! A credential: the public part of what a system is opened with, such as a user name. Its secrets are kept elsewhere,
//! and are never in a row, a change, an export or an event. Only operators see credentials.
//!
//! Guarantees:
//! - A credential that a source wrote is used by objects of that source only, and of those that it names.
//! - No object of a source, and no write of a source, refers to a credential of an operator that does not name the source
//!   and the host of the address (`rules.rs`), and no source changes such a credential.
//! - No credential is beside an address whose host it is not allowed for, as far as that can be judged without resolving
//!   names. It goes over plain HTTP only to hosts that it names for that.
//! - A credential stays beside a connection that changed only if the writer holds it (`user.rs`).

mod kind;
mod recipient;
mod rules;
mod secret_api;
mod secrets;
mod topology;
mod user;

pub use kind::{
    Credential, CredentialFilter, CredentialInput, CredentialListFilter, CredentialMutation, CredentialQuery,
    CredentialRef, DESCRIPTION,
};
pub use rules::{of_appliances, of_hosts};
pub use secret_api::{SecretMutation, SecretRoots};
pub use secrets::SecretLoader;
pub use topology::TOPOLOGY;
pub use user::User;
