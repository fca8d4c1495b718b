//! A client of the Underlay API, for the command line and for programs that synchronize an inventory with other
//! systems.
//!
//! The client depends on the server's GraphQL schema and HTTP endpoints only.

mod address;
mod answer;
mod client;
mod error;
mod events;
mod retry;
mod subscription;

pub use address::{BadAddress, ServerAddress};
pub use answer::Answer;
pub use client::{Client, Patience, Tokens};
pub use error::{ClientError, GraphqlError};
pub use retry::Pauses;
pub use subscription::Subscription;
