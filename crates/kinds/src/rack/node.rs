//! The GraphQL object of a rack.

use async_graphql::Context;
use underlay_entity::lifecycle::Status;
use underlay_entity::long::Long;
use underlay_entity::rack::{Model, RackPosition};

use super::power::{RackPowerDraw, drawn_w, rated_w};
use super::space::Space;
use crate::appliance::Appliance;
use crate::device::Device;
use crate::location::Location;
use crate::object;
use crate::port::Port;
use crate::power_feed::{PowerFeed, is_supplied_by};
use crate::request::Request;
use crate::site::Site;
use underlay_inventory::Held;

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
        /// The position of the rack on the plan of its location, or of its site if it has no location. Null if it is not
        /// recorded.
        position: Option<RackPosition> = |rack| rack.position;
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

    more {
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
}

impl Rack {
    fn devices_placed(&self) -> impl Iterator<Item = Held<Device>> + '_ {
        self.0.referrers(Device::RACK)
    }

    fn space(&self) -> Space {
        Space::of(self.0.row.height_u, self.devices_placed())
    }
}
