//! The GraphQL object of a region.

use underlay_entity::place::Coordinates;
use underlay_entity::region::Model;

use crate::object;
use crate::site::Site;

object! {
    /// A region: a part of the world that groups sites. Regions nest.
    Region: Model;

    own {
        /// A readable name for people. It need not be unique.
        display_name: Option<&str> = |region| region.display_name.as_deref();
        /// The geographic coordinates of the region.
        coordinates: Option<Coordinates> = |region| region.coordinates;
    }

    requires {}

    refers {
        /// The parent region. Null for a region at the top.
        parent: Region by Region::PARENT;
    }

    lists {
        /// The regions directly beneath the region.
        children: Region by Region::PARENT;
        /// The sites directly in the region, without those of the regions beneath it.
        sites: Site by Site::REGION;
    }

    more {}
}
