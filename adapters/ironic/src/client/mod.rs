//! A client of Ironic's REST API, for versions that offer the microversion 1.81 or a later one.
//!
//! Guarantees:
//! - Every call has a time limit, at most 8 calls run at a time, and an answer has a bounded size.
//! - Redirects are not followed, and neither are links in answers: pages are asked for by the id of the last object.
//! - A call that reads is repeated, with growing pauses and jitter, while it fails in passing. A call that changes something
//!   is repeated only if it certainly did nothing: there was no connection, a conductor had locked the node, or Ironic was
//!   too busy to accept it.
//! - No error and no debug output holds a password or a token, and bodies of requests are never shown.

mod address;
mod answer;
mod auth;
mod call;
mod connection;
mod error;
mod fields;
mod inventory;
mod model;
mod pages;
mod request;
mod verbs;
mod version;

pub use self::address::ConnectionError;
pub use self::auth::{Auth, Keystone, KeystoneMethod, Scope, SecretSource};
pub use self::call::Client;
pub use self::connection::{Connection, Pace};
pub use self::error::IronicError;
pub use self::fields::{Fault, Fields};
pub use self::inventory::{Disk, Interface, Inventory, Neighbor};
pub use self::model::{Link, Node, Port, Portgroup, ProvisionState, States};
pub use self::pages::{Batch, Entry, Listing};
pub use self::verbs::{Patch, Provision, Target};
pub use self::version::Microversion;
