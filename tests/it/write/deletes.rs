//! Deletes: objects in use, cascades, and replacements in the same batch.

use serde_json::{Value, json};
use underlay_engine::write::{Cascade, Item, Status};
use underlay_inventory::Refusal;

use crate::harness::world::{How, World, accept_all, refuse_all};

fn delete(kind: &str, name: &str) -> Value {
    json!([{"delete": {kind: name}}])
}

fn cascade(kind: &str, name: &str) -> Value {
    json!([{"delete": {kind: name}, "cascade": true}])
}

#[test]
fn objects_in_use_cannot_be_deleted() {
    let mut world = World::small();
    for at in 1..=7 {
        let name = format!("d{at}");
        world.write(json!([{"device": {"site": "ams1", "name": name, "role": "OTHER", "cluster": "k1"}}]));
    }
    world.write(json!([
        {"device": {"site": "ams1", "name": "d10", "role": "OTHER", "cluster": "k1"}},
        {"virtualMachine": {"name": "v2", "cluster": "k1"}},
        {"virtualMachine": {"name": "v1", "cluster": "k1"}}
    ]));
    let refused = world.refused(delete("cluster", "k1"), &How::default());
    let message = "cluster/k1 is still in use by 8 Device (d1, d2, d3, d4, d5 and 3 more); 2 VirtualMachine (v1, v2)";
    assert_eq!(refused, [("IN_USE".to_owned(), String::new(), message.to_owned())]);
    // With cascade too: it is only referred to.
    assert_eq!(world.refused(cascade("cluster", "k1"), &How::default())[0].2, message);
}

#[test]
fn deleting_a_missing_object_is_an_error() {
    let mut world = World::small();
    world.write(json!([{"rack": {"site": "fra1", "name": "A14", "heightU": 1}}]));
    let id = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
    refuse_all(
        &world,
        &[
            ("no such name", delete("rack", "Z"), "NOT_FOUND", "ref", "Rack Z does not exist"),
            ("two of them", delete("rack", "A14"), "AMBIGUOUS", "ref", "Rack A14 fits 2 objects"),
            ("no such id", json!([{"delete": id}]), "NOT_FOUND", "ref", &format!("object {id} does not exist")),
            ("no UUID", json!([{"delete": "x"}]), "INVALID", "id", "must be a UUID"),
            ("twice", json!([{"delete": {"region": "r"}}]), "NOT_FOUND", "ref", "Region r does not exist"),
        ],
    );
    let by_id = json!([{"delete": world.id("provider", "lumen")}]);
    let by_key = json!([{"delete": {"rack": {"site": "fra1", "rack": "A14"}}}]);
    accept_all(&world, &[("by id", by_id), ("by key", by_key)]);
}

/// Each kind that contains others, with what is contained.
fn containers() -> Vec<(&'static str, &'static str, Value)> {
    let feed = json!({"powerFeed": {"site": "ams1", "name": "x"}});
    vec![
        ("region", "eu", json!([{"region": {"name": "x", "parent": "eu"}}])),
        ("site", "empty", json!([{"location": {"site": "empty", "name": "x"}}])),
        ("site", "empty", json!([{"rack": {"site": "empty", "name": "x", "heightU": 1}}])),
        ("site", "empty", json!([{"powerFeed": {"site": "empty", "name": "x"}}])),
        ("site", "empty", json!([{"device": {"site": "empty", "name": "x", "role": "OTHER"}}])),
        ("location", "hall", json!([{"location": {"site": "ams1", "parent": "hall", "name": "x"}}])),
        ("rack", "A14", json!([{"powerFeed": {"site": "ams1", "rack": "A14", "name": "x"}}])),
        ("rack", "A14", json!([{"port": {"rack": "A14", "name": "x", "type": "POWER_OUTLET"}}, feed])),
        ("device", "leaf-1", json!([{"port": {"device": "leaf-1", "name": "x", "type": "ETHERNET"}}])),
        ("device", "leaf-1", json!([{"device": {"site": "ams1", "parent": "leaf-1", "name": "x", "role": "OTHER"}}])),
        ("provider", "lumen", json!([{"providerNetwork": {"provider": "lumen", "name": "x"}}])),
    ]
}

#[test]
fn cascade_deletes_contained_objects() {
    for (kind, name, contents) in containers() {
        let mut world = World::small();
        world.write(json!([
            {"region": {"name": "eu"}}, {"site": {"name": "empty", "type": "EDGE"}},
            {"location": {"site": "ams1", "name": "hall"}}
        ]));
        world.write(contents.clone());
        let contained = contents[0].as_object().unwrap().keys().next().unwrap();
        let says = "is still in use by 1";
        refuse_all(&world, &[(&format!("{kind} with {contained}"), delete(kind, name), "IN_USE", "", says)]);
        let outcome = &world.write(cascade(kind, name))[0];
        assert_eq!((outcome.status, outcome.name.as_deref()), (Status::Deleted, Some(name)));
        assert_eq!(world.find(contained, "x").filter(|_| contained != "powerFeed" || kind != "rack"), None);
        assert_eq!(world.find(kind, name), None);
    }
}

#[test]
fn cascade_does_not_delete_objects_that_only_refer() {
    let mut world = World::small();
    world.write(json!([
        {"location": {"site": "ams1", "name": "hall"}},
        {"rack": {"site": "ams1", "name": "A14", "location": "hall"}},
        {"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}},
        {"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", "aEnd": {"site": "fra1"}}},
        {"region": {"name": "eu"}},
        {"site": {"name": "fra1", "region": "eu"}}
    ]));
    let table = [
        ("location", "hall", "1 Rack (A14)"),
        ("rack", "A14", "1 Device (node-1)"),
        ("provider", "lumen", "1 Circuit (c)"),
        ("site", "fra1", "1 CircuitTermination (A)"),
        ("region", "eu", "1 Site (fra1)"),
    ];
    for (kind, name, users) in table {
        refuse_all(&world, &[(kind, cascade(kind, name), "IN_USE", "", &format!("is still in use by {users}"))]);
    }
    let c = world.id("circuit", "c");
    refuse_all(&world, &[("circuit", json!([{"delete": c}]), "IN_USE", "", "1 CircuitTermination (A)")]);
    world.write(json!([{"delete": c, "cascade": true}]));
    assert_eq!(world.find("circuitTermination", "A"), None);
}

#[test]
fn a_key_can_be_deleted_and_made_again_in_one_batch() {
    let mut world = World::small();
    let before = world.id("rack", "A14");
    let items = [
        json!({"delete": {"rack": "A14"}}),
        json!({"rack": {"site": "ams1", "name": "A14", "heightU": 7}}),
        json!({"device": {"site": "ams1", "name": "node-1", "placement": {"rack": {"site": "ams1", "rack": "A14"}}}}),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut after = world.clone();
        let outcomes = after.write(json!(order.map(|at| items[at].clone())));
        let statuses = order.map(|at| outcomes[order.iter().position(|it| *it == at).unwrap()].status);
        assert!(statuses.contains(&Status::Created) && statuses.contains(&Status::Deleted), "{statuses:?}");
        let made = after.id("rack", "A14");
        assert_ne!(made, before);
        assert_eq!(after.field("device", "node-1", "placement")["rack"], json!(made));
        assert_eq!(after.snapshot.len(), world.snapshot.len());
    }
    // An object that still refers to the old one blocks the delete.
    world.write(json!([{"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}}]));
    let items = json!([items[0], items[1]]);
    refuse_all(&world, &[("in use", items, "IN_USE", "", "1 Device (node-1)")]);
}

#[test]
fn a_batch_cannot_write_objects_that_it_deletes() {
    let mut world = World::small();
    world.write(json!([{"port": {"device": "node-1", "name": "p", "type": "ETHERNET"}}]));
    let id = world.id("rack", "A14");
    let same_id = json!([{"rack": {"id": id, "site": "ams1", "name": "A14", "heightU": 7}}, {"delete": id}]);
    let inside = json!([
        {"port": {"device": "node-1", "name": "p", "mtu": 1500}}, {"delete": {"device": "node-1"}, "cascade": true}
    ]);
    let in_site = json!([
        {"rack": {"id": id, "cage": "7"}}, {"delete": {"site": "ams1"}, "cascade": true}
    ]);
    let new_in_site = json!([
        {"location": {"site": "ams1", "name": "new"}}, {"delete": {"site": "ams1"}, "cascade": true}
    ]);
    let new_below = json!([
        {"powerFeed": {"site": "ams1", "rack": "A14", "name": "new"}},
        {"delete": {"site": "ams1"}, "cascade": true}
    ]);
    let says = "the same batch deletes it";
    refuse_all(
        &world,
        &[
            ("with the same id", same_id, "INVALID", "id", says),
            ("in a device that goes", inside, "NOT_FOUND", "device", "which the batch deletes"),
            ("in a site that goes", in_site, "INVALID", "id", says),
            ("new in a site that goes", new_in_site, "NOT_FOUND", "site", "which the batch deletes"),
            ("new further down", new_below, "NOT_FOUND", "site", "which the batch deletes"),
        ],
    );
}

#[test]
fn a_cascade_counts_towards_the_limit_of_the_batch() {
    let mut world = World::of(json!([{"site": {"name": "s", "type": "EDGE"}}]));
    for part in 0..2 {
        let locations = (0..5_000).map(|at| json!({"location": {"site": "s", "name": format!("{part}-{at}")}}));
        world.write(json!(locations.collect::<Vec<_>>()));
    }
    let items = || {
        let kind = world.snapshot.registry().named("site");
        vec![Item::Delete { kind, object: json!("s"), cascade: Cascade::Contained, if_version: None }]
    };
    let refusal = world.plan_items(items(), &How::default()).unwrap_err();
    assert_eq!(refusal, Refusal::BatchTooLarge { count: 10_001, unit: "objects to delete", most: 10_000 });
    let one = json!([{"delete": {"location": {"site": "s", "location": "0-0"}}}]);
    let mut smaller = world.clone();
    smaller.write(one);
    assert!(smaller.plan_items(items(), &How::default()).unwrap().accepted);
}

#[test]
fn objects_that_refer_to_each_other_are_deleted_in_any_order() {
    let mut world = World::small();
    world.write(json!([{"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}}]));
    let (rack, device) = (json!({"delete": {"rack": "A14"}}), json!({"delete": {"device": "node-1"}}));
    accept_all(&world, &[("rack first", json!([rack, device])), ("device first", json!([device, rack]))]);
    world.write(json!([rack, device]));
    // Deleted twice in one batch, it is deleted once.
    let twice = world.write(json!([{"delete": {"rack": "B1"}}, {"delete": {"rack": "B1"}}]));
    assert!(twice.iter().all(|outcome| outcome.status == Status::Deleted));
}
