//! Writes the circuits and the cables from them to the routers, the links between the sites, and the VMs hosted
//! outside.
//!
//! A line starts at a border router and passes the panel in its rack, a trunk, and the panel in the meet-me room. A
//! cross-connect of the colocation provider then leads to the provider's circuit. At the other site the line takes the
//! same steps in reverse.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::border::{self, FIRST_WAN_PORT};
use super::catalogue::GIGABIT;
use super::item::{Cable, Items, extend};
use super::lines::{Far, LINES, Landing, Line};
use super::meet_me::meet_me_panel;
use super::outside::{CIRROLANE, OSPREY};
use super::plan::{EDGE, Plan, SitePlan};
use super::refs::{self, Owner};
use super::{catalogue, edge, network, panel, places, vms};

/// The number of ports of a border router.
const ROUTER_PORTS: usize = 12;
/// The number of pairs from a network rack to each meet-me room.
const PAIRS: usize = 12;

/// Writes all lines, and the objects that depend on them.
pub(super) fn write(items: &mut Items, plan: &Plan) {
    let mut wan = Wan { items, plan, ports: HashMap::new(), pairs: HashMap::new(), cross_connects: [0; 2] };
    let mut backbone = Vec::new();
    for (number, line) in LINES.iter().enumerate() {
        let cables = wan.line(number, line);
        if matches!(line.far, Far::Site(_)) && line.installed_on.is_some() {
            backbone.extend(cables);
        }
    }
    wan.spare_ports();
    write_backup(items);
    write_site_links(items, &backbone);
    vms::write_hosted(items, CIRROLANE);
}

/// The ports and pairs that are in use so far.
struct Wan<'a> {
    items: &'a mut Items,
    plan: &'a Plan,
    /// The next free port of each border router, by site and router.
    ports: HashMap<(usize, usize), usize>,
    /// The number of used pairs to each meet-me room, by site, network rack and room.
    pairs: HashMap<(usize, usize, usize), usize>,
    /// The number of cross-connects of each site.
    cross_connects: [usize; 2],
}

/// An end of a line, up to the handover to the provider.
struct Landed {
    router: Owner,
    /// The panel port that is cabled to the provider's circuit.
    handover: Option<Value>,
    /// The port that the provider's circuit ends at without a cable.
    port: Option<Value>,
    cables: Vec<String>,
}

impl Wan<'_> {
    /// Writes a line and returns the cables that it uses.
    fn line(&mut self, number: usize, line: &Line) -> Vec<String> {
        let [near_addresses, far_addresses] = addresses(number, line);
        let near = self.land(line, line.near, near_addresses);
        let far = match line.far {
            Far::Site(landing) => Some(self.land(line, landing, far_addresses)),
            Far::EdgePort => Some(self.land_on_port(line, far_addresses)),
            Far::EdgePanel => Some(self.land_on_panel(line, far_addresses)),
            Far::Network(_) => None,
        };
        self.circuit(line, far.as_ref());
        let mut cables = self.hand_over(line, "A", Some(line.near), &near);
        if let Some(far) = &far {
            let landing = if let Far::Site(landing) = line.far { Some(landing) } else { None };
            cables.extend(self.hand_over(line, "Z", landing, far));
            self.link(line, [&near.router, &far.router], &cables);
        }
        cables
    }

    /// Writes an end of a line from the next free port of a border router to the front of a panel in a meet-me room.
    fn land(&mut self, line: &Line, landing: Landing, addresses: Vec<String>) -> Landed {
        let Landing { site, router: number, room } = landing;
        let site_plan = &self.plan.sites[site];
        let router = Owner::device(site_plan.name, border::border_router(site_plan.name, number));
        let ports = self.ports.entry((site, number)).or_insert(FIRST_WAN_PORT);
        let port = format!("et-0/0/{ports}");
        *ports += 1;
        let port = self.router_port(line, &router, &port, addresses);
        let pairs = self.pairs.entry((site, number, room)).or_default();
        *pairs += 1;
        let pair = *pairs;
        let rack = &site_plan.pods[0].network[number];
        let front = panel::front(&border::wan_panel(rack), room * PAIRS + pair);
        let patch = Cable::new(&line_series(site_plan), "FIBER_SMF", 2.0, refs::port_end(port), front);
        let trunk = format!("{}-trunk-{}", site_plan.meet_me[room].series(), number + 1);
        let cables = vec![self.items.cable(patch.colored("yellow").status(line.cable_status())), trunk];
        let handover = Some(panel::front(&meet_me_panel(site_plan, room, number), pair));
        Landed { router, handover, port: None, cables }
    }

    fn land_on_port(&mut self, line: &Line, addresses: Vec<String>) -> Landed {
        let router = edge::router(0);
        let port = self.router_port(line, &router, "xe-0/0/0", addresses);
        Landed { router, handover: None, port: Some(port), cables: Vec::new() }
    }

    fn land_on_panel(&mut self, line: &Line, addresses: Vec<String>) -> Landed {
        let router = edge::router(1);
        let port = self.router_port(line, &router, "xe-0/0/0", addresses);
        let [far, near] = [0, 1].map(|rack| panel::front(&edge::panel_of(self.plan, rack), 1));
        let patch = Cable::new(&format!("{EDGE}-wan"), "FIBER_SMF", 1.0, refs::port_end(port), near);
        let cables = vec![self.items.cable(patch.colored("yellow")), format!("{EDGE}-tie-1")];
        Landed { router, handover: Some(far), port: None, cables }
    }

    fn router_port(&mut self, line: &Line, router: &Owner, name: &str, addresses: Vec<String>) -> Value {
        let fast = line.mbps >= 100_000;
        let mut port = json!({
            "connector": if fast { "100gbase-lr4" } else { "10gbase-lr" },
            "speedBps": if fast { network::HUNDRED } else { 10 * GIGABIT },
            "mtu": if line.reach.is_some() { 9214 } else { 1500 },
            "addresses": addresses,
            "description": format!("{} {}", line.provider, line.circuit_id),
        });
        if line.installed_on.is_none() {
            extend(&mut port, json!({"enabled": false}));
        }
        self.items.port(router, "ETHERNET", name, port)
    }

    fn circuit(&mut self, line: &Line, far: Option<&Landed>) {
        let near = &self.plan.sites[line.near.site];
        let z_end = match line.far {
            Far::Site(landing) => json!({"site": refs::site(self.plan.sites[landing.site].name)}),
            Far::Network(network) => json!({"providerNetwork": refs::provider_network(line.provider, network)}),
            Far::EdgePanel => json!({"site": refs::site(EDGE)}),
            Far::EdgePort => json!({"site": refs::site(EDGE), "port": far.and_then(|far| far.port.clone())}),
        };
        let service = (line.provider == CIRROLANE).then(|| {
            let group = "networking.example.net";
            json!({"apiGroup": group, "kind": "Network", "name": "cloud-west", "namespace": "platform"})
        });
        let fields = json!({
            "name": line.name,
            "provider": refs::provider(line.provider),
            "circuitId": line.circuit_id,
            "type": line.kind,
            "bandwidthMbps": line.mbps,
            "distanceM": line.reach.map(|(metres, _)| metres),
            "latencyMs": line.reach.map(|(_, milliseconds)| milliseconds),
            "installedOn": line.installed_on,
            "riskGroups": line.risk_groups,
            "status": line.installed_on.is_none().then_some("PLANNED"),
            "labels": {"env": "prod", "team": "network"},
            "serviceRef": service,
            "aEnd": {"site": refs::site(near.name)},
            "zEnd": z_end,
        });
        self.items.add("circuit", fields);
    }

    /// Cables an end of a line to its circuit, in a data centre through a cross-connect of the colocation provider.
    /// Returns all cables of that end.
    fn hand_over(&mut self, line: &Line, side: &str, landing: Option<Landing>, landed: &Landed) -> Vec<String> {
        let mut cables = landed.cables.clone();
        let Some(handover) = landed.handover.clone() else { return cables };
        let circuit = refs::circuit_end(line.provider, line.name, side);
        let status = line.cable_status();
        let Some(landing) = landing else {
            let cable = Cable::new(&format!("{EDGE}-wan"), "FIBER_SMF", 6.0, handover, circuit);
            cables.push(self.items.cable(cable.colored("yellow").status(status)));
            return cables;
        };
        let site = &self.plan.sites[landing.site];
        let landlord = places::landlord(site.name);
        let name = self.cross_connect(line, landing.site, landlord);
        let series = line_series(site);
        let (a, z) = (refs::circuit_end(landlord, &name, "A"), refs::circuit_end(landlord, &name, "Z"));
        for (a, b) in [(handover, a), (z, circuit)] {
            let cable = Cable::new(&series, "FIBER_SMF", 3.0, a, b).colored("yellow");
            cables.push(self.items.cable(cable.status(status)));
        }
        cables
    }

    fn cross_connect(&mut self, line: &Line, site: usize, landlord: &str) -> String {
        let site_name = self.plan.sites[site].name;
        self.cross_connects[site] += 1;
        let number = self.cross_connects[site];
        let name = format!("xc-{site_name}-{number:03}");
        let order = if line.installed_on.is_some() { Value::Null } else { json!({"ticket": "CHG-40713"}) };
        let fields = json!({
            "name": name,
            "description": format!("to {} {}", line.provider, line.circuit_id),
            "provider": refs::provider(landlord),
            "circuitId": format!("{}-XC-{}", landlord.to_uppercase(), 20_010 + number),
            "type": "CROSS_CONNECT",
            "distanceM": 35 + 5 * number,
            "installedOn": line.installed_on,
            "status": line.installed_on.is_none().then_some("PLANNED"),
            "attributes": order,
            "labels": {"env": "prod", "team": "network"},
            "aEnd": {"site": refs::site(site_name)},
            "zEnd": {"site": refs::site(site_name)},
        });
        self.items.add("circuit", fields);
        name
    }

    /// Writes the link between the routers at both ends of a line.
    fn link(&mut self, line: &Line, [a, b]: [&Owner; 2], cables: &[String]) {
        let cables: Vec<Value> = cables.iter().map(|cable| refs::cable(cable)).collect();
        let link = json!({
            "name": line.name,
            "a": {"device": a.reference()},
            "b": {"device": b.reference()},
            "type": "PHYSICAL",
            "capacityMbps": line.mbps,
            "latencyMs": line.reach.map(|(_, milliseconds)| milliseconds),
            "cables": cables,
        });
        self.items.add("link", link);
    }

    /// Writes the ports of the border routers that no line uses.
    fn spare_ports(&mut self) {
        for (number, site) in self.plan.sites.iter().enumerate() {
            for router in 0..2 {
                let used = self.ports.get(&(number, router)).copied().unwrap_or(FIRST_WAN_PORT);
                let device = Owner::device(site.name, border::border_router(site.name, router));
                for port in used..ROUTER_PORTS {
                    network::fast_port(self.items, &device, &format!("et-0/0/{port}"), Vec::new());
                }
            }
        }
    }
}

impl Line {
    fn cable_status(&self) -> Option<&'static str> {
        self.installed_on.is_none().then_some("PLANNED")
    }
}

/// Returns the prefix of the names of the cables of a data centre's lines.
fn line_series(site: &SitePlan) -> String {
    format!("{}-wan", site.name)
}

/// Returns the addresses at both ends of a line.
fn addresses(number: usize, line: &Line) -> [Vec<String>; 2] {
    let (first, second) = (2 * number, 2 * number + 1);
    match (&line.far, line.kind) {
        (Far::Network(_), "PEERING") => {
            [vec![format!("192.0.2.{}/24", 40 + number), format!("2001:db8:1::{}/64", 40 + number)], Vec::new()]
        }
        (Far::Network(_), _) => {
            let shown = [format!("198.51.100.{second}/31"), format!("2001:db8:2:{number}::1/127")];
            [shown.to_vec(), Vec::new()]
        }
        _ => [vec![format!("10.127.0.{first}/31")], vec![format!("10.127.0.{second}/31")]],
    }
}

/// Writes a layer 2 service that waits for its order. Only its two sites are known.
fn write_backup(items: &mut Items) {
    let fields = json!({
        "name": "l2-rtm1-ams1",
        "provider": refs::provider(OSPREY),
        "circuitId": "OC.2409.L2",
        "type": "PROVIDER_CIRCUIT",
        "bandwidthMbps": 1_000,
        "status": "STAGED",
        "description": "backup for the edge site; demarcation not known yet",
        "labels": {"env": "prod", "team": "network"},
        "aEnd": {"site": refs::site(EDGE)},
        "zEnd": {"site": refs::site("ams1")},
    });
    items.add("circuit", fields);
}

/// Writes the links between whole sites and clusters.
fn write_site_links(items: &mut Items, backbone: &[String]) {
    let cables: Vec<Value> = backbone.iter().map(|cable| refs::cable(cable)).collect();
    items.add(
        "link",
        json!({
            "name": "ams1-ams2-backbone",
            "a": {"site": refs::site("ams1")},
            "b": {"site": refs::site("ams2")},
            "type": "LOGICAL",
            "capacityMbps": 300_000,
            "latencyMs": 0.2,
            "cables": cables,
        }),
    );
    items.add(
        "link",
        json!({
            "name": "rtm1-ams2-tunnel",
            "description": "encrypted tunnel over the internet, last resort",
            "a": {"site": refs::site(EDGE)},
            "b": {"site": refs::site("ams2")},
            "type": "INTERNET",
            "capacityMbps": 500,
            "latencyMs": 4.5,
        }),
    );
    items.add(
        "link",
        json!({
            "name": "k8s-hv",
            "a": {"cluster": refs::cluster(catalogue::KUBERNETES)},
            "b": {"cluster": refs::cluster(catalogue::HYPERVISORS)},
            "type": "LOGICAL",
        }),
    );
}
