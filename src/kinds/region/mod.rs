//! A region: a part of the world that groups sites. Regions nest without cycles, and a region contains the regions
//! beneath it. Its name is unique over all regions.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;
mod rules;

pub use api::{RegionMutation, RegionQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{RegionFilter, RegionInput, RegionListFilter, RegionRef};
pub use node::Region;
pub use path::PATH;
