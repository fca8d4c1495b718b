//! A location in the API.

use underlay_entity::location::{LocationType, Model};

use crate::kinds::device::Device;
use crate::kinds::rack::Rack;
use crate::kinds::site::Site;
use crate::object;

object! {
    /// A location: a building, floor, room, cage or row within a site. Locations nest.
    Location: Model;

    own {
        /// What it is.
        r#type: Option<LocationType> = |location| location.r#type;
    }

    requires {
        /// The site that it is in.
        site: Site by Location::SITE;
    }

    refers {
        /// The location that it is in; null: directly in the site.
        parent: Location by Location::PARENT;
    }

    lists {
        /// The locations directly in it.
        children: Location by Location::PARENT;
        /// The racks directly in it.
        racks: Rack by Rack::LOCATION;
        /// The devices directly in it.
        devices: Device by Device::LOCATION;
    }

    more {}
}
