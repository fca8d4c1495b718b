//! A location: a building, floor, room, cage or row within a site, for inventories that need more than the text fields
//! of a rack. Locations nest within their site without cycles, and a location contains the locations beneath it. The
//! name of a location is unique among the locations directly in the same parent location, or directly in the site.

mod kind;
mod rules;
mod topology;

pub use kind::{
    DESCRIPTION, Location, LocationFilter, LocationInput, LocationListFilter, LocationMutation, LocationQuery,
    LocationRef,
};
pub use topology::TOPOLOGY;
