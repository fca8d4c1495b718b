//! What clients write and ask of locations.

use underlay_entity::location::{LocationType, Model};

use super::node::Location;
use crate::kinds::device::{Device, DeviceListFilter};
use crate::kinds::rack::{Rack, RackListFilter};
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(LocationTypeFilter, LocationType);

inputs! {
    Location as location;
    input LocationInput;
    patch LocationPatch;
    payload LocationPayload;

    reference LocationRef {
        /// The name of its site.
        site: String;
        /// The name of the location that it is in.
        parent: String;
        /// Its name.
        location: String;
    }

    fixed {
        /// The site that it is in. Required to create it.
        site: SiteRef;
    }

    fields {
        /// The location that it is in, of the same site; not itself or one within it.
        parent: LocationRef;
        /// What it is.
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
