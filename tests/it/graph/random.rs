//! Random networks: every graph is the one that a plain model draws from the lists of nodes and segments.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use underlay_topology::graph::GraphQuery;

use super::{draw, edges, nodes, question};
use crate::harness::world::World;
use crate::paths::net::{How, Kind, Net, Segment};

const NETS: u64 = 150;
const QUESTIONS: usize = 8;

/// A question about a network, as the model understands it.
struct Query {
    by_site: bool,
    /// The number of the site that is drawn.
    within: Option<usize>,
    layers: Vec<&'static str>,
    depth: usize,
}

/// A connection between two nodes of the graph, by name.
struct Connection {
    layer: &'static str,
    ends: [String; 2],
    speed: Option<i64>,
    up: bool,
}

impl Query {
    fn random(rng: &mut SmallRng) -> Self {
        let mut layers: Vec<_> = ["physical", "logical", "containment"].to_vec();
        layers.retain(|_| rng.random_bool(0.6));
        if layers.is_empty() {
            layers.push("physical");
        }
        let within = rng.random_bool(0.6).then(|| rng.random_range(0..2));
        Self { by_site: rng.random_bool(0.25), within, layers, depth: rng.random_range(0..4) }
    }

    fn has(&self, layer: &str) -> bool {
        self.layers.contains(&layer)
    }

    /// Returns the name of the node that a device, network or site belongs to.
    fn node(&self, net: &Net, at: usize) -> String {
        let node = &net.nodes[at];
        match node.kind {
            Kind::Device if self.by_site => format!("{}s{}", net.prefix, node.site),
            _ => node.name.clone(),
        }
    }

    /// Returns true if an object is in the site that is drawn.
    fn is_inside(&self, net: &Net, at: usize) -> bool {
        let node = &net.nodes[at];
        let Some(site) = self.within else { return true };
        match node.kind {
            Kind::Device => node.site == site,
            Kind::Site => node.name == format!("{}s{site}", net.prefix),
            Kind::Network => false,
        }
    }

    /// Returns true if an object is a node also without an edge.
    fn is_asked_for(&self, kind: Kind) -> bool {
        kind == if self.by_site { Kind::Site } else { Kind::Device }
    }

    fn connections(&self, net: &Net) -> Vec<Connection> {
        let segments = net.segments.iter().filter_map(|segment| self.connection(net, segment));
        let parents = net.nodes.iter().filter_map(|node| Some((node, &net.nodes[node.parent?])));
        let contained = parents.filter(|_| self.has("containment") && !self.by_site).map(|(node, parent)| Connection {
            layer: "Containment",
            ends: [parent.name.clone(), node.name.clone()],
            speed: None,
            up: true,
        });
        segments.chain(contained).filter(|it| it.ends[0] != it.ends[1]).collect()
    }

    fn connection(&self, net: &Net, segment: &Segment) -> Option<Connection> {
        let kinds = segment.ends.map(|end| net.nodes[end].kind);
        let (layer, speed) = match segment.how {
            How::Cable { .. } => ("Physical", segment.speed),
            // A circuit has a line if it leads to no bare site, and a speed if it leads to a port.
            How::Circuit { .. } if !kinds.contains(&Kind::Site) => {
                ("Physical", segment.speed.filter(|_| kinds.contains(&Kind::Device)))
            }
            How::Link { .. } => ("Logical", segment.speed),
            How::Circuit { .. } | How::Whole | How::Member => return None,
        };
        let up = segment.active && segment.ends.iter().all(|end| net.nodes[*end].runs);
        let ends = segment.ends.map(|end| self.node(net, end));
        self.has(&layer.to_lowercase()).then_some(Connection { layer, ends, speed, up })
    }

    /// Draws the graph: its nodes, and its edges with both ends in the order of their names.
    fn draw(&self, net: &Net) -> (BTreeSet<String>, BTreeSet<String>) {
        let connections = self.connections(net);
        let inside: BTreeSet<String> =
            (0..net.nodes.len()).filter(|at| self.is_inside(net, *at)).map(|at| net.nodes[at].name.clone()).collect();
        let asked_for: BTreeSet<String> = (0..net.nodes.len())
            .filter(|at| self.is_inside(net, *at) && self.is_asked_for(net.nodes[*at].kind))
            .map(|at| net.nodes[at].name.clone())
            .collect();
        // By their distance from what is drawn.
        let mut distance: BTreeMap<&str, usize> = inside.iter().map(|name| (name.as_str(), 0)).collect();
        for hop in 1..=self.depth {
            for connection in &connections {
                let [a, b] = [0, 1].map(|end| connection.ends[end].as_str());
                for (near, far) in [(a, b), (b, a)] {
                    if distance.get(near) == Some(&(hop - 1)) && !distance.contains_key(far) {
                        distance.insert(far, hop);
                    }
                }
            }
        }
        // Connections of the outermost nodes are not followed.
        let is_followed = |name: &str| distance.get(name).is_some_and(|it| *it == 0 || *it < self.depth);
        let shown = connections.iter().filter(|it| {
            let [a, b] = [0, 1].map(|end| it.ends[end].as_str());
            distance.contains_key(a) && distance.contains_key(b) && (is_followed(a) || is_followed(b))
        });
        let mut merged: BTreeMap<(&str, [&str; 2]), Vec<&Connection>> = BTreeMap::new();
        let mut names = asked_for;
        for connection in shown {
            let mut ends = [0, 1].map(|end| connection.ends[end].as_str());
            for name in ends {
                names.insert(if inside.contains(name) { name.to_owned() } else { format!("({name})") });
            }
            if connection.layer != "Containment" {
                ends.sort_unstable();
            }
            merged.entry((connection.layer, ends)).or_default().push(connection);
        }
        (names, merged.into_iter().map(|((layer, ends), all)| edge(layer, ends, &all)).collect())
    }
}

fn edge(layer: &str, [a, b]: [&str; 2], all: &[&Connection]) -> String {
    let arrow = if layer == "Containment" { "->" } else { "--" };
    let mut words = vec![format!("{a} {arrow} {b} {layer} {}", all.len())];
    let known: Vec<i64> = all.iter().filter_map(|it| it.speed).collect();
    words.extend((!known.is_empty()).then(|| known.iter().sum::<i64>().to_string()));
    if layer != "Containment" {
        let up = all.iter().filter(|it| it.up).count();
        let state = if up == all.len() {
            "Up"
        } else if up > 0 {
            "Degraded"
        } else {
            "Down"
        };
        words.push(state.to_owned());
    }
    words.join(" ")
}

/// Puts the ends of an edge without a direction into the order of their names.
fn sorted(edge: &str) -> String {
    let words: Vec<&str> = edge.split(' ').collect();
    match words.as_slice() {
        [a, "--", b, rest @ ..] if a > b => format!("{b} -- {a} {}", rest.join(" ")),
        _ => edge.to_owned(),
    }
}

#[test]
fn graphs_of_random_networks_are_those_of_a_plain_model() {
    let (mut count_of_edges, mut outside, mut degraded) = (0, 0, 0);
    for seed in 0..NETS {
        let net = Net::random(seed);
        let mut world = World::empty();
        world.write(Value::Array(net.items()));
        let snapshot = &world.snapshot;
        let rng = &mut SmallRng::seed_from_u64(seed);
        for _ in 0..QUESTIONS {
            let query = Query::random(rng);
            let words = format!("{} {}", if query.by_site { "Site" } else { "Device" }, query.layers.join("+"));
            let within = query.within.map(|site| snapshot.find(world.id("site", &format!("{}s{site}", net.prefix))));
            let question = GraphQuery { within: within.flatten(), depth: query.depth, ..question(snapshot, &words) };
            let drawing = draw(snapshot, &question).expect("an answer");
            let (found_nodes, found_edges) = (nodes(snapshot, &drawing), edges(snapshot, &drawing));
            let about = format!("seed {seed}: {words} within {:?}, depth {}", query.within, query.depth);
            let (expected_nodes, expected_edges) = query.draw(&net);
            assert_eq!(found_nodes.iter().cloned().collect::<BTreeSet<_>>(), expected_nodes, "{about}");
            assert_eq!(found_edges.iter().map(|it| sorted(it)).collect::<BTreeSet<_>>(), expected_edges, "{about}");
            assert_eq!((found_nodes.len(), found_edges.len()), (expected_nodes.len(), expected_edges.len()), "{about}");
            count_of_edges += found_edges.len();
            outside += found_nodes.iter().filter(|name| name.starts_with('(')).count();
            degraded += found_edges.iter().filter(|edge| edge.ends_with("Degraded")).count();
        }
    }
    assert!(count_of_edges > 1_000 && outside > 100 && degraded > 20, "{count_of_edges} {outside} {degraded}");
}
