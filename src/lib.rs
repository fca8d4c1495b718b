//! Underlay: the inventory graph under physical infrastructure.
#![recursion_limit = "256"]

pub mod feed;
pub mod inventory;
pub mod store;
pub mod write;
