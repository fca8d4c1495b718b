//! Underlay: the inventory graph under physical infrastructure.
//!
//! `ARCHITECTURE.md` draws the house; a layer uses those below it, never above.
#![recursion_limit = "256"]

pub mod access;
pub mod api;
pub mod app;
pub mod cli;
pub mod config;
pub mod feed;
pub mod http;
pub mod inventory;
pub mod kinds;
pub mod read;
pub mod runtime;
pub mod store;
pub mod topology;
pub mod write;
