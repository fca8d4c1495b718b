//! The GraphQL object of a site.

use underlay_entity::lifecycle::Status;
use underlay_entity::place::Coordinates;
use underlay_entity::site::{Model, SiteType};

use crate::appliance::Appliance;
use crate::circuit_termination::CircuitTermination;
use crate::cluster::Cluster;
use crate::device::Device;
use crate::location::Location;
use crate::object;
use crate::power_feed::PowerFeed;
use crate::provider::Provider;
use crate::rack::Rack;
use crate::region::Region;

object! {
    /// A site: a data centre, an availability zone, an edge location or a virtual place.
    Site: Model;

    own {
        /// A readable name for people. It need not be unique.
        display_name: Option<&str> = |site| site.display_name.as_deref();
        /// The type of the site.
        r#type: SiteType = |site| site.r#type;
        /// The postal address of the site: free text.
        address: Option<&str> = |site| site.address.as_deref();
        /// The geographic coordinates of the site.
        coordinates: Option<Coordinates> = |site| site.coordinates;
        /// The IANA name of the time zone, such as `Europe/Amsterdam`.
        time_zone: Option<&str> = |site| site.time_zone.as_deref();
        /// The lifecycle status of the site.
        status: Status = |site| site.status;
    }

    requires {}

    refers {
        /// The region that the site is in.
        region: Region by Site::REGION;
        /// The provider that runs the facility.
        provider: Provider by Site::PROVIDER;
    }

    lists {
        /// The locations in the site, at any depth.
        locations: Location by Location::SITE;
        /// The racks in the site.
        racks: Rack by Rack::SITE;
        /// The power feeds at the site, including those of its racks.
        power_feeds: PowerFeed by PowerFeed::SITE;
        /// The devices at the site.
        devices: Device by Device::SITE;
        /// The circuit terminations at the site.
        circuit_terminations: CircuitTermination by CircuitTermination::SITE;
        /// The clusters whose control plane is at the site.
        clusters: Cluster by Cluster::CONTROL_PLANE_SITE;
        /// The appliances whose machines are at the site.
        appliances: Appliance by Appliance::SITE;
    }

    more {}
}
