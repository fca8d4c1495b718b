//! A host class: hosts that are alike enough to stand in for each other. A host without a class gets the only class
//! whose conditions it meets when it is discovered, and never later.
//!
//! Guarantee: the conditions are within their bounds, so that they are judged quickly.

mod kind;
mod lacking;
mod matching;
mod topology;

pub use kind::{
    DESCRIPTION, HostClass, HostClassFilter, HostClassInput, HostClassListFilter, HostClassMutation, HostClassQuery,
    HostClassRef,
};
pub use lacking::lacking;
pub use matching::{Classified, class_for, meets};
pub use topology::TOPOLOGY;
