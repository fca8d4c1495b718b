//! Devices: their fields, what they contain, and their places in racks.

pub mod placement;
mod rules;
