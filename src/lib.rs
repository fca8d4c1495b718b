//! Underlay is an inventory graph of physical infrastructure.
//!
//! `ARCHITECTURE.md` describes the layers, which are crates. This one joins the server and the command line into the
//! program.

pub mod commands;
