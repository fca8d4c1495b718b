//! Small random networks. They are written through the write path, and also known as plain lists of nodes and
//! connections, so that queries can be answered by trying everything.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

/// The metres of cable that take a millisecond.
const METRES_OF_A_MS: f64 = 200_000.0;
/// All lengths are multiples of this many metres, half a millisecond.
const A_LENGTH: f64 = 100_000.0;

/// A network.
pub struct Net {
    /// The prefix of all its names.
    pub prefix: String,
    pub nodes: Vec<Node>,
    pub segments: Vec<Segment>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Device,
    Network,
    Site,
}

/// A device, a provider network or a site.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: String,
    pub kind: Kind,
    pub forwards: bool,
    pub managed: bool,
    pub runs: bool,
    /// The number of its chassis, or of its site.
    pub parent: Option<usize>,
    pub site: usize,
}

/// The way in which two nodes are connected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// A cable between two devices, one port of which may be for management.
    Cable { managed: bool },
    /// A circuit, cabled to devices; its latency, whether it is a cross-connect, and the lengths of its cables.
    Circuit { latency: Option<f64>, passive: bool, cords: [Option<f64>; 2] },
    /// A link without cables; its latency.
    Link { latency: Option<f64> },
    /// A common chassis.
    Whole,
    /// A device that is at a site.
    Member,
}

/// The connection of two nodes.
#[derive(Clone, Debug)]
pub struct Segment {
    pub name: String,
    pub ends: [usize; 2],
    pub how: How,
    pub length: Option<f64>,
    pub active: bool,
    pub speed: Option<i64>,
}

/// What a connection adds to the measures of a path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Adds {
    pub length: f64,
    pub length_unknown: bool,
    /// The known latency of a circuit or link.
    pub circuit: Option<f64>,
    /// All of the known latency.
    pub latency: f64,
    pub unknown_latencies: u32,
}

impl Segment {
    /// Returns what the connection adds to the measures of a path.
    pub fn adds(&self, net: &Net) -> Adds {
        let mut lengths = vec![self.length];
        let (mut circuit, mut unknown, mut cables) = (None, false, Vec::new());
        match self.how {
            How::Whole | How::Member => {}
            How::Cable { .. } => cables.push(self.length),
            How::Link { latency } => (circuit, unknown) = (latency, latency.is_none()),
            How::Circuit { latency, passive, cords } => {
                let ends = self.ends.into_iter().zip(cords);
                cables.extend(ends.filter(|(end, _)| net.nodes[*end].kind == Kind::Device).map(|(_, cord)| cord));
                lengths.extend(&cables);
                let by_length = self.length.filter(|_| passive).map(|length| length / METRES_OF_A_MS);
                (circuit, unknown) = (latency.or(by_length), latency.is_none() && !passive);
            }
        }
        let latencies = cables.iter().flatten().map(|length| length / METRES_OF_A_MS);
        Adds {
            length: lengths.iter().flatten().sum(),
            length_unknown: lengths.contains(&None),
            circuit,
            latency: latencies.chain(circuit).sum(),
            unknown_latencies: u32::from(unknown),
        }
    }

    /// Returns true if the connection is logical: a link, or one that leads to a site.
    pub fn is_logical(&self, net: &Net) -> bool {
        matches!(self.how, How::Link { .. } | How::Member)
            || self.ends.iter().any(|end| net.nodes[*end].kind == Kind::Site)
    }
}

impl Net {
    /// A network with a number.
    pub fn random(seed: u64) -> Self {
        let rng = &mut SmallRng::seed_from_u64(seed);
        let prefix = format!("g{seed}");
        let mut nodes = Vec::new();
        for number in 0..rng.random_range(3..8) {
            let parent = (number > 0 && rng.random_bool(0.15)).then(|| rng.random_range(0..number));
            nodes.push(Node {
                name: format!("{prefix}d{number}"),
                kind: Kind::Device,
                forwards: rng.random_bool(0.8),
                managed: rng.random_bool(0.08),
                runs: rng.random_bool(0.93),
                parent,
                site: 0,
            });
            // A device in a chassis is at the site of the chassis.
            let site = parent.map_or_else(|| rng.random_range(0..2), |parent: usize| nodes[parent].site);
            nodes[number].site = site;
        }
        let devices = nodes.len();
        let place =
            |name: String, kind| Node { name, kind, forwards: true, managed: false, runs: true, parent: None, site: 0 };
        for number in 0..rng.random_range(0..3) {
            nodes.push(place(format!("{prefix}n{number}"), Kind::Network));
        }
        let networks = nodes.len();
        for number in 0..2 {
            nodes.push(place(format!("{prefix}s{number}"), Kind::Site));
        }
        let mut net = Self { prefix, nodes, segments: Vec::new() };
        for number in 0..rng.random_range(2..13) {
            let segment = net.segment(rng, number, (devices, networks));
            net.segments.extend(segment);
        }
        net.add_wholes();
        net.add_members();
        net
    }

    fn segment(&self, rng: &mut SmallRng, number: usize, (devices, networks): (usize, usize)) -> Option<Segment> {
        let measure = |rng: &mut SmallRng| rng.random_bool(0.75).then(|| f64::from(rng.random_range(1..9)));
        let length = |rng: &mut SmallRng| measure(rng).map(|length| length * A_LENGTH);
        let (kind, a) = (rng.random_range(0..10), rng.random_range(0..devices));
        let (how, ends) = match kind {
            0..6 => (How::Cable { managed: rng.random_bool(0.1) }, [a, rng.random_range(0..devices)]),
            6..9 => {
                let a = if rng.random_bool(0.8) { a } else { rng.random_range(devices..self.nodes.len()) };
                let (passive, cords) = (rng.random_bool(0.3), [length(rng), length(rng)]);
                (How::Circuit { latency: measure(rng), passive, cords }, [a, rng.random_range(0..self.nodes.len())])
            }
            _ => {
                let end = |rng: &mut SmallRng| match rng.random_range(0..networks + 1) {
                    end if end < devices => end,
                    end => networks + end % 2,
                };
                (How::Link { latency: measure(rng) }, [end(rng), end(rng)])
            }
        };
        let name = format!("{}j{number}", self.prefix);
        let segment = Segment {
            name,
            ends,
            how,
            length: if matches!(how, How::Link { .. }) { None } else { length(rng) },
            active: matches!(how, How::Link { .. }) || rng.random_bool(0.9),
            speed: rng.random_bool(0.8).then(|| rng.random_range(1..5) * 1_000_000),
        };
        (ends[0] != ends[1]).then_some(segment)
    }

    fn add_wholes(&mut self) {
        for one in 0..self.nodes.len() {
            for other in 0..one {
                let parents = [self.nodes[one].parent, self.nodes[other].parent];
                let same = parents[0].is_some() && parents[0] == parents[1];
                let is_family = same || parents[0] == Some(other) || parents[1] == Some(one);
                let forward = [one, other].iter().all(|node| self.nodes[*node].forwards);
                if is_family && forward && self.nodes[one].managed == self.nodes[other].managed {
                    self.segments.push(Segment {
                        name: String::new(),
                        ends: [one, other],
                        how: How::Whole,
                        length: Some(0.0),
                        active: true,
                        speed: None,
                    });
                }
            }
        }
    }

    fn add_members(&mut self) {
        for site in 0..self.nodes.len() {
            // A link and a circuit that ends there both connect the devices of a site.
            let leads = |segment: &Segment| segment.ends.contains(&site);
            if self.nodes[site].kind != Kind::Site || !self.segments.iter().any(leads) {
                continue;
            }
            for device in 0..self.nodes.len() {
                let name = format!("{}s{}", self.prefix, self.nodes[device].site);
                if self.nodes[device].kind == Kind::Device && name == self.nodes[site].name {
                    self.segments.push(Segment {
                        name: String::new(),
                        ends: [device, site],
                        how: How::Member,
                        length: Some(0.0),
                        active: true,
                        speed: None,
                    });
                }
            }
        }
    }

    /// Returns the items that write the network.
    pub fn items(&self) -> Vec<Value> {
        let mut items = vec![json!({"provider": {"name": self.prefix, "type": "TRANSIT"}})];
        for node in &self.nodes {
            items.push(match node.kind {
                Kind::Site => json!({"site": {"name": node.name, "type": "DATACENTER"}}),
                Kind::Network => json!({"providerNetwork": {"name": node.name, "provider": self.prefix}}),
                Kind::Device => self.device(node),
            });
        }
        for segment in &self.segments {
            match segment.how {
                How::Cable { managed } => {
                    let ends =
                        segment.ends.map(|end| self.port(&mut items, segment, end, managed && end == segment.ends[0]));
                    items.push(cable(&segment.name, segment.length, segment.active, ends));
                }
                How::Circuit { .. } => self.circuit(&mut items, segment),
                How::Link { latency } => {
                    let [a, b] = segment.ends.map(|end| match self.nodes[end].kind {
                        Kind::Site => json!({"site": self.nodes[end].name}),
                        _ => json!({"device": self.reference(end)}),
                    });
                    let link = json!({"name": segment.name, "type": "LOGICAL", "a": a, "b": b, "latencyMs": latency,
                                      "capacityMbps": segment.speed.map(|speed| speed / 1_000_000)});
                    items.push(json!({"link": link}));
                }
                How::Whole | How::Member => {}
            }
        }
        items
    }

    fn device(&self, node: &Node) -> Value {
        let mut device = json!({
            "name": node.name,
            "site": self.site(node),
            "role": if node.forwards { "ROUTER" } else { "SERVER" },
            "plane": if node.managed { "MANAGEMENT" } else { "DATA" },
            "status": if node.runs { "ACTIVE" } else { "FAILED" },
        });
        if let Some(parent) = node.parent {
            device["parent"] = self.reference(parent);
        }
        json!({ "device": device })
    }

    fn site(&self, node: &Node) -> String {
        format!("{}s{}", self.prefix, node.site)
    }

    fn reference(&self, device: usize) -> Value {
        json!({"site": self.site(&self.nodes[device]), "device": self.nodes[device].name})
    }

    /// Adds a port for a segment, and gives the reference to it.
    fn port(&self, items: &mut Vec<Value>, segment: &Segment, device: usize, managed: bool) -> Value {
        let device = self.reference(device);
        items.push(json!({"port": {
            "device": device, "name": segment.name, "type": "ETHERNET", "mgmtOnly": managed, "speedBps": segment.speed,
        }}));
        json!({"port": {"site": device["site"], "device": device["device"], "family": "DATA", "port": segment.name}})
    }

    /// A circuit, and cables to it.
    fn circuit(&self, items: &mut Vec<Value>, segment: &Segment) {
        let How::Circuit { latency, passive, cords } = segment.how else { return };
        let kind = if passive { "CROSS_CONNECT" } else { "PROVIDER_CIRCUIT" };
        let status = if segment.active { "ACTIVE" } else { "PLANNED" };
        let mut circuit = json!({
            "provider": self.prefix, "name": segment.name, "type": kind, "status": status,
            "latencyMs": latency, "distanceM": segment.length, "bandwidthMbps": segment.speed.map(|speed| speed / 1_000_000),
        });
        let mut cables = Vec::new();
        for ((end, side), cord) in segment.ends.into_iter().zip(["A", "Z"]).zip(cords) {
            let field = if side == "A" { "aEnd" } else { "zEnd" };
            circuit[field] = match self.nodes[end].kind {
                Kind::Device => json!({"site": self.site(&self.nodes[end])}),
                Kind::Site => json!({"site": self.nodes[end].name}),
                Kind::Network => {
                    let name = &self.nodes[end].name;
                    json!({"providerNetwork": {"provider": self.prefix, "providerNetwork": name}})
                }
            };
            if self.nodes[end].kind == Kind::Device {
                let port = self.port(items, segment, end, false);
                let termination = json!({"provider": self.prefix, "circuit": segment.name, "side": side});
                let name = format!("{}{side}", segment.name);
                cables.push(cable(&name, cord, true, [port, json!({"circuitTermination": termination})]));
            }
        }
        items.push(json!({ "circuit": circuit }));
        items.extend(cables);
    }
}

fn cable(name: &str, length: Option<f64>, active: bool, [a, b]: [Value; 2]) -> Value {
    let status = if active { "CONNECTED" } else { "PLANNED" };
    json!({"cable": {"name": name, "lengthM": length, "status": status, "aEnds": [a], "bEnds": [b]}})
}
