//! A region: a part of the world that groups sites. Regions nest without cycles, and a region contains the regions
//! beneath it. Its name is unique over all regions.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod topology;

pub use api::{RegionMutation, RegionQuery};
pub use describe::DESCRIPTION;
pub use input::{RegionFilter, RegionInput, RegionListFilter, RegionRef};
pub use node::Region;
pub use topology::TOPOLOGY;
