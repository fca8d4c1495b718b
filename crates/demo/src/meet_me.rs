//! Writes the meet-me rooms: two in each data centre, with one rack of panels each, connected by trunks to both network
//! racks.

use super::border::wan_panel;
use super::catalogue::MEET_ME_PANEL;
use super::item::{Cable, Items, RackPosition};
use super::plan::SitePlan;
use super::refs::Owner;
use super::{panel, places, power, wiring};

/// Returns the panel in a meet-me room for the trunk from one of the two network racks.
pub(super) fn meet_me_panel(site: &SitePlan, room: usize, network_rack: usize) -> Owner {
    site.meet_me[room].device(&format!("pp-{}", network_rack + 1))
}

/// Writes the racks of the meet-me rooms and the trunks to them. Each room has its own riser.
pub(super) fn write(items: &mut Items, site: &SitePlan) {
    let pod = &site.pods[0];
    for (room, rack) in site.meet_me.iter().enumerate() {
        places::write_rack(items, rack, "meet-me", None);
        power::write_rack(items, rack, power::SIDES.map(|side| power::busway(&pod.rows()[room], side)), 16);
        for (number, network_rack) in pod.network.iter().enumerate() {
            let place = RackPosition::Front(46.0 - 2.0 * number as f64);
            let name = format!("pp-{}", number + 1);
            let far = panel::write(items, rack, &MEET_ME_PANEL, &name, place, wiring::SINGLE);
            let trunk = Cable::new(
                &rack.series(),
                "FIBER_SMF",
                60.0 + 25.0 * room as f64 + 5.0 * number as f64,
                panel::rear(&wan_panel(network_rack), room + 1),
                panel::rear(&far, 1),
            );
            let trunk = trunk.named(format!("{}-trunk-{}", rack.series(), number + 1)).colored("yellow");
            items.cable(trunk.at_risk(&[format!("{}-riser-{}", site.name, room + 1)]));
        }
    }
}
