//! A client of the Underlay API, for the command line and for programs that synchronize an inventory with other
//! systems or work on what it describes.
//!
//! [`Client`] sends operations and repeats what can be repeated. [`Pages`] reads a list of any length, [`Lines`] are the
//! items of a large batch, and a [`ChangeStream`] follows changes over lost connections. The client depends on the
//! server's GraphQL schema and HTTP endpoints only.

mod address;
mod answer;
mod batch;
mod changes;
mod client;
mod error;
mod events;
mod pages;
mod retry;
mod subscription;

pub use address::{BadAddress, ServerAddress};
pub use answer::GraphqlAnswer;
pub use batch::Lines;
pub use changes::{ChangeEvent, ChangeStream};
pub use client::{Client, Patience, Tokens};
pub use error::{ClientError, GraphqlError};
pub use pages::{Listing, MAX_OBJECTS_PER_PAGE, Page, Pages, Total};
pub use retry::Pauses;
pub use subscription::Subscription;
