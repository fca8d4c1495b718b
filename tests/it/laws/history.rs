//! Random histories: batches of mixed kinds from small pools of names, so that they interact, swap names and places,
//! and are often refused.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use underlay_engine::write::{Author, Batch, Cascade, Conflicts, Item, Mode, Origin, Release};
use underlay_inventory::Snapshot;
use uuid::Uuid;

/// The kinds, in an order in which most of what one needs comes before it.
const KINDS: [&str; 21] = [
    "region",
    "provider",
    "site",
    "location",
    "rack",
    "powerFeed",
    "cluster",
    "device",
    "port",
    "cable",
    "link",
    "providerNetwork",
    "circuit",
    "circuitTermination",
    "virtualMachine",
    "source",
    "hostClass",
    "credential",
    "profile",
    "appliance",
    "host",
];

/// Makes batches.
pub struct History {
    pub random: StdRng,
}

impl History {
    pub fn new(seed: u64) -> Self {
        Self { random: StdRng::seed_from_u64(seed) }
    }

    /// The next batch on a snapshot.
    pub fn batch(&mut self, snapshot: &Snapshot) -> Batch {
        let source = self.chance(30).then(|| self.name("source", 2));
        let count = if self.chance(10) { 120 } else { self.random.random_range(1..8) };
        let mut items = Vec::new();
        while items.len() < count {
            match self.random.random_range(0..100) {
                0..50 => items.push(self.write(snapshot, source.is_some())),
                50..70 => items.extend(self.update(snapshot)),
                70..80 => items.extend(self.swap(snapshot)),
                80..94 => items.extend(self.delete(snapshot)),
                94..97 => items.extend(self.release(snapshot)),
                _ => items.push(Item::Delete {
                    kind: None,
                    object: json!(Uuid::from_u128(7)),
                    cascade: Cascade::No,
                    if_version: None,
                }),
            }
        }
        let modes = [Mode::Atomic, Mode::PerItem, Mode::PerItem];
        let policies = [Conflicts::Force, Conflicts::Skip, Conflicts::Fail];
        Batch {
            id: Uuid::new_v4(),
            items,
            mode: self.one(&modes),
            conflicts: self.one(&policies),
            author: Author::user(self.name("user", 3)).on_behalf_of(source),
            origin: Origin::Client,
            request_id: self.chance(10).then(|| self.name("request", u32::MAX)),
            bytes: 0,
        }
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.random.random_range(0..of.len())].clone()
    }

    fn name(&mut self, stem: &str, most: u32) -> String {
        format!("{stem}{}", self.random.random_range(1..=most))
    }

    /// An object of a kind that is there.
    fn object(&mut self, snapshot: &Snapshot, kind: &str) -> Option<Uuid> {
        let table = snapshot.table(snapshot.registry().named(kind)?.id);
        let index = self.random.random_range(0..table.len().max(1));
        table.rows(0).nth(index).map(|(_, row)| row.common().id)
    }

    /// A reference to an object of a kind: often one that is there, else one that may be in the same batch, or not.
    fn reference(&mut self, snapshot: &Snapshot, kind: &str) -> Value {
        match self.object(snapshot, kind).filter(|_| self.random.random_range(0..100) < 80) {
            Some(id) => json!({ "id": id }),
            None => {
                let name = self.name(kind, 4);
                json!({ kind: name })
            }
        }
    }

    /// Creates or updates an object by its key, sometimes by an external id.
    fn write(&mut self, snapshot: &Snapshot, with_source: bool) -> Item {
        let kind = self.one(&KINDS);
        let mut fields = self.required(snapshot, kind);
        self.optional(snapshot, kind, &mut fields);
        if with_source && self.chance(40) {
            fields["externalId"] = json!(self.name("x", 20));
        }
        item(snapshot, kind, fields)
    }

    /// Changes an object that is there, by its id: renames, moves, clears.
    fn update(&mut self, snapshot: &Snapshot) -> Option<Item> {
        let kind = self.one(&KINDS);
        let id = self.object(snapshot, kind)?;
        let mut fields = json!({ "id": id });
        if self.chance(40) {
            fields["name"] = json!(self.name(kind, 6));
        }
        if self.chance(40) {
            let moved = self.required(snapshot, kind);
            let members: Vec<_> = moved.as_object()?.iter().filter(|(name, _)| *name != "name").collect();
            let (name, moved) =
                members[self.random.random_range(0..members.len().max(1)).min(members.len().checked_sub(1)?)];
            fields[name] = moved.clone();
        }
        self.optional(snapshot, kind, &mut fields);
        Some(item(snapshot, kind, fields))
    }

    /// Two objects that trade their names, and two devices that trade their units.
    fn swap(&mut self, snapshot: &Snapshot) -> Vec<Item> {
        let kind = self.one(&["device", "device", "rack", "port", "site"]);
        let (Some(one), Some(other)) = (self.object(snapshot, kind), self.object(snapshot, kind)) else {
            return Vec::new();
        };
        let row = |id: Uuid| snapshot.row_of(id).map(|row| row.common().name.to_owned());
        let (Some(of_one), Some(of_other)) = (row(one), row(other)) else { return Vec::new() };
        vec![
            item(snapshot, kind, json!({ "id": one, "name": of_other })),
            item(snapshot, kind, json!({ "id": other, "name": of_one })),
        ]
    }

    fn delete(&mut self, snapshot: &Snapshot) -> Option<Item> {
        let kind = self.one(&KINDS);
        let object = json!(self.object(snapshot, kind)?);
        let cascade = if self.chance(30) { Cascade::Contained } else { Cascade::No };
        Some(Item::Delete { kind: None, object, cascade, if_version: self.chance(5).then_some(1) })
    }

    fn release(&mut self, snapshot: &Snapshot) -> Option<Item> {
        let kind = self.one(&KINDS);
        let object = json!(self.object(snapshot, kind)?);
        let what = match self.chance(50) {
            true => Release::Fields(vec!["description".to_owned(), "labels.env".to_owned()]),
            false => Release::HeldBy(format!("source:{}", self.name("source", 2))),
        };
        Some(Item::Release { kind: None, object, what })
    }

    /// Returns the required fields of a new object of a kind.
    fn required(&mut self, snapshot: &Snapshot, kind: &str) -> Value {
        let name = self.name(kind, 6);
        match kind {
            "site" => json!({ "name": name, "type": self.one(&["DATACENTER", "EDGE"]) }),
            "location" => json!({ "name": name, "type": "ROOM", "site": self.reference(snapshot, "site") }),
            "rack" => json!({ "name": name, "heightU": 42, "site": self.reference(snapshot, "site") }),
            "powerFeed" => json!({ "name": name, "site": self.reference(snapshot, "site") }),
            "cluster" => {
                json!({ "name": name, "type": "KUBERNETES", "controlPlaneSite": self.reference(snapshot, "site") })
            }
            "device" => json!({
                "name": name, "site": self.reference(snapshot, "site"), "role": self.one(&["SERVER", "LEAF", "CHASSIS"]),
            }),
            "port" if self.chance(15) => {
                json!({ "name": name, "type": "VIRTUAL", "virtualMachine": self.reference(snapshot, "virtualMachine") })
            }
            "port" => {
                let kinds = ["ETHERNET", "ETHERNET", "LAG", "PATCH_FRONT", "PATCH_REAR", "POWER_INLET", "POWER_OUTLET"];
                json!({ "name": name, "type": self.one(&kinds), "device": self.reference(snapshot, "device") })
            }
            "cable" => {
                let (a, b) = (self.cable_end(snapshot), self.cable_end(snapshot));
                json!({ "name": name, "aEnds": [a], "bEnds": [b] })
            }
            "link" => json!({
                "name": name, "type": "LOGICAL",
                "a": { "site": self.reference(snapshot, "site") }, "b": { "device": self.reference(snapshot, "device") },
            }),
            "providerNetwork" => json!({ "name": name, "provider": self.reference(snapshot, "provider") }),
            "circuit" => json!({
                "name": name, "type": "TRANSIT", "provider": self.reference(snapshot, "provider"),
                "aEnd": { "site": self.reference(snapshot, "site") },
            }),
            "circuitTermination" => json!({
                "name": self.one(&["A", "Z"]), "side": self.one(&["A", "Z"]),
                "circuit": self.reference(snapshot, "circuit"), "site": self.reference(snapshot, "site"),
            }),
            "virtualMachine" => json!({ "name": name, "cluster": self.reference(snapshot, "cluster") }),
            "provider" => json!({ "name": name, "type": "TRANSIT" }),
            "source" => json!({ "name": name, "type": self.one(&["netbox", "files"]) }),
            "credential" => json!({ "name": name, "type": self.one(&["BASIC", "TOKEN"]) }),
            "profile" => json!({ "name": name, "purpose": self.one(&["DISCOVER", "WIPE"]) }),
            "appliance" => json!({ "name": name, "type": "MANUAL" }),
            _ => json!({ "name": name }),
        }
    }

    fn cable_end(&mut self, snapshot: &Snapshot) -> Value {
        match self.random.random_range(0..8) {
            0 => json!({ "powerFeed": self.reference(snapshot, "powerFeed") }),
            1 => json!({ "circuitTermination": self.reference(snapshot, "circuitTermination") }),
            _ => json!({ "port": self.reference(snapshot, "port") }),
        }
    }

    /// Some of what an object may have.
    fn optional(&mut self, snapshot: &Snapshot, kind: &str, fields: &mut Value) {
        let mut set = |name: &str, value: Value| fields[name] = value;
        if self.chance(20) {
            set("description", self.one(&[json!("à côté"), json!("plain"), Value::Null]));
        }
        if self.chance(30) {
            set("tenant", self.one(&[json!("blue"), json!("red"), Value::Null]));
        }
        if self.chance(20) {
            set(
                "labels",
                json!({ "env": self.one(&[json!("prod"), json!("lab"), Value::Null]), "team": self.name("t", 2) }),
            );
        }
        if self.chance(20) {
            let values = [
                json!(1),
                json!(1.5),
                json!(1.0),
                json!(-0.0),
                json!(1e15),
                json!([1, {"b": 2, "a": 1.25}]),
                json!("ü"),
                Value::Null,
            ];
            set("attributes", json!({ "depth": self.one(&values), "more": self.one(&values) }));
        }
        if self.chance(15) {
            set("externalRefs", json!([{ "source": self.name("source", 2), "externalId": self.name("x", 20) }]));
        }
        if !self.chance(40) {
            return;
        }
        let one_of = |history: &mut Self, kind: &str| match history.chance(25) {
            true => Value::Null,
            false => history.reference(snapshot, kind),
        };
        match kind {
            "region" => set("parent", one_of(self, "region")),
            "site" => {
                set("region", one_of(self, "region"));
                set("provider", one_of(self, "provider"));
                set("coordinates", json!({ "latitude": 52.25, "longitude": 4.8952 }));
            }
            "location" => set("parent", one_of(self, "location")),
            "rack" => set("assetTag", json!(self.name("tag", 4))),
            "powerFeed" => set("riskGroups", json!(["a", "b"])),
            "device" => {
                let unit = self.random.random_range(1..6);
                let rack = self.reference(snapshot, "rack");
                set("placement", self.one(&[json!({ "rack": rack, "startUnit": unit, "unitHeight": 1 }), Value::Null]));
                set("assetTag", self.one(&[json!("tag1"), json!("tag2"), Value::Null]));
                set("serial", self.one(&[json!("CZJ1"), json!("czj2"), Value::Null]));
                set("parent", one_of(self, "device"));
                set("cluster", one_of(self, "cluster"));
            }
            "port" => {
                let (group, port) = (self.one(&["lag", "lag", "parent"]), one_of(self, "port"));
                set(group, port);
                set("speedBps", json!(400_000_000_000_i64));
                set("addresses", json!(["10.0.0.7/31"]));
            }
            "cable" => set("lengthM", json!(2.5)),
            "link" => set("cables", json!([self.reference(snapshot, "cable")])),
            "circuit" => {
                let site = self.reference(snapshot, "site");
                set("zEnd", self.one(&[json!({ "site": site }), Value::Null]));
                set("latencyMs", json!(3.125));
            }
            "virtualMachine" => set("host", one_of(self, "device")),
            // A structure in which nothing is given is none.
            "provider" => {
                let contracts = [json!({ "contractId": "c" }), json!({}), json!({ "notes": null }), Value::Null];
                set("contract", self.one(&contracts));
            }
            "hostClass" => {
                let conditions = json!({ "cpuCores": 8, "labels": { "a": "b" } });
                let empty = json!({ "disks": [], "labels": {} });
                set("match", self.one(&[conditions, json!({}), empty, Value::Null]));
            }
            "credential" => set("allowedHosts", self.one(&[json!(["10.1.0.0/16", "bmc-1"]), Value::Null])),
            "profile" => set("arguments", self.one(&[json!(["quiet"]), Value::Null])),
            "appliance" => {
                set("credential", one_of(self, "credential"));
                set("site", one_of(self, "site"));
            }
            "host" => {
                let (device, machine) =
                    (self.reference(snapshot, "device"), self.reference(snapshot, "virtualMachine"));
                let machines = [json!({ "device": device }), json!({ "virtualMachine": machine }), Value::Null];
                set("machine", self.one(&machines));
                set("class", one_of(self, "hostClass"));
                set("cluster", one_of(self, "cluster"));
                set("appliance", one_of(self, "appliance"));
                set("uid", self.one(&[json!("4C4C4544-0042"), json!("CZJ1"), Value::Null]));
                set("serial", self.one(&[json!("CZJ1"), json!("czj2"), Value::Null]));
                set("maintenance", self.one(&[json!({ "ann": "a fan" }), Value::Null]));
            }
            "source" => {
                set("limits", self.one(&[json!({ "share": 0.25, "count": 3 }), Value::Null]));
                set("paused", self.one(&[json!(true), Value::Null]));
            }
            _ => {}
        }
    }
}

fn item(snapshot: &Snapshot, kind: &str, fields: Value) -> Item {
    Item::parse(snapshot.registry(), json!({ kind: fields })).expect("an item of a kind that there is")
}
