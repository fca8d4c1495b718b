//! The network: machines and anchors, connected by lines.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::lines::Line;
use super::{Naive, Set};

/// A line between two nodes of the network.
struct Edge {
    key: BTreeSet<Uuid>,
    nodes: [Uuid; 2],
    before: bool,
    after: bool,
}

impl Naive {
    fn is_node(&self, id: Uuid) -> bool {
        self.is(id, "Device") && self.text(id, "plane") == "DATA"
    }

    fn forwards(&self, id: Uuid) -> bool {
        let usual = ["SPINE", "LEAF", "BORDER_ROUTER", "ROUTER", "SWITCH", "FIREWALL", "LOAD_BALANCER"];
        match self.objects[&id].kind {
            "ProviderNetwork" => true,
            "Device" => self.get(id, "forwards").as_bool().unwrap_or(usual.contains(&self.text(id, "role"))),
            _ => false,
        }
    }

    fn is_exempt(&self, id: Uuid) -> bool {
        !self.is(id, "Device") || ["PDU", "UPS", "PATCH_PANEL", "CONSOLE_SERVER"].contains(&self.text(id, "role"))
    }

    fn is_data(&self, port: Uuid) -> bool {
        self.is(port, "Port")
            && ["ETHERNET", "OPTICAL", "WIRELESS"].contains(&self.text(port, "type"))
            && self.get(port, "mgmtOnly") == false
    }

    /// The way out that a line leads to, or the device that it ends at, with the last end.
    fn far(&self, line: &Line) -> Option<(Uuid, Uuid)> {
        let end = line.end;
        let before_last = line.hops.iter().rev().nth(1).copied().unwrap_or(end);
        match self.objects[&end].kind {
            "Port" if line.complete && self.is_data(end) => self.one(end, "device").map(|device| (device, end)),
            "ProviderNetwork" => Some((end, before_last)),
            "Circuit" if self.text(end, "type") != "CROSS_CONNECT" => Some((end, before_last)),
            "CircuitTermination" if self.one(end, "site").is_none() => {
                let circuit = self.one(end, "circuit").unwrap();
                (self.text(circuit, "type") != "CROSS_CONNECT").then_some((circuit, end))
            }
            _ => None,
        }
    }

    fn edges(&self, before: &Set, after: &Set) -> Vec<Edge> {
        let mut edges: BTreeMap<BTreeSet<Uuid>, Edge> = BTreeMap::new();
        for port in self.all("Port").into_iter().filter(|port| self.is_data(*port)) {
            let Some(device) = self.one(port, "device").filter(|device| self.is_node(*device)) else { continue };
            for line in self.lines(port).iter() {
                let Some((node, end)) = self.far(line) else { continue };
                let leads_back = |line: &Line| line.end == port && line.complete && !line.guessed;
                let known = !line.guessed || self.is_data(end) && self.lines(end).iter().any(leads_back);
                if !known || node == device || self.is(node, "Device") && !self.is_node(node) {
                    continue;
                }
                let up = |down: &Set| line.active && line.hops.iter().all(|hop| !down.contains(hop));
                let edge =
                    Edge { key: [port, end].into(), nodes: [device, node], before: up(before), after: up(after) };
                let known = edges.entry(edge.key.clone()).or_insert(edge);
                known.before |= up(before);
                known.after |= up(after);
            }
        }
        let devices: Vec<Uuid> = self.all("Device").into_iter().filter(|it| self.is_node(*it)).collect();
        for a in &devices {
            for b in devices.iter().filter(|b| *b > a) {
                let (of_a, of_b) = (self.one(*a, "parent"), self.one(*b, "parent"));
                let one_whole = of_a.is_some() && of_a == of_b || of_a == Some(*b) || of_b == Some(*a);
                if one_whole && self.forwards(*a) && self.forwards(*b) {
                    let up = |down: &Set| !down.contains(a) && !down.contains(b);
                    let key: BTreeSet<Uuid> = [*a, *b].into();
                    let edge = Edge { key: key.clone(), nodes: [*a, *b], before: up(before), after: up(after) };
                    edges.insert(key, edge);
                }
            }
        }
        edges.into_values().collect()
    }

    pub(super) fn network(
        &self,
        before: &Set,
        after: &Set,
        chosen: Option<&Set>,
        effects: &mut BTreeMap<Uuid, &'static str>,
    ) -> usize {
        let edges = self.edges(before, after);
        let mut unanchored = Set::new();
        for device in self.all("Device").into_iter().filter(|it| self.is_node(*it) && !before.contains(it)) {
            let part = self.part(device, &edges);
            let of_role = |role: &str| -> Set {
                part.iter().copied().filter(|it| self.is(*it, "Device") && self.text(*it, "role") == role).collect()
            };
            let anchors = match chosen {
                Some(chosen) => part.intersection(chosen).copied().collect(),
                None => {
                    let exits: Set = part.iter().copied().filter(|it| !self.is(*it, "Device")).collect();
                    let all = [exits, of_role("BORDER_ROUTER"), of_role("SPINE")];
                    all.into_iter().find(|set| !set.is_empty()).unwrap_or_default()
                }
            };
            let matters = |node: Uuid| {
                self.forwards(node)
                    || !self.is(node, "Device")
                    || ["BORDER_ROUTER", "SPINE"].contains(&self.text(node, "role"))
                    || chosen.is_some_and(|chosen| chosen.contains(&node))
            };
            let lost = |edge: &Edge| {
                edge.before && !edge.after && other(edge, device).is_some_and(matters) && !after.contains(&device)
            };
            if anchors.is_empty() {
                if edges.iter().any(lost) && (self.forwards(device) || !self.is_exempt(device)) {
                    unanchored.extend(part.iter().filter(|it| !self.is_exempt(**it)));
                }
                continue;
            }
            if after.contains(&device) || anchors.contains(&device) || self.is_exempt(device) {
                continue;
            }
            let had = self.ways(device, &anchors, &edges, |edge| edge.before);
            let has = self.ways(device, &anchors, &edges, |edge| edge.after);
            match () {
                () if has == had => {}
                () if has == 0 => drop(effects.insert(device, "Isolated")),
                () => drop(effects.insert(device, "Degraded")),
            }
        }
        unanchored.len()
    }

    /// Everything that was connected with a device.
    fn part(&self, device: Uuid, edges: &[Edge]) -> Set {
        let mut part = Set::from([device]);
        loop {
            let passes = |node: &Uuid| part.contains(node) && (*node == device || self.forwards(*node));
            let joined = edges.iter().filter(|edge| edge.before);
            let more: Vec<Uuid> = joined
                .flat_map(|edge| [(edge.nodes[0], edge.nodes[1]), (edge.nodes[1], edge.nodes[0])])
                .filter(|(from, to)| passes(from) && !part.contains(to))
                .map(|(_, to)| to)
                .collect();
            if more.is_empty() {
                return part;
            }
            part.extend(more);
        }
    }

    /// Returns the number of paths without a common node or line: a flow by single augmentations. A node counts as two,
    /// its arrival and its departure; an arc is (from, departs, to, arrives).
    fn ways(&self, source: Uuid, anchors: &Set, edges: &[Edge], up: impl Fn(&Edge) -> bool) -> usize {
        type EventPosition = (Uuid, bool);
        let mut free: BTreeMap<(EventPosition, EventPosition), i32> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| up(edge)) {
            for (from, to) in [(edge.nodes[0], edge.nodes[1]), (edge.nodes[1], edge.nodes[0])] {
                *free.entry(((from, true), (to, false))).or_default() += 1;
                free.insert(((to, false), (to, true)), i32::from(self.forwards(to) && !anchors.contains(&to)));
            }
        }
        let mut ways = 0;
        loop {
            let mut came: BTreeMap<EventPosition, EventPosition> = BTreeMap::new();
            let mut pending = vec![(source, true)];
            let mut reached = None;
            while let Some(visited) = pending.pop() {
                if anchors.contains(&visited.0) && !visited.1 {
                    reached = Some(visited);
                    break;
                }
                let range = free.range((visited, (Uuid::nil(), false))..=(visited, (Uuid::max(), true)));
                for ((_, to), _) in range.filter(|(_, left)| **left > 0) {
                    if *to != (source, true) && *to != (source, false) && !came.contains_key(to) {
                        came.insert(*to, visited);
                        pending.push(*to);
                    }
                }
            }
            let Some(mut at) = reached else { return ways };
            ways += 1;
            while at != (source, true) {
                let from = came[&at];
                *free.get_mut(&(from, at)).unwrap() -= 1;
                *free.entry((at, from)).or_default() += 1;
                at = from;
            }
        }
    }
}

fn other(edge: &Edge, node: Uuid) -> Option<Uuid> {
    match edge.nodes {
        [one, other] if one == node => Some(other),
        [other, one] if one == node => Some(other),
        _ => None,
    }
}
