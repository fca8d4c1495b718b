//! A profile: a system that is booted on a host, to discover, install or wipe it. Only operators see profiles.
//!
//! Guarantee: a profile has what its purpose and method need, and nothing that contradicts them.

mod kind;
mod rules;
mod topology;

pub use kind::{
    DESCRIPTION, Profile, ProfileFilter, ProfileInput, ProfileListFilter, ProfileMutation, ProfileQuery, ProfileRef,
};
pub use topology::TOPOLOGY;
