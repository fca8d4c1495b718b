//! The fields of cables, one cable on each end, lanes, and cables without a name.

use serde_json::{Value, json};
use underlay_engine::write::Status;

use crate::harness::world::{How, World, accept_all, refuse_all, without};

/// Ports eth1 to eth4 with four positions each on node-1 and on leaf-1.
fn world() -> World {
    let mut world = World::small();
    for device in ["node-1", "leaf-1"] {
        for at in 1..=4 {
            let name = format!("eth{at}");
            world.write(json!([{"port": {"device": device, "name": name, "type": "ETHERNET", "positions": 4}}]));
        }
    }
    world
}

fn port(device: &str, at: i32) -> Value {
    json!({"port": {"device": device, "port": format!("eth{at}")}})
}

fn cable(name: &str, a: Vec<i32>, b: Vec<i32>) -> Value {
    let ends = |device: &str, list: Vec<i32>| -> Vec<Value> { list.into_iter().map(|at| port(device, at)).collect() };
    json!({"cable": {"name": name, "aEnds": ends("node-1", a), "bEnds": ends("leaf-1", b)}})
}

fn with(mut cable: Value, field: &str, value: Value) -> Value {
    cable["cable"][field] = value;
    json!([cable])
}

#[test]
fn fields() {
    let mut world = world();
    let plain = || cable("c", vec![1], vec![1]);
    for media in ["COPPER", "FIBER_SMF", "FIBER_MMF", "DAC", "AOC", "POWER"] {
        accept_all(&world, &[(media, with(plain(), "media", json!(media)))]);
    }
    for status in ["PLANNED", "CONNECTED", "DECOMMISSIONING"] {
        accept_all(&world, &[(status, with(plain(), "status", json!(status)))]);
    }
    accept_all(&world, &[("length 0", with(plain(), "lengthM", json!(0)))]);
    let table = [
        ("media", json!("STRING"), "INVALID", "media", "must be one of COPPER, FIBER_SMF"),
        ("status", json!("ACTIVE"), "INVALID", "status", "must be one of PLANNED, CONNECTED, DECOMMISSIONING"),
        ("lengthM", json!(-0.1), "INVALID", "lengthM", "must be a number of at least 0, not -0.1"),
        ("lengthM", json!("3m"), "INVALID", "lengthM", "must be a number of at least 0"),
        ("riskGroups", json!([""]), "INVALID", "riskGroups[0]", "1 to 253 characters"),
        ("label", json!("x".repeat(254)), "INVALID", "label", "at most 253 characters"),
        ("aEnds", json!([]), "INVALID", "aEnds", "must have at least one end"),
        ("bEnds", json!([]), "INVALID", "bEnds", "must have at least one end"),
        ("aEnds", json!({}), "INVALID", "aEnds", "must be a list"),
        ("aEnds", json!([{}]), "INVALID", "aEnds[0]", "must have exactly one of port, powerFeed, circuitTermination"),
        ("bEnds", json!([port("leaf-1", 1), 7]), "INVALID", "bEnds[1]", "must have exactly one of port"),
        ("bEnds", json!([port("leaf-1", 9)]), "NOT_FOUND", "bEnds[0].port", "Port eth9 (device leaf-1) does not exist"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, with(plain(), field, value), code, path, says)]);
    }
    world.write(json!([plain()]));
    assert_eq!(world.field("cable", "c", "status"), "CONNECTED", "the default");
    for field in ["aEnds", "bEnds"] {
        let cleared = json!([{"cable": {"name": "c", field: null}}]);
        refuse_all(&world, &[(field, cleared, "INVALID", field, "cannot be cleared")]);
        let missing = without(&cable("new", vec![2], vec![2]), field);
        refuse_all(&world, &[(field, json!([missing]), "INVALID", field, "is required to create a Cable")]);
    }
}

#[test]
fn a_cable_cannot_have_an_end_twice() {
    let world = world();
    let both = json!([{"cable": {"name": "c", "aEnds": [port("node-1", 1)], "bEnds": [port("node-1", 1)]}}]);
    refuse_all(
        &world,
        &[
            ("on one side", json!([cable("c", vec![1, 1], vec![1])]), "INVALID", "aEnds[1]", "ends at already"),
            ("on both sides", both, "INVALID", "bEnds[0]", "ends at already"),
        ],
    );
}

#[test]
fn a_port_has_one_cable() {
    let mut world = world();
    world.write(json!([cable("c1", vec![1], vec![1])]));
    let says = "port/ams1/node-1/eth1 (ETHERNET) is already taken by cable/c1";
    let reversed = json!([{"cable": {"name": "c2", "aEnds": [port("leaf-1", 2)], "bEnds": [port("node-1", 1)]}}]);
    refuse_all(
        &world,
        &[
            ("a second one", json!([cable("c2", vec![2, 1], vec![2])]), "DUPLICATE", "aEnds[1]", says),
            ("on the other side", reversed, "DUPLICATE", "bEnds[0]", says),
            (
                "two new ones",
                json!([cable("c2", vec![2], vec![2]), cable("c3", vec![2], vec![3])]),
                "DUPLICATE",
                "aEnds[0]",
                "is already taken by cable/c",
            ),
        ],
    );
    // Two cables trade their ends.
    world.write(json!([cable("c2", vec![2], vec![2])]));
    world.write(json!([cable("c1", vec![2], vec![1]), cable("c2", vec![1], vec![2])]));
    // One takes the end that another leaves.
    world.write(json!([{"delete": {"cable": "c1"}}, cable("c3", vec![2], vec![1])]));
}

#[test]
fn a_port_that_is_connected_outside_takes_no_cable() {
    let mut world = world();
    world.write(json!([{"port": {"device": "node-1", "name": "eth1", "markConnected": true}}]));
    let says = "is marked as connected to something outside";
    refuse_all(&world, &[("", json!([cable("c", vec![1], vec![1])]), "INCOMPATIBLE", "aEnds[0]", says)]);
}

#[test]
fn lanes() {
    let world = world();
    let lane = |a: i32, a_position: i32, b: i32, b_position: i32| json!({"aEnd": a, "aPosition": a_position, "bEnd": b, "bPosition": b_position});
    let lanes = |list: Vec<Value>| with(cable("c", vec![1], vec![1, 2]), "lanes", json!(list));
    accept_all(
        &world,
        &[
            ("a breakout", lanes(vec![lane(1, 1, 1, 1), lane(1, 2, 1, 2), lane(1, 3, 2, 1), lane(1, 4, 2, 2)])),
            ("the defaults", lanes(vec![json!({})])),
            ("none", lanes(vec![])),
        ],
    );
    let table = [
        ("no such A end", lanes(vec![lane(2, 1, 1, 1)]), "lanes[0].aEnd", "must be from 1 to 1, a place in aEnds"),
        ("no such B end", lanes(vec![lane(1, 1, 3, 1)]), "lanes[0].bEnd", "must be from 1 to 2, a place in bEnds"),
        ("end 0", lanes(vec![lane(0, 1, 1, 1)]), "lanes[0].aEnd", "must be a whole number of at least 1, not 0"),
        ("position 0", lanes(vec![lane(1, 1, 1, 0)]), "lanes[0].bPosition", "at least 1, not 0"),
        ("beyond", lanes(vec![lane(1, 1, 1, 1), lane(1, 5, 1, 2)]), "lanes[1].aPosition", "must be at most 4"),
        ("a position twice", lanes(vec![lane(1, 1, 1, 1), lane(1, 1, 1, 2)]), "lanes[1].aPosition", "by lanes[0]"),
        ("on the B side", lanes(vec![lane(1, 1, 1, 1), lane(1, 2, 1, 1)]), "lanes[1].bPosition", "by lanes[0]"),
        ("something else", lanes(vec![json!({"aEnds": 1})]), "lanes", "aEnds"),
        ("no list", with(cable("c", vec![1], vec![1]), "lanes", json!({})), "lanes", "must be a list of objects"),
    ];
    for (what, items, field, says) in table {
        refuse_all(&world, &[(what, items, "INVALID", field, says)]);
    }
}

#[test]
fn a_power_feed_has_one_position() {
    let mut world = world();
    world.write(json!([
        {"powerFeed": {"site": "ams1", "name": "f"}},
        {"port": {"device": "node-1", "name": "psu", "type": "POWER_INLET"}}
    ]));
    let items = json!([{"cable": {"name": "c", "aEnds": [{"port": {"device": "node-1", "port": "psu"}}],
        "bEnds": [{"powerFeed": "f"}], "lanes": [{"bPosition": 2}]}}]);
    refuse_all(&world, &[("", items, "INVALID", "lanes[0].bPosition", "must be at most 1")]);
}

#[test]
fn a_cable_without_a_name_finds_itself() {
    let mut world = world();
    let nameless = |length: f64| json!([{"cable": {"aEnds": [port("node-1", 1)], "bEnds": [port("leaf-1", 1)], "lengthM": length}}]);
    let made = world.write(nameless(1.0));
    assert_eq!(made[0].status, Status::Created);
    let name = made[0].name.clone().unwrap();
    assert!(name.starts_with("cable-"), "{name}");
    assert_eq!(world.write(nameless(1.0))[0].status, Status::Unchanged);
    let longer = world.write(nameless(2.0));
    assert_eq!((longer[0].status, longer[0].id), (Status::Updated, made[0].id));
    // Another end is another cable.
    let other = world.write(json!([{"cable": {"aEnds": [port("node-1", 2)], "bEnds": [port("leaf-1", 2)]}}]));
    assert_eq!(other[0].status, Status::Created);
    // Two without a name at the same end are two, and there is room for one.
    let mut twice = nameless(1.0).as_array().unwrap().clone();
    twice[0]["cable"]["aEnds"] = json!([port("node-1", 3)]);
    twice[0]["cable"]["bEnds"] = json!([port("leaf-1", 3)]);
    let mut second = twice[0].clone();
    second["cable"]["bEnds"] = json!([port("leaf-1", 4)]);
    twice.push(second);
    assert_eq!(world.refused(json!(twice), &How::default())[0].0, "DUPLICATE");
}

fn lane(a: i32, a_position: i32, b: i32, b_position: i32) -> Value {
    json!({"aEnd": a, "aPosition": a_position, "bEnd": b, "bPosition": b_position})
}

/// A cable from eth1 and eth2 of node-1 to eth1 and eth2 of leaf-1, with a lane each.
fn with_lanes() -> World {
    let mut world = world();
    let lanes = json!([lane(1, 1, 1, 1), lane(2, 3, 2, 4)]);
    world.write(with(cable("c", vec![1, 2], vec![1, 2]), "lanes", lanes));
    world
}

#[test]
fn lanes_stay_with_their_ends() {
    let lanes = |world: &World| world.field("cable", "c", "lanes");
    // The ends change places, and a new one stands before them.
    let mut world = with_lanes();
    world.write(json!([cable("c", vec![3, 2, 1], vec![1, 2])]));
    assert_eq!(lanes(&world), json!([lane(3, 1, 1, 1), lane(2, 3, 2, 4)]));
    world.write(json!([cable("c", vec![2, 1], vec![2, 4, 1])]));
    assert_eq!(lanes(&world), json!([lane(2, 1, 3, 1), lane(1, 3, 1, 4)]));
    // Only one side is written.
    let mut world = with_lanes();
    world.write(json!([{"cable": {"name": "c", "bEnds": [port("leaf-1", 2), port("leaf-1", 1)]}}]));
    assert_eq!(lanes(&world), json!([lane(1, 1, 2, 1), lane(2, 3, 1, 4)]));
    // The sides change places.
    let mut world = with_lanes();
    let sides = json!([{"cable": {
        "name": "c",
        "aEnds": [port("leaf-1", 2), port("leaf-1", 1)],
        "bEnds": [port("node-1", 1), port("node-1", 2)],
    }}]);
    world.write(sides);
    assert_eq!(lanes(&world), json!([lane(2, 1, 1, 1), lane(1, 4, 2, 3)]));
    // An end that no lane uses may go.
    let mut world = with_lanes();
    world.write(json!([cable("c", vec![1, 3, 2], vec![1, 2])]));
    world.write(json!([cable("c", vec![1, 2], vec![1, 2])]));
    assert_eq!(lanes(&world), json!([lane(1, 1, 1, 1), lane(2, 3, 2, 4)]));
}

#[test]
fn removing_an_end_of_a_lane_requires_lanes() {
    let world = with_lanes();
    let says = "lanes[1] is of port/ams1/node-1/eth2, which the cable would no longer end at: give lanes with the ends";
    let one_side = json!([{"cable": {
        "name": "c", "aEnds": [port("node-1", 1), port("leaf-1", 1)], "bEnds": [port("leaf-1", 2), port("node-1", 2)],
    }}]);
    refuse_all(
        &world,
        &[
            ("an end goes", json!([cable("c", vec![1], vec![1, 2])]), "INVALID", "lanes", says),
            ("another takes its place", json!([cable("c", vec![1, 3], vec![1, 2])]), "INVALID", "lanes", says),
            (
                "both ends are on one side",
                one_side,
                "INVALID",
                "lanes",
                "lanes[0] joins port/ams1/node-1/eth1 with port/ams1/leaf-1/eth1, which would be on one side",
            ),
        ],
    );
    // Lanes that the item names are kept.
    for (written_lanes, expected) in [
        (json!([lane(1, 2, 1, 2)]), json!([lane(1, 2, 1, 2)])),
        (json!([]), json!([])),
        (json!(null), json!([])),
        (json!([lane(1, 1, 1, 1), lane(2, 3, 2, 4)]), json!([lane(1, 1, 1, 1), lane(2, 3, 2, 4)])),
    ] {
        let mut world = with_lanes();
        world.write(with(cable("c", vec![1, 3], vec![2, 1]), "lanes", written_lanes));
        assert_eq!(world.field("cable", "c", "lanes"), expected);
    }
}

#[test]
fn lanes_move_only_with_ends_that_are_written() {
    let netbox = How::source("netbox");
    // A source that may not write the ends moves no lane.
    let mut world = with_lanes();
    world.write_as(json!([cable("c", vec![2, 1], vec![1, 2])]), &netbox);
    assert_eq!(world.field("cable", "c", "lanes"), json!([lane(1, 1, 1, 1), lane(2, 3, 2, 4)]));
    // One that may write the ends, and gives lanes that it may not write, moves them.
    let mut world = self::world();
    world.write_as(json!([cable("c", vec![1, 2], vec![1, 2])]), &netbox);
    world.write(json!([{"cable": {"name": "c", "lanes": [lane(1, 1, 1, 1), lane(2, 3, 2, 4)]}}]));
    let other = with(cable("c", vec![2, 1], vec![1, 2]), "lanes", json!([lane(1, 4, 1, 4)]));
    world.write_as(other, &netbox);
    assert_eq!(world.field("cable", "c", "lanes"), json!([lane(2, 1, 1, 1), lane(1, 3, 2, 4)]));
    let holder = |field: &str| world.holders("cable", "c").into_iter().find(|(name, _)| name == field).map(|it| it.1);
    assert_eq!((holder("lanes"), holder("aEnds")), (Some("user:ann".to_owned()), Some("source:netbox".to_owned())));
}
