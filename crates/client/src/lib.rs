//! A client of the Underlay API, which the command line uses, and programs that keep an inventory in step with others.
//!
//! Nothing here knows the server but by its GraphQL schema.

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
pub use retry::pause;
pub use subscription::Subscription;
