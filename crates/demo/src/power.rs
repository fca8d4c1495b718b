//! Writes the power supply from the utility to the rack, twice: utility feed → switchboard → UPS → busway of a row →
//! feed of a rack.
//!
//! Side A and side B share nothing. Each has its own risk group.

use serde_json::{Value, json};

use super::catalogue::UPS;
use super::gear::{Cord, Gear};
use super::item::{Cable, Items};
use super::plan::{PodPlan, RackPlan};
use super::refs::{self, Owner};

pub(super) const SIDES: [&str; 2] = ["a", "b"];

/// Writes the utility feeds of a site.
pub(super) fn write_utility(items: &mut Items, site: &str, amperes: u32) {
    for side in SIDES {
        let name = format!("utility-{side}");
        feed(items, site, None, &name, amperes, Value::Null);
    }
}

/// Writes the switchboards, UPSs and busways of a pod. Returns the two UPSs.
pub(super) fn write_pod(items: &mut Items, site: &'static str, pod: &PodPlan) -> [Owner; 2] {
    SIDES.map(|side| {
        let number = pod.number + 1;
        let board = format!("switchboard-{number}{side}");
        feed(
            items,
            site,
            None,
            &board,
            1_250,
            refs::feed_end(refs::power_feed(site, None, &format!("utility-{side}"))),
        );
        let ups = ups(items, site, number, side);
        let inlet = ups.end("POWER_INLET", "input");
        let cable = Cable::new(&ups.name, "POWER", 25.0, refs::feed_end(refs::power_feed(site, None, &board)), inlet);
        items.cable(cable.named(format!("{}-input", ups.name)));
        for (n, row) in pod.rows().iter().enumerate() {
            let outlet = ups.end("POWER_OUTLET", &format!("Q{}", n + 1));
            feed(items, site, None, &busway(row, side), 630, outlet);
        }
        ups
    })
}

fn ups(items: &mut Items, site: &'static str, number: usize, side: &str) -> Owner {
    let more = json!({"location": refs::location(site, &format!("power-{side}"))});
    let ups = items.unracked(site, &UPS, &format!("{site}-ups-{number}{side}"), more);
    let inlet = items.port(&ups, "POWER_INLET", "input", json!({"connector": "hardwired"}));
    let source = refs::port_end(inlet);
    for n in 1..=4 {
        items.port(&ups, "POWER_OUTLET", &format!("Q{n}"), json!({"connector": "hardwired", "fedBy": [source]}));
    }
    ups
}

/// Returns the name of the busway over a row.
pub(super) fn busway(row: &str, side: &str) -> String {
    format!("busway-{}-{side}", row.to_lowercase())
}

/// Writes both feeds of a rack, supplied by the feeds of the site with these names.
pub(super) fn write_rack(items: &mut Items, rack: &RackPlan, upstream: [String; 2], amperes: u32) {
    for (side, upstream) in SIDES.iter().zip(upstream) {
        let upstream = refs::feed_end(refs::power_feed(rack.site, None, &upstream));
        feed(items, rack.site, Some(rack), &format!("feed-{side}"), amperes, upstream);
    }
}

fn feed(items: &mut Items, site: &str, rack: Option<&RackPlan>, name: &str, amperes: u32, upstream: Value) {
    let side = name.chars().next_back().unwrap_or('a');
    let fields = json!({
        "name": name,
        "site": refs::site(site),
        "rack": rack.map(RackPlan::reference),
        "phase": "THREE_PHASE",
        "voltage": 400,
        "ampsRated": amperes,
        "upstream": upstream,
        "riskGroups": [format!("{site}-power-{side}")],
        "status": rack.and_then(|rack| rack.status),
    });
    items.add("powerFeed", fields);
}

/// Adds the management ports of the UPSs of a pod. The first UPS is managed from the first network rack, the second
/// from the second.
pub(super) fn manage(items: &mut Items, ups: &[Owner; 2], gears: [&mut Gear; 2]) {
    for (ups, gear) in ups.iter().zip(gears) {
        gear.manage(items, ups, "net");
    }
}

/// Adds power for a device with two supplies, the usual case.
pub(super) fn dual(items: &mut Items, gear: &mut Gear, device: &Owner) {
    gear.power(items, device, 2, Cord::C13);
}
