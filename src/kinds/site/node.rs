//! A site in the API.

use underlay_entity::lifecycle::Status;
use underlay_entity::place::Coordinates;
use underlay_entity::site::{Model, SiteType};

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::cluster::Cluster;
use crate::kinds::device::Device;
use crate::kinds::location::Location;
use crate::kinds::power_feed::PowerFeed;
use crate::kinds::provider::Provider;
use crate::kinds::rack::Rack;
use crate::kinds::region::Region;
use crate::object;

object! {
    /// A site: a data centre, an availability zone, an edge location or a virtual place.
    Site: Model;

    own {
        /// The name for people.
        display_name: Option<&str> = |site| site.display_name.as_deref();
        /// What it is.
        r#type: SiteType = |site| site.r#type;
        /// The postal address: free text.
        address: Option<&str> = |site| site.address.as_deref();
        /// Where it is.
        coordinates: Option<Coordinates> = |site| site.coordinates;
        /// The time zone by its IANA name, such as `Europe/Amsterdam`.
        time_zone: Option<&str> = |site| site.time_zone.as_deref();
        /// Where it stands in its life.
        status: Status = |site| site.status;
    }

    requires {}

    refers {
        /// The region that it is in.
        region: Region by Site::REGION;
        /// Who runs the facility.
        provider: Provider by Site::PROVIDER;
    }

    lists {
        /// The locations in it, at any depth.
        locations: Location by Location::SITE;
        /// The racks in it.
        racks: Rack by Rack::SITE;
        /// The power feeds at it, those of its racks among them.
        power_feeds: PowerFeed by PowerFeed::SITE;
        /// The devices at it.
        devices: Device by Device::SITE;
        /// The ends of circuits at it.
        circuit_terminations: CircuitTermination by CircuitTermination::SITE;
        /// The clusters whose control plane is at it.
        clusters: Cluster by Cluster::CONTROL_PLANE_SITE;
    }

    more {}
}
