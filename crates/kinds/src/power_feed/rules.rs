//! The validation rules of power feeds.

use underlay_entity::port::PortType;
use underlay_entity::power_feed::PowerSource;

use super::kind::PowerFeed;
use crate::port::Port;
use crate::rack::Rack;
use underlay_inventory::{Checked, Problems};

/// Checks that the rack of a feed is at the feed's site.
pub fn rack(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, feed) in checked.written::<PowerFeed>() {
        let rack = feed.rack_id.and_then(|id| checked.after.get::<Rack>(id));
        if rack.is_some_and(|rack| rack.site_id != feed.site_id) {
            problems.incompatible(feed.id, "rack", "rack must be a rack of the site of the feed");
        }
    }
}

/// Checks that the outlets that a feed supplies directly are on racks of its site.
pub fn outlets(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, feed) in checked.written::<PowerFeed>() {
        if before.is_none_or(|before| before.site_id == feed.site_id) {
            continue;
        }
        let mut outlets = checked.after.referrers::<Port>(feed.id, Port::FED_BY);
        let far = |port: &underlay_entity::port::Model| {
            let rack = port.rack_id.and_then(|id| checked.after.get::<Rack>(id));
            rack.is_some_and(|rack| rack.site_id != feed.site_id)
        };
        if let Some(outlet) = outlets.find(|outlet| far(outlet)) {
            let message = format!("site must stay: it feeds {} on a rack of that site", outlet.name);
            problems.incompatible(feed.id, "site", message);
        }
    }
}

/// Checks that a feed or an outlet supplies a feed, and that no feed supplies itself, even indirectly.
pub fn upstream(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, feed) in checked.written::<PowerFeed>() {
        if let Some(PowerSource::Port(port)) = feed.upstream {
            let port = checked.after.get::<Port>(port);
            if port.is_some_and(|port| port.r#type != PortType::PowerOutlet) {
                problems.incompatible(
                    feed.id,
                    "upstream",
                    "upstream must be a power feed or a port of type POWER_OUTLET",
                );
            }
        }
    }
    for feed in checked.cycles::<PowerFeed>(PowerFeed::UPSTREAM) {
        problems.invalid(feed, "upstream", "must not be the feed itself or one that it supplies");
    }
}
