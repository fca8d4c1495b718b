//! Connects the halls of a large data centre: writes two core routers in the network racks of its first pod, each
//! connected to every border leaf of every hall. A data centre with one hall has no core routers.

use super::catalogue::CORE_ROUTER;
use super::item::{Cable, Items, RackPosition};
use super::network::{self, NetworkRack};
use super::plan::{PodPlan, SitePlan};
use super::refs::Owner;

/// The number of ports of a line card.
const CARD_PORTS: usize = 36;
/// The numbers of the border leaf's ports to the core routers.
pub(super) const LEAF_PORTS: [usize; 2] = [57, 58];
/// The numbers of the transfer networks of a network rack from its border leaf to both core routers. The first network
/// rack of a site also has a transfer network between the core routers.
const LEAF_TRANSFER: usize = 8;
const CORE_TRANSFER: usize = 10;
/// The number of the loopback of a core router, after those of all other devices in its rack.
const LOOPBACK_NUMBER: usize = 6;

fn router(site: &SitePlan, number: usize) -> Owner {
    Owner::device(site.name, format!("{}-core-{}", site.name, number + 1))
}

/// Returns the name of a port of a core router. The first port connects to the other core router; those to the border
/// leaves of each hall follow.
fn port(index: usize) -> String {
    format!("et-{}/0/{}", index / CARD_PORTS, index % CARD_PORTS)
}

fn port_index(hall: usize, leaf: usize) -> usize {
    1 + 2 * hall + leaf
}

/// Returns the addresses between a core router and a border leaf of a hall. `pod` is the first pod of the hall.
fn transfer(pod: &PodPlan, leaf: usize, core: usize) -> [String; 2] {
    pod.network[leaf].transfer(LEAF_TRANSFER + core)
}

/// Writes the core routers, one into each network rack of the first pod.
pub(super) fn write(items: &mut Items, site: &SitePlan, racks: &mut [NetworkRack; 2]) {
    let first = &site.pods[0].network[0];
    let used = port_index(site.halls(), 0);
    for (number, rack) in racks.iter_mut().enumerate() {
        let name = router(site, number).name;
        let device = network::switch(items, rack, &CORE_ROUTER, &name, RackPosition::Front(12.0), LOOPBACK_NUMBER);
        let peer = vec![first.transfer(CORE_TRANSFER)[number].clone()];
        network::fast_port(items, &device, &port(0), peer);
        for pod in site.pods.iter().filter(|pod| pod.index == 0) {
            for leaf in 0..2 {
                let [address, _] = transfer(pod, leaf, number);
                network::fast_port(items, &device, &port(port_index(pod.hall, leaf)), vec![address]);
            }
        }
        for spare in used..used.next_multiple_of(CARD_PORTS) {
            network::fast_port(items, &device, &port(spare), Vec::new());
        }
    }
    let [a, b] = [0, 1].map(|number| router(site, number).end("ETHERNET", &port(0)));
    items.cable(Cable::new(&first.series(), "AOC", 15.0, a, b).colored("aqua"));
}

/// Writes the ports of a border leaf to the core routers.
pub(super) fn write_leaf_ports(items: &mut Items, pod: &PodPlan, leaf: &Owner, number: usize) {
    for core in 0..2 {
        let [_, address] = transfer(pod, number, core);
        network::fast_port(items, leaf, &leaf_port(core), vec![address]);
    }
}

/// Connects both border leaves of a hall to both core routers.
pub(super) fn join(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    for leaf in 0..2 {
        for core in 0..2 {
            let a = Owner::device(site.name, network::border_leaf(site.name, pod.hall, leaf));
            let a = a.end("ETHERNET", &leaf_port(core));
            let b = router(site, core).end("ETHERNET", &port(port_index(pod.hall, leaf)));
            let length = if pod.hall > 0 { 120.0 } else { 10.0 };
            let cable = Cable::new(&pod.network[leaf].series(), "FIBER_SMF", length, a, b).colored("yellow");
            items.cable(cable.at_risk(&[format!("{}-hall-tray-{}", site.name, core + 1)]));
        }
    }
}

fn leaf_port(core: usize) -> String {
    format!("Ethernet{}", LEAF_PORTS[core])
}
