//! A slow and simple implementation of the rules: applies them to the fields of all rows until nothing changes. It uses
//! nothing of the engine.

mod lines;
mod network;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::{Map, Value};
use underlay_inventory::Snapshot;
use uuid::Uuid;

use lines::Line;

type Set = BTreeSet<Uuid>;

/// An object: its kind and its fields.
struct Object {
    kind: &'static str,
    fields: Map<String, Value>,
    ids: HashMap<&'static str, Vec<Uuid>>,
}

/// All objects, and the references between them by field.
pub struct Naive {
    objects: BTreeMap<Uuid, Object>,
    named: HashMap<(&'static str, &'static str, Uuid), Vec<Uuid>>,
    /// The lines of each port, once they were asked for.
    lines: RefCell<HashMap<Uuid, Rc<Vec<Line>>>>,
}

/// The impact of a failure: the effect on each object, and the number of machines without an anchor.
pub struct Answer {
    pub effects: BTreeMap<Uuid, &'static str>,
    pub unanchored: usize,
}

impl Naive {
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut objects = BTreeMap::new();
        let mut named: HashMap<_, Vec<Uuid>> = HashMap::new();
        for kind in snapshot.registry().kinds() {
            for (_, row) in snapshot.table(kind.id).rows(0) {
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

    /// Returns all ids in a field, at any depth.
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

    /// Returns all objects of a kind that refer to an object by a field.
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
            "Port" => any(&["device", "rack", "virtualMachine"]) || self.is_dead(id, down),
            "Device" => any(self.containers_of_device(id)) || self.lacks_power(id, down),
            _ => false,
        }
    }

    /// Returns true if an object is contained in another one, at any depth.
    pub fn is_inside(&self, id: Uuid, container: Uuid) -> bool {
        let fields: &[&str] = match self.objects[&id].kind {
            "Region" => &["parent"],
            "Site" => &["region"],
            "Location" => &["site", "parent"],
            "Rack" => &["site", "location"],
            "PowerFeed" => &["site", "rack"],
            "Device" => self.containers_of_device(id),
            "ProviderNetwork" | "Circuit" => &["provider"],
            _ => &[],
        };
        let mut outer: Vec<Uuid> = fields.iter().flat_map(|field| self.ids(id, field)).copied().collect();
        let ends = self.with("CircuitTermination", "circuit", id);
        outer.extend(ends.into_iter().flat_map(|end| self.ids(end, "providerNetwork")));
        outer.iter().any(|outer| *outer == container || self.is_inside(*outer, container))
    }

    /// Returns the containers with which a device goes down. A device with its own placement is only a member of its
    /// parent's stack.
    fn containers_of_device(&self, id: Uuid) -> &'static [&'static str] {
        match self.one(id, "placement") {
            Some(_) => &["site", "location", "placement"],
            None => &["site", "location", "parent"],
        }
    }

    /// Returns true if the loss of the object counts: it is not a part of another object.
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
        let went_down = |id: &Uuid| after.contains(id) && !before.contains(id);
        for (id, object) in &self.objects {
            let lost = match object.kind {
                "Cable" => ["aEnds", "bEnds"].iter().any(|side| self.ids(*id, side).iter().any(went_down)),
                "Device" => self.inlets(*id).iter().any(went_down),
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
        for host in self.all("Host") {
            let effect = self.one(host, "machine").and_then(|machine| effects.get(&machine).copied());
            if let Some(effect) = effect.filter(|_| !before.contains(&host)) {
                effects.entry(host).or_insert(effect);
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
}

fn collect(value: &Value, found: &mut Vec<Uuid>) {
    match value {
        Value::String(text) => found.extend(text.parse::<Uuid>().ok()),
        Value::Array(list) => list.iter().for_each(|entry| collect(entry, found)),
        Value::Object(members) => members.values().for_each(|member| collect(member, found)),
        _ => {}
    }
}
