//! A port: a socket of a device or rack where something can be plugged in, or the interface of a virtual machine. Its
//! name is unique in its owner, within its family: data, serial, inlet, outlet, front and rear ports may share a name.
//!
//! A port of a virtual machine is of type VIRTUAL. It has a MAC address, an MTU, addresses, and optionally a parent of
//! the same virtual machine. Nothing is plugged into it, so it has no cable, no connector, no LAG and no positions.
//!
//! A front port is connected inside to rear ports of the same device or rack, position by position. An outlet is fed by
//! inlets of its device, or on a rack by power feeds. A port takes at most one cable.

mod kind;
mod rules;
mod topology;
mod values;
mod wiring;

pub use kind::{DESCRIPTION, Port, PortFilter, PortInput, PortListFilter, PortMutation, PortQuery, PortRef};
pub use rules::same_stack;
pub use topology::TOPOLOGY;
pub use values::mac;
pub use wiring::PassThrough;
