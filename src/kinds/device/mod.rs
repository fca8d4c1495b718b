//! A device: every box there is, told apart by its role. It is at a site, in which its name is unique; perhaps in a
//! location of the site, placed in a rack of the site, or in a bay of another device at the same site. It contains
//! ports and the devices in its bays. No two devices take the same unit of the same face of a rack.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;
mod placement;
mod rules;

pub use api::{DeviceMutation, DeviceQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{DeviceFilter, DeviceInput, DeviceListFilter, DeviceRef};
pub use node::Device;
pub use path::PATH;
pub use placement::{Placement, PlacementInput, highest_unit};
