//! What joins the halls of a large data centre: two core routers in the network racks of its first pod, each reached
//! from every border leaf of every hall. A data centre of one hall has none.

use super::border::border_leaf;
use super::catalogue::CORE_ROUTER;
use super::item::{Cable, Items, Place};
use super::network::{self, NetworkRack};
use super::plan::{PodPlan, SitePlan};
use super::refs::Owner;

/// Ports of a line card.
const CARD: usize = 36;
/// The border leaf's ports to the core routers.
pub(super) const LEAF_PORTS: [usize; 2] = [57, 58];
/// Transfer networks of a network rack: from its border leaf to both core routers; of the first one of a site: between
/// the core routers.
const LEAF_TRANSFER: usize = 8;
const CORE_TRANSFER: usize = 10;
/// Loopback of a core router, after those of all else in its rack.
const LOOPBACK: usize = 6;

fn router(site: &SitePlan, number: usize) -> Owner {
    Owner::device(site.name, format!("{}-core-{}", site.name, number + 1))
}

/// A port of a core router: the first is to the other one, then come those to the border leaves of each hall.
fn port(place: usize) -> String {
    format!("et-{}/0/{}", place / CARD, place % CARD)
}

fn place(hall: usize, leaf: usize) -> usize {
    1 + 2 * hall + leaf
}

/// The addresses between a core router and a border leaf of a hall, given the first pod of the hall.
fn transfer(pod: &PodPlan, leaf: usize, core: usize) -> [String; 2] {
    pod.network[leaf].transfer(LEAF_TRANSFER + core)
}

/// Writes the core routers, one into each network rack of the first pod.
pub(super) fn write(items: &mut Items, site: &SitePlan, racks: &mut [NetworkRack; 2]) {
    let first = &site.pods[0].network[0];
    let used = place(site.halls(), 0);
    for (number, rack) in racks.iter_mut().enumerate() {
        let name = router(site, number).name;
        let device = network::switch(items, rack, &CORE_ROUTER, &name, Place::Front(12.0), LOOPBACK);
        let peer = vec![first.transfer(CORE_TRANSFER)[number].clone()];
        network::fast_port(items, &device, &port(0), peer);
        for pod in site.pods.iter().filter(|pod| pod.place == 0) {
            for leaf in 0..2 {
                let [address, _] = transfer(pod, leaf, number);
                network::fast_port(items, &device, &port(place(pod.hall, leaf)), vec![address]);
            }
        }
        for spare in used..used.next_multiple_of(CARD) {
            network::fast_port(items, &device, &port(spare), Vec::new());
        }
    }
    let [a, b] = [0, 1].map(|number| router(site, number).end("ETHERNET", &port(0)));
    items.cable(Cable::new(&first.series(), "AOC", 15.0, a, b).colored("aqua"));
}

/// The ports of a border leaf to the core routers.
pub(super) fn write_leaf_ports(items: &mut Items, pod: &PodPlan, leaf: &Owner, number: usize) {
    for core in 0..2 {
        let [_, address] = transfer(pod, number, core);
        network::fast_port(items, leaf, &leaf_port(core), vec![address]);
    }
}

/// Joins both border leaves of a hall to both core routers.
pub(super) fn join(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    for leaf in 0..2 {
        for core in 0..2 {
            let a = Owner::device(site.name, border_leaf(site.name, pod.hall, leaf));
            let a = a.end("ETHERNET", &leaf_port(core));
            let b = router(site, core).end("ETHERNET", &port(place(pod.hall, leaf)));
            let length = if pod.hall > 0 { 120.0 } else { 10.0 };
            let cable = Cable::new(&pod.network[leaf].series(), "FIBER_SMF", length, a, b).colored("yellow");
            items.cable(cable.at_risk(&[format!("{}-hall-tray-{}", site.name, core + 1)]));
        }
    }
}

fn leaf_port(core: usize) -> String {
    format!("Ethernet{}", LEAF_PORTS[core])
}
