//! The addresses of machines that are managed over a network, such as `redfish://10.0.0.7`, and of the systems that
//! list such machines. The server checks addresses when they are written; a host controller checks them again before it
//! connects. Also the patterns of names that both know, and the serial numbers that identify no machine. Both use this
//! crate, which knows neither of them and does no input or output.
//!
//! Guarantees: an address that [`Address::parse`] returns has a known scheme and known parameters only, contains no
//! user name or password, and names no program. [`Exceptions::refuse`] refuses every loopback, link-local, multicast
//! and metadata address in every notation, unless the operator of the server has configured an exception.

mod allowed;
mod identity;
mod ignored;
mod network;
mod parse;
mod pattern;
mod reserved;
mod scheme;
mod selected;
mod settings;
#[cfg(test)]
mod tests;

pub use allowed::{AllowedHost, NotPermitted, Permission, allows, permits};
pub use identity::{hex, is_junk, reversed, swapped, uuid_key};
pub use ignored::{IgnoredError, IgnoredIdentities};
pub use network::{Network, NetworkError};
pub use parse::{Address, AddressError, Host, MAX_CHARACTERS};
pub use pattern::fits;
pub use reserved::{Exceptions, Reserved};
pub use scheme::{Scheme, Transport};
pub use selected::{Bmc, Selected};
pub use settings::MachineSettings;
