//! Writes the clusters, and the servers in compute racks: connected to both leaves of the rack, with two power supplies
//! and a management controller.

use serde_json::{Value, json};

use super::catalogue::{
    ACCELERATOR, ACCELERATORS_IN_A_RACK, ARM_NODE, BLADE, CHASSIS, Class, DATABASE, GIGABIT, HYPERVISOR, HYPERVISORS,
    KUBERNETES, NODE, STORE,
};
use super::fit_out::{FitOut, Servers};
use super::gear::{Console, Cord, Gear};
use super::hosts;
use super::item::{Cable, Items, RackPosition};
use super::plan::Profile;
use super::refs::{self, Owner};
use super::vms;

/// The names of the first two network ports of every server.
pub(super) const NICS: [&str; 2] = ["ens1f0", "ens1f1"];
/// The number of servers on a leaf port that is broken out.
const PER_BREAKOUT: usize = 4;
/// The number of the first address of a server in the network of its rack.
const FIRST_HOST: usize = 10;

/// The servers of a compute rack.
pub(super) struct Contents {
    /// The use of the rack, as in its label `role`.
    pub(super) role: &'static str,
    env: &'static str,
    classes: &'static [(Class, usize)],
}

/// A port, the same on both leaves of a rack, that a server uses.
pub(super) struct HostPort {
    pub(super) speed: u64,
    /// True if the server bonds the two ports.
    pub(super) bonded: bool,
}

/// The position of a server.
enum Home<'a> {
    /// In the rack, from this unit upwards.
    Unit(f64),
    /// In this bay of a chassis, which supplies power and management.
    Bay(&'a Owner, usize),
}

impl Contents {
    pub(super) fn of(profile: Profile) -> Self {
        let (role, env, classes): (_, _, &[(Class, usize)]) = match profile {
            Profile::Kubernetes => ("kubernetes", "prod", &[(NODE, 15)]),
            Profile::KubernetesArm => ("kubernetes", "stage", &[(ARM_NODE, 15)]),
            Profile::Blades => ("kubernetes", "prod", &[(BLADE, 8), (NODE, 6)]),
            Profile::Database => ("database", "prod", &[(DATABASE, 14)]),
            Profile::Hypervisor => ("hypervisor", "prod", &[(HYPERVISOR, 12), (NODE, 2)]),
            Profile::Storage => ("storage", "prod", &[(STORE, 8), (NODE, 4)]),
            Profile::Gpu => ("gpu", "prod", &[(ACCELERATOR, ACCELERATORS_IN_A_RACK)]),
            Profile::Planned => ("kubernetes", "prod", &[(NODE, 8)]),
            Profile::Network | Profile::MeetMe | Profile::Edge => ("network", "prod", &[]),
        };
        Self { role, env, classes }
    }

    /// Returns the tenant of the rack, if all its servers belong to one tenant.
    pub(super) fn tenant(&self) -> Option<&'static str> {
        match self.classes {
            [(class, _)] => class.tenant,
            _ => None,
        }
    }

    /// Returns true if the rack has storage servers on leaf ports that are broken out.
    pub(super) fn breaks_out(&self) -> bool {
        self.classes.iter().any(|(class, _)| broken_out(class))
    }

    /// Returns the leaf ports that serve one server each, in order.
    pub(super) fn host_ports(&self, fit_out: &FitOut) -> Vec<HostPort> {
        let servers = self.classes.iter().flat_map(|(class, number)| std::iter::repeat_n(class, *number));
        let port = |class: &Class, pair| HostPort { speed: class.gigabits * GIGABIT, bonded: pair == 0 };
        servers.flat_map(|class| plain_pairs(class, fit_out).map(move |pair| port(class, pair))).collect()
    }

    /// Returns the number of ports of the management switch that the servers use.
    pub(super) fn managed(&self, fit_out: &FitOut) -> usize {
        let each = if fit_out.servers == Servers::Full { 2 } else { 1 };
        self.classes.iter().map(|(class, number)| if class.stem == BLADE.stem { 1 } else { *number * each }).sum()
    }
}

/// Returns the number of pairs of network ports of a server.
fn pairs(class: &Class, fit_out: &FitOut) -> usize {
    match fit_out.servers {
        Servers::Plain => 1,
        Servers::Full => 1 + class.more_pairs,
    }
}

/// Returns the pairs whose leaf ports are not broken out.
fn plain_pairs(class: &Class, fit_out: &FitOut) -> std::ops::Range<usize> {
    usize::from(broken_out(class))..pairs(class, fit_out)
}

/// Returns the names of a pair of network ports.
fn nics(pair: usize) -> [String; 2] {
    [0, 1].map(|function| format!("ens{}f{function}", pair + 1))
}

fn broken_out(class: &Class) -> bool {
    class.stem == STORE.stem
}

/// Writes the Kubernetes cluster over the sites and the hypervisor cluster.
pub(super) fn write_clusters(items: &mut Items) {
    items.add(
        "cluster",
        json!({
            "name": KUBERNETES,
            "displayName": "Production Kubernetes",
            "type": "KUBERNETES",
            "role": "COMPUTE",
            "controlPlaneSite": refs::site("ams1"),
            "platform": "kubeadm",
            "endpoint": "https://prod-k8s.example.net:6443",
            "labels": {"env": "prod", "team": "platform"},
        }),
    );
    items.add(
        "cluster",
        json!({
            "name": HYPERVISORS,
            "displayName": "Metro hypervisors",
            "type": "HYPERVISOR",
            "role": "COMPUTE",
            "platform": "kvm",
            "endpoint": "https://metro-hv.example.net",
            "labels": {"env": "prod", "team": "platform"},
        }),
    );
}

/// Writes the servers of a compute rack, from the bottom up, and the VMs on them.
pub(super) fn write(
    items: &mut Items,
    gear: &mut Gear,
    console: &mut Console,
    leaves: &[Owner; 2],
    contents: &Contents,
) {
    let (mut unit, mut port, mut host) = (2.0, 1, FIRST_HOST);
    for (class, number) in contents.classes {
        let chassis = (class.stem == BLADE.stem).then(|| write_chassis(items, gear, unit));
        if chassis.is_some() {
            unit += CHASSIS.units;
        }
        let mut written = Vec::new();
        for n in 1..=*number {
            let home = match &chassis {
                Some(chassis) => Home::Bay(chassis, n),
                None => Home::Unit(unit),
            };
            if chassis.is_none() {
                unit += class.model.units;
            }
            let server = write_server(items, (gear, console), class, contents.env, (n, host), home);
            host += 1;
            for pair in plain_pairs(class, gear.rack.fit_out) {
                join_leaves(items, gear, leaves, (&server, pair), port);
                port += 1;
            }
            if class.stem == HYPERVISOR.stem {
                vms::write(items, gear.rack, &server.device);
            }
            written.push(server.device);
        }
        if broken_out(class) {
            break_out(items, gear, leaves, &written);
        }
    }
}

fn write_chassis(items: &mut Items, gear: &mut Gear, unit: f64) -> Owner {
    let name = gear.rack.device_name("chassis-1");
    let more = json!({"inletsRequired": 2, "addresses": gear.addresses(None)});
    let chassis = items.device(gear.rack, &CHASSIS, &name, RackPosition::Front(unit), more);
    gear.power(items, &chassis, 4, Cord::C19);
    gear.manage(items, &chassis, "cmc");
    chassis
}

/// A server that was written, and the status of its cables.
pub(super) struct Server {
    pub(super) device: Owner,
    cables: Option<&'static str>,
}

fn write_server(
    items: &mut Items,
    (gear, console): (&mut Gear, &mut Console),
    class: &Class,
    env: &str,
    (number, host): (usize, usize),
    home: Home,
) -> Server {
    let rack = gear.rack;
    let name = rack.device_name(&format!("{}-{number:02}", class.stem));
    let status = rack.status.or_else(|| fortune(items));
    let address = rack.host_address(host);
    let internal = json!({"type": "INTERNAL", "address": address.to_string()});
    let mut more = server_fields(items, class, env, number);
    more["status"] = json!(status);
    // The simulated appliance of the demo lists these servers.
    if class.stem == ACCELERATOR.stem && rack.fit_out.servers == Servers::Plain {
        more["serial"] = json!(hosts::serial(rack, number));
    }
    let device = match home {
        Home::Unit(unit) => {
            let management = json!({"type": "MANAGEMENT", "address": gear.next_address()});
            more["addresses"] = json!([internal, management]);
            let device = items.device(rack, &class.model, &name, RackPosition::Front(unit), more);
            let cord = if class.stem == ACCELERATOR.stem { Cord::C19 } else { Cord::C13 };
            gear.power(items, &device, 2, cord);
            gear.manage(items, &device, "bmc");
            if rack.fit_out.servers == Servers::Full {
                gear.install(items, &device);
                console.attach(items, rack, &device);
            }
            device
        }
        Home::Bay(chassis, bay) => {
            more["addresses"] = json!([internal]);
            more["parent"] = chassis.reference();
            more["slot"] = json!(bay.to_string());
            items.unracked(rack.site, &class.model, &name, more)
        }
    };
    write_nics(items, &device, class, &format!("{address}/24"));
    write_more_nics(items, &device, class, pairs(class, rack.fit_out));
    let leaving = (status == Some("DECOMMISSIONING")).then_some("DECOMMISSIONING");
    Server { device, cables: rack.cable_status().or(leaving) }
}

/// Returns the fields of a server that do not come from its model.
fn server_fields(items: &mut Items, class: &Class, env: &str, number: usize) -> Value {
    let mut labels = json!({"env": env, "role": class.stem, "team": class.model.team});
    if class.cluster == Some(KUBERNETES) {
        // Only the first node of each rack belongs to the control plane, so that no rack failure takes two such nodes
        // down.
        let first = class.stem == NODE.stem && number == 1;
        labels["underlay/cluster-role"] = json!(if first { "control-plane" } else { "worker" });
    }
    // Only some servers have purchase data, as in reality.
    let bought = items.between(1, 4) == 1;
    let attributes = bought.then(|| {
        let (order, year) = (items.between(20_100, 24_900), items.between(2027, 2030));
        json!({"purchaseOrder": format!("PO-{order}"), "warrantyUntil": format!("{year}-06-30")})
    });
    json!({
        "cluster": class.cluster.map(refs::cluster),
        "tenant": class.tenant,
        "labels": labels,
        "hardware": class.hardware(),
        "attributes": attributes,
    })
}

/// Returns a random status: most servers are active, a few are in another lifecycle status.
fn fortune(items: &mut Items) -> Option<&'static str> {
    match items.between(1, 100) {
        1..=2 => Some("FAILED"),
        3..=4 => Some("OFFLINE"),
        5..=7 => Some("STAGED"),
        8 => Some("DECOMMISSIONING"),
        _ => None,
    }
}

/// Writes the two first network ports of a server under one bond. On a hypervisor, also writes the VLAN of the VMs.
pub(super) fn write_nics(items: &mut Items, server: &Owner, class: &Class, address: &str) {
    let speed = class.gigabits * GIGABIT;
    let bond = json!({"speedBps": 2 * speed, "mtu": 9000, "addresses": [address]});
    let bond = items.port(server, "LAG", "bond0", bond);
    for nic in NICS {
        let mac = items.mac();
        let port = json!({"connector": connector(class), "speedBps": speed, "mtu": 9000, "mac": mac, "lag": bond});
        items.port(server, "ETHERNET", nic, port);
    }
    if class.stem == HYPERVISOR.stem {
        items.port(server, "VIRTUAL", "bond0.200", json!({"mtu": 9000, "parent": bond}));
    }
}

/// Writes the network ports of a server besides the first pair, for storage, backup and the like. They are not bonded.
fn write_more_nics(items: &mut Items, server: &Owner, class: &Class, pairs: usize) {
    for nic in (1..pairs).flat_map(nics) {
        let mac = items.mac();
        let speed = class.gigabits * GIGABIT;
        let port = json!({"connector": connector(class), "speedBps": speed, "mtu": 9000, "mac": mac});
        items.port(server, "ETHERNET", &nic, port);
    }
}

fn connector(class: &Class) -> &'static str {
    if class.gigabits == 100 { "100gbase-x-qsfp28" } else { "25gbase-x-sfp28" }
}

/// Writes the cables from a pair of a server's network ports to the same port of both leaves.
fn join_leaves(items: &mut Items, gear: &Gear, leaves: &[Owner; 2], (server, pair): (&Server, usize), port: usize) {
    for (nic, leaf) in nics(pair).iter().zip(leaves) {
        let (a, b) = (server.device.end("ETHERNET", nic), leaf.end("ETHERNET", &format!("Ethernet{port}")));
        let length = items.length(1, 3);
        let cable = Cable::new(&gear.rack.series(), "DAC", length, a, b).colored("black");
        items.cable(cable.status(server.cables));
    }
}

/// Connects four servers to each leaf port: a cable with one end on one side and four on the other, with a lane for
/// each.
fn break_out(items: &mut Items, gear: &Gear, leaves: &[Owner; 2], servers: &[Owner]) {
    for (nic, leaf) in NICS.iter().zip(leaves) {
        for (servers, port) in servers.chunks(PER_BREAKOUT).zip(gear.rack.fit_out.leaf_breakouts()) {
            let a = leaf.end("ETHERNET", &format!("Ethernet{port}"));
            let lane = |n: usize| json!({"aEnd": 1, "aPosition": n, "bEnd": n, "bPosition": 1});
            let mut cable = Cable::new(&gear.rack.series(), "DAC", 3.0, a, Value::Null);
            cable.b = servers.iter().map(|server| server.end("ETHERNET", nic)).collect();
            cable.lanes = (1..=servers.len()).map(lane).collect();
            items.cable(cable.status(gear.rack.cable_status()));
        }
    }
}
