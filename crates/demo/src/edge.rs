//! Writes the edge site: two racks with a router and a leaf each, and a few servers of the Kubernetes cluster.
//!
//! The first rack has its own PDUs. The second uses the outlet strips of the facility, which are outlets of the rack.
//! The lines to the data centres are written with the other lines; those of the second router pass the panels of both
//! racks.

use serde_json::{Value, json};

use super::catalogue::{EDGE_FIREWALL, EDGE_LEAF, EDGE_PANEL, EDGE_ROUTER, GIGABIT, KUBERNETES, NODE};
use super::gear::{Console, Gear};
use super::item::{Cable, Items, RackPosition, extend};
use super::plan::{EDGE, Plan};
use super::refs::{self, Owner};
use super::{compute, network, panel, places, power, wiring};

/// The number of servers in each of the two racks.
const SERVERS: usize = 4;
/// The ports of a leaf: servers of both racks, then both routers, its peer and the firewall.
const ROUTERS: usize = 2 * SERVERS + 1;
const PEER_PORT: usize = ROUTERS + 2;
const FIREWALL: usize = PEER_PORT + 1;
const LEAF_PORTS: usize = 16;
/// The number of ports of the only management switch for the first rack: PDUs, console server, router, leaf, firewall,
/// servers.
const MANAGED_FIRST: usize = 6 + SERVERS;
/// The number of its ports for the second rack: router, leaf, firewall, servers.
const MANAGED_SECOND: usize = 3 + SERVERS;
/// The number of the transfer network between the routers, in the first rack. Those from a router to both leaves come
/// first.
const ROUTER_TRANSFER: usize = 6;

/// Returns the router in one of the two racks. Its first port is for the line to a data centre.
pub(super) fn router(rack: usize) -> Owner {
    Owner::device(EDGE, format!("{EDGE}-edge-{}", rack + 1))
}

/// Returns the panel in one of the two racks.
pub(super) fn panel_of(plan: &Plan, rack: usize) -> Owner {
    plan.edge[rack].device("pp-1")
}

fn leaf(rack: usize) -> Owner {
    Owner::device(EDGE, format!("{EDGE}-leaf-{}", rack + 1))
}

/// Writes the edge site.
pub(super) fn write(items: &mut Items, plan: &Plan) {
    for rack in &plan.edge {
        places::write_rack(items, rack, "edge", None);
        power::write_rack(items, rack, power::SIDES.map(|side| format!("utility-{side}")), 16);
    }
    let mut first = Gear::with_pdus(items, &plan.edge[0]);
    let mut second = Gear::with_rack_outlets(items, &plan.edge[1]);
    let switch = first.add_switch(items, "oob", RackPosition::Rear(44.0), MANAGED_FIRST + MANAGED_SECOND);
    second.manage_by(items, switch.clone(), MANAGED_FIRST + 1);
    let mut console = Console::new(items, &mut first, format!("{EDGE}-con-1"), RackPosition::Rear(43.0));
    console.attach(items, &plan.edge[0], &switch);
    for (number, gear) in [&mut first, &mut second].into_iter().enumerate() {
        write_network(items, plan, gear, &mut console, number);
    }
    join_network(items, plan);
    for (number, gear) in [&mut first, &mut second].into_iter().enumerate() {
        write_servers(items, gear, number);
    }
}

/// Writes the router, leaf, firewall and panel of a rack.
fn write_network(items: &mut Items, plan: &Plan, gear: &mut Gear, console: &mut Console, number: usize) {
    let rack = &plan.edge[number];
    panel::write(items, rack, &EDGE_PANEL, "pp-1", RackPosition::Front(47.5), wiring::SINGLE);
    let router_name = router(number).name;
    let router =
        network::network_device(items, gear, console, (&EDGE_ROUTER, &router_name, RackPosition::Front(45.0)), 0);
    for leaf in 0..2 {
        let [address, _] = rack.transfer(leaf);
        ten_gigabit(items, &router, &format!("xe-0/0/{}", leaf + 1), json!({"addresses": [address]}));
    }
    let address = plan.edge[0].transfer(ROUTER_TRANSFER)[number].clone();
    ten_gigabit(items, &router, "xe-0/0/3", json!({"addresses": [address]}));

    let leaf_name = leaf(number).name;
    let leaf = network::network_device(items, gear, console, (&EDGE_LEAF, &leaf_name, RackPosition::Rear(47.0)), 1);
    for n in 1..=LEAF_PORTS {
        let more = match n {
            _ if n < ROUTERS => {
                let lag = network::lag(items, &leaf, &format!("Port-Channel{n}"), json!({"speedBps": 25 * GIGABIT}));
                json!({"connector": "25gbase-x-sfp28", "speedBps": 25 * GIGABIT, "mtu": 9000, "lag": lag})
            }
            _ if n < PEER_PORT => json!({"addresses": [plan.edge[n - ROUTERS].transfer(number)[1]]}),
            _ if n <= FIREWALL => json!({}),
            _ => json!({"enabled": false}),
        };
        ten_gigabit(items, &leaf, &format!("Ethernet{n}"), more);
    }
    let firewall = format!("{EDGE}-fw-{}", number + 1);
    let model = (&EDGE_FIREWALL, firewall.as_str(), RackPosition::Front(41.0));
    let firewall = network::network_device(items, gear, console, model, 2);
    ten_gigabit(items, &firewall, "xe-0/0/0", json!({}));
    for name in ["ha0", "oob0"] {
        ten_gigabit(items, &firewall, name, json!({"mgmtOnly": true}));
    }
}

fn ten_gigabit(items: &mut Items, device: &Owner, name: &str, more: Value) {
    let mut port = json!({"connector": "10gbase-x-sfpp", "speedBps": 10 * GIGABIT});
    extend(&mut port, more);
    items.port(device, "ETHERNET", name, port);
}

/// Writes the cables: routers to leaves crosswise, twins to each other, firewalls to the leaves beside them, panel to
/// panel.
fn join_network(items: &mut Items, plan: &Plan) {
    let series = plan.edge[0].series();
    let firewall = |rack: usize| Owner::device(EDGE, format!("{EDGE}-fw-{}", rack + 1));
    let join = |items: &mut Items, a: (&Owner, &str), b: (&Owner, &str)| {
        let (a, b) = (a.0.end("ETHERNET", a.1), b.0.end("ETHERNET", b.1));
        items.cable(Cable::new(&series, "AOC", 3.0, a, b).colored("aqua"))
    };
    for number in 0..2 {
        for other in 0..2 {
            let port = format!("Ethernet{}", ROUTERS + number);
            join(items, (&router(number), &format!("xe-0/0/{}", other + 1)), (&leaf(other), &port));
        }
        let port = format!("Ethernet{FIREWALL}");
        join(items, (&firewall(number), "xe-0/0/0"), (&leaf(number), &port));
    }
    join(items, (&firewall(0), "ha0"), (&firewall(1), "ha0"));
    // The site is managed over its own lines, because it has no other uplink.
    let switch = plan.edge[0].device("oob");
    for (number, uplink) in ["Ethernet25", "Ethernet26"].iter().enumerate() {
        join(items, (&firewall(number), "oob0"), (&switch, uplink));
    }
    join(items, (&router(0), "xe-0/0/3"), (&router(1), "xe-0/0/3"));
    let peer = format!("Ethernet{PEER_PORT}");
    join(items, (&leaf(0), &peer), (&leaf(1), &peer));
    let [a, b] = [0, 1].map(|rack| panel::rear(&panel_of(plan, rack), 1));
    items.cable(Cable::new(&series, "FIBER_SMF", 4.0, a, b).named(format!("{EDGE}-tie-1")).colored("yellow"));
}

/// Writes the servers of a rack, each cabled to the leaves of both racks.
fn write_servers(items: &mut Items, gear: &mut Gear, rack_number: usize) {
    for n in 1..=SERVERS {
        let name = gear.rack.device_name(&format!("node-{n:02}"));
        let address = gear.rack.host_address(9 + n);
        let more = json!({
            "cluster": refs::cluster(KUBERNETES),
            "addresses": [
                {"type": "INTERNAL", "address": address.to_string()},
                {"type": "MANAGEMENT", "address": gear.next_address()},
            ],
            "hardware": NODE.hardware(),
            "labels": {"env": "prod", "role": "node", "team": NODE.model.team, "underlay/cluster-role": "worker"},
        });
        let place = RackPosition::Front(n as f64 * 2.0);
        let server = items.device(gear.rack, &NODE.model, &name, place, more);
        power::dual(items, gear, &server);
        gear.manage(items, &server, "bmc");
        compute::write_nics(items, &server, &NODE, &format!("{address}/24"));
        let port = format!("Ethernet{}", rack_number * SERVERS + n);
        for (number, nic) in compute::NICS.iter().enumerate() {
            let (a, b) = (server.end("ETHERNET", nic), leaf(number).end("ETHERNET", &port));
            let length = if number == rack_number { 2.0 } else { 4.0 };
            items.cable(Cable::new(&gear.rack.series(), "DAC", length, a, b).colored("black"));
        }
    }
}
