//! Clients of the Underlay API: what the command line, and later the synchronizers and reconcilers, stand on.
//!
//! Nothing here knows the server but by its GraphQL schema.

mod address;
mod answer;
mod client;
mod error;
mod retry;

pub use address::{BadAddress, ServerAddress};
pub use answer::Answer;
pub use client::{Client, Patience};
pub use error::{ClientError, GraphqlError};
