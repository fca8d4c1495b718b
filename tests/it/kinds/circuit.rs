//! Circuits: their fields, their ends as parts of their items, and moves to another provider with a network of it.

use serde_json::{Value, json};
use underlay_engine::write::Status;

use crate::harness::world::{World, accept_all, refuse_all};

/// A circuit `c` of lumen, a network of lumen, and ports up1, up2 on leaf-1 and far on node-9.
pub fn world() -> World {
    let mut world = World::small();
    world.write(json!([
        {"providerNetwork": {"provider": "lumen", "name": "net"}},
        {"circuit": {"provider": "lumen", "name": "c", "circuitId": "L-1", "type": "TRANSIT"}},
        {"port": {"device": "leaf-1", "name": "up1", "type": "OPTICAL"}},
        {"port": {"device": "leaf-1", "name": "up2", "type": "PATCH_FRONT"}},
        {"port": {"device": "leaf-1", "name": "psu", "type": "POWER_INLET"}},
        {"port": {"device": "leaf-1", "name": "po", "type": "LAG"}},
        {"port": {"device": "node-9", "name": "far", "type": "OPTICAL"}}
    ]));
    world
}

pub fn port(device: &str, name: &str) -> Value {
    json!({"device": device, "port": name})
}

pub fn circuit(field: &str, value: Value) -> Value {
    json!([{"circuit": {"provider": "lumen", "name": "c", field: value}}])
}

#[test]
fn circuits() {
    let world = world();
    for kind in ["CROSS_CONNECT", "PROVIDER_CIRCUIT", "TRANSIT", "PEERING"] {
        let items = json!([{"circuit": {"provider": "lumen", "name": "n", "type": kind}}]);
        accept_all(&world, &[(kind, items)]);
    }
    let everything = json!([{"circuit": {
        "provider": "equinix", "name": "n", "circuitId": "L-1", "type": "CROSS_CONNECT", "bandwidthMbps": 100_000,
        "distanceM": 12.5, "latencyMs": 0.1, "installedOn": "2026-02-28", "riskGroups": ["duct-1"], "status": "PLANNED",
        "serviceRef": {"apiGroup": "g", "kind": "k", "name": "n", "namespace": "ns"}
    }}]);
    accept_all(&world, &[("everything, with an id that is taken at another provider", everything)]);
    let named = |name: &str| json!({"apiGroup": "g", "kind": "k", "name": name});
    let table = [
        ("type", json!("ROPE"), "type", "must be one of CROSS_CONNECT, PROVIDER_CIRCUIT, TRANSIT, PEERING"),
        ("bandwidthMbps", json!(0), "bandwidthMbps", "must be a whole number of at least 1, not 0"),
        ("distanceM", json!(-1), "distanceM", "must be a number of at least 0, not -1"),
        ("latencyMs", json!(-0.5), "latencyMs", "must be a number of at least 0"),
        ("installedOn", json!("2026-02-30"), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!("yesterday"), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!(20260228), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!("0000-12-31"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31, not \"0000"),
        ("installedOn", json!("-0004-02-29"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31"),
        ("installedOn", json!("+10000-01-01"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31"),
        ("serviceRef", named(""), "serviceRef.name", "is required and must not be empty"),
        ("serviceRef", json!({"name": "n", "kind": "k"}), "serviceRef.apiGroup", "is required"),
        ("serviceRef", json!("x"), "serviceRef.apiGroup", "is required"),
        ("status", json!("LIT"), "status", "must be one of"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, circuit(field, value), "INVALID", path, says)]);
    }
    let taken = json!([{"circuit": {"provider": "lumen", "name": "d", "circuitId": "L-1", "type": "TRANSIT"}}]);
    let says = "the circuitId L-1 is already taken by circuit/lumen/c";
    refuse_all(&world, &[("the id of another", taken, "DUPLICATE", "circuitId", says)]);
}

#[test]
fn the_ends_are_written_through_the_circuit() {
    let mut world = world();
    let end = |world: &World| -> Value {
        let id = world.id("circuitTermination", "A");
        json!(["site", "providerNetwork", "port", "side"].map(|field| world.field_of(id, field)))
    };
    let site = json!(world.id("site", "ams1"));
    let up1 = json!(world.id("port", "up1"));
    let made = world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    assert_eq!(made[0].status, Status::Updated);
    assert_eq!(end(&world), json!([site, null, up1, "A"]));
    let again = world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    assert_eq!(again[0].status, Status::Unchanged);
    // Replaced as a whole: what is left out goes.
    let first = world.id("circuitTermination", "A");
    world.write(circuit("aEnd", json!({"site": "ams1"})));
    assert_eq!(end(&world), json!([site, null, null, "A"]));
    assert_eq!(world.id("circuitTermination", "A"), first, "it is the same end");
    world.write(circuit("aEnd", json!({"providerNetwork": "net"})));
    assert_eq!(end(&world), json!([null, world.id("providerNetwork", "net"), null, "A"]));
    world.write(circuit("zEnd", json!({"site": "fra1", "port": port("node-9", "far")})));
    // An item that says nothing of an end leaves it alone.
    assert_eq!(world.write(circuit("status", json!("ACTIVE")))[0].status, Status::Unchanged);
    assert!(world.find("circuitTermination", "A").is_some());
    // Null removes it.
    let removed = world.write(circuit("aEnd", Value::Null));
    assert_eq!(removed[0].status, Status::Updated);
    assert_eq!(world.find("circuitTermination", "A"), None);
    assert_eq!(world.write(circuit("aEnd", Value::Null))[0].status, Status::Unchanged);
}

#[test]
fn a_new_circuit_can_have_its_ends_and_their_cable_in_one_batch() {
    let mut world = world();
    world.write(json!([
        {"cable": {"name": "k", "aEnds": [{"circuitTermination": {"provider": "equinix", "circuit": "x", "side": "Z"}}],
            "bEnds": [{"port": port("leaf-1", "up1")}]}},
        {"circuit": {"provider": "equinix", "name": "x", "type": "CROSS_CONNECT", "zEnd": {"site": "ams1"},
            "aEnd": {"site": "ams1"}}}
    ]));
    assert!(world.find("cable", "k").is_some());
}

#[test]
fn a_circuit_and_a_network_move_to_another_provider() {
    let mut world = world();
    world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    let ids = [world.id("circuit", "c"), world.id("providerNetwork", "net"), world.id("circuitTermination", "A")];
    let moved = json!([
        {"circuit": {"id": ids[0], "provider": "equinix"}}, {"providerNetwork": {"id": ids[1], "provider": "equinix"}}
    ]);
    world.write(moved);
    let provider = json!(world.id("provider", "equinix"));
    assert_eq!(world.field("circuit", "c", "provider"), provider);
    assert_eq!(world.field("providerNetwork", "net", "provider"), provider);
    assert_eq!(world.id("circuitTermination", "A"), ids[2], "the ends stay");
    // The name and the id of the circuit are those of the new provider.
    let with = |provider: &str, name: &str| json!([{"create": {"circuit": {"provider": provider, "name": name, "circuitId": "L-1", "type": "TRANSIT"}}}]);
    accept_all(&world, &[("at the old one", with("lumen", "c"))]);
    refuse_all(
        &world,
        &[
            ("the name", with("equinix", "c"), "DUPLICATE", "name", "is already taken by circuit/equinix/c"),
            ("the id", with("equinix", "d"), "DUPLICATE", "circuitId", "is already taken by circuit/equinix/c"),
        ],
    );
}
