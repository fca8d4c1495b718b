//! The rules once more, slow and plain: from the fields of the rows, for all objects, until nothing changes. Nothing of
//! the engine is used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::{Map, Value};
use underlay::inventory::Snapshot;
use uuid::Uuid;

type Set = BTreeSet<Uuid>;

/// An object: its kind and its fields.
struct Object {
    kind: &'static str,
    fields: Map<String, Value>,
    ids: HashMap<&'static str, Vec<Uuid>>,
}

/// All objects, and who names whom in which field.
pub struct Naive {
    objects: BTreeMap<Uuid, Object>,
    named: HashMap<(&'static str, &'static str, Uuid), Vec<Uuid>>,
    /// The lines of each port, once they were asked for.
    lines: RefCell<HashMap<Uuid, Rc<Vec<Line>>>>,
}

/// What a failure does: the effect on each object, and how many machines have nothing to reach.
pub struct Answer {
    pub effects: BTreeMap<Uuid, &'static str>,
    pub unanchored: usize,
}

/// A line from a data port: where it ends, over what.
struct Line {
    end: Uuid,
    complete: bool,
    active: bool,
    guessed: bool,
    hops: Vec<Uuid>,
}

/// A line between two nodes of the network.
struct Edge {
    key: BTreeSet<Uuid>,
    nodes: [Uuid; 2],
    before: bool,
    after: bool,
}

impl Naive {
    pub fn of(value: &Snapshot) -> Self {
        let mut objects = BTreeMap::new();
        let mut named: HashMap<_, Vec<Uuid>> = HashMap::new();
        for kind in value.registry().kinds() {
            for (_, row) in value.table(kind.id).rows(0) {
                let (id, mut object) =
                    (row.common().id, Object { kind: kind.name, fields: Map::new(), ids: HashMap::new() });
                for field in kind.fields {
                    let content = (field.get)(row.as_ref());
                    let mut ids = Vec::new();
                    if field.reference.is_some() {
                        collect(&content, &mut ids);
                    }
                    ids.iter().for_each(|other| named.entry((kind.name, field.name, *other)).or_default().push(id));
                    object.ids.insert(field.name, ids);
                    object.fields.insert(field.name.to_owned(), content);
                }
                objects.insert(id, object);
            }
        }
        Self { objects, named, lines: RefCell::default() }
    }

    fn get(&self, id: Uuid, field: &str) -> &Value {
        self.objects[&id].fields.get(field).unwrap_or(&Value::Null)
    }

    fn text(&self, id: Uuid, field: &str) -> &str {
        self.get(id, field).as_str().unwrap_or_default()
    }

    /// All ids in a field, however deep.
    fn ids(&self, id: Uuid, field: &str) -> &[Uuid] {
        self.objects[&id].ids.get(field).map_or(&[], Vec::as_slice)
    }

    fn one(&self, id: Uuid, field: &str) -> Option<Uuid> {
        self.ids(id, field).first().copied()
    }

    fn is(&self, id: Uuid, kind: &str) -> bool {
        self.objects[&id].kind == kind
    }

    fn all(&self, kind: &str) -> Vec<Uuid> {
        self.objects.iter().filter(|(_, object)| object.kind == kind).map(|(id, _)| *id).collect()
    }

    /// All objects of a kind that have an object in a field.
    fn with(&self, kind: &'static str, field: &'static str, id: Uuid) -> Vec<Uuid> {
        self.named.get(&(kind, field, id)).cloned().unwrap_or_default()
    }

    fn runs(&self, id: Uuid) -> bool {
        match self.objects[&id].kind {
            "Cable" => self.text(id, "status") == "CONNECTED",
            "Port" => self.get(id, "enabled") == true,
            _ => !["PLANNED", "OFFLINE", "FAILED", "RETIRED"].contains(&self.text(id, "status")),
        }
    }

    fn cable_on(&self, end: Uuid) -> Option<Uuid> {
        let mut cables = self.with("Cable", "aEnds", end);
        cables.extend(self.with("Cable", "bEnds", end));
        cables.first().copied()
    }

    fn inlets(&self, device: Uuid) -> Vec<Uuid> {
        let ports = self.with("Port", "device", device).into_iter();
        let all: Vec<Uuid> =
            ports.filter(|port| self.text(*port, "type") == "POWER_INLET" && self.runs(*port)).collect();
        let corded = |inlet: &&Uuid| {
            self.get(**inlet, "markConnected") == true || self.cable_on(**inlet).is_some_and(|cable| self.runs(cable))
        };
        let corded: Vec<Uuid> = all.iter().filter(corded).copied().collect();
        if corded.is_empty() { all } else { corded }
    }

    /// The physical rules: everything that is down with a set of objects.
    fn down_with(&self, failed: &Set) -> Set {
        let mut down = failed.clone();
        loop {
            let more: Vec<Uuid> =
                self.objects.keys().copied().filter(|id| !down.contains(id) && self.goes_down(*id, &down)).collect();
            if more.is_empty() {
                return down;
            }
            down.extend(more);
        }
    }

    fn goes_down(&self, id: Uuid, down: &Set) -> bool {
        let any = |fields: &[&str]| fields.iter().any(|field| self.ids(id, field).iter().any(|it| down.contains(it)));
        let all = |field: &str| {
            let targets = self.ids(id, field);
            !targets.is_empty() && targets.iter().all(|it| down.contains(it))
        };
        match self.objects[&id].kind {
            "Region" => any(&["parent"]),
            "Site" => any(&["region"]),
            "Location" => any(&["site", "parent"]),
            "Rack" => any(&["site", "location"]),
            "PowerFeed" => any(&["site", "rack", "upstream"]),
            "ProviderNetwork" => any(&["provider"]),
            "Circuit" => {
                let ends = self.with("CircuitTermination", "circuit", id);
                let at = |end: &Uuid| [self.one(*end, "site"), self.one(*end, "providerNetwork")];
                any(&["provider"]) || ends.iter().flat_map(at).flatten().any(|it| down.contains(&it))
            }
            "Cable" => all("aEnds") || all("bEnds"),
            "Port" => any(&["device", "rack"]) || self.is_dead(id, down),
            "Device" => any(&["site", "location", "placement", "parent"]) || self.lacks_power(id, down),
            _ => false,
        }
    }

    /// Whether an object is contained in another one, over any number of others.
    pub fn is_inside(&self, id: Uuid, container: Uuid) -> bool {
        let fields: &[&str] = match self.objects[&id].kind {
            "Region" => &["parent"],
            "Site" => &["region"],
            "Location" => &["site", "parent"],
            "Rack" => &["site", "location"],
            "PowerFeed" => &["site", "rack"],
            "Device" => &["site", "location", "placement", "parent"],
            "ProviderNetwork" | "Circuit" => &["provider"],
            _ => &[],
        };
        let mut outer: Vec<Uuid> = fields.iter().flat_map(|field| self.ids(id, field)).copied().collect();
        let ends = self.with("CircuitTermination", "circuit", id);
        outer.extend(ends.into_iter().flat_map(|end| self.ids(end, "providerNetwork")));
        outer.iter().any(|outer| *outer == container || self.is_inside(*outer, container))
    }

    /// Whether it is missed when it is gone: all but parts of something else.
    pub fn is_missed(&self, id: Uuid) -> bool {
        !["Port", "Cable", "CircuitTermination"].contains(&self.objects[&id].kind)
    }

    fn is_dead(&self, port: Uuid, down: &Set) -> bool {
        match self.text(port, "type") {
            "POWER_INLET" => self.cable_on(port).is_some_and(|cable| down.contains(&cable)),
            "POWER_OUTLET" => {
                let sources = self.ids(port, "fedBy");
                let ups = self.one(port, "device").is_some_and(|device| self.text(device, "role") == "UPS");
                !ups && !sources.is_empty() && sources.iter().all(|it| down.contains(it))
            }
            _ => false,
        }
    }

    fn lacks_power(&self, device: Uuid, down: &Set) -> bool {
        let inlets = self.inlets(device);
        let needed = self.get(device, "inletsRequired").as_u64().unwrap() as usize;
        let live = inlets.iter().filter(|inlet| !down.contains(inlet)).count();
        self.text(device, "role") != "UPS" && live < needed.min(inlets.len())
    }

    pub fn answer(&self, failed: &Set, anchors: Option<&Set>) -> Answer {
        let by_status: Set = self.objects.keys().copied().filter(|id| !self.runs(*id)).collect();
        let before = self.down_with(&by_status);
        let after = self.down_with(&before.union(failed).copied().collect());
        let mut effects: BTreeMap<Uuid, &'static str> = BTreeMap::new();
        for id in after.difference(&before) {
            effects.insert(*id, "Down");
        }
        let unanchored = self.network(&before, &after, anchors, &mut effects);
        self.groups(&before, &after, &mut effects);
        self.losses(&before, &after, &mut effects);
        self.served(&before, &mut effects);
        effects.retain(|id, _| !failed.contains(id));
        Answer { effects, unanchored }
    }

    /// Redundancy that is lost by the physical rules.
    fn losses(&self, before: &Set, after: &Set, effects: &mut BTreeMap<Uuid, &'static str>) {
        let fell = |id: &Uuid| after.contains(id) && !before.contains(id);
        for (id, object) in &self.objects {
            let lost = match object.kind {
                "Cable" => ["aEnds", "bEnds"].iter().any(|side| self.ids(*id, side).iter().any(fell)),
                "Device" => self.inlets(*id).iter().any(fell),
                _ => false,
            };
            if lost && !before.contains(id) {
                effects.entry(*id).or_insert("Degraded");
            }
        }
    }

    fn groups(&self, before: &Set, after: &Set, effects: &mut BTreeMap<Uuid, &'static str>) {
        for lag in self.all("Port").into_iter().filter(|port| self.text(*port, "type") == "LAG") {
            if after.contains(&lag) {
                continue;
            }
            let (mut lost, mut left) = (0, 0);
            for member in self.with("Port", "lag", lag) {
                let carries = |down: &Set| {
                    let lines = self.lines(member);
                    let up =
                        |line: &Line| line.complete && line.active && line.hops.iter().all(|hop| !down.contains(hop));
                    !down.contains(&member) && (self.cable_on(member).is_none() || lines.iter().any(up))
                };
                let before = !before.contains(&member) && carries(before);
                let now = before && carries(after);
                lost += usize::from(before && !now);
                left += usize::from(now);
            }
            if lost > 0 {
                effects.insert(lag, if left == 0 { "Down" } else { "Degraded" });
            }
        }
    }

    fn served(&self, before: &Set, effects: &mut BTreeMap<Uuid, &'static str>) {
        let counts = |device: &Uuid| ["SERVER", "STORAGE"].contains(&self.text(*device, "role"));
        for cluster in self.all("Cluster") {
            let members = self.with("Device", "cluster", cluster);
            let up: Vec<Uuid> = members.into_iter().filter(|it| counts(it) && !before.contains(it)).collect();
            let gone = |wanted: &[&str]| {
                up.iter().filter(|it| effects.get(it).is_some_and(|effect| wanted.contains(effect))).count()
            };
            let (down, lost) = (gone(&["Down"]), gone(&["Down", "Isolated"]));
            if effects.contains_key(&cluster) || lost == 0 {
                continue;
            }
            let effect = match (lost == up.len(), down == up.len()) {
                (false, _) => "Degraded",
                (true, true) => "Down",
                (true, false) => "Isolated",
            };
            effects.insert(cluster, effect);
        }
        for machine in self.all("VirtualMachine") {
            let host = ["host", "cluster", "provider"].iter().find_map(|field| self.one(machine, field));
            let effect = host.and_then(|host| effects.get(&host).copied());
            if let Some(effect) = effect.filter(|_| !before.contains(&machine)) {
                effects.entry(machine).or_insert(effect);
            }
        }
        for link in self.all("Link") {
            if let Some(effect) = self.link(link, before, effects) {
                effects.entry(link).or_insert(effect);
            }
        }
    }

    fn link(&self, link: Uuid, before: &Set, effects: &BTreeMap<Uuid, &'static str>) -> Option<&'static str> {
        let ends: Vec<Uuid> = ["a", "b"].iter().flat_map(|end| self.ids(link, end)).copied().collect();
        let cables = self.ids(link, "cables");
        let counted = |cluster: Uuid| {
            let members = self.with("Device", "cluster", cluster).into_iter();
            members.filter(|it| ["SERVER", "STORAGE"].contains(&self.text(*it, "role"))).collect::<Vec<_>>()
        };
        let was_down = |end: &Uuid| match self.is(*end, "Cluster") {
            true => !counted(*end).is_empty() && counted(*end).iter().all(|it| before.contains(it)),
            false => before.contains(end),
        };
        if ends.iter().any(was_down) || !cables.is_empty() && cables.iter().all(|it| before.contains(it)) {
            return None;
        }
        let end_has = |effect: &str| ends.iter().any(|end| effects.get(end) == Some(&effect));
        let lost = cables.iter().filter(|it| effects.get(it) == Some(&"Down")).count();
        let gone = cables.iter().filter(|it| before.contains(it) || effects.get(it) == Some(&"Down")).count();
        match () {
            () if end_has("Down") => Some("Down"),
            () if cables.is_empty() && end_has("Isolated") => Some("Isolated"),
            () if cables.is_empty() && end_has("Degraded") => Some("Degraded"),
            () if lost == 0 => None,
            () if gone == cables.len() => Some("Down"),
            () => Some("Degraded"),
        }
    }

    /// The lines of a port, outwards.
    fn lines(&self, port: Uuid) -> Rc<Vec<Line>> {
        if let Some(known) = self.lines.borrow().get(&port) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let start = Line { end: port, complete: false, active: self.runs(port), guessed: false, hops: vec![port] };
        self.leave(start, &[], &mut found);
        let found = Rc::new(found);
        self.lines.borrow_mut().insert(port, Rc::clone(&found));
        found
    }

    fn on(&self, line: &Line, hop: Uuid, stack: &[i64], arrives: bool, found: &mut Vec<Line>) {
        let is_active = match self.objects[&hop].kind {
            "Circuit" | "Site" => self.text(hop, "status") == "ACTIVE",
            "Port" | "Cable" => self.runs(hop),
            _ => true,
        };
        let hops = line.hops.iter().copied().chain([hop]).collect();
        let next = Line { end: hop, complete: false, active: line.active && is_active, guessed: line.guessed, hops };
        if line.hops.len() > 100 {
            return;
        }
        if arrives { self.arrive(next, stack, found) } else { self.leave(next, stack, found) }
    }

    fn leave(&self, line: Line, stack: &[i64], found: &mut Vec<Line>) {
        let end = line.end;
        if let Some(cable) = self.cable_on(end) {
            let (a, b) = (self.ids(cable, "aEnds"), self.ids(cable, "bEnds"));
            let others = if a.contains(&end) { b } else { a };
            let active = line.active && self.runs(cable);
            let hops: Vec<Uuid> = line.hops.iter().copied().chain([cable]).collect();
            for other in others.iter().copied() {
                let over = Line { end, complete: false, active, guessed: line.guessed, hops: hops.clone() };
                self.on(&over, other, stack, true, found);
            }
        } else if let Some(port) = self.one(end, "port").filter(|_| self.is(end, "CircuitTermination")) {
            self.on(&line, port, stack, true, found);
        } else if let Some(plugged) = self.with("CircuitTermination", "port", end).first() {
            self.on(&line, *plugged, stack, true, found);
        } else if let Some(network) = self.one(end, "providerNetwork") {
            let hops = line.hops.iter().copied().chain([network]).collect();
            found.push(Line { end: network, complete: true, hops, ..line });
        } else {
            found.push(line);
        }
    }

    fn arrive(&self, line: Line, stack: &[i64], found: &mut Vec<Line>) {
        let end = line.end;
        if self.is(end, "CircuitTermination") {
            let circuit = self.one(end, "circuit").unwrap();
            let active = line.active && self.text(circuit, "status") == "ACTIVE";
            let hops: Vec<Uuid> = line.hops.iter().copied().chain([circuit]).collect();
            let other = self.with("CircuitTermination", "circuit", circuit).into_iter().find(|it| *it != end);
            let over = Line { end: circuit, complete: false, active, guessed: line.guessed, hops };
            return match other {
                Some(other) => self.on(&over, other, stack, false, found),
                None => found.push(over),
            };
        }
        if !self.text(end, "type").starts_with("PATCH") {
            return found.push(Line { complete: true, ..line });
        }
        let own_positions = self.get(end, "positions").as_i64().unwrap();
        let (wanted, rest) = match (own_positions, stack) {
            (1, _) => (Some(1), stack),
            (_, [rest @ .., top]) => (Some(*top), rest),
            (_, []) => (None, stack),
        };
        for (position, mirror, mirror_position) in self.mappings(end) {
            if wanted.is_some_and(|wanted| wanted != position) {
                continue;
            }
            let mut stack = rest.to_vec();
            if self.get(mirror, "positions").as_i64().unwrap() > 1 {
                stack.push(mirror_position);
            }
            let over = Line { guessed: line.guessed || wanted.is_none(), hops: line.hops.clone(), ..line };
            self.on(&over, mirror, &stack, false, found);
        }
    }

    /// (position, mirror port, its position).
    fn mappings(&self, port: Uuid) -> Vec<(i64, Uuid, i64)> {
        let mut found = Vec::new();
        let fronts = self.with("Port", "passThrough", port);
        for front in BTreeSet::from_iter(fronts.into_iter().chain([port])) {
            for mapping in self.get(front, "passThrough").as_array().into_iter().flatten() {
                let (own, rear_position) = (mapping["position"].as_i64(), mapping["rearPosition"].as_i64());
                let (own, rear_position) = (own.unwrap_or(1), rear_position.unwrap_or(1));
                let rear: Uuid = mapping["rear"].as_str().unwrap().parse().unwrap();
                if front == port {
                    found.push((own, rear, rear_position));
                } else if rear == port {
                    found.push((rear_position, front, own));
                }
            }
        }
        found
    }

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
            && ["ETHERNET", "OPTICAL"].contains(&self.text(port, "type"))
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
                let told = |line: &Line| line.end == port && line.complete && !line.guessed;
                let known = !line.guessed || self.is_data(end) && self.lines(end).iter().any(told);
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

    fn network(
        &self,
        before: &Set,
        after: &Set,
        given: Option<&Set>,
        effects: &mut BTreeMap<Uuid, &'static str>,
    ) -> usize {
        let edges = self.edges(before, after);
        let mut unanchored = Set::new();
        for device in self.all("Device").into_iter().filter(|it| self.is_node(*it) && !before.contains(it)) {
            let part = self.part(device, &edges);
            let of_role = |role: &str| -> Set {
                part.iter().copied().filter(|it| self.is(*it, "Device") && self.text(*it, "role") == role).collect()
            };
            let anchors = match given {
                Some(given) => part.intersection(given).copied().collect(),
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
                    || given.is_some_and(|given| given.contains(&node))
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

    /// How many ways there are without a node or a line in common: a flow by single augmentations. A node is two, its
    /// arrival and its departure; an arc is (from, departs, to, arrives).
    fn ways(&self, source: Uuid, anchors: &Set, edges: &[Edge], up: impl Fn(&Edge) -> bool) -> usize {
        type Spot = (Uuid, bool);
        let mut free: BTreeMap<(Spot, Spot), i32> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| up(edge)) {
            for (from, to) in [(edge.nodes[0], edge.nodes[1]), (edge.nodes[1], edge.nodes[0])] {
                *free.entry(((from, true), (to, false))).or_default() += 1;
                free.insert(((to, false), (to, true)), i32::from(self.forwards(to) && !anchors.contains(&to)));
            }
        }
        let mut ways = 0;
        loop {
            let mut came: BTreeMap<Spot, Spot> = BTreeMap::new();
            let mut pending = vec![(source, true)];
            let mut reached = None;
            while let Some(spot) = pending.pop() {
                if anchors.contains(&spot.0) && !spot.1 {
                    reached = Some(spot);
                    break;
                }
                let range = free.range((spot, (Uuid::nil(), false))..=(spot, (Uuid::max(), true)));
                for ((_, to), _) in range.filter(|(_, left)| **left > 0) {
                    if *to != (source, true) && *to != (source, false) && !came.contains_key(to) {
                        came.insert(*to, spot);
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

fn collect(value: &Value, found: &mut Vec<Uuid>) {
    match value {
        Value::String(text) => found.extend(text.parse::<Uuid>().ok()),
        Value::Array(list) => list.iter().for_each(|entry| collect(entry, found)),
        Value::Object(members) => members.values().for_each(|member| collect(member, found)),
        _ => {}
    }
}
