//! The validation rules of racks.

use underlay_entity::power_feed::PowerSource;
use underlay_entity::rack::Model;

use super::kind::Rack;
use crate::appliance::Appliance;
use crate::circuit_termination::CircuitTermination;
use crate::device::{Device, highest_unit};
use crate::location::Location;
use crate::port::Port;
use crate::power_feed::PowerFeed;
use underlay_inventory::{Checked, Problems};

/// Checks that the location of a rack is in the rack's site.
pub fn location(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, rack) in checked.written::<Rack>() {
        let location = rack.location_id.and_then(|id| checked.after.get::<Location>(id));
        if location.is_some_and(|location| location.site_id != rack.site_id) {
            problems.incompatible(rack.id, "location", "location must be of the site of the rack");
        }
    }
}

/// Checks that a rack which moves to another site leaves nothing behind: neither what is in it or supplies it, nor what
/// supplies its outlets or is plugged into its ports.
pub fn moved(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, rack) in checked.written::<Rack>() {
        if before.is_none_or(|before| before.site_id == rack.site_id) {
            continue;
        }
        if let Some(name) = left_behind(checked, rack) {
            let message = format!("site must be that of {name}, which belongs to the rack: write both in one batch");
            problems.incompatible(rack.id, "site", message);
        }
    }
}

/// Returns the name of something that belongs to a rack and is at another site.
fn left_behind<'a>(checked: &Checked<'a>, rack: &Model) -> Option<&'a str> {
    let (after, site) = (checked.after, rack.site_id);
    let mut devices = after.referrers::<Device>(rack.id, Device::RACK).filter(|it| it.site_id != site);
    let mut feeds = after.referrers::<PowerFeed>(rack.id, PowerFeed::RACK).filter(|it| it.site_id != site);
    let elsewhere = |it: &&underlay_entity::appliance::Model| it.site_id.is_some_and(|other| other != site);
    let mut appliances = after.referrers::<Appliance>(rack.id, Appliance::RACK).filter(elsewhere);
    let contents = devices.next().map(|it| it.name.as_str());
    let contents = contents.or_else(|| feeds.next().map(|it| it.name.as_str()));
    let contents = contents.or_else(|| appliances.next().map(|it| it.name.as_str()));
    contents.or_else(|| {
        after.referrers::<Port>(rack.id, Port::RACK).find_map(|port| {
            let sources = port.fed_by.0.iter().filter_map(|source| match source {
                PowerSource::PowerFeed(feed) => after.get::<PowerFeed>(*feed),
                PowerSource::Port(_) => None,
            });
            let mut sources = sources.filter(|feed| feed.site_id != site).map(|feed| feed.name.as_str());
            let ends = after.referrers::<CircuitTermination>(port.id, CircuitTermination::PORT);
            let mut ends =
                ends.filter(|end| end.site_id.is_some_and(|other| other != site)).map(|end| end.name.as_str());
            sources.next().or_else(|| ends.next())
        })
    })
}

/// Checks that a rack does not shrink below the highest unit that a device in it takes.
pub fn height(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, rack) in checked.written::<Rack>() {
        if before.is_none_or(|before| rack.height_u >= before.height_u) {
            continue;
        }
        let placed = checked.after.referrers::<Device>(rack.id, Device::RACK);
        let highest = placed.filter_map(|device| Some((highest_unit(device)?, device))).max_by_key(|(unit, _)| *unit);
        if let Some((unit, device)) = highest.filter(|(unit, _)| *unit > rack.height_u) {
            let message = format!("heightU must be at least {unit}: {} stands up to U{unit}", device.name);
            problems.incompatible(rack.id, "heightU", message);
        }
    }
}
