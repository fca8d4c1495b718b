//! The GraphQL inputs, filters and sort orders of racks.

use underlay_entity::lifecycle::Status;
use underlay_entity::rack::{Model, RackPosition};

use super::node::Rack;
use crate::appliance::{Appliance, ApplianceListFilter};
use crate::device::{Device, DeviceListFilter};
use crate::filters::StatusFilter;
use crate::location::{Location, LocationFilter, LocationRef};
use crate::port::{Port, PortListFilter};
use crate::power_feed::{PowerFeed, PowerFeedListFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::{filter, inputs, order};
use underlay_read::{IntFilter, TextFilter};

inputs! {
    Rack as rack;
    input RackInput;
    patch RackPatch;
    payload RackPayload;

    reference RackRef {
        /// The name of the rack's site.
        site: String;
        /// The name of the rack.
        rack: String;
    }

    fixed {}

    fields {
        /// The site where the rack stands. Everything in the rack moves with it in the same batch. Required to
        /// create a rack.
        site: SiteRef;
        /// The location of the rack, in the same site.
        location: LocationRef;
        /// The cage that the rack stands in: free text.
        cage: String;
        /// The row that the rack stands in: free text.
        row: String;
        /// The number of units: 1 to 100, and not below an occupied unit. Required to create a rack.
        height_u: i32;
        /// The serial number of the rack.
        serial: String;
        /// The asset tag of the rack.
        asset_tag: String;
        /// The lifecycle status of the rack. Defaults to ACTIVE.
        status: Status;
        /// The position of the rack on the plan of its location, or of its site if it has no location.
        position: RackPosition;
    }
}

filter! {
    Rack: Model;
    filter RackFilter, RackListFilter;

    values {
        cage: TextFilter = |rack| rack.cage.as_deref();
        row: TextFilter = |rack| rack.row.as_deref();
        height_u: IntFilter = |rack| Some(rack.height_u.into());
        serial: TextFilter = |rack| rack.serial.as_deref();
        asset_tag: TextFilter = |rack| rack.asset_tag.as_deref();
        status: StatusFilter = |rack| Some(rack.status);
    }

    references {
        site: SiteFilter => Site, Rack::SITE;
        location: LocationFilter => Location, Rack::LOCATION;
    }

    lists {
        devices: DeviceListFilter => Device, Device::RACK;
        ports: PortListFilter => Port, Port::RACK;
        power_feeds: PowerFeedListFilter => PowerFeed, PowerFeed::RACK;
        appliances: ApplianceListFilter => Appliance, Appliance::RACK;
    }

    more {}
}

order! {
    Rack: Model;
    order RackOrder, RackOrderBy;

    values {
        Cage as "cage": "the cage" = |rack| rack.cage.as_deref();
        Row as "row": "the row" = |rack| rack.row.as_deref();
        HeightU as "heightU": "the height" = |rack| rack.height_u;
    }
}
