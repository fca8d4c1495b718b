//! Declares a region.

use underlay_entity::place::Coordinates;
use underlay_entity::region::Model;
use underlay_kind_derive::{kind, resolvers};

use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{COORDINATES, coordinates};
use crate::site::{Site, SiteListFilter};

/// A region: a part of the world that groups sites. Regions nest.
#[kind(
    id = REGION,
    row = Model,
    reference(region = "The name of the region."),
    rules = &[rules::no_cycle],
    searched(display_name),
)]
pub struct Region {
    /// A readable name for people. It need not be unique.
    #[field(6, filter, order("the display name"))]
    display_name: Option<String>,

    /// The parent region. Null for a region at the top.
    #[input = "The parent region. It must not be the region itself or one beneath it."]
    #[reference(7, filter, contained)]
    parent: Option<Region>,

    /// The geographic coordinates of the region.
    #[field(8, shape = COORDINATES, normalised(coordinates))]
    coordinates: Option<Coordinates>,

    /// The regions directly beneath the region.
    #[list(Region::PARENT, filter)]
    children: Vec<Region>,

    /// The sites directly in the region, without those of the regions beneath it.
    #[list(Site::REGION, filter)]
    sites: Vec<Site>,
}

#[resolvers]
impl Region {}
