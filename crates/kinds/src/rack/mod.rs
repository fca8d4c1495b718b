//! A rack: a cabinet with numbered units at a site, optionally in a location of the site.
//!
//! The parent of a rack is its site, in which its name is unique. The location of a rack must be in the same site. A
//! rack contains power feeds and ports. Devices are placed in a rack, but the rack does not contain them: a device in a
//! rack keeps the rack from being deleted. The height of a rack never shrinks below an occupied unit.

mod kind;
mod power;
mod rules;
mod space;
mod topology;
mod values;

pub use kind::{DESCRIPTION, Rack, RackFilter, RackInput, RackListFilter, RackMutation, RackQuery, RackRef};
pub use topology::TOPOLOGY;
