//! Ports: their owner and their values, their connections inside a device, and those of virtual machines.

mod of_virtual_machines;
mod rules;
mod wiring;
