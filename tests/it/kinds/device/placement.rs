//! Placements: devices are within their rack, on one face or both, and do not overlap.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all};

/// Rack A14 with node-7 at U10-U11 in front, and a half-unit tray at U20.
pub fn rack() -> World {
    World::of(json!([
        {"site": {"name": "ams1", "type": "DATACENTER"}},
        {"rack": {"site": "ams1", "name": "A14", "heightU": 42}},
        {"rack": {"site": "ams1", "name": "A15", "heightU": 10}},
        {"device": {"site": "ams1", "name": "node-7", "role": "SERVER",
            "placement": {"rack": "A14", "startUnit": 10, "unitHeight": 2}}},
        {"device": {"site": "ams1", "name": "tray", "role": "OTHER",
            "placement": {"rack": "A14", "startUnit": 20, "unitHeight": 0.5}}}
    ]))
}

fn place(placement: Value) -> Value {
    json!([{"device": {"site": "ams1", "name": "new", "role": "SERVER", "placement": placement}}])
}

fn at(start: f64, height: f64) -> Value {
    json!({"rack": "A14", "startUnit": start, "unitHeight": height})
}

fn with(mut placement: Value, field: &str, value: Value) -> Value {
    placement[field] = value;
    placement
}

#[test]
fn devices_do_not_overlap() {
    let world = rack();
    accept_all(
        &world,
        &[
            ("just below", place(at(9.0, 1.0))),
            ("just above", place(at(12.0, 1.0))),
            ("the opposite face", place(with(at(10.0, 2.0), "face", json!("REAR")))),
            ("the other half of a unit", place(at(20.5, 0.5))),
            ("the lowest unit", place(at(1.0, 1.0))),
            ("the highest unit", place(at(42.0, 1.0))),
            ("up to the top", place(at(21.0, 22.0))),
            ("in no unit", place(json!({"rack": "A14"}))),
            ("in no unit, on the rear", place(json!({"rack": "A14", "face": "REAR", "fullDepth": true}))),
        ],
    );
    let full = |placement: Value| with(placement, "fullDepth", json!(true));
    let table = [
        (at(11.0, 2.0), "U11-U12 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(10.0, 2.0), "U10-U11 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(9.0, 2.0), "U9-U10 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(8.0, 6.0), "U8-U13 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(11.5, 0.5), "U11.5 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(11.5, 1.0), "U11.5-U12 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
        (at(19.5, 1.0), "U19.5-U20 (FRONT) overlaps tray at U20 in rack A14"),
        (full(with(at(11.0, 1.0), "face", json!("REAR"))), "U11 (REAR) overlaps node-7 at U10-U11 in rack A14"),
    ];
    for (placement, message) in table {
        let items = place(placement);
        assert_eq!(
            world.refused(items.clone(), &How::default()),
            [("OVERLAP".to_owned(), "placement".to_owned(), message.to_owned())],
            "{items}"
        );
    }
}

#[test]
fn a_device_of_full_depth_takes_both_faces() {
    let mut world = rack();
    world.write(json!([{"device": {"site": "ams1", "name": "node-7",
        "placement": {"rack": "A14", "startUnit": 10, "unitHeight": 2, "fullDepth": true}}}]));
    let rear = place(with(at(10.0, 1.0), "face", json!("REAR")));
    let says = "U10 (REAR) overlaps node-7 at U10-U11 in rack A14";
    refuse_all(&world, &[("behind it", rear, "OVERLAP", "placement", says)]);
}

#[test]
fn a_placement_is_within_the_rack() {
    let world = rack();
    let table = [
        (at(42.0, 2.0), "placement U42-U43 does not fit within rack A14 (height 42U)"),
        (at(42.5, 1.0), "does not fit within rack A14 (height 42U)"),
        (at(50.0, 1.0), "placement U50 does not fit within rack A14 (height 42U)"),
        (json!({"rack": "A15", "startUnit": 10, "unitHeight": 2}), "does not fit within rack A15 (height 10U)"),
    ];
    for (placement, says) in table {
        let what = placement.to_string();
        refuse_all(&world, &[(&what, place(placement), "OVERLAP", "placement", says)]);
    }
}

#[test]
fn placements_are_validated() {
    let world = rack();
    let table = [
        (with(at(1.0, 1.0), "startUnit", json!(0)), "placement.startUnit", "at least 1 in steps of 0.5, not 0"),
        (with(at(1.0, 1.0), "startUnit", json!(0.5)), "placement.startUnit", "at least 1 in steps of 0.5"),
        (with(at(1.0, 1.0), "startUnit", json!(1.25)), "placement.startUnit", "in steps of 0.5, not 1.25"),
        (with(at(1.0, 1.0), "startUnit", json!("1")), "placement.startUnit", "must be a number"),
        (with(at(1.0, 1.0), "startUnit", json!(1e300)), "placement.startUnit", "must be a number"),
        (with(at(1.0, 1.0), "unitHeight", json!(0)), "placement.unitHeight", "at least 0.5 in steps of 0.5"),
        (with(at(1.0, 1.0), "unitHeight", json!(-1)), "placement.unitHeight", "at least 0.5"),
        (json!({"rack": "A14", "startUnit": 1}), "placement.unitHeight", "is required with startUnit"),
        (json!({"rack": "A14", "unitHeight": 1}), "placement.startUnit", "is required with unitHeight"),
        (with(at(1.0, 1.0), "face", json!("TOP")), "placement.face", "must be one of FRONT, REAR"),
        (with(at(1.0, 1.0), "depth", json!(1)), "placement.depth", "is unknown; allowed are rack, startUnit"),
        (with(at(1.0, 1.0), "fullDepth", json!(7)), "placement", "fullDepth"),
        (json!({"startUnit": 1, "unitHeight": 1}), "placement.rack", "is required"),
        (json!({"rack": null}), "placement.rack", "is required"),
        (json!("A14"), "placement", "must be an object with rack"),
    ];
    for (placement, field, says) in table {
        let what = placement.to_string();
        refuse_all(&world, &[(&what, place(placement), "INVALID", field, says)]);
    }
    let missing = place(json!({"rack": "A99", "startUnit": 1, "unitHeight": 1}));
    refuse_all(&world, &[("no such rack", missing, "NOT_FOUND", "placement.rack", "Rack A99 does not exist")]);
}

#[test]
fn a_device_can_move_to_another_rack() {
    let mut world = rack();
    let to = |placement: Value| json!([{"device": {"site": "ams1", "name": "node-7", "placement": placement}}]);
    world.write(to(json!({"rack": "A15", "startUnit": 1, "unitHeight": 2})));
    let now = json!({"rack": world.id("rack", "A15"), "face": "FRONT", "startUnit": 1.0, "unitHeight": 2.0});
    assert_eq!(world.field("device", "node-7", "placement"), now);
    world.write(place(at(10.0, 2.0)));
    let back = to(at(10.0, 2.0));
    refuse_all(&world, &[("it is taken", back, "OVERLAP", "placement", "overlaps new at U10-U11")]);
    world.write(to(Value::Null));
    assert_eq!(world.field("device", "node-7", "placement"), Value::Null);
}

#[test]
fn the_error_names_the_device_that_moves() {
    let world = rack();
    // node-7 is written too, but not moved; it stands above the new one.
    let items = json!([
        {"device": {"site": "ams1", "name": "node-7", "model": "x"}},
        {"device": {"site": "ams1", "name": "new", "role": "SERVER",
            "placement": {"rack": "A14", "startUnit": 9, "unitHeight": 2}}}
    ]);
    let planned = world.plan(items, &How::default());
    assert_eq!(planned.outcomes[0].error, None);
    let message = planned.outcomes[1].error.as_ref().unwrap().to_string();
    assert_eq!(message, "U9-U10 (FRONT) overlaps node-7 at U10-U11 in rack A14");
}

#[test]
fn two_devices_swap_their_units() {
    let mut world = rack();
    world.write(place(at(30.0, 2.0)));
    world.write(json!([
        {"device": {"site": "ams1", "name": "node-7", "placement": at(30.0, 2.0)}},
        {"device": {"site": "ams1", "name": "new", "placement": at(10.0, 2.0)}}
    ]));
    assert_eq!(world.field("device", "node-7", "placement")["startUnit"], 30.0);
    assert_eq!(world.field("device", "new", "placement")["startUnit"], 10.0);
}
