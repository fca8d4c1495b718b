//! Who asks, and what they may do.
//!
//! A token becomes a [`Caller`] here and nowhere else: signed with a key that is trusted, for this server, of now. What
//! a caller may do is decided in `caller` alone; whoever writes holds a [`Permit`], which nothing else makes.

mod caller;
mod claims;
mod error;
mod issuer;
mod key;
mod local;
mod role;
mod token;
mod trust;

pub use caller::{Caller, Forbidden, Permit, Scope, Way};
pub use claims::{ClaimNames, is_name};
pub use error::TokenError;
pub use issuer::{Issuer, IssuerError, Trusted};
pub use key::{Key, KeyError, SigningKey};
pub use local::{Local, announce, announced};
pub use role::{Role, Roles, UnknownRole};
pub use token::{Grant, LONGEST_LIFE, user};
pub use trust::Trust;
