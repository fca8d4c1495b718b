//! Declares a site.

use underlay_entity::lifecycle::Status;
use underlay_entity::place::Coordinates;
use underlay_entity::site::{Model, SiteType};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::topology::TOPOLOGY;
use crate::appliance::{Appliance, ApplianceListFilter};
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::cluster::{Cluster, ClusterListFilter};
use crate::common::{COORDINATES, LONG_TEXT, coordinates, time_zone};
use crate::device::{Device, DeviceListFilter};
use crate::filters::StatusFilter;
use crate::location::{Location, LocationListFilter};
use crate::power_feed::{PowerFeed, PowerFeedListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};
use crate::rack::{Rack, RackListFilter};
use crate::region::{Region, RegionFilter, RegionRef};

enum_filter!(SiteTypeFilter, SiteType);

/// A site: a data centre, an availability zone, an edge location or a virtual place.
#[kind(
    id = SITE,
    row = Model,
    reference(site = "The name of the site."),
    searched(display_name),
)]
pub struct Site {
    /// A readable name for people. It need not be unique.
    #[field(6, filter, order("the display name"))]
    display_name: Option<String>,

    /// The region that the site is in.
    #[reference(7, filter, within)]
    region: Option<Region>,

    /// The provider that runs the facility.
    #[reference(8, filter)]
    provider: Option<Provider>,

    /// The type of the site.
    #[written = "Required to create a site."]
    #[field(9, default = SiteType::Datacenter, filter, required)]
    r#type: SiteType,

    /// The postal address of the site: free text.
    #[field(10, shape = LONG_TEXT, filter)]
    address: Option<String>,

    /// The geographic coordinates of the site.
    #[field(11, shape = COORDINATES, normalised(coordinates))]
    coordinates: Option<Coordinates>,

    /// The IANA name of the time zone, such as `Europe/Amsterdam`.
    #[field(12, filter, normalised(time_zone))]
    time_zone: Option<String>,

    /// The lifecycle status of the site.
    #[written = "Defaults to ACTIVE."]
    #[field(13, filter)]
    status: Status,

    /// The locations in the site, at any depth.
    #[list(Location::SITE, filter)]
    locations: Vec<Location>,

    /// The racks in the site.
    #[list(Rack::SITE, filter)]
    racks: Vec<Rack>,

    /// The power feeds at the site, including those of its racks.
    #[list(PowerFeed::SITE, filter)]
    power_feeds: Vec<PowerFeed>,

    /// The devices at the site.
    #[list(Device::SITE, filter)]
    devices: Vec<Device>,

    /// The circuit terminations at the site.
    #[list(CircuitTermination::SITE, filter)]
    circuit_terminations: Vec<CircuitTermination>,

    /// The clusters whose control plane is at the site.
    #[list(Cluster::CONTROL_PLANE_SITE, filter)]
    clusters: Vec<Cluster>,

    /// The appliances whose machines are at the site.
    #[list(Appliance::SITE, filter)]
    appliances: Vec<Appliance>,
}

#[resolvers]
impl Site {}
