//! A snapshot never uses memoized facts about changed objects: after random changes, networks give the same answers as
//! when everything is computed afresh.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::path::{Mode, PathQuery, Weight, paths};

use super::random::cost;
use super::view;
use crate::harness::world::{How, World, afresh};

const DEVICES: usize = 6;
/// Ports of a device, and front ports of a panel.
const PORTS: usize = 4;
/// The number of changes of each network.
const CHANGES: usize = 25;

fn port(device: &str, family: &str, port: impl std::fmt::Display) -> Value {
    json!({"site": "s", "device": device, "family": family, "port": port.to_string()})
}

fn data(rng: &mut SmallRng) -> Value {
    port(&format!("d{}", rng.random_range(0..DEVICES)), "DATA", rng.random_range(0..PORTS))
}

fn one<'a>(rng: &mut SmallRng, of: [&'a str; 2]) -> &'a str {
    of[rng.random_range(0..2)]
}

fn front(rng: &mut SmallRng) -> Value {
    port(one(rng, ["p", "q"]), "FRONT", rng.random_range(0..PORTS))
}

/// Devices, a pair of panels with a trunk between them, and cables anywhere.
fn network(rng: &mut SmallRng) -> World {
    let mut world = World::of(json!([{"site": {"name": "s", "type": "DATACENTER"}}]));
    let mut items = Vec::new();
    for device in 0..DEVICES {
        let name = format!("d{device}");
        items.push(json!({"device": {"site": "s", "name": name, "role": "ROUTER"}}));
        items.extend((0..PORTS).map(
            |at| json!({"port": {"device": {"site": "s", "device": name}, "name": at.to_string(), "type": "ETHERNET"}}),
        ));
    }
    for panel in ["p", "q"] {
        let device = json!({"site": "s", "device": panel});
        items.push(json!({"device": {"site": "s", "name": panel, "role": "PATCH_PANEL"}}));
        items.push(json!({"port": {"device": device, "name": "r", "type": "PATCH_REAR", "positions": PORTS}}));
        items.extend((0..PORTS).map(|at| {
            let through = json!([{"position": 1, "rear": port(panel, "REAR", "r"), "rearPosition": at + 1}]);
            let front =
                json!({"device": device, "name": at.to_string(), "type": "PATCH_FRONT", "passThrough": through});
            json!({ "port": front })
        }));
    }
    let rears = ["p", "q"].map(|panel| json!({"port": port(panel, "REAR", "r")}));
    items.push(json!({"cable": {"name": "trunk", "aEnds": [rears[0]], "bEnds": [rears[1]]}}));
    world.write(items.into());
    for _ in 0..12 {
        let item = cable(rng);
        world.statuses(json!([item]), &How::per_item());
    }
    world
}

/// A cable that may be there already, between two ports that may have one.
fn cable(rng: &mut SmallRng) -> Value {
    let a = json!({"port": data(rng)});
    let b = if rng.random_bool(0.5) { json!({"port": data(rng)}) } else { json!({"port": front(rng)}) };
    let status = if rng.random_bool(0.85) { "CONNECTED" } else { "PLANNED" };
    json!({"cable": {"name": format!("c{}", rng.random_range(0..20)), "aEnds": [a], "bEnds": [b],
                     "status": status, "lengthM": rng.random_range(1..9)}})
}

/// A change of anything that paths look at. It may be refused.
fn change(rng: &mut SmallRng) -> Value {
    let device = json!({"site": "s", "device": format!("d{}", rng.random_range(0..DEVICES))});
    match rng.random_range(0..10) {
        0 => json!({"device": {"site": "s", "name": device["device"], "role": one(rng, ["ROUTER", "SERVER"])}}),
        1 => json!({"device": {"site": "s", "name": device["device"], "status": one(rng, ["ACTIVE", "FAILED"])}}),
        2 => json!({"device": {"site": "s", "name": device["device"], "plane": one(rng, ["DATA", "MANAGEMENT"])}}),
        3 => json!({"port": {"device": device, "name": rng.random_range(0..PORTS).to_string(), "type": "ETHERNET",
                             "mgmtOnly": rng.random_bool(0.3), "enabled": rng.random_bool(0.7)}}),
        4 => {
            let panel = one(rng, ["p", "q"]);
            let position = rng.random_range(1..=PORTS);
            let through = json!([{"position": 1, "rear": port(panel, "REAR", "r"), "rearPosition": position}]);
            json!({"port": {"device": {"site": "s", "device": panel}, "name": rng.random_range(0..PORTS).to_string(),
                            "type": "PATCH_FRONT", "passThrough": through}})
        }
        5 => json!({"cable": {"name": "trunk", "status": one(rng, ["CONNECTED", "PLANNED"])}}),
        6 => json!({"delete": {"port": data(rng)}}),
        7 => json!({"delete": {"cable": format!("c{}", rng.random_range(0..20))}}),
        _ => cable(rng),
    }
}

/// The costs of the first paths between all devices, by every weight, with what is planned and without.
fn answers(snapshot: &Snapshot) -> Vec<Vec<[i64; 4]>> {
    let kind = snapshot.registry().named("Device").expect("the kind");
    let mut devices: Vec<(&str, ObjectRef)> = snapshot
        .table(kind.id)
        .rows(0)
        .map(|(slot, row)| (row.common().name, ObjectRef { kind: kind.id, slot }))
        .collect();
    devices.retain(|(name, _)| name.starts_with('d'));
    devices.sort_unstable();
    let mut found = Vec::new();
    for (at, (_, from)) in devices.iter().enumerate() {
        for (_, to) in &devices[at + 1..] {
            for (weight, include_planned) in [(Weight::Hops, false), (Weight::Length, false), (Weight::Hops, true)] {
                let question = PathQuery { weight, include_planned, ..PathQuery::new(*from, *to) };
                let paths = paths(view(snapshot), &question, Mode::Shortest(3)).unwrap_or_default();
                found.push(paths.iter().map(|path| cost(path, weight)).collect());
            }
        }
    }
    found
}

#[test]
fn changed_facts_are_computed_again() {
    let (mut answered, mut different) = (0, 0);
    for seed in 0..12 {
        let rng = &mut SmallRng::seed_from_u64(seed);
        let mut world = network(rng);
        let mut before = answers(&world.snapshot);
        for number in 0..CHANGES {
            let items: Vec<Value> = (0..rng.random_range(1..4)).map(|_| change(rng)).collect();
            world.statuses(items.clone().into(), &How::per_item());
            let after = answers(&world.snapshot);
            assert_eq!(after, answers(&afresh(&world.snapshot)), "network {seed}, change {number}: {items:?}");
            answered += after.iter().filter(|paths| !paths.is_empty()).count();
            different += usize::from(after != before);
            before = after;
        }
    }
    assert!(different > 50 && answered > 1_000, "only {different} changes changed any of {answered} answers");
}
