//! The GraphQL inputs, filters and sort orders of locations.

use underlay_entity::location::{LocationType, Model};

use super::node::Location;
use crate::device::{Device, DeviceListFilter};
use crate::rack::{Rack, RackListFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;

enum_filter!(LocationTypeFilter, LocationType);

inputs! {
    Location as location;
    input LocationInput;
    patch LocationPatch;
    payload LocationPayload;

    reference LocationRef {
        /// The name of the location's site.
        site: String;
        /// The name of the parent location.
        parent: String;
        /// The name of the location.
        location: String;
    }

    fixed {}

    fields {
        /// The site that the location is in. Everything in the location moves with it in the same batch. Required to
        /// create a location.
        site: SiteRef;
        /// The parent location, in the same site. It must not be the location itself or one within it.
        parent: LocationRef;
        /// The type of the location.
        r#type: LocationType;
    }
}

filter! {
    Location: Model;
    filter LocationFilter, LocationListFilter;

    values {
        r#type: LocationTypeFilter = |location| location.r#type;
    }

    references {
        site: SiteFilter => Site, Location::SITE;
        parent: LocationFilter => Location, Location::PARENT;
    }

    lists {
        children: LocationListFilter => Location, Location::PARENT;
        racks: RackListFilter => Rack, Rack::LOCATION;
        devices: DeviceListFilter => Device, Device::LOCATION;
    }

    more {}
}

order! {
    Location: Model;
    order LocationOrder, LocationOrderBy;

    values {}
}
