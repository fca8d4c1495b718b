//! Writes pods: two network racks, and compute racks with a pair of leaves each.
//!
//! A leaf reaches each of the four spines through three things: the panel of its rack, an MPO trunk of four lines, and
//! the panel for its row in a network rack. Each rack has as many trunks to each network rack as its leaves have lines
//! to each spine. The lines of one trunk lead to different spines.

use serde_json::json;

use super::catalogue::GIGABIT;
use super::compute::{self, Contents, HostPort};
use super::fit_out::{FitOut, TRUNK_LINES};
use super::gear::{Console, Gear};
use super::item::{Cable, Items, RackPosition, extend};
use super::network::{self, HUNDRED, NetworkRack};
use super::plan::{PodPlan, Profile, RACKS_PER_ROW, RackPlan, SitePlan};
use super::refs::Owner;
use super::{border, panel, places, power};

/// Writes a pod of a data centre.
pub(super) fn write_pod(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    let ups = power::write_pod(items, site.name, pod);
    let mut racks = [0, 1].map(|number| network::write(items, site, pod, number));
    let [first, second] = &mut racks;
    power::manage(items, &ups, [&mut first.gear, &mut second.gear]);
    network::join_hubs(items, site, pod);
    if pod.index == 0 {
        border::write(items, site, pod, &mut racks);
    }
    join_border(items, site, pod);
    for number in 0..pod.compute.len() {
        let NetworkRack { console, .. } = &mut racks[number / RACKS_PER_ROW];
        write_compute(items, site, pod, number, console);
    }
}

/// Connects each spine of the pod to both border leaves.
fn join_border(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    for (rack, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        for leaf in 0..2 {
            let a =
                network::spine(site, pod, rack, spine).end("ETHERNET", &network::spine_to_border(site.fit_out, leaf));
            let b = Owner::device(site.name, network::border_leaf(site.name, pod.hall, leaf));
            let b = b.end("ETHERNET", &border::leaf_to_spine(pod, rack, spine));
            let length = if pod.index > 0 { 35.0 } else { 5.0 };
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
    // The management switch serves two PDUs, two leaves, and the controllers of the servers.
    let oob = gear.add_switch(items, "oob", RackPosition::Rear(45.0), 4 + contents.managed(rack.fit_out));
    console.attach(items, rack, &oob);
    for hub in 0..2 {
        let a = oob.end("ETHERNET", &format!("Ethernet{}", rack.fit_out.management_ports + 1 + hub));
        let b = network::hub(site, pod.number, hub).end("ETHERNET", &format!("Ethernet{}", number + 1));
        let cable = Cable::new(&rack.series(), "FIBER_MMF", distance(number), a, b);
        items.cable(cable.colored("green").status(rack.cable_status()));
    }
    let (model, wiring) = &rack.fit_out.rack_panel;
    panel::write(items, rack, model, "pp-1", RackPosition::Front(47.0), *wiring);
    let leaves = [0, 1].map(|leaf| write_leaf(items, &mut gear, console, &contents, leaf));
    join_leaves(items, rack, &leaves);
    join_spines(items, site, pod, number, &leaves);
    compute::write(items, &mut gear, console, &leaves, &contents);
}

/// Returns the cable length from a compute rack to a network rack in metres.
fn distance(number: usize) -> f64 {
    10.0 + 2.5 * (number % RACKS_PER_ROW) as f64
}

fn write_leaf(items: &mut Items, gear: &mut Gear, console: &mut Console, contents: &Contents, number: usize) -> Owner {
    let rack = gear.rack;
    let fit_out = rack.fit_out;
    let model = if rack.profile == Profile::Gpu { &fit_out.wide_leaf } else { &fit_out.leaf };
    let name = rack.device_name(&format!("leaf-{}", number + 1));
    let place = RackPosition::Rear(47.0 - number as f64);
    let leaf = network::network_device(items, gear, console, (model, &name, place), number);
    write_host_ports(items, &leaf, fit_out, contents);
    for (spine, line) in lines(fit_out) {
        let [_, address] = rack.transfer(fit_out.transfer(number, spine, line));
        network::fast_port(items, &leaf, &fit_out.leaf_to_spine(spine, line), vec![address]);
    }
    let peer = network::lag(items, &leaf, "Port-Channel1000", json!({"speedBps": 2 * HUNDRED}));
    for port in fit_out.leaf_peers() {
        let port_name = format!("Ethernet{port}");
        let port = json!({"connector": "100gbase-x-qsfp28", "speedBps": HUNDRED, "mtu": 9214, "lag": peer});
        items.port(&leaf, "ETHERNET", &port_name, port);
    }
    for port in fit_out.leaf_breakouts() {
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

/// Returns the lines from a leaf to the spines of its pod, as pairs of spine and number of the line to it.
fn lines(fit_out: &FitOut) -> impl Iterator<Item = (usize, usize)> {
    (0..4).flat_map(|spine| (0..fit_out.uplinks).map(move |line| (spine, line)))
}

/// Writes the leaf's ports for servers. If the server bonds its ports, the port is in a port channel that both leaves
/// of the rack share.
fn write_host_ports(items: &mut Items, leaf: &Owner, fit_out: &FitOut, contents: &Contents) {
    let used = contents.host_ports(fit_out);
    for n in 1..=fit_out.host_ports {
        let name = format!("Ethernet{n}");
        let Some(HostPort { speed, bonded }) = used.get(n - 1) else {
            let port = json!({"connector": "25gbase-x-sfp28", "speedBps": 25 * GIGABIT, "enabled": false});
            items.port(leaf, "ETHERNET", &name, port);
            continue;
        };
        let connector = if *speed == HUNDRED { "100gbase-x-qsfp28" } else { "25gbase-x-sfp28" };
        let mut port = json!({"connector": connector, "speedBps": speed, "mtu": 9000});
        if *bonded {
            let lag = network::lag(items, leaf, &format!("Port-Channel{n}"), json!({"speedBps": speed}));
            extend(&mut port, json!({"lag": lag}));
        }
        items.port(leaf, "ETHERNET", &name, port);
    }
}

fn join_leaves(items: &mut Items, rack: &RackPlan, leaves: &[Owner; 2]) {
    let cables = rack.fit_out.leaf_peers().map(|port| {
        let [a, b] = [&leaves[0], &leaves[1]].map(|leaf| leaf.end("ETHERNET", &format!("Ethernet{port}")));
        let cable = Cable::new(&rack.series(), "DAC", 0.5, a, b).colored("black");
        items.cable(cable.status(rack.cable_status()))
    });
    border::pair_link(items, &format!("{}-leaf-pair", rack.series()), [&leaves[0], &leaves[1]], 200_000, &cables);
}

/// Writes the lines from both leaves of a rack to the spines: patch cable, panel, trunk, panel, patch cable.
fn join_spines(items: &mut Items, site: &SitePlan, pod: &PodPlan, number: usize, leaves: &[Owner; 2]) {
    let rack = &pod.compute[number];
    let (row, index) = (number / RACKS_PER_ROW, number % RACKS_PER_ROW);
    let near_panel = rack.device("pp-1");
    let (series, status) = (rack.series(), rack.cable_status());
    let fit_out = rack.fit_out;
    for (head, network_rack) in pod.network.iter().enumerate() {
        let far_panel = network::row_panel(network_rack, row);
        let tray = format!("{}-tray-{}", site.name, 2 * pod.number + head + 1);
        for line in 0..fit_out.uplinks {
            let (near_rear, far_rear) = (head * fit_out.uplinks + line, index * fit_out.uplinks + line);
            let trunk = Cable::new(
                &series,
                "FIBER_SMF",
                distance(number) + if head == row { 0.0 } else { 8.0 },
                panel::rear(&near_panel, near_rear + 1),
                panel::rear(&far_panel, far_rear + 1),
            );
            let trunk = trunk.named(format!("{series}-trunk-{}", near_rear + 1)).colored("yellow");
            items.cable(trunk.at_risk(std::slice::from_ref(&tray)).status(status));
            for (leaf_number, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let pair = leaf_number * 2 + spine + 1;
                let (near, far) = (near_rear * TRUNK_LINES + pair, far_rear * TRUNK_LINES + pair);
                let uplink = leaves[leaf_number].end("ETHERNET", &fit_out.leaf_to_spine(head * 2 + spine, line));
                let cable = Cable::new(&series, "FIBER_SMF", 1.0, uplink, panel::front(&near_panel, near));
                items.cable(cable.colored("yellow").status(status));
                let port = network::spine_to_leaf(fit_out, (number, leaf_number), line);
                let port = network::spine(site, pod, head, spine).end("ETHERNET", &port);
                let cable = Cable::new(&series, "FIBER_SMF", 2.0, panel::front(&far_panel, far), port);
                items.cable(cable.colored("yellow").status(status));
            }
        }
    }
}
