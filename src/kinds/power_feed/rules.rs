//! What must hold of power feeds.

use underlay_entity::port::PortType;
use underlay_entity::power_feed::PowerSource;

use super::node::PowerFeed;
use crate::inventory::{Checked, Problems};
use crate::kinds::port::Port;
use crate::kinds::rack::Rack;

/// The rack of a feed is of the feed's site.
pub fn rack(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, feed) in checked.written::<PowerFeed>() {
        let rack = feed.rack_id.and_then(|id| checked.after.get::<Rack>(id));
        if rack.is_some_and(|rack| rack.site_id != feed.site_id) {
            problems.invalid(feed.id, "rack", "must be a rack of the site of the feed");
        }
    }
}

/// A feed is supplied by a feed or an outlet, and not by itself.
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
        let above = |feed: &underlay_entity::power_feed::Model| match feed.upstream {
            Some(PowerSource::PowerFeed(id)) => Some(id),
            _ => None,
        };
        if checked.leads_back::<PowerFeed>(feed.id, above) {
            problems.invalid(feed.id, "upstream", "must not be the feed itself or one that it supplies");
        }
    }
}
