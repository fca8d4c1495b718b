//! Writes network racks: two in each pod, at the head of its rows, with spines, panels, console server and management
//! hub.

use serde_json::{Value, json};

use super::catalogue::{GIGABIT, MANAGEMENT_HUB, Model};
use super::fit_out::FitOut;
use super::gear::{Console, Gear};
use super::item::{Cable, Items, RackPosition, extend};
use super::plan::{PodPlan, RACKS_PER_POD, RackPlan, SitePlan};
use super::refs::Owner;
use super::{panel, places, power};

pub(super) const HUNDRED: u64 = 100 * GIGABIT;
/// The management hub's first port for its own rack. The ports before it are for the compute racks.
const HUB_LOCAL: usize = RACKS_PER_POD + 1;
const HUB_PORTS: usize = 28;
/// The management hub's port to the other hub of the pod.
const HUB_PEER: usize = 25;
/// The management hub's port for the uplink out of the site.
const HUB_OUT: usize = 26;
/// The management hub's ports to the next and to the previous pod.
const HUB_NEXT: usize = 27;
const HUB_PREVIOUS: usize = 28;

/// A network rack while its pod is written.
pub(super) struct NetworkRack<'a> {
    pub(super) gear: Gear<'a>,
    pub(super) console: Console,
}

/// Returns a spine of a site. Spines are numbered over all pods.
pub(super) fn spine(site: &SitePlan, pod: &PodPlan, rack: usize, number: usize) -> Owner {
    Owner::device(site.name, format!("{}-spine-{}", site.name, pod.number * 4 + rack * 2 + number + 1))
}

/// Returns the name of a border leaf of a hall.
pub(super) fn border_leaf(site: &str, hall: usize, number: usize) -> String {
    format!("{site}-bleaf-{}", 2 * hall + number + 1)
}

/// Returns the management hub in one of the two network racks of a pod.
pub(super) fn hub(site: &SitePlan, pod: usize, rack: usize) -> Owner {
    Owner::device(site.name, format!("{}-oobhub-{}", site.name, pod * 2 + rack + 1))
}

/// Returns the panel for a row in a network rack.
pub(super) fn row_panel(rack: &RackPlan, row: usize) -> Owner {
    rack.device(&format!("pp-{}", row + 1))
}

/// Writes one of the two network racks of a pod.
pub(super) fn write<'a>(items: &mut Items, site: &SitePlan, pod: &'a PodPlan, number: usize) -> NetworkRack<'a> {
    let rack = &pod.network[number];
    places::write_rack(items, rack, "network", None);
    power::write_rack(items, rack, power::SIDES.map(|side| power::busway(&pod.rows()[number], side)), 32);
    let mut gear = Gear::with_pdus(items, rack);
    write_hub(items, &mut gear, site, pod, number);
    let name = format!("{}-con-{}", site.name, pod.number * 2 + number + 1);
    let console = Console::new(items, &mut gear, name, RackPosition::Rear(46.0));
    let mut written = NetworkRack { gear, console };
    for row in 0..2 {
        let place = RackPosition::Front(47.0 - row as f64);
        let (model, wiring) = &rack.fit_out.row_panel;
        panel::write(items, rack, model, &format!("pp-{}", row + 1), place, *wiring);
    }
    for spine in 0..2 {
        write_spine(items, &mut written, site, pod, (number, spine));
    }
    written
}

fn write_hub(items: &mut Items, gear: &mut Gear, site: &SitePlan, pod: &PodPlan, number: usize) {
    let name = hub(site, pod.number, number).name;
    let address = gear.addresses(None);
    let device =
        items.device(gear.rack, &MANAGEMENT_HUB, &name, RackPosition::Rear(45.0), json!({"addresses": address}));
    for n in 1..=HUB_PORTS {
        let local = (HUB_LOCAL..HUB_PEER).contains(&n);
        let (connector, gigabits) = if local { ("1000base-t", 1) } else { ("10gbase-x-sfpp", 10) };
        let mut port = json!({"connector": connector, "speedBps": gigabits * GIGABIT});
        if !hub_uses(site, pod, n) {
            extend(&mut port, json!({"enabled": false}));
        } else if n == HUB_OUT {
            let way_out = json!({"markConnected": true, "description": "out-of-band uplink of the facility"});
            extend(&mut port, way_out);
        }
        items.port(&device, "ETHERNET", &format!("Ethernet{n}"), port);
    }
    power::dual(items, gear, &device);
    gear.manage_by(items, device, HUB_LOCAL);
}

/// Returns true if a port of a management hub is in use. Unused ports are disabled.
fn hub_uses(site: &SitePlan, pod: &PodPlan, port: usize) -> bool {
    let first_pod = pod.number == 0;
    match port {
        HUB_PEER => true,
        HUB_OUT => first_pod,
        HUB_NEXT => pod.number + 1 < site.pods.len(),
        HUB_PREVIOUS => !first_pod,
        _ if port < HUB_LOCAL => port <= pod.compute.len(),
        _ => port < HUB_LOCAL + managed(site, pod),
    }
}

/// Returns the number of devices of a network rack that its hub manages.
fn managed(site: &SitePlan, pod: &PodPlan) -> usize {
    // Two PDUs, console server, two spines and a UPS.
    let every_pod = 6;
    let border_leaf = usize::from(pod.index == 0);
    // The first pod has the border router, firewall and load balancer, and a core router if there are several halls.
    let first_pod = if pod.number == 0 { 3 + usize::from(site.halls() > 1) } else { 0 };
    every_pod + border_leaf + first_pod
}

/// Connects the management hubs of a pod with each other and with the previous pod.
pub(super) fn join_hubs(items: &mut Items, site: &SitePlan, pod: &PodPlan) {
    let end = |pod: usize, rack: usize, port: usize| hub(site, pod, rack).end("ETHERNET", &format!("Ethernet{port}"));
    let join = |items: &mut Items, media, length, a, b| {
        items.cable(Cable::new(&pod.network[0].series(), media, length, a, b).colored("green"));
    };
    join(items, "FIBER_MMF", 12.0, end(pod.number, 0, HUB_PEER), end(pod.number, 1, HUB_PEER));
    if let Some(previous) = pod.number.checked_sub(1) {
        for rack in 0..2 {
            let (a, b) = (end(pod.number, rack, HUB_PREVIOUS), end(previous, rack, HUB_NEXT));
            join(items, "FIBER_SMF", 40.0, a, b);
        }
    }
}

fn write_spine(
    items: &mut Items,
    rack: &mut NetworkRack,
    site: &SitePlan,
    pod: &PodPlan,
    (number, which): (usize, usize),
) {
    let name = spine(site, pod, number, which).name;
    let place = RackPosition::Front(43.0 - 2.0 * which as f64);
    let device = switch(items, rack, &site.fit_out.spine, &name, place, which);
    for n in 1..=site.fit_out.spine_ports {
        let address = spine_address(site.fit_out, pod, (number, which), n);
        fast_port(items, &device, &format!("Ethernet{n}"), address.into_iter().collect());
    }
}

/// Returns the address of a spine's port, if the port is in use.
fn spine_address(fit_out: &FitOut, pod: &PodPlan, (rack, which): (usize, usize), port: usize) -> Option<String> {
    if port >= fit_out.spine_to_border {
        let border_leaf = port - fit_out.spine_to_border;
        return (border_leaf < 2).then(|| border_transfer(pod, rack, which, border_leaf)[0].clone());
    }
    let (line, index) = ((port - 1) % fit_out.uplinks, (port - 1) / fit_out.uplinks);
    let (leaf, compute) = (index % 2, pod.compute.get(index / 2)?);
    let [address, _] = compute.transfer(fit_out.transfer(leaf, rack * 2 + which, line));
    Some(address)
}

/// Returns the addresses between a spine and a border leaf.
pub(super) fn border_transfer(pod: &PodPlan, rack: usize, spine: usize, border_leaf: usize) -> [String; 2] {
    pod.network[rack].transfer(spine * 2 + border_leaf)
}

/// Returns the port of a spine to a border leaf.
pub(super) fn spine_to_border(fit_out: &FitOut, border_leaf: usize) -> String {
    format!("Ethernet{}", fit_out.spine_to_border + border_leaf)
}

/// Returns the port of a spine to a leaf of a compute rack of its pod, for one of the lines between them.
pub(super) fn spine_to_leaf(fit_out: &FitOut, (rack, leaf): (usize, usize), line: usize) -> String {
    format!("Ethernet{}", (2 * rack + leaf) * fit_out.uplinks + line + 1)
}

/// Adds a network device with its usual equipment: loopback, power, management and console. `number` counts the devices
/// with a loopback in the rack.
pub(super) fn switch(
    items: &mut Items,
    rack: &mut NetworkRack,
    model: &Model,
    name: &str,
    place: RackPosition,
    number: usize,
) -> Owner {
    network_device(items, &mut rack.gear, &mut rack.console, (model, name, place), number)
}

/// Adds a network device like [`switch`], in a rack that uses another rack's console server.
pub(super) fn network_device(
    items: &mut Items,
    gear: &mut Gear,
    console: &mut Console,
    (model, name, place): (&Model, &str, RackPosition),
    number: usize,
) -> Owner {
    let loopback = gear.rack.loopback(number);
    let more = json!({"addresses": gear.addresses(Some(loopback.to_string()))});
    let device = items.device(gear.rack, model, name, place, more);
    items.port(&device, "VIRTUAL", "Loopback0", json!({"addresses": [format!("{loopback}/32")]}));
    power::dual(items, gear, &device);
    gear.manage(items, &device, "Management1");
    console.attach(items, gear.rack, &device);
    device
}

/// Adds a 100G port. It is routed if it has addresses, and disabled as unused otherwise.
pub(super) fn fast_port(items: &mut Items, device: &Owner, name: &str, addresses: Vec<String>) {
    let mut port = json!({"connector": "100gbase-x-qsfp28", "speedBps": HUNDRED});
    let used =
        if addresses.is_empty() { json!({"enabled": false}) } else { json!({"mtu": 9214, "addresses": addresses}) };
    extend(&mut port, used);
    items.port(device, "ETHERNET", name, port);
}

/// Adds a LAG and returns its reference.
pub(super) fn lag(items: &mut Items, device: &Owner, name: &str, more: Value) -> Value {
    items.port(device, "LAG", name, more)
}
