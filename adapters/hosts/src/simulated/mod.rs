//! Machines that exist only in memory, for trials and tests: a driver and a provisioner, with delays and faults on
//! request.
//!
//! A machine is made when its address is first used: `simulated://NAME?fault=FAULT,FAULT&delay=2s&seed=7`. The faults
//! come at every call, or with a seed at one call of four. `simulated://NAME?machines=16` lists machines `NAME-1` to
//! `NAME-16` with the same faults and delays. [`World::counts`] says how often a machine was switched, booted, installed
//! and wiped. The hardware of a machine is read in twenty times its delay.

mod address;
mod driver;
mod fault;
mod hardware;
mod provisioner;
mod world;

pub use address::{AddressError, Settings};
pub use fault::Fault;
pub use provisioner::{Installed, SimulatedProvisioner};
pub use world::{Boot, Counts, Readings, World, identity};
