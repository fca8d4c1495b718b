//! Declares a rack.

use async_graphql::Context;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::rack::{Model, RackPosition};
use underlay_kind_derive::{kind, resolvers};

use super::power::{RackPowerDraw, drawn_w, rated_w};
use super::rules;
use super::space::Space;
use super::topology::TOPOLOGY;
use super::values::position;
use crate::appliance::{Appliance, ApplianceListFilter};
use crate::common::POSITION;
use crate::device::{Device, DeviceListFilter};
use crate::filters::StatusFilter;
use crate::location::{Location, LocationFilter, LocationRef};
use crate::port::{Port, PortListFilter};
use crate::power_feed::{PowerFeed, PowerFeedListFilter, is_supplied_by};
use crate::request::Request;
use crate::site::{Site, SiteFilter, SiteRef};
use underlay_inventory::Held;

/// A rack: a cabinet with numbered units at a site. U1 is at the bottom.
#[kind(
    id = RACK,
    row = Model,
    key(site),
    reference(site = "The name of the rack's site.", rack = "The name of the rack."),
    rules = &[rules::location, rules::moved, rules::height],
    searched(serial, asset_tag),
)]
pub struct Rack {
    /// The site where the rack stands.
    #[written = "Everything in the rack moves with it in the same batch. Required to create a rack."]
    #[reference(6, filter, required, contained)]
    site: Site,

    /// The location of the rack within its site.
    #[input = "The location of the rack, in the same site."]
    #[reference(7, filter, within)]
    location: Option<Location>,

    /// The cage that the rack stands in: free text.
    #[field(8, filter, order("the cage"))]
    cage: Option<String>,

    /// The row that the rack stands in: free text.
    #[field(9, filter, order("the row"))]
    row: Option<String>,

    /// The number of units in the rack: 1 to 100.
    #[input = "The number of units: 1 to 100, and not below an occupied unit. Required to create a rack."]
    #[field(10, range = 1..=100, default = 1, filter, order("the height"), required)]
    height_u: i32,

    /// The serial number of the rack.
    #[field(11, filter)]
    serial: Option<String>,

    /// The asset tag of the rack.
    #[field(12, filter)]
    asset_tag: Option<String>,

    /// The lifecycle status of the rack.
    #[written = "Defaults to ACTIVE."]
    #[field(13, filter)]
    status: Status,

    /// The position of the rack on the plan of its location, or of its site if it has no location. Null if it is not
    /// recorded.
    #[input = "The position of the rack on the plan of its location, or of its site if it has no location."]
    #[field(14, shape = POSITION, normalised(position))]
    position: Option<RackPosition>,

    /// The devices that are placed in the rack. `orderBy: {by: START_UNIT}` lists them in unit order.
    #[list(Device::RACK, filter)]
    devices: Vec<Device>,

    /// The ports of the rack itself, without those of its devices.
    #[list(Port::RACK, filter)]
    ports: Vec<Port>,

    /// The power feeds that supply the rack.
    #[list(PowerFeed::RACK, filter)]
    power_feeds: Vec<PowerFeed>,

    /// The appliances whose machines are in the rack.
    #[list(Appliance::RACK, filter)]
    appliances: Vec<Appliance>,
}

#[resolvers]
impl Rack {
    /// The number of units that a device takes on at least one face, in steps of 0.5.
    async fn units_used(&self) -> f64 {
        self.space().used()
    }

    /// The number of units that are free on both faces, in steps of 0.5.
    async fn units_free(&self) -> f64 {
        self.space().free()
    }

    /// The number of units of the largest device that fits, with full depth, without moving another: the longest
    /// run of units that are free on both faces, in steps of 0.5.
    async fn largest_free(&self) -> f64 {
        self.space().largest_free()
    }

    /// The power that the inlets in the rack draw together. Null if it is not recorded for any of them.
    async fn power_draw_w(&self, context: &Context<'_>) -> Option<RackPowerDraw> {
        drawn_w(self.devices_placed(), Request::of(context)).await
    }

    /// The power in watts that the power feeds of the rack are rated for, together: volts times amperes, and for
    /// three phases times the square root of 3, rounded down. A feed that another feed of the rack supplies, such as a
    /// breaker behind it, does not count. Null if the rack has no power feed, or if the phase, the voltage or the
    /// current of one that counts is not recorded.
    async fn power_rated_w(&self) -> Option<Long> {
        let feeds = self.0.referrers::<PowerFeed>(PowerFeed::RACK).filter(|feed| {
            let is_in_rack = |other: &underlay_entity::power_feed::Model| other.rack_id == feed.row.rack_id;
            !is_supplied_by(&feed.snapshot, feed.row.id, is_in_rack)
        });
        rated_w(feeds.map(|feed| feed.row)).map(Long)
    }
}

impl Rack {
    fn devices_placed(&self) -> impl Iterator<Item = Held<Device>> + '_ {
        self.0.referrers(Device::RACK)
    }

    fn space(&self) -> Space {
        Space::of(self.0.row.height_u, self.devices_placed())
    }
}
