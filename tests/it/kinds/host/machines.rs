//! The names of hosts, and the machines that they are linked with.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use underlay_kinds::host::{Host, Linked, machine_of};

use crate::harness::world::{How, World, accept_all, refuse_all};

/// The names of all hosts.
fn names(world: &World) -> BTreeSet<String> {
    let kind = world.snapshot.registry().named("host").expect("a kind");
    world.snapshot.table(kind.id).rows(0).map(|(_, row)| row.common().name.to_owned()).collect()
}

#[test]
fn a_host_without_a_name_gets_one() {
    let mut world = World::empty();
    let items: Vec<Value> = (0..2_000).map(|at| json!({"host": {"title": format!("t{at}")}})).collect();
    world.write(items.into());
    let names = names(&world);
    assert_eq!(names.len(), 2_000, "each has a name of its own");
    assert!(names.iter().all(|name| (2..=3).contains(&name.split('-').count())), "{names:?}");
}

#[test]
fn an_item_without_a_name_means_the_host_of_its_machine() {
    let mut world = World::small();
    let machine = json!({"device": {"site": "ams1", "device": "node-1"}});
    world.write(json!([{"host": {"machine": machine, "title": "one"}}]));
    world.write(json!([{"host": {"machine": machine, "title": "two"}}]));
    let names = names(&world);
    assert_eq!(names.len(), 1);
    assert_eq!(world.field("host", names.first().unwrap(), "title"), "two");
    refuse_all(
        &world,
        &[("another host of it", json!([{"host": {"name": "other", "machine": machine}}]), "DUPLICATE", "machine", "")],
    );
    accept_all(&world, &[("another machine", json!([{"host": {"machine": {"device": "leaf-1"}}}]))]);
}

#[test]
fn the_only_device_with_the_identity_is_linked() {
    let mut world = World::small();
    world.write(json!([
        {"device": {"site": "ams1", "name": "node-1", "serial": " CZJ-1 "}},
        {"device": {"site": "ams1", "name": "leaf-1", "attributes": {"uuid": "4C4C4544-0042-3510-8056-B2C04F513432"}}},
        {"device": {"site": "fra1", "name": "node-9", "serial": "To Be Filled By O.E.M."}},
        {"device": {"site": "fra1", "name": "twin-1", "role": "SERVER", "serial": "TWIN"}},
        {"device": {"site": "fra1", "name": "twin-2", "role": "SERVER", "serial": "twin"}},
        {"device": {"site": "fra1", "name": "zero", "role": "SERVER", "serial": "0000"}}
    ]));
    let device = |name: &str| json!({"device": world.id("device", name)});
    let table = [
        ("a serial number", "czj-1", device("node-1")),
        ("with spaces", "  CZJ-1\t", device("node-1")),
        ("a UUID", "4c4c4544-0042-3510-8056-b2c04f513432", device("leaf-1")),
        ("unknown", "CZJ-2", Value::Null),
        ("a part", "CZJ", Value::Null),
        ("a name is no serial number", "node-1", Value::Null),
        ("several", "TWIN", Value::Null),
        ("junk", "To Be Filled By O.E.M.", Value::Null),
        ("zeros", "0000", Value::Null),
    ];
    for (what, uid, machine) in &table {
        let mut world = world.clone();
        world.write(json!([{"host": {"name": "new", "uid": uid}}]));
        assert_eq!(world.field("host", "new", "machine"), *machine, "{what}, when it is created");
        world.write(json!([{"host": {"name": "old"}}, {"host": {"name": "new", "uid": null, "machine": null}}]));
        world.write(json!([{"host": {"name": "old", "uid": uid}}]));
        assert_eq!(world.field("host", "old", "machine"), *machine, "{what}, when it becomes known");
    }
    for (what, serial, machine) in &table {
        let mut world = world.clone();
        world.write(json!([{"host": {"name": "new", "uid": "4c4c4544-0000", "serial": serial}}]));
        assert_eq!(world.field("host", "new", "machine"), *machine, "{what}, beside a UUID that leads nowhere");
    }
    let mut world = world.clone();
    world.write(json!([{"host": {"name": "a", "uid": "CZJ-1", "machine": null}}]));
    assert_eq!(world.field("host", "a", "machine"), Value::Null, "the write says that there is none");
    world.write(json!([{"host": {"name": "a", "title": "x"}}]));
    assert_eq!(world.field("host", "a", "machine"), Value::Null, "nothing became known");
    world.write(json!([{"host": {"name": "b", "machine": {"device": "node-1"}}}]));
    world.write(json!([{"host": {"name": "a", "uid": null}}, {"host": {"name": "c", "uid": "CZJ-1"}}]));
    assert_eq!(world.field("host", "c", "machine"), Value::Null, "it is the machine of another host");
    let other = json!({"host": {"name": "d", "uid": "CZJ-1", "machine": {"device": "twin-1"}}});
    world.write(json!([{"host": {"name": "c", "uid": null}}, other]));
    assert_eq!(
        world.field("host", "d", "machine"),
        json!({"device": world.id("device", "twin-1")}),
        "the write decides"
    );
}

#[test]
fn a_device_that_several_hosts_may_be_is_linked_with_none() {
    let mut world = World::small();
    let host = |name: &str, uid: &str, serial: Value| json!({"host": {"name": name, "uid": uid, "serial": serial}});
    // They came before the device, so nothing is linked yet.
    world.write(json!([host("a", "u-1", json!("CHASSIS")), host("b", "u-2", json!("chassis"))]));
    world.write(json!([host("c", "CHASSIS", Value::Null), host("d", "u-4", json!("OWN"))]));
    world.write(json!([
        {"device": {"site": "ams1", "name": "node-1", "serial": "CHASSIS"}},
        {"device": {"site": "ams1", "name": "leaf-1", "serial": "OWN"}}
    ]));
    let (node, leaf) = (world.id("device", "node-1"), world.id("device", "leaf-1"));
    let table = [
        ("a", Linked::Suggested(vec![node])),
        ("b", Linked::Suggested(vec![node])),
        ("c", Linked::Suggested(vec![node])),
        ("d", Linked::One(leaf)),
    ];
    let of = |world: &World, name: &str| {
        let host = world.snapshot.get::<Host>(world.id("host", name)).expect("a host").clone();
        machine_of(&world.snapshot, &host, &[], Host::MACHINE)
    };
    for (name, expected) in &table {
        assert_eq!(of(&world, name), *expected, "{name}");
    }
    // Somebody decides: the device is the machine of one, so it is free for nobody else.
    world.write(json!([{"host": {"name": "a", "machine": {"device": "node-1"}}}]));
    assert_eq!(of(&world, "b"), Linked::Suggested(vec![node]));
    // With the others gone, the serial number leads to one host and one device.
    world.write(json!([{"delete": {"host": "a"}}, {"delete": {"host": "b"}}]));
    assert_eq!(of(&world, "c"), Linked::One(node));
}

#[test]
fn a_host_outlives_what_it_refers_to() {
    let mut world = World::small();
    world.write(json!([
        {"hostClass": {"name": "large"}},
        {"appliance": {"name": "a", "type": "MANUAL"}},
        {"credential": {"name": "c", "type": "BASIC"}},
        {"host": {"name": "h", "machine": {"device": "node-1"}, "class": "large", "appliance": "a", "bmcCredential": "c",
            "cluster": "k1"}}
    ]));
    let table = [
        ("device", "node-1", "machine"),
        ("hostClass", "large", "class"),
        ("appliance", "a", "appliance"),
        ("credential", "c", "bmcCredential"),
        ("cluster", "k1", "cluster"),
    ];
    for (kind, name, field) in table {
        let delete = |cascade: bool| json!([{"delete": {kind: name}, "cascade": cascade}]);
        refuse_all(&world, &[(kind, delete(false), "IN_USE", "", "")]);
        world.write_as(delete(true), &How::default());
        assert_eq!(world.field("host", "h", field), Value::Null, "{field}");
    }
}
