//! Connections inside a device: LAGs and parts of ports, the feeds of outlets, the mappings of patch panels.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

fn item(device: &str, name: &str, kind: &str, more: Value) -> Value {
    let mut port = json!({"device": device, "name": name, "type": kind});
    port.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"port": port})
}

fn reference(device: &str, name: &str) -> Value {
    json!({"device": device, "port": name})
}

/// A chassis of two switches beside `World::small`, with a LAG on each of the four devices.
fn stack() -> World {
    let mut world = World::small();
    let switch = |name: &str, parent: Value| json!({"device": {"site": "ams1", "name": name, "role": "SWITCH", "parent": parent}});
    world.write(json!([
        switch("stack", Value::Null),
        switch("one", json!("stack")),
        switch("two", json!("stack")),
        switch("card", json!("two")),
        item("stack", "po0", "LAG", json!({})),
        item("one", "po1", "LAG", json!({})),
        item("two", "po2", "LAG", json!({})),
        item("card", "po3", "LAG", json!({})),
        item("node-1", "bond0", "LAG", json!({})),
        item("one", "eth", "ETHERNET", json!({}))
    ]));
    world
}

#[test]
fn a_member_of_a_lag_is_in_its_stack() {
    let world = stack();
    let member = |device: &str, kind: &str, lag: Value| json!([item(device, "m", kind, json!({"lag": lag}))]);
    let lags = [("stack", "po0"), ("one", "po1"), ("two", "po2"), ("card", "po3")];
    for device in ["stack", "one", "two", "card"] {
        for (owner, lag) in lags {
            accept_all(&world, &[(&format!("{device} in {lag}"), member(device, "ETHERNET", reference(owner, lag)))]);
        }
        let other = member(device, "ETHERNET", reference("node-1", "bond0"));
        let says = "lag must be of the same device or of its stack";
        refuse_all(&world, &[(device, other, "INCOMPATIBLE", "lag", says)]);
    }
    let of_rack = json!([{"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "m", "type": "ETHERNET",
        "lag": reference("one", "po1")}}]);
    let of_racks = json!([
        {"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "po", "type": "LAG"}},
        {"port": {"rack": {"site": "fra1", "rack": "B1"}, "name": "m", "type": "ETHERNET",
            "lag": {"site": "ams1", "rack": "A14", "port": "po"}}}
    ]);
    refuse_all(
        &world,
        &[
            (
                "not a LAG",
                member("one", "ETHERNET", reference("one", "eth")),
                "INCOMPATIBLE",
                "lag",
                "must be a port of type LAG; eth is not",
            ),
            (
                "a LAG in a LAG",
                member("one", "LAG", reference("one", "po1")),
                "INCOMPATIBLE",
                "lag",
                "a LAG cannot be a member of a LAG",
            ),
            ("of a rack", of_rack, "INCOMPATIBLE", "lag", "lag must be of the same device or of its stack"),
            ("of two racks", of_racks, "INCOMPATIBLE", "lag", "lag must be of the same device or of its stack"),
        ],
    );
}

#[test]
fn a_lag_with_members_keeps_its_type() {
    let mut world = stack();
    world.write(json!([item("one", "m", "ETHERNET", json!({"lag": reference("two", "po2")}))]));
    let changed = json!([{"port": {"id": world.id("port", "po2"), "type": "VIRTUAL"}}]);
    let left = json!([{"device": {"site": "ams1", "name": "two", "parent": null}}]);
    refuse_all(
        &world,
        &[
            ("another type", changed, "INCOMPATIBLE", "type", "type must stay LAG: m is a member"),
            ("out of the stack", left, "INCOMPATIBLE", "parent", "must be in the stack of the LAG that port po2"),
        ],
    );
}

#[test]
fn a_port_and_its_parent_port_are_on_one_device() {
    let mut world = stack();
    world.write(json!([item("one", "eth.1", "VIRTUAL", json!({"parent": reference("one", "eth")}))]));
    let other = json!([item("two", "eth.2", "VIRTUAL", json!({"parent": reference("one", "eth")}))]);
    let cycle = json!([item("one", "eth", "ETHERNET", json!({"parent": reference("one", "eth.1")}))]);
    let itself = json!([item("one", "eth", "ETHERNET", json!({"parent": reference("one", "eth")}))]);
    let says = "must not be the port itself or a part of it";
    refuse_all(
        &world,
        &[
            ("another device", other, "INCOMPATIBLE", "parent", "parent must be a port of the same device"),
            ("a cycle", cycle, "INVALID", "parent", says),
            ("itself", itself, "INVALID", "parent", says),
        ],
    );
}

#[test]
fn outlets_are_fed_from_where_they_are() {
    let mut world = World::small();
    world.write(json!([
        item("leaf-1", "in", "POWER_INLET", json!({})),
        item("leaf-1", "out", "POWER_OUTLET", json!({})),
        item("node-1", "psu", "POWER_INLET", json!({})),
        {"powerFeed": {"site": "ams1", "name": "feed"}},
        {"powerFeed": {"site": "ams1", "rack": "A14", "name": "a"}},
        {"powerFeed": {"site": "fra1", "name": "far"}}
    ]));
    let of_device = |kind: &str, sources: Value| json!([item("leaf-1", "x", kind, json!({"fedBy": sources}))]);
    let of_rack = |sources: Value| json!([{"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "x", "type": "POWER_OUTLET", "fedBy": sources}}]);
    let port = |device: &str, name: &str| json!({"port": reference(device, name)});
    let feed = |name: &str| json!({"powerFeed": name});
    accept_all(
        &world,
        &[
            ("an inlet", of_device("POWER_OUTLET", json!([port("leaf-1", "in")]))),
            ("feeds", of_rack(json!([feed("feed"), feed("a")]))),
            ("nothing", of_rack(json!([]))),
        ],
    );
    let of_same = "must be a port of type POWER_INLET of the same device";
    let table = [
        ("not an outlet", of_device("POWER_INLET", json!([port("leaf-1", "in")])), "fedBy", "POWER_OUTLET"),
        ("another device", of_device("POWER_OUTLET", json!([port("node-1", "psu")])), "fedBy[0]", of_same),
        ("an outlet", of_device("POWER_OUTLET", json!([port("leaf-1", "out")])), "fedBy[0]", of_same),
        ("a feed on a device", of_device("POWER_OUTLET", json!([feed("feed")])), "fedBy[0]", of_same),
        ("an inlet on a rack", of_rack(json!([port("leaf-1", "in")])), "fedBy[0]", "must be a power feed"),
        ("a far feed", of_rack(json!([feed("a"), feed("far")])), "fedBy[1]", "at the site of the rack"),
    ];
    for (what, items, field, says) in table {
        refuse_all(&world, &[(what, items, "INCOMPATIBLE", field, says)]);
    }
    let twice = of_rack(json!([feed("a"), feed("a")]));
    refuse_all(&world, &[("twice", twice, "INVALID", "fedBy[1]", "is in the list already")]);
    world.write(of_device("POWER_OUTLET", json!([port("leaf-1", "in")])));
    let changed = json!([{"port": {"id": world.id("port", "in"), "type": "SERIAL"}}]);
    refuse_all(&world, &[("an inlet that feeds", changed, "INCOMPATIBLE", "type", "stay POWER_INLET: it feeds x")]);
}

/// A patch panel: rear ports r1 (12 positions) and r2 (1), front ports to join.
fn panel() -> World {
    let mut world = World::small();
    world.write(json!([
        {"device": {"site": "ams1", "name": "panel", "role": "PATCH_PANEL"}},
        item("panel", "r1", "PATCH_REAR", json!({"positions": 12})),
        item("panel", "r2", "PATCH_REAR", json!({})),
        item("leaf-1", "r9", "PATCH_REAR", json!({})),
        item("panel", "eth", "ETHERNET", json!({}))
    ]));
    world
}

fn front(name: &str, positions: i32, mappings: Value) -> Value {
    item("panel", name, "PATCH_FRONT", json!({"positions": positions, "passThrough": mappings}))
}

fn to(position: i32, rear: &str, rear_position: i32) -> Value {
    json!({"position": position, "rear": reference("panel", rear), "rearPosition": rear_position})
}

#[test]
fn front_ports_map_to_rear_ports_position_by_position() {
    let mut world = panel();
    accept_all(
        &world,
        &[
            ("one to one", json!([front("f", 1, json!([to(1, "r1", 12)]))])),
            ("the defaults", json!([front("f", 1, json!([{"rear": reference("panel", "r1")}]))])),
            ("many to many", json!([front("f", 2, json!([to(1, "r1", 1), to(2, "r2", 1)]))])),
            ("two fronts", json!([front("f", 1, json!([to(1, "r1", 1)])), front("g", 1, json!([to(1, "r1", 2)]))])),
        ],
    );
    let ethernet = json!([item("panel", "x", "ETHERNET", json!({"passThrough": [to(1, "r1", 1)]}))]);
    let other = json!([front("f", 1, json!([{"rear": reference("leaf-1", "r9")}]))]);
    let not_rear = json!([front("f", 1, json!([to(1, "eth", 1)]))]);
    let must_be = "must be a port of type PATCH_REAR of the same device or rack";
    refuse_all(
        &world,
        &[
            (
                "not a front port",
                ethernet,
                "INCOMPATIBLE",
                "passThrough",
                "passThrough is for ports of type PATCH_FRONT",
            ),
            ("another device", other, "INCOMPATIBLE", "passThrough[0].rear", must_be),
            ("not a rear port", not_rear, "INCOMPATIBLE", "passThrough[0].rear", must_be),
            (
                "beyond its positions",
                json!([front("f", 1, json!([to(2, "r1", 1)]))]),
                "INVALID",
                "passThrough[0].position",
                "must be at most 1, the positions of the port",
            ),
            (
                "beyond the positions of the rear",
                json!([front("f", 2, json!([to(1, "r1", 1), to(2, "r2", 2)]))]),
                "INCOMPATIBLE",
                "passThrough[1].rearPosition",
                "must be at most 1, the positions of r2",
            ),
            (
                "a position twice",
                json!([front("f", 2, json!([to(1, "r1", 1), to(1, "r1", 2)]))]),
                "INVALID",
                "passThrough[1].position",
                "is joined already: one position to one",
            ),
            (
                "a rear position twice",
                json!([front("f", 2, json!([to(1, "r1", 1), to(2, "r1", 1)]))]),
                "DUPLICATE",
                "passThrough",
                "position 1 of r1 is already taken by port f",
            ),
            (
                "position 0",
                json!([front("f", 1, json!([to(0, "r1", 1)]))]),
                "INVALID",
                "passThrough[0].position",
                "must be a whole number of at least 1, not 0",
            ),
            (
                "no rear",
                json!([front("f", 1, json!([{"position": 1}]))]),
                "INVALID",
                "passThrough[0].rear",
                "is required",
            ),
        ],
    );
    world.write(json!([front("f", 1, json!([to(1, "r1", 5)]))]));
    let change =
        |name: &str, field: &str, value: Value| json!([{"port": {"id": world.id("port", name), field: value}}]);
    let taken = json!([front("g", 1, json!([to(1, "r1", 5)]))]);
    refuse_all(
        &world,
        &[
            ("taken by another", taken, "DUPLICATE", "passThrough", "position 5 of r1 is already taken by port f"),
            (
                "fewer",
                change("r1", "positions", json!(4)),
                "INCOMPATIBLE",
                "positions",
                "must be at least 5: f is joined",
            ),
            ("not rear", change("r1", "type", json!("SERIAL")), "INCOMPATIBLE", "type", "must stay PATCH_REAR"),
        ],
    );
}

#[test]
fn two_front_ports_can_swap_their_rear_positions() {
    let mut world = panel();
    world.write(json!([front("f", 1, json!([to(1, "r1", 1)])), front("g", 1, json!([to(1, "r1", 2)]))]));
    world.write(json!([front("f", 1, json!([to(1, "r1", 2)])), front("g", 1, json!([to(1, "r1", 1)]))]));
    assert_eq!(world.field("port", "f", "passThrough")[0]["rearPosition"], 2);
}
