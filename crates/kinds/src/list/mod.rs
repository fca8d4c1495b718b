//! The readers of the list of kinds (`for_each_kind!`). Each is a macro that turns the rows of the list into code:
//!
//! - `tables`: the ids, the registry, the database tables and the roles in topology;
//! - `interfaces`: the GraphQL interfaces `Node` and `Object`;
//! - `inputs`: the GraphQL inputs `AnyRef` and `ApplyItem`.

mod inputs;
mod interfaces;
mod tables;

pub use inputs::{AnyRef, ApplyItem};
pub use interfaces::{Node, Object};
pub use tables::{ids, registry, tables, topology};
