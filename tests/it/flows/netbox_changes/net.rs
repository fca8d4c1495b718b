//! A small NetBox that is changed as people change one: what NetBox changes with an object, the changes here do too.
//!
//! It has three sites of the recorded demo, and a chassis with blades, a virtual chassis with a LAG, nested locations
//! and power feeds that the demo has not.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::sync_netbox::replay::Replay;

/// The sites of the demo that are kept.
const SITES: [u64; 3] = [2, 3, 24];
/// The lists that are kept whole.
const WHOLE_LISTS: [&str; 6] = [
    "circuits/provider-networks",
    "circuits/providers",
    "dcim/device-roles",
    "dcim/device-types",
    "dcim/regions",
    "extras/tags",
];
/// The lists of what a device has.
pub const PORTS: [&str; 6] = [
    "dcim/console-ports",
    "dcim/front-ports",
    "dcim/interfaces",
    "dcim/power-outlets",
    "dcim/power-ports",
    "dcim/rear-ports",
];
pub const RACKS: &str = "dcim/racks";
pub const DEVICES: &str = "dcim/devices";
const LOCATIONS: &str = "dcim/locations";
pub const INTERFACES: &str = "dcim/interfaces";
pub const CABLES: &str = "dcim/cables";
pub const ADDRESSES: &str = "ipam/ip-addresses";
pub const VRFS: &str = "ipam/vrfs";
const CIRCUITS: &str = "circuits/circuits";
const TERMINATIONS: &str = "circuits/circuit-terminations";
const MACHINES: &str = "virtualization/virtual-machines";
const VM_INTERFACES: &str = "virtualization/interfaces";

/// The ids of the objects that are made up.
pub const CHASSIS: u64 = 200;
pub const BLADES: [u64; 2] = [201, 202];
pub const MEMBERS: [u64; 2] = [203, 204];
pub const ADDRESS: u64 = 9_500;
pub const HALL: u64 = 10;
pub const ROW: u64 = 11;
pub const HALL_RACK: u64 = 100;

/// A NetBox.
pub struct Net {
    pub replay: Replay,
    next: Cell<u64>,
}

/// Returns the id of an object, or of a reference to one.
pub fn id(object: &Value) -> u64 {
    object["id"].as_u64().unwrap_or_default()
}

/// Returns the type of the objects of a list.
fn type_of(path: &str) -> String {
    match path {
        "virtualization/interfaces" => "virtualization.vminterface".to_owned(),
        "ipam/ip-addresses" => "ipam.ipaddress".to_owned(),
        path => path.trim_end_matches('s').replacen('/', ".", 1).replace('-', ""),
    }
}

impl Net {
    pub async fn small() -> Self {
        let (demo, replay) = (Replay::demo().await, Replay::empty().await);
        let net = Self { replay, next: Cell::new(10_000) };
        let copy = |path: &str, keep: &dyn Fn(&Value) -> bool| -> BTreeSet<u64> {
            let kept: Vec<Value> = demo.list(path).into_iter().filter(|object| keep(object)).collect();
            kept.iter().for_each(|object| net.replay.insert(path, object.clone()));
            kept.iter().map(id).collect()
        };
        for path in WHOLE_LISTS {
            copy(path, &|_| true);
        }
        let is_here = |object: &Value| SITES.contains(&id(&object["site"]));
        copy("dcim/sites", &|site| SITES.contains(&id(site)));
        copy(RACKS, &is_here);
        let devices = copy(DEVICES, &is_here);
        let mut ends = BTreeSet::new();
        for path in PORTS {
            let ports = copy(path, &|port| devices.contains(&id(&port["device"])));
            ends.extend(ports.into_iter().map(|id| (type_of(path), id)));
        }
        let at_site = |end: &Value| end["termination_type"] != "dcim.site" || SITES.contains(&id(&end["termination"]));
        let away: BTreeSet<u64> =
            demo.list(TERMINATIONS).iter().filter(|end| !at_site(end)).map(|end| id(&end["circuit"])).collect();
        let circuits = copy(CIRCUITS, &|circuit| !away.contains(&id(circuit)));
        let terminations = copy(TERMINATIONS, &|end| circuits.contains(&id(&end["circuit"])));
        ends.extend(terminations.into_iter().map(|id| (type_of(TERMINATIONS), id)));
        copy(CABLES, &|cable| {
            let sides = ["a_terminations", "b_terminations"];
            let mut all = sides.iter().flat_map(|side| cable[side].as_array().into_iter().flatten());
            all.all(|end| {
                let of = end["object_type"].as_str().unwrap_or_default().to_owned();
                ends.contains(&(of, end["object_id"].as_u64().unwrap_or_default()))
            })
        });
        let clusters = copy("virtualization/clusters", &|cluster| id(cluster) <= 10);
        let machines = demo.list(MACHINES);
        let machines = machines.iter().filter(|machine| clusters.contains(&id(&machine["cluster"]))).take(6).map(id);
        let machines: BTreeSet<u64> = machines.collect();
        copy(MACHINES, &|machine| machines.contains(&id(machine)));
        copy(VM_INTERFACES, &|interface| machines.contains(&id(&interface["virtual_machine"])));
        net.furnish(&demo);
        net
    }

    /// Adds what the demo has not.
    fn furnish(&self, demo: &Replay) {
        let first = |path: &str| demo.list(path).into_iter().next().expect("an object of the demo");
        let (site, far) = (self.nested("dcim/sites", 2), self.nested("dcim/sites", 3));
        for (number, name, parent) in [(HALL, "Hall", Value::Null), (ROW, "Row", json!(HALL))] {
            let parent = parent.as_u64().map_or(Value::Null, |parent| self.nested(LOCATIONS, parent));
            self.make(LOCATIONS, number, name, first(LOCATIONS), json!({"site": site, "parent": parent}));
        }
        let row = self.nested(LOCATIONS, ROW);
        let members = json!({"site": site, "location": row, "u_height": 42});
        self.make(RACKS, HALL_RACK, "L1", first(RACKS), members);
        self.make(RACKS, HALL_RACK + 1, "L2", first(RACKS), json!({"site": far, "location": null, "u_height": 42}));
        self.make(RACKS, HALL_RACK + 2, "L3", first(RACKS), json!({"site": site, "location": null, "u_height": 20}));
        let router = demo.list(DEVICES).into_iter().find(|it| it["role"]["slug"] == "router").expect("a router");
        let in_rack = json!({"site": site, "location": row, "rack": self.nested(RACKS, HALL_RACK), "position": null,
            "cluster": null});
        let device = |number: u64, name: &str, more: Value| {
            self.make(DEVICES, number, name, router.clone(), merged(in_rack.clone(), more));
        };
        device(CHASSIS, "chassis", json!({"position": 1.0, "device_type": self.high(&router, demo)}));
        for (at, blade) in BLADES.into_iter().enumerate() {
            let mut parent = self.nested(DEVICES, CHASSIS);
            parent["device_bay"] = json!({"id": at + 1, "name": format!("Bay {}", at + 1)});
            device(blade, &format!("blade-{at}"), json!({"parent_device": parent, "face": null}));
        }
        let chassis = json!({"id": 50, "name": "stack", "display": "stack", "master": {"id": MEMBERS[0]}});
        for (at, member) in MEMBERS.into_iter().enumerate() {
            let more = json!({"position": 20.0 + at as f64, "virtual_chassis": chassis, "vc_position": at + 1});
            device(member, &format!("member-{at}"), more);
        }
        let port = demo.list(INTERFACES).into_iter().find(|port| port["cable"].is_null()).expect("a free interface");
        let lag = json!({"device": self.nested(DEVICES, MEMBERS[0]), "type": {"value": "lag", "label": "LAG"}});
        self.make(INTERFACES, 9_000, "Po1", port.clone(), lag);
        let mut lag = self.nested(INTERFACES, 9_000);
        lag["device"] = self.nested(DEVICES, MEMBERS[0]);
        for (at, owner) in MEMBERS.into_iter().chain(BLADES).chain([CHASSIS]).enumerate() {
            let lag = if MEMBERS.contains(&owner) { lag.clone() } else { Value::Null };
            let members = json!({"device": self.nested(DEVICES, owner), "lag": lag});
            self.make(INTERFACES, 9_001 + at as u64, "eth0", port.clone(), members.clone());
            self.make(INTERFACES, 9_101 + at as u64, "eth1", port.clone(), members);
        }
        self.make(VRFS, 5, "red", json!({}), json!({"rd": null}));
        let bridge = self.nested(INTERFACES, 9_001);
        let named = json!({"vrf": self.nested(VRFS, 5), "bridge": bridge});
        self.replay.change(INTERFACES, "dcim.interface", 9_101, named);
        self.assign(ADDRESS, "192.0.2.10/24", 9_001);
        self.set_primary(MEMBERS[0], ADDRESS);
        let panel = json!({"site": site, "location": row});
        self.make("dcim/power-panels", 90, "panel", first("dcim/power-panels"), panel);
        for (number, name) in [(91, "feed-a"), (92, "feed-b")] {
            let panel = self.nested("dcim/power-panels", 90);
            let members = json!({"power_panel": panel, "rack": self.nested(RACKS, HALL_RACK)});
            self.make("dcim/power-feeds", number, name, first("dcim/power-feeds"), members);
        }
    }

    /// Gives an interface of a device an address.
    pub fn assign(&self, number: u64, address: &str, interface: u64) {
        let members = json!({"address": address, "assigned_object_type": "dcim.interface",
            "assigned_object_id": interface, "nat_inside": null});
        self.make(ADDRESSES, number, "", json!({}), members);
    }

    /// Changes something that every object could name, and none does.
    pub fn bring_scan_forward(&self) {
        for asn in [self.fresh(), self.fresh()] {
            self.replay.put("ipam/asns", "ipam.asn", json!({"id": 1, "asn": asn}));
        }
    }

    /// Gives an address another text. NetBox logs the address alone.
    pub fn edit_address(&self, number: u64, address: &str) {
        self.replay.change(ADDRESSES, "ipam.ipaddress", number, json!({ "address": address }));
        for device in self.list(DEVICES).iter().filter(|device| id(&device["primary_ip4"]) == number).map(id) {
            let primary = json!({"id": number, "address": address, "family": 4});
            self.replay.insert(DEVICES, merged(self.get(DEVICES, device), json!({ "primary_ip4": primary })));
        }
    }

    /// Makes an address the primary one of a device.
    pub fn set_primary(&self, device: u64, number: u64) {
        let address = self.get(ADDRESSES, number)["address"].clone();
        self.change(DEVICES, device, json!({"primary_ip4": {"id": number, "address": address, "family": 4}}));
    }

    /// Deletes an address. NetBox takes it from its device without a word in its log.
    pub fn delete_address(&self, number: u64) {
        for device in self.list(DEVICES).iter().filter(|device| id(&device["primary_ip4"]) == number).map(id) {
            self.replay.insert(DEVICES, merged(self.get(DEVICES, device), json!({"primary_ip4": null})));
        }
        self.delete(ADDRESSES, number);
    }

    /// Returns a type of devices that takes some units.
    fn high(&self, device: &Value, demo: &Replay) -> Value {
        let of = demo.list("dcim/device-types").into_iter().find(|it| it["u_height"].as_f64() > Some(1.5));
        let mut nested = device["device_type"].clone();
        nested["id"] = of.expect("a type of more than a unit")["id"].clone();
        nested
    }

    /// Makes an object like another one.
    pub fn make(&self, path: &str, number: u64, name: &str, like: Value, members: Value) {
        let address = format!("http://127.0.0.1:8002/api/{path}/{number}/");
        let own = json!({"id": number, "url": address, "name": name, "display": name, "cable": null, "tags": []});
        let object = merged(merged(like, own), members);
        self.replay.put(path, &type_of(path), object);
    }

    /// Returns an id that no object has.
    pub fn fresh(&self) -> u64 {
        self.next.set(self.next.get() + 1);
        self.next.get()
    }

    pub fn list(&self, path: &str) -> Vec<Value> {
        self.replay.list(path)
    }

    pub fn get(&self, path: &str, number: u64) -> Value {
        let mut list = self.list(path).into_iter();
        list.find(|object| id(object) == number).unwrap_or_else(|| panic!("{path} has no {number}"))
    }

    /// Returns an object as others name it.
    pub fn nested(&self, path: &str, number: u64) -> Value {
        let object = self.get(path, number);
        let names = ["id", "url", "display", "name", "slug", "cid"].into_iter();
        names.filter(|name| !object[name].is_null()).map(|name| (name.to_owned(), object[name].clone())).collect()
    }

    /// Changes members of an object. Others that name it name it as it is now.
    pub fn change(&self, path: &str, number: u64, members: Value) {
        self.replay.change(path, &type_of(path), number, members);
        let new = self.nested(path, number);
        for other in self.replay.counts().into_keys().filter(|path| path.as_str() != "core/object-changes") {
            for object in self.list(&other) {
                let mut next = object.clone();
                for member in next.as_object_mut().into_iter().flat_map(|members| members.values_mut()) {
                    refresh(member, &new);
                }
                if next != object {
                    self.replay.insert(&other, next);
                }
            }
        }
    }

    pub fn delete(&self, path: &str, number: u64) {
        self.replay.delete(path, &type_of(path), number);
    }

    /// Gives an object another name.
    pub fn rename(&self, path: &str, number: u64, name: &str) {
        let member = if path == CIRCUITS { "cid" } else { "name" };
        let mut members = json!({member: name, "display": name});
        if !self.get(path, number)["slug"].is_null() {
            members["slug"] = json!(name);
        }
        self.change(path, number, members);
    }

    /// Lets two objects exchange members.
    pub fn swap(&self, path: &str, [one, other]: [u64; 2], members: &[&str]) {
        let of = |number: u64| -> Value {
            let object = self.get(path, number);
            members.iter().map(|name| ((*name).to_owned(), object[name].clone())).collect()
        };
        let (first, second) = (of(one), of(other));
        self.change(path, one, second);
        self.change(path, other, first);
    }

    /// Moves a device, with what is in its bays, to a place in a rack. NetBox gives it the site and location of the
    /// rack.
    pub fn move_device(&self, number: u64, rack: u64, position: Value) {
        let object = self.get(RACKS, rack);
        let place = json!({"site": object["site"], "location": object["location"], "rack": self.nested(RACKS, rack)});
        self.change(DEVICES, number, merged(place.clone(), json!({"position": position})));
        for child in self.children(number) {
            self.change(DEVICES, child, place.clone());
        }
    }

    /// Moves a rack to another site. NetBox moves the devices in it without a word in its log, and leaves its feeds.
    pub fn move_rack(&self, number: u64, site: u64) {
        let place = json!({"site": self.nested("dcim/sites", site), "location": null});
        self.change(RACKS, number, place.clone());
        self.take_along(DEVICES, place, |device| id(&device["rack"]) == number);
    }

    /// Moves a location to another site. NetBox moves all that is in it without a word in its log.
    pub fn move_location(&self, number: u64, site: u64) {
        let mut all = BTreeSet::from([number]);
        loop {
            let before = all.len();
            let list = self.list(LOCATIONS);
            all.extend(list.iter().filter(|it| all.contains(&id(&it["parent"]))).map(id).collect::<Vec<_>>());
            if all.len() == before {
                break;
            }
        }
        let place = json!({"site": self.nested("dcim/sites", site)});
        self.change(LOCATIONS, number, merged(place.clone(), json!({"parent": null})));
        self.take_along(LOCATIONS, place.clone(), |location| all.contains(&id(location)));
        for path in [RACKS, DEVICES, "dcim/power-panels"] {
            self.take_along(path, place.clone(), |object| all.contains(&id(&object["location"])));
        }
    }

    fn take_along(&self, path: &str, place: Value, goes: impl Fn(&Value) -> bool) {
        for object in self.list(path).into_iter().filter(goes) {
            self.replay.insert(path, merged(object, place.clone()));
        }
    }

    /// Returns the devices in the bays of a device.
    fn children(&self, number: u64) -> Vec<u64> {
        self.list(DEVICES).iter().filter(|device| id(&device["parent_device"]) == number).map(id).collect()
    }

    /// Deletes a device with its ports. Cables lose these ends, and the devices in its bays are in none.
    pub fn delete_device(&self, number: u64) {
        for child in self.children(number) {
            self.change(DEVICES, child, json!({"parent_device": null}));
        }
        for path in PORTS {
            for port in self.list(path).iter().filter(|port| id(&port["device"]) == number).map(id) {
                self.unplug(&type_of(path), port);
                let own = |it: &Value| path == INTERFACES && it["assigned_object_id"] == port;
                for address in self.list(ADDRESSES).iter().filter(|it| own(it)).map(id) {
                    self.delete_address(address);
                }
                self.delete(path, port);
            }
        }
        self.delete(DEVICES, number);
    }

    /// Deletes a circuit with its ends.
    pub fn delete_circuit(&self, number: u64) {
        for end in self.list(TERMINATIONS).iter().filter(|end| id(&end["circuit"]) == number).map(id) {
            self.unplug(&type_of(TERMINATIONS), end);
            self.delete(TERMINATIONS, end);
        }
        self.delete(CIRCUITS, number);
    }

    /// Deletes a virtual machine with its interfaces.
    pub fn delete_machine(&self, number: u64) {
        let interfaces = self.list(VM_INTERFACES);
        for interface in interfaces.iter().filter(|it| id(&it["virtual_machine"]) == number).map(id) {
            self.delete(VM_INTERFACES, interface);
        }
        self.delete(MACHINES, number);
    }

    /// Takes an end off its cable.
    fn unplug(&self, of: &str, number: u64) {
        for cable in self.list(CABLES) {
            for side in ["a_terminations", "b_terminations"] {
                let ends = cable[side].as_array().cloned().unwrap_or_default();
                let left: Vec<_> =
                    ends.iter().filter(|end| end["object_type"] != of || end["object_id"] != number).collect();
                if left.len() < ends.len() {
                    self.change(CABLES, id(&cable), json!({ side: left }));
                }
            }
        }
    }
}

/// Returns an object with other members.
fn merged(mut object: Value, members: Value) -> Value {
    if let (Value::Object(object), Value::Object(members)) = (&mut object, members) {
        object.extend(members);
    }
    object
}

/// Gives a value that names an object the names that the object has now.
fn refresh(value: &mut Value, new: &Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| refresh(value, new)),
        Value::Object(members) => {
            if members.get("url").is_some_and(|url| *url == new["url"]) {
                for (name, value) in new.as_object().into_iter().flatten() {
                    if let Some(there) = members.get_mut(name) {
                        *there = value.clone();
                    }
                }
            }
            members.values_mut().for_each(|value| refresh(value, new));
        }
        _ => {}
    }
}
