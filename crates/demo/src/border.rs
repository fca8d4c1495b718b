//! Writes the border tier of a data centre, in the network racks of its first pod: border leaves, border routers,
//! firewalls, load balancers. Every device has a twin in the other rack, and is attached to both border leaves. Each
//! further hall has its own border leaves, in the network racks of its first pod.

use serde_json::{Value, json};

use super::catalogue::{BORDER_ROUTER, FIREWALL, GIGABIT, LOAD_BALANCER, Model, WAN_PANEL};
use super::core;
use super::item::{Cable, Items, RackPosition};
use super::network::{self, HUNDRED, NetworkRack};
use super::panel;
use super::plan::{PodPlan, RackPlan, SitePlan};
use super::refs::{self, Owner};
use super::wiring;

/// The first ports of a border leaf by use: two border routers, two firewalls, two load balancers, its peer twice, then
/// the spines.
const ROUTERS: usize = 1;
const FIREWALLS: usize = 3;
const LOAD_BALANCERS: usize = 5;
const PEER_PORT: usize = 7;
const SPINES: usize = 9;
/// The numbers of the transfer networks of a network rack; those of its spines come first.
const LEAF_TRANSFER: usize = 4;
const ROUTER_TRANSFER: usize = 6;
/// The border router's first port to the outside. The ports before it connect to the border leaves and the other
/// router.
pub(super) const FIRST_WAN_PORT: usize = 3;

pub(super) fn border_router(site: &str, number: usize) -> String {
    format!("{site}-border-{}", number + 1)
}

/// Returns the panel in a network rack from which the trunks to the meet-me rooms start.
pub(super) fn wan_panel(rack: &RackPlan) -> Owner {
    rack.device("pp-wan")
}

/// Writes the border leaves of a hall into the network racks of its first pod. In the first hall of a site, also writes
/// the rest of the border tier.
pub(super) fn write(items: &mut Items, site: &SitePlan, pod: &PodPlan, racks: &mut [NetworkRack; 2]) {
    match pod.hall {
        0 => write_first(items, site, pod, racks),
        _ => {
            for (number, rack) in racks.iter_mut().enumerate() {
                write_leaf(items, rack, site, pod, number);
            }
            write_pair(items, site, pod, &border_leaves());
        }
    }
    if site.halls() > 1 {
        if pod.hall == 0 {
            core::write(items, site, racks);
        }
        core::join(items, site, pod);
    }
}

fn write_first(items: &mut Items, site: &SitePlan, pod: &PodPlan, racks: &mut [NetworkRack; 2]) {
    let mut services = Vec::new();
    for (number, rack) in racks.iter_mut().enumerate() {
        write_leaf(items, rack, site, pod, number);
        write_router(items, rack, site, pod, number);
        services.push((number, FIREWALLS, service(items, rack, site, &FIREWALL, ("fw", 33.0), number)));
        services.push((number, LOAD_BALANCERS, service(items, rack, site, &LOAD_BALANCER, ("lb", 30.0), number)));
        panel::write(items, rack.gear.rack, &WAN_PANEL, "pp-wan", RackPosition::Front(45.0), wiring::WAN);
    }
    for (number, first_port, device) in services {
        for leaf in 0..2 {
            let end = device.end("ETHERNET", &format!("xe-0/0/{leaf}"));
            attach(items, site, pod, (number, end), (leaf, first_port + number));
        }
    }
    for number in 0..2 {
        let router = Owner::device(site.name, border_router(site.name, number));
        for leaf in 0..2 {
            let end = router.end("ETHERNET", &format!("et-0/0/{leaf}"));
            attach(items, site, pod, (number, end), (leaf, ROUTERS + number));
        }
    }
    let state = || vec!["ha0".to_owned()];
    for twins in [
        border_leaves(),
        Twins { stem: "border", ports: vec!["et-0/0/2".to_owned()], capacity_mbps: 100_000 },
        Twins { stem: "fw", ports: state(), capacity_mbps: 10_000 },
        Twins { stem: "lb", ports: state(), capacity_mbps: 10_000 },
    ] {
        write_pair(items, site, pod, &twins);
    }
}

fn write_leaf(items: &mut Items, rack: &mut NetworkRack, site: &SitePlan, pod: &PodPlan, number: usize) {
    let name = network::border_leaf(site.name, pod.hall, number);
    let leaf = network::switch(items, rack, &site.fit_out.border_leaf, &name, RackPosition::Rear(39.0), 2);
    match pod.hall {
        0 => write_service_ports(items, &leaf, site, number),
        _ => (ROUTERS..PEER_PORT).for_each(|n| network::fast_port(items, &leaf, &format!("Ethernet{n}"), Vec::new())),
    }
    let peer = network::lag(items, &leaf, "Port-Channel1000", json!({"speedBps": 2 * HUNDRED}));
    for n in [PEER_PORT, PEER_PORT + 1] {
        member(items, &leaf, n, peer.clone(), HUNDRED);
    }
    let mut port = SPINES;
    for pod in site.hall(pod.hall) {
        for (rack, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [_, address] = network::border_transfer(pod, rack, spine, number);
            network::fast_port(items, &leaf, &format!("Ethernet{port}"), vec![address]);
            port += 1;
        }
    }
    if site.halls() > 1 {
        core::write_leaf_ports(items, pod, &leaf, number);
    }
    for spare in port..=site.fit_out.border_leaf_ports {
        if site.halls() == 1 || !core::LEAF_PORTS.contains(&spare) {
            network::fast_port(items, &leaf, &format!("Ethernet{spare}"), Vec::new());
        }
    }
}

/// Writes the ports of a border leaf for the rest of the border tier.
fn write_service_ports(items: &mut Items, leaf: &Owner, site: &SitePlan, number: usize) {
    for router in 0..2 {
        let [_, address] = site.pods[0].network[router].transfer(LEAF_TRANSFER + number);
        network::fast_port(items, leaf, &format!("Ethernet{}", ROUTERS + router), vec![address]);
    }
    for n in FIREWALLS..PEER_PORT {
        let lag = network::lag(items, leaf, &format!("Port-Channel{n}"), json!({"speedBps": 10 * GIGABIT}));
        member(items, leaf, n, lag, 10 * GIGABIT);
    }
}

/// Returns the port of both border leaves of a hall to a spine of one of its pods.
pub(super) fn leaf_to_spine(pod: &PodPlan, rack: usize, spine: usize) -> String {
    format!("Ethernet{}", SPINES + pod.index * 4 + rack * 2 + spine)
}

fn member(items: &mut Items, leaf: &Owner, number: usize, lag: Value, speed: u64) {
    let port = json!({"connector": "100gbase-x-qsfp28", "speedBps": speed, "mtu": 9214, "lag": lag});
    items.port(leaf, "ETHERNET", &format!("Ethernet{number}"), port);
}

/// Writes a border router with its ports to the inside. The ports to the outside are written with the lines.
fn write_router(items: &mut Items, rack: &mut NetworkRack, site: &SitePlan, pod: &PodPlan, number: usize) {
    let name = border_router(site.name, number);
    let router = network::switch(items, rack, &BORDER_ROUTER, &name, RackPosition::Front(36.0), 3);
    for leaf in 0..2 {
        let [address, _] = pod.network[number].transfer(LEAF_TRANSFER + leaf);
        network::fast_port(items, &router, &format!("et-0/0/{leaf}"), vec![address]);
    }
    let address = pod.network[0].transfer(ROUTER_TRANSFER)[number].clone();
    network::fast_port(items, &router, "et-0/0/2", vec![address]);
}

/// Writes a firewall or load balancer with one LAG over both border leaves and a port for its twin.
fn service(
    items: &mut Items,
    rack: &mut NetworkRack,
    site: &SitePlan,
    model: &Model,
    (stem, unit): (&str, f64),
    number: usize,
) -> Owner {
    let loopback = if stem == "fw" { 4 } else { 5 };
    let name = format!("{}-{stem}-{}", site.name, number + 1);
    let device = network::switch(items, rack, model, &name, RackPosition::Front(unit), loopback);
    let lag = network::lag(items, &device, "ae1", json!({"speedBps": 20 * GIGABIT}));
    for n in 0..2 {
        let mac = items.mac();
        let port = json!({"connector": "10gbase-x-sfpp", "speedBps": 10 * GIGABIT, "mac": mac, "lag": lag});
        items.port(&device, "ETHERNET", &format!("xe-0/0/{n}"), port);
    }
    // The twins replicate their state over this port; it carries no user traffic.
    let twin = json!({"connector": "10gbase-x-sfpp", "speedBps": 10 * GIGABIT, "mgmtOnly": true});
    items.port(&device, "ETHERNET", "ha0", twin);
    device
}

/// Writes a cable from a device in a network rack to a port of a border leaf, which can be in the other network rack.
fn attach(
    items: &mut Items,
    site: &SitePlan,
    pod: &PodPlan,
    (rack, end): (usize, Value),
    (leaf, port): (usize, usize),
) {
    let leaf_end = Owner::device(site.name, network::border_leaf(site.name, pod.hall, leaf))
        .end("ETHERNET", &format!("Ethernet{port}"));
    let series = pod.network[rack].series();
    let cable = if rack == leaf {
        Cable::new(&series, "DAC", 2.0, end, leaf_end).colored("black")
    } else {
        Cable::new(&series, "AOC", 15.0, end, leaf_end).colored("aqua").at_risk(&[row_tray(site.name, pod)])
    };
    items.cable(cable);
}

/// Returns the tray over the aisle between the two rows of a pod.
fn row_tray(site: &str, pod: &PodPlan) -> String {
    format!("{site}-tray-{}", 2 * pod.number + 1)
}

/// A pair of devices that are connected to each other.
struct Twins {
    /// The part of their names between site and number: `fw` in `ams1-fw-1`.
    stem: &'static str,
    /// The ports that connect them, the same on both.
    ports: Vec<String>,
    capacity_mbps: u64,
}

fn border_leaves() -> Twins {
    let ports = [PEER_PORT, PEER_PORT + 1].map(|port| format!("Ethernet{port}")).to_vec();
    Twins { stem: "bleaf", ports, capacity_mbps: 200_000 }
}

/// Connects the twins of a hall, with a link between them.
fn write_pair(items: &mut Items, site: &SitePlan, pod: &PodPlan, Twins { stem, ports, capacity_mbps }: &Twins) {
    let first = 2 * pod.hall + 1;
    let twins = [first, first + 1].map(|number| Owner::device(site.name, format!("{}-{stem}-{number}", site.name)));
    let mut cables = Vec::new();
    for port in ports {
        let [a, b] = [&twins[0], &twins[1]].map(|twin| twin.end("ETHERNET", port));
        let cable = Cable::new(&pod.network[0].series(), "AOC", 15.0, a, b).colored("aqua");
        cables.push(items.cable(cable.at_risk(&[row_tray(site.name, pod)])));
    }
    let [a, b] = &twins;
    let number = if pod.hall > 0 { format!("-{}", pod.hall + 1) } else { String::new() };
    pair_link(items, &format!("{}-{stem}-pair{number}", site.name), [a, b], *capacity_mbps, &cables);
}

/// Writes a link between two devices of a site, over these cables.
pub(super) fn pair_link(items: &mut Items, name: &str, [a, b]: [&Owner; 2], capacity_mbps: u64, cables: &[String]) {
    let cables: Vec<Value> = cables.iter().map(|cable| refs::cable(cable)).collect();
    let link = json!({
        "name": name,
        "a": {"device": a.reference()},
        "b": {"device": b.reference()},
        "type": "PHYSICAL",
        "capacityMbps": capacity_mbps,
        "cables": cables,
    });
    items.add("link", link);
}
