//! Declares a location.

use underlay_entity::location::{LocationType, Model};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::rules;
use super::topology::TOPOLOGY;
use crate::device::{Device, DeviceListFilter};
use crate::rack::{Rack, RackListFilter};
use crate::site::{Site, SiteFilter, SiteRef};

enum_filter!(LocationTypeFilter, LocationType);

/// A location: a building, floor, room, cage or row within a site. Locations nest.
#[kind(
    id = LOCATION,
    row = Model,
    key(parent, site),
    reference(
        site = "The name of the location's site.",
        parent = "The name of the parent location.",
        location = "The name of the location.",
    ),
    rules = &[rules::parent, rules::moved],
)]
pub struct Location {
    /// The site that the location is in.
    #[written = "Everything in the location moves with it in the same batch. Required to create a location."]
    #[reference(6, filter, required, contained)]
    site: Site,

    /// The parent location. Null if the location is directly in the site.
    #[input = "The parent location, in the same site. It must not be the location itself or one within it."]
    #[reference(7, filter, contained)]
    parent: Option<Location>,

    /// The type of the location.
    #[field(8, filter)]
    r#type: Option<LocationType>,

    /// The locations directly in the location.
    #[list(Location::PARENT, filter)]
    children: Vec<Location>,

    /// The racks directly in the location.
    #[list(Rack::LOCATION, filter)]
    racks: Vec<Rack>,

    /// The devices directly in the location.
    #[list(Device::LOCATION, filter)]
    devices: Vec<Device>,
}

#[resolvers]
impl Location {}
