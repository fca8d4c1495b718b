//! A cable loses the ends that are deleted, and goes with the last one of a side.

use serde_json::{Value, json};

use crate::harness::world::{How, World, refuse_all};

/// Ports e1, e2 on node-1 and e1, e2 on leaf-1, and a cable with these ends and lanes.
fn cabled(a: Value, b: Value, lanes: Value) -> World {
    let mut world = World::small();
    for device in ["node-1", "leaf-1", "node-9"] {
        for port in ["e1", "e2"] {
            world.write(json!([{"port": {"device": device, "name": port, "type": "ETHERNET", "positions": 4}}]));
        }
    }
    world.write(json!([{"cable": {"name": "c", "aEnds": a, "bEnds": b, "lanes": lanes}}]));
    world
}

fn end(device: &str, port: &str) -> Value {
    json!({"port": {"device": device, "port": port}})
}

/// Deletes a device with its ports.
fn cascade(device: &str) -> Value {
    json!([{"delete": {"device": device}, "cascade": true}])
}

#[test]
fn a_cable_without_an_end_on_a_side_is_deleted() {
    let mut world = cabled(json!([end("node-1", "e1")]), json!([end("leaf-1", "e1")]), json!([]));
    refuse_all(
        &world,
        &[("without cascade", json!([{"delete": world.id("device", "node-1")}]), "IN_USE", "", "2 Port (e1, e2)")],
    );
    let planned = world.plan(cascade("node-1"), &How::default());
    let deleted: Vec<_> = world.records(&planned).into_iter().map(|change| change.kind).collect();
    assert_eq!(deleted.iter().filter(|kind| *kind == "Cable").count(), 1, "{deleted:?}");
    assert_eq!(deleted.len(), 4);
    world.write(cascade("node-1"));
    assert_eq!(world.find("cable", "c"), None);
    // An object that refers to the cable blocks its delete.
    let mut world = cabled(json!([end("node-1", "e1")]), json!([end("leaf-1", "e1")]), json!([]));
    world.write(json!([{"link": {"name": "l", "type": "PHYSICAL", "a": {"site": "ams1"}, "b": {"site": "fra1"},
        "cables": ["c"]}}]));
    let says = "cable/c is still in use by 1 Link (l)";
    refuse_all(&world, &[("a link", cascade("node-1"), "IN_USE", "", says)]);
}

#[test]
fn a_cable_with_remaining_ends_keeps_its_lanes() {
    let lane = |a_end: i32, a_position: i32, b_position: i32| json!({"aEnd": a_end, "aPosition": a_position, "bEnd": 1, "bPosition": b_position});
    let lanes = json!([lane(1, 1, 1), lane(2, 1, 2), lane(3, 2, 3), lane(3, 3, 4)]);
    let a = json!([end("node-1", "e1"), end("node-9", "e1"), end("node-9", "e2")]);
    let mut world = cabled(a, json!([end("leaf-1", "e1")]), lanes);
    world.write(cascade("node-1"));
    assert_eq!(world.field("cable", "c", "aEnds").as_array().unwrap().len(), 2);
    assert_eq!(world.field("cable", "c", "lanes"), json!([lane(1, 1, 2), lane(2, 2, 3), lane(2, 3, 4)]));
    assert_eq!(world.version("cable", "c"), world.snapshot.revision(), "it changed");
    // The next one goes with its last A ends.
    world.write(cascade("node-9"));
    assert_eq!(world.find("cable", "c"), None);
}

#[test]
fn a_cable_does_not_lose_the_last_of_its_lanes() {
    // Without lanes every A end reaches every B end: a cable whose only lane goes would join what it never joined.
    let lanes = json!([{"aEnd": 1, "aPosition": 1, "bEnd": 1, "bPosition": 1}]);
    let a = json!([end("leaf-1", "e1")]);
    let world = cabled(a, json!([end("node-1", "e1"), end("node-9", "e1")]), lanes);
    let says = "is still in use by 1 Cable (c)";
    refuse_all(&world, &[("its only lane", cascade("node-1"), "IN_USE", "", says)]);
    // An end that no lane uses can be deleted.
    let mut world = world;
    world.write(cascade("node-9"));
    assert_eq!(world.field("cable", "c", "bEnds").as_array().unwrap().len(), 1);
    assert_eq!(world.field("cable", "c", "lanes").as_array().unwrap().len(), 1);
}
