//! A region: a part of the world that groups sites. Regions nest without cycles, and a region contains the regions
//! beneath it. Its name is unique over all regions.

mod kind;
mod rules;
mod topology;

pub use kind::{
    DESCRIPTION, Region, RegionFilter, RegionInput, RegionListFilter, RegionMutation, RegionQuery, RegionRef,
};
pub use topology::TOPOLOGY;
