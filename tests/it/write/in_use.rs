//! Objects that are in use: they are not deleted, and keep their placement, however a batch tries.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_engine::write::{Conflicts, Mode};
use underlay_inventory::{Description, InUse, Protection, Registry, Snapshot};

use crate::harness::world::{How, World};

/// A virtual machine is in use while it has the label `in-use`, and its host with it.
const PROTECTION: Protection = Protection {
    of: |row, _| {
        let purpose = row.common().labels.0.get("in-use")?;
        Some(InUse { reason: format!("is in use for {purpose}"), remedy: "remove its label in-use".to_owned() })
    },
    with: &["host"],
};

pub fn registry() -> Registry {
    let kinds = underlay_kinds::registry();
    let kinds = kinds.kinds().map(|kind| match kind.name {
        "VirtualMachine" => &*Box::leak(Box::new(Description { protection: Some(PROTECTION), ..*kind })),
        _ => kind,
    });
    Registry::new(kinds.collect())
}

/// A device in a rack and a location, with a virtual machine on it that is in use, and one that is not.
fn world() -> World {
    let mut world = World { snapshot: Snapshot::empty(Arc::new(registry())) };
    world.write(json!([
        {"region": {"name": "eu"}},
        {"site": {"region": "eu", "name": "ams1", "type": "DATACENTER"}},
        {"location": {"site": "ams1", "name": "hall"}},
        {"rack": {"site": "ams1", "name": "r", "heightU": 42}},
        {"device": {"site": "ams1", "name": "used", "role": "SERVER", "location": {"site": "ams1", "location": "hall"}}},
        {"device": {"site": "ams1", "name": "racked", "role": "SERVER", "placement": {"rack": {"site": "ams1", "rack": "r"}}}},
        {"device": {"site": "ams1", "name": "free", "role": "SERVER", "placement": {"rack": {"site": "ams1", "rack": "r"}}}},
        {"virtualMachine": {"name": "a", "host": {"site": "ams1", "device": "used"}, "labels": {"in-use": "k1"}}},
        {"virtualMachine": {"name": "b", "host": {"site": "ams1", "device": "racked"}, "labels": {"in-use": "k1"}}},
        {"virtualMachine": {"name": "c", "host": {"site": "ams1", "device": "free"}}},
    ]));
    world
}

#[test]
fn an_object_in_use_is_neither_deleted_nor_displaced() {
    let world = world();
    let id = |kind: &str, name: &str| world.id(kind, name).to_string();
    let set = |kind: &str, name: &str, field: &str| json!([{kind: {"id": id(kind, name), field: null}}]);
    let delete = |object: Value, cascade: bool| json!([{"delete": object, "cascade": cascade}]);
    let why = "virtualMachine/ams1/used/a is in use for k1: remove its label in-use";
    let other = "virtualMachine/ams1/racked/b is in use for k1";
    for (what, items, field, says) in [
        ("itself", delete(json!(id("virtualMachine", "a")), false), "", why),
        ("its host", delete(json!(id("device", "used")), false), "", why),
        ("its host with all in it", delete(json!(id("device", "used")), true), "", why),
        ("its site", delete(json!(id("site", "ams1")), true), "", "is in use for k1"),
        ("the location of its host", set("device", "used", "location"), "location", why),
        ("the placement of its host", set("device", "racked", "placement"), "placement", other),
        ("its own host", set("virtualMachine", "a", "host"), "host", why),
        (
            "a delete with the end of the use",
            json!([
                {"virtualMachine": {"id": id("virtualMachine", "a"), "labels": {"in-use": null}}},
                {"delete": id("device", "used"), "cascade": true},
            ]),
            "",
            why,
        ),
    ] {
        for (mode, conflicts) in [(Mode::Atomic, Conflicts::Fail), (Mode::Atomic, Conflicts::Force)] {
            let errors = world.refused(items.clone(), &How { mode, conflicts, ..How::default() });
            let fits = |(code, its_field, message): &(String, String, String)| {
                code == "IN_USE" && its_field == field && message.contains(says)
            };
            assert!(errors.iter().any(fits), "{what}: {errors:#?}");
        }
    }
}

#[test]
fn one_refused_item_does_not_stop_the_others() {
    let mut world = world();
    let items = json!([
        {"delete": world.id("virtualMachine", "a").to_string()},
        {"delete": world.id("virtualMachine", "c").to_string()},
        {"delete": world.id("device", "free").to_string()},
    ]);
    world.statuses(items, &How::per_item());
    assert!(world.find("virtualMachine", "a").is_some() && world.find("device", "used").is_some());
    assert!(world.find("virtualMachine", "c").is_none() && world.find("device", "free").is_none());
}

#[test]
fn everything_else_can_be_written_and_the_use_can_end() {
    let mut world = world();
    let (machine, device) = (world.id("virtualMachine", "a"), world.id("device", "used"));
    world.write(
        json!([{"virtualMachine": {"id": machine, "description": "busy", "host": {"site": "ams1", "device": "free"}}}]),
    );
    assert_eq!(world.field("virtualMachine", "a", "description"), "busy", "another host is no clearing");
    world.write(json!([{"virtualMachine": {"id": machine, "labels": {"in-use": null}}}]));
    world.write(json!([{"delete": machine.to_string()}, {"delete": device.to_string()}]));
    assert!(world.find("virtualMachine", "a").is_none());
}
