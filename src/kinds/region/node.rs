//! A region in the API.

use underlay_entity::place::Coordinates;
use underlay_entity::region::Model;

use crate::kinds::site::Site;
use crate::object;

object! {
    /// A region: a part of the world that sites are grouped by. Regions nest.
    Region: Model;

    own {
        /// The name for people.
        display_name: Option<&str> = |region| region.display_name.as_deref();
        /// Where it is.
        coordinates: Option<Coordinates> = |region| region.coordinates;
    }

    requires {}

    refers {
        /// The region that it is a part of.
        parent: Region by Region::PARENT;
    }

    lists {
        /// The regions that are parts of it.
        children: Region by Region::PARENT;
        /// The sites in it; those of its parts are not among them.
        sites: Site by Site::REGION;
    }

    more {}
}
