//! Inventories drawn in text, and what is asked of them.
//!
//! A picture has a line for each thing that is joined, from left to right:
//!
//! ```text
//! a:e1 --c1-- p:f1 = p:r1/12 --c2-- b:e1        a port of a device, a cable, a front joined to a rear with 12 positions
//! [a:e1,a:e2] --c3(5m,1/1>1/2)-- b:e1/4         several ends; 5 metres; end 1 position 1 to end 1 position 2
//! p:f2/2 =2:7= p:r1                             position 2 of the front to position 7 of the rear
//! a:e3 --c4-- x.A ~x(2ms,900m)~ x.Z@net         a circuit with its ends, one of them in a network
//! x.A -> a:e4                                   plugged straight into a port
//! u:o1 ^ u:i1 --c5-- feed:F ^ feed:G            what is fed by what
//! ```
//!
//! The first letter of a port's name is its type: `e`thernet, `f`ront, `r`ear, `i`nlet, `o`utlet, `s`erial, `l`ag. A
//! mark after a name: `!` out of use, `*` joined to something outside. A termination is at site `s`, but `x.Z@n` is in
//! network `n` and `x.Z@` nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use underlay_inventory::{ObjectRef, Snapshot};

use crate::harness::world::World;

/// A drawn inventory.
pub struct Picture {
    pub snapshot: Arc<Snapshot>,
    objects: BTreeMap<String, ObjectRef>,
    names: BTreeMap<ObjectRef, String>,
}

impl Picture {
    /// Writes what is drawn, through the write path.
    #[track_caller]
    pub fn draw(text: &str) -> Self {
        let mut drawing = Drawing::default();
        text.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| drawing.line(line));
        Self::of(World::of(drawing.items()).snapshot)
    }

    /// An inventory that was not drawn.
    pub fn of(snapshot: Snapshot) -> Self {
        let (mut objects, mut names) = (BTreeMap::new(), BTreeMap::new());
        for kind in snapshot.registry().kinds() {
            for (slot, _) in snapshot.table(kind.id).rows(0) {
                let object = ObjectRef { kind: kind.id, slot };
                objects.insert(short(&snapshot, object), object);
                names.insert(object, short(&snapshot, object));
            }
        }
        Self { snapshot: Arc::new(snapshot), objects, names }
    }

    #[track_caller]
    pub fn object(&self, name: &str) -> ObjectRef {
        *self.objects.get(name).unwrap_or_else(|| panic!("{name} is not in the picture"))
    }

    pub fn name(&self, object: ObjectRef) -> &str {
        &self.names[&object]
    }

    /// Everything that lines can be followed from.
    pub fn ends(&self) -> impl Iterator<Item = ObjectRef> {
        let roles = underlay_kinds::topology();
        self.names.keys().copied().filter(|object| roles.end(object.kind).is_some())
    }
}

/// An object as a picture calls it.
fn short(snapshot: &Snapshot, object: ObjectRef) -> String {
    let path = snapshot.path(object);
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["port", .., device, name] => format!("{device}:{name}"),
        ["circuitTermination", .., circuit, side] => format!("{circuit}.{side}"),
        ["powerFeed", .., name] => format!("feed:{name}"),
        ["device" | "provider", .., name] => format!("/{name}"),
        [.., name] => (*name).to_owned(),
        [] => path,
    }
}

/// The objects drawn so far, as items.
#[derive(Default)]
struct Drawing {
    devices: BTreeSet<String>,
    networks: BTreeSet<String>,
    ports: BTreeMap<String, Map<String, Value>>,
    feeds: BTreeMap<String, Map<String, Value>>,
    circuits: BTreeMap<String, Map<String, Value>>,
    cables: Vec<Value>,
}

impl Drawing {
    fn line(&mut self, line: &str) {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        for token in tokens.iter().step_by(2) {
            ends(token).iter().for_each(|end| self.end(end));
        }
        for index in (1..tokens.len()).step_by(2) {
            let (left, segment, right) = (ends(tokens[index - 1]), tokens[index], ends(tokens[index + 1]));
            match segment.chars().next() {
                Some('-') if segment == "->" => self.plug(&left[0], &right[0]),
                Some('-') => self.cable(segment.trim_matches('-'), &left, &right),
                Some('=') => self.mapping(segment.trim_matches('='), &left[0], &right[0]),
                Some('~') => self.circuit(segment.trim_matches('~')),
                Some('^') => right.iter().for_each(|source| self.feed(&left[0], source)),
                _ => panic!("what is {segment} in {line}?"),
            }
        }
    }

    fn end(&mut self, end: &End) {
        if end.name.is_empty() {
            return;
        }
        if let Some((circuit, side)) = end.name.split_once('.') {
            let circuit = self.circuits.entry(circuit.to_owned()).or_default();
            let field = if side == "A" { "aEnd" } else { "zEnd" };
            match end.at.as_deref() {
                Some("") => drop(circuit.insert(field.to_owned(), json!({}))),
                Some(network) => {
                    self.networks.insert(network.to_owned());
                    let network = json!({"provider": "prov", "providerNetwork": network});
                    circuit.insert(field.to_owned(), json!({"providerNetwork": network}));
                }
                None => drop(circuit.entry(field).or_insert(json!({"site": "s"}))),
            }
            return;
        }
        if end.name.starts_with("feed:") {
            let feed = self.feeds.entry(end.name.clone()).or_default();
            if end.mark == Some('!') {
                feed.insert("status".to_owned(), "OFFLINE".into());
            }
            return;
        }
        let (device, name) = end.name.split_once(':').unwrap_or_else(|| panic!("what is {}?", end.name));
        self.devices.insert(device.to_owned());
        let port = self.ports.entry(end.name.clone()).or_default();
        let kind = match &name[..1] {
            "e" => "ETHERNET",
            "f" => "PATCH_FRONT",
            "r" => "PATCH_REAR",
            "i" => "POWER_INLET",
            "o" => "POWER_OUTLET",
            "s" => "SERIAL",
            "l" => "LAG",
            _ => panic!("what type is {name}?"),
        };
        port.insert("type".to_owned(), kind.into());
        if let Some(positions) = end.positions {
            port.insert("positions".to_owned(), positions.into());
        }
        match end.mark {
            Some('!') => drop(port.insert("enabled".to_owned(), false.into())),
            Some('*') => drop(port.insert("markConnected".to_owned(), true.into())),
            _ => {}
        }
    }

    fn cable(&mut self, segment: &str, left: &[End], right: &[End]) {
        let (name, options) = options(segment);
        let references = |ends: &[End]| ends.iter().map(|end| reference(&end.name)).collect::<Vec<_>>();
        let mut cable = json!({"name": name, "aEnds": references(left), "bEnds": references(right)});
        let mut lanes = Vec::new();
        for option in options {
            if let Some((a, b)) = option.split_once('>') {
                let side = |text: &str| -> (i64, i64) {
                    let (end, position) = text.split_once('/').expect("end/position");
                    (end.parse().unwrap(), position.parse().unwrap())
                };
                let ((a_end, a), (b_end, b)) = (side(a), side(b));
                lanes.push(json!({"aEnd": a_end, "aPosition": a, "bEnd": b_end, "bPosition": b}));
            } else if let Some(length) = option.strip_suffix('m') {
                cable["lengthM"] = json!(length.parse::<f64>().unwrap());
            } else {
                cable["status"] = option.into();
            }
        }
        if !lanes.is_empty() {
            cable["lanes"] = lanes.into();
        }
        self.cables.push(json!({"cable": cable}));
    }

    fn mapping(&mut self, positions: &str, left: &End, right: &End) {
        let (left_at, right_at) = positions.split_once(':').unwrap_or(("1", "1"));
        let is_front = |end: &End| end.name.split_once(':').is_some_and(|(_, name)| name.starts_with('f'));
        let (front, at, rear, rear_at) = match is_front(left) {
            true => (left, left_at, right, right_at),
            false => (right, right_at, left, left_at),
        };
        let (device, rear) = rear.name.split_once(':').expect("a rear port");
        let mapping = json!({
            "position": at.parse::<i64>().unwrap(),
            "rear": {"site": "s", "device": device, "family": "REAR", "port": rear},
            "rearPosition": rear_at.parse::<i64>().unwrap(),
        });
        self.push(&front.name.clone(), "passThrough", mapping);
    }

    fn circuit(&mut self, segment: &str) {
        let (name, options) = options(segment);
        let circuit = self.circuits.entry(name.to_owned()).or_default();
        for option in options {
            if let Some(latency) = option.strip_suffix("ms") {
                circuit.insert("latencyMs".to_owned(), json!(latency.parse::<f64>().unwrap()));
            } else if let Some(length) = option.strip_suffix('m') {
                circuit.insert("distanceM".to_owned(), json!(length.parse::<f64>().unwrap()));
            } else {
                circuit.insert("status".to_owned(), option.into());
            }
        }
    }

    fn plug(&mut self, termination: &End, port: &End) {
        let (circuit, side) = termination.name.split_once('.').expect("the end of a circuit");
        let end = json!({"site": "s", "port": reference(&port.name)["port"]});
        let circuit = self.circuits.entry(circuit.to_owned()).or_default();
        circuit.insert(if side == "A" { "aEnd" } else { "zEnd" }.to_owned(), end);
    }

    fn feed(&mut self, fed: &End, source: &End) {
        if fed.name.starts_with("feed:") {
            let feed = self.feeds.entry(fed.name.clone()).or_default();
            feed.insert("upstream".to_owned(), reference(&source.name));
        } else {
            self.push(&fed.name.clone(), "fedBy", reference(&source.name));
        }
    }

    fn push(&mut self, port: &str, field: &str, value: Value) {
        let port = self.ports.entry(port.to_owned()).or_default();
        port.entry(field).or_insert(json!([])).as_array_mut().expect("a list").push(value);
    }

    fn items(self) -> Value {
        let mut items = vec![
            json!({"site": {"name": "s", "type": "DATACENTER"}}),
            json!({"provider": {"name": "prov", "type": "TRANSIT"}}),
        ];
        let device = |name: &String| json!({"device": {"site": "s", "name": name, "role": "OTHER"}});
        items.extend(self.devices.iter().map(device));
        let network = |name: &String| json!({"providerNetwork": {"provider": "prov", "name": name}});
        items.extend(self.networks.iter().map(network));
        for (name, mut port) in self.ports {
            let (device, name) = name.split_once(':').expect("device:port");
            port.insert("device".to_owned(), json!({"site": "s", "device": device}));
            port.insert("name".to_owned(), name.into());
            items.push(json!({"port": port}));
        }
        for (name, mut feed) in self.feeds {
            feed.insert("site".to_owned(), "s".into());
            feed.insert("name".to_owned(), name.trim_start_matches("feed:").into());
            items.push(json!({"powerFeed": feed}));
        }
        for (name, mut circuit) in self.circuits {
            circuit.insert("provider".to_owned(), "prov".into());
            circuit.insert("name".to_owned(), name.into());
            circuit.insert("type".to_owned(), "PROVIDER_CIRCUIT".into());
            items.push(json!({"circuit": circuit}));
        }
        items.extend(self.cables);
        items.into()
    }
}

/// An end as it is drawn.
struct End {
    name: String,
    positions: Option<i64>,
    mark: Option<char>,
    at: Option<String>,
}

/// `a:e1/4!` or several in brackets.
fn ends(token: &str) -> Vec<End> {
    let inner = token.strip_prefix('[').and_then(|token| token.strip_suffix(']')).unwrap_or(token);
    inner.split(',').map(end).collect()
}

fn end(text: &str) -> End {
    let mark = text.chars().last().filter(|last| "!*".contains(*last));
    let text = text.trim_end_matches(['!', '*']);
    let (text, at) = match text.split_once('@') {
        Some((text, at)) => (text, Some(at.to_owned())),
        None => (text, None),
    };
    let (name, positions) = match text.split_once('/') {
        Some((name, positions)) => (name, Some(positions.parse().unwrap())),
        None => (text, None),
    };
    let name = if name == "." { "" } else { name };
    End { name: name.to_owned(), positions, mark, at }
}

/// `c1(5m,PLANNED)`: a name and its properties.
fn options(segment: &str) -> (&str, Vec<&str>) {
    match segment.split_once('(') {
        Some((name, options)) => (name, options.trim_end_matches(')').split(',').collect()),
        None => (segment, Vec::new()),
    }
}

/// An end as items refer to it.
fn reference(name: &str) -> Value {
    if let Some((circuit, side)) = name.split_once('.') {
        return json!({"circuitTermination": {"provider": "prov", "circuit": circuit, "side": side}});
    }
    match name.split_once(':') {
        Some(("feed", feed)) => json!({"powerFeed": {"site": "s", "powerFeed": feed}}),
        Some((device, port)) => {
            let family = match &port[..1] {
                "f" => "FRONT",
                "r" => "REAR",
                "i" => "INLET",
                "o" => "OUTLET",
                "s" => "SERIAL",
                _ => "DATA",
            };
            json!({"port": {"site": "s", "device": device, "family": family, "port": port}})
        }
        None => panic!("what is {name}?"),
    }
}
