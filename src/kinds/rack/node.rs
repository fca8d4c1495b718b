//! A rack in the API.

use underlay_entity::lifecycle::Status;
use underlay_entity::rack::Model;

use crate::kinds::device::Device;
use crate::kinds::location::Location;
use crate::kinds::port::Port;
use crate::kinds::power_feed::PowerFeed;
use crate::kinds::site::Site;
use crate::object;

object! {
    /// A rack: a cabinet with numbered units at a site. U1 is at the bottom.
    Rack: Model;

    own {
        /// The cage that it stands in: free text.
        cage: Option<&str> = |rack| rack.cage.as_deref();
        /// The row that it stands in: free text.
        row: Option<&str> = |rack| rack.row.as_deref();
        /// The number of units: 1 to 100.
        height_u: i32 = |rack| rack.height_u;
        /// The serial number.
        serial: Option<&str> = |rack| rack.serial.as_deref();
        /// The asset tag.
        asset_tag: Option<&str> = |rack| rack.asset_tag.as_deref();
        /// Where it stands in its life.
        status: Status = |rack| rack.status;
    }

    requires {
        /// The site where it stands.
        site: Site by Rack::SITE;
    }

    refers {
        /// The location within the site.
        location: Location by Rack::LOCATION;
    }

    lists {
        /// The devices that are placed in it; in unit order with `orderBy: {by: START_UNIT}`.
        devices: Device by Device::RACK;
        /// Ports of the rack itself.
        ports: Port by Port::RACK;
        /// The power feeds that supply it.
        power_feeds: PowerFeed by PowerFeed::RACK;
    }

    more {}
}
