//! A host class: hosts that are alike enough to stand in for each other. A host without a class gets the only class
//! whose conditions it meets when it is discovered, and never later.
//!
//! Guarantee: the conditions are within their bounds, so that they are judged quickly.

mod api;
mod describe;
mod input;
mod matching;
mod node;
mod topology;

pub use api::{HostClassMutation, HostClassQuery};
pub use describe::DESCRIPTION;
pub use input::{HostClassFilter, HostClassInput, HostClassListFilter, HostClassRef};
pub use matching::{Classified, class_for, meets};
pub use node::HostClass;
pub use topology::TOPOLOGY;
