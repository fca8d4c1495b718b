//! Pods: two network racks, and compute racks with a pair of leaves each.
//!
//! A leaf reaches each of the four spines through its rack's panel, an MPO trunk that carries four lines, and the
//! panel for its row in a network rack. Each rack has one trunk to each network rack.

use serde_json::json;

use super::catalogue::{GIGABIT, LEAF, RACK_PANEL, WIDE_LEAF};
use super::compute::{self, Contents};
use super::gear::{Console, Gear};
use super::item::{Cable, Items, Place};
use super::network::{self, HUNDRED, NetworkRack};
use super::plan::{PodPlan, Profile, RACKS_PER_ROW, RackPlan, SitePlan};
use super::refs::Owner;
use super::{border, panel, places, power};

/// The leaf's first port to a spine, after those for servers.
const FIRST_UPLINK: usize = 25;
/// The leaf's ports to the other leaf of the rack.
const PEERS: [usize; 2] = [29, 30];
/// The leaf's ports that can be broken out to four.
pub(super) const BREAKOUTS: [usize; 2] = [31, 32];

/// Writes a pod of a data centre.
pub(super) fn write_pod(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    let ups = power::write_pod(items, site.name, pod);
    let mut racks = [0, 1].map(|number| network::write(items, site, pod, number));
    let [first, second] = &mut racks;
    power::manage(items, &ups, [&mut first.gear, &mut second.gear]);
    network::join_hubs(items, site, pod);
    if pod.number == 0 {
        border::write(items, site, pod, &mut racks);
    }
    join_border(items, site, pod);
    for number in 0..pod.compute.len() {
        let NetworkRack { console, .. } = &mut racks[number / RACKS_PER_ROW];
        write_compute(items, site, pod, number, console);
    }
}

/// Joins each spine of the pod to both border leaves.
fn join_border(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    for (rack, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        for leaf in 0..2 {
            let a = network::spine(site, pod, rack, spine).end("ETHERNET", &network::spine_to_border(leaf));
            let b = Owner::device(site.name, border::border_leaf(site.name, leaf));
            let b = b.end("ETHERNET", &border::leaf_to_spine(pod.number, rack, spine));
            let length = if pod.number > 0 { 35.0 } else { 5.0 };
            items.cable(Cable::new(&pod.network[rack].series(), "FIBER_SMF", length, a, b).colored("yellow"));
        }
    }
}

fn write_compute(items: &mut Items, site: &SitePlan, pod: &PodPlan, number: usize, console: &mut Console) {
    let rack = &pod.compute[number];
    let contents = Contents::of(rack.profile);
    places::write_rack(items, rack, contents.role, contents.tenant());
    power::write_rack(
        items,
        rack,
        power::SIDES.map(|side| power::busway(&pod.rows()[number / RACKS_PER_ROW], side)),
        32,
    );
    let mut gear = Gear::with_pdus(items, rack);
    // Two PDUs, two leaves, and the controllers of the servers.
    let oob = gear.add_switch(items, "oob", Place::Rear(45.0), 4 + contents.managed());
    console.attach(items, rack, &oob);
    for hub in 0..2 {
        let a = oob.end("ETHERNET", &format!("Ethernet{}", 25 + hub));
        let b = network::hub(site, pod.number, hub).end("ETHERNET", &format!("Ethernet{}", number + 1));
        let cable = Cable::new(&rack.series(), "FIBER_MMF", distance(number), a, b);
        items.cable(cable.colored("green").status(rack.cable_status()));
    }
    panel::write(items, rack, &RACK_PANEL, "pp-1", Place::Front(47.0), panel::RACK);
    let leaves = [0, 1].map(|leaf| write_leaf(items, &mut gear, console, &contents, leaf));
    join_leaves(items, rack, &leaves);
    join_spines(items, site, pod, number, &leaves);
    compute::write(items, &mut gear, &leaves, &contents);
}

/// Metres of cable from a compute rack to a network rack.
fn distance(number: usize) -> f64 {
    10.0 + 2.5 * (number % RACKS_PER_ROW) as f64
}

fn write_leaf(items: &mut Items, gear: &mut Gear, console: &mut Console, contents: &Contents, number: usize) -> Owner {
    let rack = gear.rack;
    let model = if rack.profile == Profile::Gpu { &WIDE_LEAF } else { &LEAF };
    let name = rack.device_name(&format!("leaf-{}", number + 1));
    let place = Place::Rear(47.0 - number as f64);
    let leaf = network::network_device(items, gear, console, (model, &name, place), number);
    write_host_ports(items, &leaf, contents);
    for spine in 0..4 {
        let [_, address] = rack.transfer(number * 4 + spine);
        network::fast_port(items, &leaf, &format!("Ethernet{}", FIRST_UPLINK + spine), vec![address]);
    }
    let peer = network::lag(items, &leaf, "Port-Channel1000", json!({"speedBps": 2 * HUNDRED}));
    for port in PEERS {
        let port_name = format!("Ethernet{port}");
        let port = json!({"connector": "100gbase-x-qsfp28", "speedBps": HUNDRED, "mtu": 9214, "lag": peer});
        items.port(&leaf, "ETHERNET", &port_name, port);
    }
    for port in BREAKOUTS {
        let port_name = format!("Ethernet{port}");
        if contents.breaks_out() {
            let port = json!({"connector": "100gbase-x-qsfp28", "speedBps": HUNDRED, "mtu": 9214, "positions": 4});
            items.port(&leaf, "ETHERNET", &port_name, port);
        } else {
            network::fast_port(items, &leaf, &port_name, Vec::new());
        }
    }
    leaf
}

/// The leaf's ports for servers: those in use with a port channel that both leaves of the rack share.
fn write_host_ports(items: &mut Items, leaf: &Owner, contents: &Contents) {
    let speeds = contents.port_speeds();
    for n in 1..FIRST_UPLINK {
        let name = format!("Ethernet{n}");
        let Some(speed) = speeds.get(n - 1) else {
            let port = json!({"connector": "25gbase-x-sfp28", "speedBps": 25 * GIGABIT, "enabled": false});
            items.port(leaf, "ETHERNET", &name, port);
            continue;
        };
        let connector = if *speed == HUNDRED { "100gbase-x-qsfp28" } else { "25gbase-x-sfp28" };
        let lag = network::lag(items, leaf, &format!("Port-Channel{n}"), json!({"speedBps": speed}));
        let port = json!({"connector": connector, "speedBps": speed, "mtu": 9000, "lag": lag});
        items.port(leaf, "ETHERNET", &name, port);
    }
}

fn join_leaves(items: &mut Items, rack: &RackPlan, leaves: &[Owner; 2]) {
    let cables = PEERS.map(|port| {
        let [a, b] = [&leaves[0], &leaves[1]].map(|leaf| leaf.end("ETHERNET", &format!("Ethernet{port}")));
        let cable = Cable::new(&rack.series(), "DAC", 0.5, a, b).colored("black");
        items.cable(cable.status(rack.cable_status()))
    });
    border::pair_link(items, &format!("{}-leaf-pair", rack.series()), [&leaves[0], &leaves[1]], 200_000, &cables);
}

/// The lines from both leaves of a rack to the spines: patch cable, panel, trunk, panel, patch cable.
fn join_spines(items: &mut Items, site: &SitePlan, pod: &PodPlan, number: usize, leaves: &[Owner; 2]) {
    let rack = &pod.compute[number];
    let (row, place) = (number / RACKS_PER_ROW, number % RACKS_PER_ROW);
    let near = rack.device("pp-1");
    let (series, status) = (rack.series(), rack.cable_status());
    for (head, network_rack) in pod.network.iter().enumerate() {
        let far = network::row_panel(network_rack, row);
        let trunk = Cable::new(
            &series,
            "FIBER_SMF",
            distance(number) + if head == row { 0.0 } else { 8.0 },
            panel::rear(&near, head + 1),
            panel::rear(&far, place + 1),
        );
        let tray = format!("{}-tray-{}", site.name, 2 * pod.number + head + 1);
        let trunk = trunk.named(format!("{series}-trunk-{}", head + 1)).colored("yellow").at_risk(&[tray]);
        items.cable(trunk.status(status));
        for (leaf_number, leaf) in leaves.iter().enumerate() {
            for spine in 0..2 {
                let pair = leaf_number * 2 + spine + 1;
                let uplink = leaf.end("ETHERNET", &format!("Ethernet{}", FIRST_UPLINK + head * 2 + spine));
                let cable = Cable::new(&series, "FIBER_SMF", 1.0, uplink, panel::front(&near, head * 4 + pair));
                items.cable(cable.colored("yellow").status(status));
                let port = network::spine_to_leaf(number, leaf_number);
                let port = network::spine(site, pod, head, spine).end("ETHERNET", &port);
                let cable = Cable::new(&series, "FIBER_SMF", 2.0, panel::front(&far, place * 4 + pair), port);
                items.cable(cable.colored("yellow").status(status));
            }
        }
    }
}
