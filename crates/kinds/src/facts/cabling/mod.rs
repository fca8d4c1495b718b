//! The cabling of hosts: what is heard at their network interfaces by LLDP, beside what is recorded.
//!
//! For each interface of a report, the port of the machine is found, the neighbours that are heard at it, and the far ends
//! of its line, through panels and over circuits (`recorded`). A neighbour leads to ports and devices by its MAC addresses,
//! its names and its description, in this order (`lead`). Pure but for `api`: it reads a snapshot and a report.
//!
//! Guarantees: nothing that is not heard is a mismatch, and a line that leaves the inventory is none. What several devices
//! are called leads to none of them alone. The work for an interface is bounded, whatever was reported or recorded.

mod api;
mod interfaces;
mod judge;
mod lead;
mod lookup;
mod recorded;

pub use api::{HeardNeighbour, HostCabling, cabling_of_host};
pub use judge::{CablingVerdict, Heard, InterfaceCabling, Judge};
