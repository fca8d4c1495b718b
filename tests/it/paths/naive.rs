//! Finds paths by trying all of them; slow and obviously correct.

use std::collections::BTreeSet;

use underlay_topology::path::Weight;

use super::net::{How, Kind, Net, Segment};

/// A query, in numbers of nodes.
#[derive(Clone)]
pub struct Query {
    pub from: BTreeSet<usize>,
    pub to: BTreeSet<usize>,
    /// Numbers of nodes and segments that must not be used.
    pub avoided: (BTreeSet<usize>, BTreeSet<usize>),
    pub weight: Weight,
    pub management: bool,
    pub planned: bool,
    pub logical: bool,
}

/// A path: its nodes, the segments between them, and its cost: logical segments, unknown parts, measure, hops.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    pub nodes: Vec<usize>,
    pub segments: Vec<usize>,
}

/// A cost, in whole parts.
pub type Cost = [i64; 4];

impl Query {
    /// Returns all paths, the cheapest first.
    pub fn all(&self, net: &Net) -> Vec<Tried> {
        let mut found = Vec::new();
        for start in self.from.iter().filter(|start| self.is_there(net, **start)) {
            self.go_on(net, Tried { nodes: vec![*start], segments: Vec::new() }, &mut found);
        }
        found.sort_by_key(|tried| self.cost(net, tried));
        found
    }

    fn go_on(&self, net: &Net, tried: Tried, found: &mut Vec<Tried>) {
        let at = *tried.nodes.last().expect("a path begins somewhere");
        for (number, segment) in
            net.segments.iter().enumerate().filter(|(number, segment)| self.fits(net, *number, segment))
        {
            let [a, b] = segment.ends;
            let to = if a == at { b } else { a };
            if a != at && b != at || tried.nodes.contains(&to) || !self.is_there(net, to) || self.from.contains(&to) {
                continue;
            }
            let mut next = tried.clone();
            next.nodes.push(to);
            next.segments.push(number);
            if self.to.contains(&to) {
                found.push(next);
            } else if self.passes(net, to) {
                self.go_on(net, next, found);
            }
        }
    }

    fn is_there(&self, net: &Net, node: usize) -> bool {
        (net.nodes[node].runs || self.planned) && !self.avoided.0.contains(&node)
    }

    /// Returns true if a path can continue or end there.
    fn is_used(&self, net: &Net, node: usize) -> bool {
        let is_end = self.from.contains(&node) || self.to.contains(&node);
        self.is_there(net, node) && (is_end || self.passes(net, node))
    }

    fn passes(&self, net: &Net, node: usize) -> bool {
        let node = &net.nodes[node];
        match node.kind {
            Kind::Device => node.forwards && node.managed == self.management,
            Kind::Network => true,
            Kind::Site => self.logical,
        }
    }

    fn fits(&self, net: &Net, number: usize, segment: &Segment) -> bool {
        let managed =
            segment.ends.iter().any(|end| net.nodes[*end].managed) || segment.how == How::Cable { managed: true };
        let right_plane = match segment.how {
            // A site joins its devices when something usable leads there.
            How::Member => net.segments.iter().enumerate().any(|(number, other)| {
                let site = segment.ends[1];
                let leads = other.how != How::Member && other.ends.contains(&site);
                let far = if other.ends[0] == site { other.ends[1] } else { other.ends[0] };
                leads && self.is_used(net, far) && self.fits(net, number, other)
            }),
            How::Link { .. } => !self.management,
            _ => managed == self.management,
        };
        let usable = segment.active || self.planned;
        let there = !segment.is_logical(net) || self.logical;
        usable && there && right_plane && !self.avoided.1.contains(&number)
    }

    /// Returns the cost of a path.
    pub fn cost(&self, net: &Net, tried: &Tried) -> Cost {
        let mut cost = [0; 4];
        for segment in tried.segments.iter().map(|segment| &net.segments[*segment]) {
            cost[0] += i64::from(segment.is_logical(net));
            cost[3] += i64::from(segment.how != How::Member);
            let adds = segment.adds(net);
            let (known, unknown) = match self.weight {
                Weight::Hops => (0.0, 0),
                Weight::Length => (adds.length, u32::from(adds.length_unknown)),
                Weight::Latency => (adds.latency, adds.unknown_latencies),
            };
            cost[1] += i64::from(unknown);
            cost[2] += (known * 1e6).round() as i64;
        }
        cost
    }

    /// Returns the number of machines and connections that two paths share, without ends that all paths share, as sites
    /// may be.
    pub fn shared(&self, net: &Net, one: &Tried, other: &Tried) -> usize {
        let free = |node: &usize| {
            let is_site = |node: &usize| net.nodes[*node].kind == Kind::Site;
            let single =
                |ends: &BTreeSet<usize>| ends.contains(node) && ends.iter().filter(|node| !is_site(node)).count() == 1;
            single(&self.from) || single(&self.to) || net.nodes[*node].kind == Kind::Site
        };
        let nodes = one.nodes.iter().filter(|node| other.nodes.contains(node) && !free(node)).count();
        nodes + one.segments.iter().filter(|segment| other.segments.contains(segment)).count()
    }

    /// The most paths that share nothing, and what they cost together at least.
    pub fn disjoint(&self, net: &Net, all: &[Tried], most: usize) -> (usize, Cost) {
        let mut best = (0, [0; 4]);
        self.choose(net, all, &mut Vec::new(), [0; 4], most, &mut best);
        best
    }

    fn choose<'t>(
        &self,
        net: &Net,
        left: &'t [Tried],
        chosen: &mut Vec<&'t Tried>,
        cost: Cost,
        most: usize,
        best: &mut (usize, Cost),
    ) {
        if chosen.len() > best.0 || chosen.len() == best.0 && cost < best.1 {
            *best = (chosen.len(), cost);
        }
        if chosen.len() == most {
            return;
        }
        for (index, tried) in left.iter().enumerate() {
            if chosen.iter().all(|other| self.shared(net, other, tried) == 0) {
                chosen.push(tried);
                self.choose(net, &left[index + 1..], chosen, add(cost, self.cost(net, tried)), most, best);
                chosen.pop();
            }
        }
    }

    /// The least that two paths share, and what two such cost together at least.
    pub fn closest(&self, net: &Net, all: &[Tried]) -> Option<(usize, Cost)> {
        let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
        let judged =
            pairs.map(|(one, other)| (self.shared(net, one, other), add(self.cost(net, one), self.cost(net, other))));
        judged.min()
    }
}

pub fn add(one: Cost, other: Cost) -> Cost {
    std::array::from_fn(|index| one[index] + other[index])
}
