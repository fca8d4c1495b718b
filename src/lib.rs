//! Underlay is an inventory graph of physical infrastructure.
//!
//! `ARCHITECTURE.md` describes the layers. A layer uses the layers below it, never those above.
#![recursion_limit = "256"]

pub mod api;
pub mod app;
pub mod cli;
pub mod config;
pub mod hosts;
pub mod http;
pub mod kinds;
pub mod read;
