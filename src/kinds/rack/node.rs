//! The GraphQL object of a rack.

use underlay_entity::lifecycle::Status;
use underlay_entity::rack::Model;

use crate::kinds::appliance::Appliance;
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
        /// The cage that the rack stands in: free text.
        cage: Option<&str> = |rack| rack.cage.as_deref();
        /// The row that the rack stands in: free text.
        row: Option<&str> = |rack| rack.row.as_deref();
        /// The number of units in the rack: 1 to 100.
        height_u: i32 = |rack| rack.height_u;
        /// The serial number of the rack.
        serial: Option<&str> = |rack| rack.serial.as_deref();
        /// The asset tag of the rack.
        asset_tag: Option<&str> = |rack| rack.asset_tag.as_deref();
        /// The lifecycle status of the rack.
        status: Status = |rack| rack.status;
    }

    requires {
        /// The site where the rack stands.
        site: Site by Rack::SITE;
    }

    refers {
        /// The location of the rack within its site.
        location: Location by Rack::LOCATION;
    }

    lists {
        /// The devices that are placed in the rack. `orderBy: {by: START_UNIT}` lists them in unit order.
        devices: Device by Device::RACK;
        /// The ports of the rack itself, without those of its devices.
        ports: Port by Port::RACK;
        /// The power feeds that supply the rack.
        power_feeds: PowerFeed by PowerFeed::RACK;
        /// The appliances whose machines are in the rack.
        appliances: Appliance by Appliance::RACK;
    }

    more {}
}
