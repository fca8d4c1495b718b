//! The GraphQL object of a location.

use underlay_entity::location::{LocationType, Model};

use crate::device::Device;
use crate::object;
use crate::rack::Rack;
use crate::site::Site;

object! {
    /// A location: a building, floor, room, cage or row within a site. Locations nest.
    Location: Model;

    own {
        /// The type of the location.
        r#type: Option<LocationType> = |location| location.r#type;
    }

    requires {
        /// The site that the location is in.
        site: Site by Location::SITE;
    }

    refers {
        /// The parent location. Null if the location is directly in the site.
        parent: Location by Location::PARENT;
    }

    lists {
        /// The locations directly in the location.
        children: Location by Location::PARENT;
        /// The racks directly in the location.
        racks: Rack by Rack::LOCATION;
        /// The devices directly in the location.
        devices: Device by Device::LOCATION;
    }

    more {}
}
