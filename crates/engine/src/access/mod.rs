//! Authentication and authorization: which caller sends a request, and what the caller may do.
//!
//! Only this module turns a token into a [`Caller`]. The token must be signed with a trusted key, be meant for this
//! server, and be valid now. Only `caller` decides what a caller may do, by the tables in `needs`. Code that writes
//! needs a [`WritePermit`], which nothing else creates.

mod caller;
mod channel;
mod claims;
mod error;
mod issuer;
mod key;
mod local;
mod needs;
mod token;
mod trust;

pub use caller::{Caller, CallerKey, Forbidden, Scope, WritePermit};
pub use channel::Channel;
pub use claims::{ClaimNames, is_name};
pub use error::TokenError;
pub use issuer::{Issuer, IssuerError, Trusted};
pub use key::{KeyError, SigningKey, VerifyingKey};
pub use local::{Local, announce, announced};
pub use needs::{READING_SECRETS, READING_STRAYS, WriteKind};
pub use token::{Grant, MAX_TOKEN_LIFETIME, user};
pub use trust::{OwnToken, Trust};
pub use underlay_error::{Role, Roles, UnknownRole};
