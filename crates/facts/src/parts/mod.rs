//! The parts of a machine. Texts are as the machine gives them, without spaces at the ends; values that makers leave in
//! place of a serial number, such as `To be filled by O.E.M.`, are absent. So is what changes by itself from one reading
//! to the next, such as a temperature: equal hardware makes equal reports.

mod chassis;
mod devices;
mod disks;
mod gpus;
mod interfaces;
mod memory;
mod neighbours;
mod processors;
mod system;

pub use chassis::{Fan, Firmware, PartHealth, PowerSupply};
pub use devices::Device;
pub use disks::{Disk, DiskHealth, DiskMedium};
pub use gpus::Gpu;
pub use interfaces::{Interface, InterfaceKind};
pub use memory::{Memory, MemoryErrors, MemoryModule};
pub use neighbours::{Neighbour, NeighbourCapability, NeighbourIdSubtype};
pub use processors::Processor;
pub use system::{BootMode, System};
