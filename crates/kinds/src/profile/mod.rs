//! A profile: a system that is booted on a host, to discover, install or wipe it. Only operators see profiles.
//!
//! Guarantee: a profile has what its purpose and method need, and nothing that contradicts them.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod topology;

pub use api::{ProfileMutation, ProfileQuery};
pub use describe::DESCRIPTION;
pub use input::{ProfileFilter, ProfileInput, ProfileListFilter, ProfileRef};
pub use node::Profile;
pub use topology::TOPOLOGY;
