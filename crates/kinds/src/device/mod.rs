//! A device: any box in the inventory, distinguished by its role. A device is at a site, in which its name is unique.
//! It may be in a location of the site, placed in a rack of the site, or in a bay of another device at the same site.
//! It contains ports and the devices in its bays. No two devices take the same unit of the same face of a rack.
//!
//! The parent of a device is its chassis or its stack:
//!
//! - A device *in a bay* has no placement of its own. It is where its parent is, goes down with it, and a cascading
//!   delete of the parent deletes it too. Every device in a chassis, and every device in a slot of another device, is
//!   in a bay.
//! - A *member of a stack* has its own placement, in a rack of the same site. It is neither within its parent nor
//!   contained in it: it stays up when the parent fails, and the parent cannot be deleted while it is a member. The
//!   parent is another member, or a device that stands for the stack (a virtual chassis): a device with neither a
//!   placement nor a parent. A slot in such a device is the number of the member.
//! - A device with a parent and no placement stands in its parent, whether or not it has a slot.

mod kind;
mod placement;
mod rules;
mod topology;

pub use kind::{
    DESCRIPTION, Device, DeviceFilter, DeviceInput, DeviceListFilter, DeviceMutation, DeviceQuery, DeviceRef,
    UUID_ATTRIBUTE,
};
pub use placement::{Placement, PlacementInput, half_units, highest_unit};
pub use topology::TOPOLOGY;
