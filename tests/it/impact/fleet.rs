//! Fleets in a few words, one line for each object:
//!
//! ```text
//! rack A                       a rack, in the site `s`
//! feed fa                      a power feed; `feed fb < fa` is supplied by another one, or by an outlet `ups:out`
//! pdu p < fa                   a device of a role; its inlets are corded to feeds, or to outlets of devices; `?` is
//!                              an inlet without a cord
//! server n1 rack=A < p q       with two inlets `in1` and `in2`; outlets of the sources are made as they are needed
//! leaf l1 -- spine s1          a cable between ports that are made for it; `cable=c1` names it
//! ```
//!
//! Everything else stands in `Fleet::line`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::{Impact, ImpactQuery};

use super::{ask, assert_explained, name};
use crate::harness::world::World;

/// Roles of devices, as they stand at the beginning of a line.
const ROLES: [&str; 15] = [
    "server",
    "spine",
    "leaf",
    "border_router",
    "router",
    "switch",
    "firewall",
    "load_balancer",
    "console_server",
    "pdu",
    "ups",
    "patch_panel",
    "chassis",
    "storage",
    "other",
];

/// A fleet that was drawn and built through the write path.
pub struct Fleet {
    pub world: World,
    items: Vec<Value>,
    ports: BTreeSet<String>,
    counts: BTreeMap<String, usize>,
}

impl Fleet {
    /// Builds a fleet of some lines.
    #[track_caller]
    pub fn of(text: &str) -> Self {
        let mut fleet =
            Self { world: World::empty(), items: Vec::new(), ports: BTreeSet::new(), counts: BTreeMap::new() };
        fleet.items.push(json!({"site": {"name": "s", "type": "DATACENTER"}}));
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            fleet.line(line);
        }
        let items = std::mem::take(&mut fleet.items);
        fleet.world.write(Value::Array(items));
        fleet
    }

    #[track_caller]
    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["site", name, options @ ..] => self.object("site", name, json!({"type": "DATACENTER"}), options),
            ["region", name, options @ ..] => self.object("region", name, json!({}), options),
            ["location", name, options @ ..] => self.object("location", name, json!({"site": "s"}), options),
            ["rack", name, options @ ..] => self.object("rack", name, json!({"site": "s", "heightU": 42}), options),
            ["provider", name] => self.object("provider", name, json!({"type": "TRANSIT"}), &[]),
            ["network", name, "of", provider] => {
                self.object("providerNetwork", name, json!({"provider": provider}), &[]);
            }
            ["cluster", name] => self.object("cluster", name, json!({}), &[]),
            ["vm", name, options @ ..] => self.object("virtualMachine", name, json!({}), options),
            ["host", name, "on", kind, machine] => {
                self.object("host", name, json!({"machine": {*kind: machine}}), &[]);
            }
            ["link", name, kind_a, a, kind_b, b, cables @ ..] => {
                let cables: Vec<Value> = cables.iter().map(|cable| json!(cable)).collect();
                let fields = json!({"type": "LOGICAL", "a": {*kind_a: a}, "b": {*kind_b: b}, "cables": cables});
                self.object("link", name, fields, &[]);
            }
            ["feed", name, rest @ ..] => self.feed(name, rest),
            ["lag", port, "of", members @ ..] => self.lag(port, members),
            ["pass", panel, front, "=", rear] => self.pass(panel, front, rear),
            ["trunk", name, panel, "=", other, count] => self.trunk(name, panel, other, count),
            ["circuit", name, "of", provider, kind, rest @ ..] => self.circuit(name, provider, kind, rest),
            ["cable", name, a, "--", b @ ..] => self.breakout(name, a, b),
            [a, "--", b, options @ ..] => self.cable(a, b, options),
            [role, name, rest @ ..] if ROLES.contains(role) => self.device(role, name, rest),
            _ => panic!("what is {line:?}?"),
        }
    }

    fn object(&mut self, kind: &str, name: &str, mut fields: Value, options: &[&str]) {
        fields["name"] = json!(name);
        merge(&mut fields, options);
        self.items.push(json!({kind: fields}));
    }

    fn feed(&mut self, name: &str, rest: &[&str]) {
        let (options, sources) = split(rest);
        let mut fields = json!({"site": "s"});
        if let Some(source) = sources.first() {
            fields["upstream"] = self.source(source);
        }
        self.object("powerFeed", name, fields, options);
    }

    /// An outlet or feed that supplies something.
    fn source(&mut self, source: &str) -> Value {
        match source.split_once(':') {
            Some((device, port)) => json!({"port": self.port(device, port, "POWER_OUTLET", json!({}))}),
            None => json!({"powerFeed": source}),
        }
    }

    fn device(&mut self, role: &str, name: &str, rest: &[&str]) {
        let (options, sources) = split(rest);
        self.object("device", name, json!({"site": "s", "role": role.to_uppercase()}), options);
        for (at, source) in sources.iter().enumerate() {
            let inlet = self.port(name, &format!("in{}", at + 1), "POWER_INLET", json!({}));
            if *source == "?" {
                continue;
            }
            let end = match self.is_feed(source) {
                true => json!({"powerFeed": self.feed_end(source)}),
                false => {
                    let (device, port) = match source.split_once(':') {
                        Some((device, port)) => (device, port.to_owned()),
                        None => (*source, self.next(source, "out")),
                    };
                    json!({"port": self.port(device, &port, "POWER_OUTLET", json!({}))})
                }
            };
            let cable = format!("cord-{name}-{}", at + 1);
            self.items.push(json!({"cable": {"name": cable, "aEnds": [{"port": inlet}], "bEnds": [end]}}));
        }
    }

    /// A feed takes one cable: for more there are feeds `fa.2`, `fa.3` … that it supplies.
    fn feed_end(&mut self, feed: &str) -> String {
        match self.next(feed, "").as_str() {
            "1" => feed.to_owned(),
            number => {
                let name = format!("{feed}.{number}");
                let fields = json!({"site": "s", "name": name, "upstream": {"powerFeed": feed}});
                self.items.push(json!({"powerFeed": fields}));
                name
            }
        }
    }

    fn is_feed(&self, name: &str) -> bool {
        self.items.iter().any(|item| item["powerFeed"]["name"] == *name)
    }

    fn next(&mut self, owner: &str, stem: &str) -> String {
        let count = self.counts.entry(format!("{owner} {stem}")).or_default();
        *count += 1;
        format!("{stem}{count}")
    }

    /// A port of a device; it is made when it is new.
    fn port(&mut self, device: &str, name: &str, kind: &str, more: Value) -> Value {
        if self.ports.insert(format!("{device}:{name}")) {
            let mut fields = json!({"device": device, "name": name, "type": kind});
            if kind == "POWER_OUTLET" {
                let inlets = self
                    .items
                    .iter()
                    .filter(|item| item["port"]["device"] == *device && item["port"]["type"] == "POWER_INLET");
                let inlets = inlets.map(|item| json!({"port": {"device": device, "port": item["port"]["name"]}}));
                fields["fedBy"] = inlets.collect();
            }
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            self.items.push(json!({"port": fields}));
        }
        json!({"device": device, "port": name})
    }

    /// An end of a cable: `device`, where a port is made for it, `device:port`, or `circuit/A`.
    fn end(&mut self, end: &str) -> Value {
        if let Some((circuit, side)) = end.split_once('/') {
            return json!({"circuitTermination": {"circuit": circuit, "side": side}});
        }
        let (device, port) = match end.split_once(':') {
            Some((device, port)) => (device, port.to_owned()),
            None => (end, self.next(end, "e")),
        };
        json!({"port": self.port(device, &port, "ETHERNET", json!({}))})
    }

    fn cable(&mut self, a: &str, b: &str, options: &[&str]) {
        let (a_end, b_end) = (self.end(a), self.end(b));
        let number = self.next("cable", "");
        let mut fields = json!({"name": format!("cable-{number}"), "aEnds": [a_end], "bEnds": [b_end]});
        merge(&mut fields, options);
        self.items.push(json!({"cable": fields}));
    }

    /// One end on side A, several on side B.
    fn breakout(&mut self, name: &str, a: &str, b: &[&str]) {
        let a = self.end(a);
        let b: Vec<Value> = b.iter().map(|end| self.end(end)).collect();
        self.items.push(json!({"cable": {"name": name, "aEnds": [a], "bEnds": b}}));
    }

    /// A front port of a panel that leads to a rear port of one position.
    fn pass(&mut self, panel: &str, front: &str, rear: &str) {
        let rear = self.port(panel, rear, "PATCH_REAR", json!({}));
        self.port(panel, front, "PATCH_FRONT", json!({"passThrough": [{"rear": rear}]}));
    }

    /// A trunk between the rears of two panels, with as many fronts `f1`, `f2` … on each.
    fn trunk(&mut self, name: &str, panel: &str, other: &str, count: &str) {
        let count: usize = count.parse().expect("a number");
        let ends = [panel, other].map(|panel| {
            let rear = self.port(panel, name, "PATCH_REAR", json!({"positions": count}));
            for position in 1..=count {
                let mapping = json!({"passThrough": [{"rear": rear, "rearPosition": position}]});
                self.port(panel, &format!("{name}-{position}"), "PATCH_FRONT", mapping);
            }
            json!([{"port": rear}])
        });
        let [a, b] = ends;
        self.items.push(json!({"cable": {"name": name, "aEnds": a, "bEnds": b}}));
    }

    fn lag(&mut self, port: &str, members: &[&str]) {
        let (device, name) = port.split_once(':').expect("a port");
        let lag = self.port(device, name, "LAG", json!({}));
        for member in members {
            let (device, name) = member.split_once(':').expect("a port");
            self.port(device, name, "ETHERNET", json!({"lag": lag}));
        }
    }

    /// `circuit c of p TRANSIT b1 -> network`: each end is a port, `net:NAME`, `site:NAME` or `nowhere`.
    fn circuit(&mut self, name: &str, provider: &str, kind: &str, rest: &[&str]) {
        let [a, "->", z, options @ ..] = rest else { panic!("a circuit has two ends: {rest:?}") };
        let mut fields = json!({"provider": provider, "type": kind});
        for (side, end) in [("aEnd", a), ("zEnd", z)] {
            fields[side] = match end.split_once(':') {
                Some(("net", network)) => json!({"providerNetwork": network}),
                Some(("site", site)) => json!({"site": site}),
                None if *end == "nowhere" => Value::Null,
                None if *end == "cabled" => json!({"site": "s"}),
                _ => {
                    let end = self.end(end)["port"].clone();
                    let site = self.site_of(end["device"].as_str().unwrap());
                    json!({"site": site, "port": end})
                }
            };
        }
        self.object("circuit", name, fields, options);
    }

    fn site_of(&self, device: &str) -> Value {
        let item = self.items.iter().find(|item| item["device"]["name"] == *device).expect("the device is there");
        item["device"]["site"].clone()
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.world.snapshot
    }

    /// An object by its name; a port as `device:port`.
    #[track_caller]
    pub fn find(&self, wanted: &str) -> ObjectRef {
        let snapshot = self.snapshot();
        let all = snapshot
            .registry()
            .kinds()
            .flat_map(|kind| snapshot.table(kind.id).rows(0).map(|(slot, _)| ObjectRef { kind: kind.id, slot }));
        let mut found = all.filter(|object| name(snapshot, *object) == wanted);
        let object = found.next().unwrap_or_else(|| panic!("there is no {wanted}"));
        assert_eq!(found.next(), None, "{wanted} is the name of several objects");
        object
    }

    #[track_caller]
    pub fn question(&self, of: &str, anchors: &str) -> ImpactQuery {
        let objects = |names: &str| names.split_whitespace().map(|name| self.find(name)).collect::<Vec<_>>();
        let anchors = (!anchors.is_empty()).then(|| objects(anchors));
        ImpactQuery { of: objects(of), anchors, ..ImpactQuery::default() }
    }

    /// Returns the effects of a failure, in lines such as `n1 DOWN Power < n1:in1`, without ports and cables.
    #[track_caller]
    pub fn fails(&self, of: &str) -> Vec<String> {
        self.lines_of(&self.question(of, ""), false)
    }

    /// Returns the effects of a failure, with ports and cables.
    #[track_caller]
    pub fn fails_in_full(&self, of: &str) -> Vec<String> {
        self.lines_of(&self.question(of, ""), true)
    }

    #[track_caller]
    pub fn lines_of(&self, question: &ImpactQuery, in_full: bool) -> Vec<String> {
        let snapshot = self.snapshot();
        let found = ask(snapshot, question).expect("an answer");
        assert_explained(snapshot, question, &found);
        let mut lines_of = lines(snapshot, &found, in_full);
        if !found.unanchored.is_empty() {
            lines_of.push(format!("{} unanchored", found.unanchored.len()));
        }
        lines_of
    }
}

fn lines(snapshot: &Snapshot, found: &Impact, in_full: bool) -> Vec<String> {
    let is_part =
        |object: ObjectRef| ["Port", "Cable", "CircuitTermination"].contains(&snapshot.kind(object.kind).name);
    let shown = found.affected().iter().filter(|affected| in_full || !is_part(affected.object));
    let mut lines_of: Vec<_> = shown
        .map(|affected| {
            let mut because: Vec<String> =
                found.because(affected).iter().map(|object| name(snapshot, *object)).collect();
            because.sort();
            let share = affected.share.map(|share| format!(" {} of {}", share.lost, share.of)).unwrap_or_default();
            let effect = format!("{:?}", affected.effect).to_uppercase();
            let (what, rule) = (name(snapshot, affected.object), affected.rule);
            (affected.effect, format!("{what} {effect} {rule:?}{share} < {}", because.join(" ")))
        })
        .collect();
    lines_of.sort();
    lines_of.into_iter().map(|(_, line)| line).collect()
}

fn split<'w>(rest: &'w [&'w str]) -> (&'w [&'w str], &'w [&'w str]) {
    match rest.iter().position(|word| *word == "<") {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[]),
    }
}

/// Options such as `status=FAILED`; `rack=A` is the placement of a device, and numbers and booleans are that.
fn merge(fields: &mut Value, options: &[&str]) {
    let fields: &mut Map<String, Value> = fields.as_object_mut().unwrap();
    for option in options {
        let (key, text) = option.split_once('=').unwrap_or_else(|| panic!("what is {option}?"));
        let value = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
        match key {
            "rack" if fields.contains_key("role") => fields.insert("placement".to_owned(), json!({"rack": text})),
            "inlets" => fields.insert("inletsRequired".to_owned(), value),
            "cable" => fields.insert("name".to_owned(), value),
            key => fields.insert(key.to_owned(), value),
        };
    }
}
