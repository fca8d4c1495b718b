//! The sections of the report. Each reads what it finds and leaves out what it does not.

pub mod adapters;
pub mod authorities;
pub mod devices;
pub mod disks;
pub mod gpus;
pub mod health;
pub mod interfaces;
pub mod lldpctl;
pub mod memory;
pub mod neighbours;
pub mod pci;
pub mod processors;
pub mod smbios;
pub mod system;
