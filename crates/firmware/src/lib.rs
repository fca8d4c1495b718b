//! A simulated machine that boots from the network, for tests: it reads the languages of GRUB and iPXE as these read them.
//!
//! It does what was seen of real programs, with their faults: a test that passes here would not hang a machine.

pub mod grub;
pub mod ipxe;
