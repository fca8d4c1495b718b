//! Generates random items, valid and invalid ones, each for an object of its own.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

/// Items that are right, each of which says all of one kind that can be coerced.
fn right(name: &str) -> Vec<Value> {
    let site = || json!({"site": "ams1"});
    vec![
        json!({"region": {"name": name, "parent": {"region": "eu", "id": null}, "labels": {"env": "prod", "old": null},
            "attributes": {"a": [1, 2.5, {"b": null}], "c": 42.0}, "coordinates": {"latitude": 52, "longitude": 4.9}}}),
        json!({"rack": {"name": name, "site": site(), "heightU": 42, "status": "ACTIVE", "serial": null,
            "externalRefs": [{"source": "dcim", "externalId": name, "url": "https://dcim/1"}]}}),
        json!({"device": {"name": name, "site": site(), "role": "SERVER", "forwards": false, "inletsRequired": 2,
            "hardware": {"cpuCores": 64, "memoryBytes": 549_755_813_888_i64,
                "disks": [{"name": "a", "sizeBytes": 1_000_000, "type": "NVME"}]}}}),
        json!({"port": {"name": name, "device": {"site": "ams1", "device": "leaf-1"}, "type": "ETHERNET", "mtu": 9000,
            "speedBps": 400_000_000_000_i64, "mac": "02:00:00:00:00:01", "addresses": ["192.0.2.1/24"]}}),
        json!({"cable": {"name": name, "media": "FIBER_SMF", "lengthM": 2, "riskGroups": ["duct-1"],
            "aEnds": [{"port": {"device": "leaf-1", "port": format!("{name}a")}}],
            "bEnds": [{"port": {"device": "leaf-1", "port": format!("{name}b")}}]}}),
        json!({"circuit": {"name": name, "provider": {"provider": "carrier"}, "type": "PROVIDER_CIRCUIT", "installedOn": "2026-11-20",
            "bandwidthMbps": 10_000}}),
        json!({"delete": {"ref": {"rack": {"site": "ams1", "rack": format!("{name}v")}}, "ifVersion": 7}}),
        json!({"release": {"ref": {"region": {"region": "eu"}}, "fields": ["labels.env"]}}),
    ]
}

/// A value that may stand anywhere and is mostly wrong. It says nothing about the object of another item.
fn odd(name: &str, random: &mut SmallRng) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(format!("{name}-text")),
        json!("CAVE"),
        json!("ACTIVE"),
        json!(""),
        json!(7),
        json!(42.0),
        json!(1.5),
        json!(-1),
        json!(3_000_000_000_i64),
        json!(9_223_372_036_854_775_807_i64),
        json!(18_446_744_073_709_551_615_u64),
        json!(1e30),
        json!([]),
        json!([null]),
        json!(["x", 1]),
        json!({}),
        json!({"id": 7}),
        json!({"site": "ams1"}),
        json!({"port": {"device": "leaf-1", "port": "e1"}, "powerFeed": {"powerFeed": "f"}}),
        json!([{"source": "dcim"}]),
        json!([{"source": "dcim", "externalId": null}]),
        json!([{"source": "dcim", "externalId": 7}]),
        json!({"source": "dcim", "externalId": format!("{name}-single")}),
        json!({"a": {"b": {"c": [1]}}}),
        json!("2026-13-40"),
    ];
    values.choose(random).cloned().unwrap_or_default()
}

/// Changes something in an item, at any depth.
fn spoil(value: &mut Value, name: &str, random: &mut SmallRng) {
    let deeper = random.random_bool(0.7);
    match value {
        Value::Object(members) if !members.is_empty() && deeper => {
            let at = random.random_range(0..members.len());
            match members.values_mut().nth(at) {
                Some(inner) => spoil(inner, name, random),
                None => unreachable!("there are so many"),
            }
        }
        Value::Array(entries) if !entries.is_empty() && deeper => {
            let at = random.random_range(0..entries.len());
            spoil(&mut entries[at], name, random);
        }
        Value::Object(members) => change(members, name, random),
        other => *other = odd(name, random),
    }
}

fn change(members: &mut Map<String, Value>, name: &str, random: &mut SmallRng) {
    let known =
        ["name", "hight", "labels", "externalRefs", "attributes", "site", "status", "id", "ifVersion", "cascade"];
    match random.random_range(0..3) {
        0 => {
            let member = members.keys().nth(random.random_range(0..members.len().max(1))).cloned();
            member.map(|member| members.remove(&member));
        }
        _ => {
            let member = known.choose(random).copied().unwrap_or("name");
            members.insert(member.to_owned(), odd(name, random));
        }
    }
}

/// The name of the object of an item.
pub fn named(at: usize) -> String {
    format!("i{at}")
}

/// Returns this number of items, most of them invalid, each for an object of its own.
pub fn items(count: usize, seed: u64) -> Vec<Value> {
    let mut random = SmallRng::seed_from_u64(seed);
    let item = |at: usize| {
        let name = named(at);
        let mut item = right(&name).choose(&mut random).cloned().unwrap_or_default();
        for _ in 0..random.random_range(0..=2) {
            spoil(&mut item, &name, &mut random);
        }
        // Another name that is a text could be that of another item too.
        for fields in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
            if fields["name"].is_string() {
                fields["name"] = json!(name);
            }
        }
        // A batch as a whole is refused where the library sees that an item is missing.
        if item.is_null() { json!({}) } else { item }
    };
    (0..count).map(item).collect()
}
