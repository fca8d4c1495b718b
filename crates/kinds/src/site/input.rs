//! The GraphQL inputs, filters and sort orders of sites.

use underlay_entity::lifecycle::Status;
use underlay_entity::place::Coordinates;
use underlay_entity::site::{Model, SiteType};

use super::node::Site;
use crate::appliance::{Appliance, ApplianceListFilter};
use crate::circuit_termination::{CircuitTermination, CircuitTerminationListFilter};
use crate::cluster::{Cluster, ClusterListFilter};
use crate::device::{Device, DeviceListFilter};
use crate::filters::StatusFilter;
use crate::location::{Location, LocationListFilter};
use crate::power_feed::{PowerFeed, PowerFeedListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};
use crate::rack::{Rack, RackListFilter};
use crate::region::{Region, RegionFilter, RegionRef};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;
use underlay_read::enum_filter;

enum_filter!(SiteTypeFilter, SiteType);

inputs! {
    Site as site;
    input SiteInput;
    patch SitePatch;
    payload SitePayload;

    reference SiteRef {
        /// The name of the site.
        site: String;
    }

    fixed {}

    fields {
        /// A readable name for people. It need not be unique.
        display_name: String;
        /// The region that the site is in.
        region: RegionRef;
        /// The provider that runs the facility.
        provider: ProviderRef;
        /// The type of the site. Required to create a site.
        r#type: SiteType;
        /// The postal address of the site: free text.
        address: String;
        /// The geographic coordinates of the site.
        coordinates: Coordinates;
        /// The IANA name of the time zone, such as `Europe/Amsterdam`.
        time_zone: String;
        /// The lifecycle status of the site. Defaults to ACTIVE.
        status: Status;
    }
}

filter! {
    Site: Model;
    filter SiteFilter, SiteListFilter;

    values {
        display_name: TextFilter = |site| site.display_name.as_deref();
        r#type: SiteTypeFilter = |site| Some(site.r#type);
        address: TextFilter = |site| site.address.as_deref();
        time_zone: TextFilter = |site| site.time_zone.as_deref();
        status: StatusFilter = |site| Some(site.status);
    }

    references {
        region: RegionFilter => Region, Site::REGION;
        provider: ProviderFilter => Provider, Site::PROVIDER;
    }

    lists {
        locations: LocationListFilter => Location, Location::SITE;
        racks: RackListFilter => Rack, Rack::SITE;
        power_feeds: PowerFeedListFilter => PowerFeed, PowerFeed::SITE;
        devices: DeviceListFilter => Device, Device::SITE;
        circuit_terminations: CircuitTerminationListFilter => CircuitTermination, CircuitTermination::SITE;
        clusters: ClusterListFilter => Cluster, Cluster::CONTROL_PLANE_SITE;
        appliances: ApplianceListFilter => Appliance, Appliance::SITE;
    }

    more {}
}

order! {
    Site: Model;
    order SiteOrder, SiteOrderBy;

    values {
        DisplayName as "displayName": "the display name" = |site| site.display_name.as_deref();
    }
}
