//! Batches as a whole: atomic and per item, dry runs, repeats, versions, swaps, limits.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{Value, json};
use underlay_engine::write::{Item, Mode, Status};
use underlay_inventory::Refusal;

use crate::harness::world::{How, World, errors, refuse_all};

fn region(name: &str) -> Value {
    json!({"region": {"name": name}})
}

#[test]
fn an_atomic_batch_reports_every_item_that_fails() {
    let world = World::small();
    let items = json!([
        region("good"),
        {"region": {"name": "bad", "hight": 1}},
        {"site": {"name": "s", "type": "MOON"}},
        {"rack": {"site": "ams1", "name": "r"}},
        region("fine")
    ]);
    let planned = world.plan(items, &How::default());
    assert!(!planned.accepted && !planned.changes_something());
    assert_eq!(planned.next.revision(), world.snapshot.revision());
    let fields: Vec<_> = errors(&planned).into_iter().map(|(_, field, _)| field).collect();
    assert_eq!(fields, ["hight", "type", "heightU"]);
    let statuses: Vec<_> = planned.outcomes.iter().map(|outcome| outcome.status).collect();
    let (not_written, failed) = (Status::NotWritten, Status::Failed);
    assert_eq!(statuses, [not_written, failed, failed, failed, not_written], "the others are fine, and not written");
    assert!(planned.outcomes.iter().all(|outcome| outcome.id.is_none()), "nothing was created");
}

#[test]
fn per_item_the_valid_items_are_written() {
    let mut world = World::small();
    let items = json!([
        {"device": {"site": "new", "name": "d", "role": "OTHER", "placement": {"rack": {"site": "new", "rack": "r"}}}},
        {"rack": {"site": "new", "name": "r", "heightU": 200}},
        {"site": {"name": "new", "type": "EDGE"}},
        {"port": {"device": {"site": "new", "device": "d"}, "name": "p", "type": "ETHERNET"}},
        region("alone")
    ]);
    let planned = world.plan(items, &How::per_item());
    assert!(planned.accepted);
    let (made, failed) = (Status::Created, Status::Failed);
    let statuses: Vec<_> = planned.outcomes.iter().map(|outcome| outcome.status).collect();
    assert_eq!(statuses, [failed, failed, made, failed, made], "what depends on a failed item fails with it");
    let found: Vec<_> = errors(&planned).into_iter().map(|(code, field, _)| (code, field)).collect();
    let pair = |code: &str, field: &str| (code.to_owned(), field.to_owned());
    assert_eq!(found, [pair("NOT_FOUND", "placement.rack"), pair("INVALID", "heightU"), pair("NOT_FOUND", "device")]);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
    assert_eq!((world.find("rack", "r"), world.find("device", "d")), (None, None));
    assert!(world.find("site", "new").is_some() && world.find("region", "alone").is_some());
}

#[test]
fn per_item_the_order_does_not_matter() {
    let items = [
        json!({"region": {"name": "top"}}),
        json!({"region": {"name": "below", "parent": "top"}}),
        json!({"site": {"name": "s", "type": "EDGE", "region": "below"}}),
        json!({"site": {"name": "bad", "type": "MOON", "region": "below"}}),
        json!({"rack": {"site": "bad", "name": "r", "heightU": 1}}),
        json!({"rack": {"site": "s", "name": "r", "heightU": 1}}),
    ];
    let mut orders =
        vec![vec![0, 1, 2, 3, 4, 5], vec![5, 4, 3, 2, 1, 0], vec![2, 5, 0, 4, 1, 3], vec![4, 1, 3, 0, 5, 2]];
    orders.push(vec![3, 5, 1, 4, 2, 0]);
    for order in orders {
        let mut world = World::empty();
        let shuffled: Vec<_> = order.iter().map(|at| items[*at].clone()).collect();
        let statuses = world.statuses(json!(shuffled), &How::per_item());
        for (at, status) in order.iter().zip(statuses) {
            let wanted = if [3, 4].contains(at) { Status::Failed } else { Status::Created };
            assert_eq!(status, wanted, "{} in {order:?}", items[*at]);
        }
    }
}

#[test]
fn per_item_a_delete_makes_room_for_its_replacement() {
    for order in [[0, 1], [1, 0]] {
        let mut world = World::small();
        let before = world.id("rack", "A14");
        let items =
            [json!({"delete": {"rack": "A14"}}), json!({"rack": {"site": "ams1", "name": "A14", "heightU": 7}})];
        let statuses = world.statuses(json!(order.map(|at| items[at].clone())), &How::per_item());
        assert_eq!(
            order.map(|at| statuses[at]),
            [Status::Created, Status::Deleted].map(|it| it).into_iter().rev().collect::<Vec<_>>()[..]
        );
        assert_ne!(world.id("rack", "A14"), before);
    }
}

#[test]
fn per_item_a_delete_follows_the_items_that_remove_references() {
    for order in [[0, 1], [1, 0]] {
        let mut world = World::small();
        world.write(json!([{"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}}]));
        let items = [
            json!({"delete": {"rack": "A14"}}),
            json!({"device": {"site": "ams1", "name": "node-1", "placement": null}}),
        ];
        let statuses = world.statuses(json!(order.map(|at| items[at].clone())), &How::per_item());
        assert_eq!(order.map(|at| statuses[at]).len(), 2);
        assert!(!statuses.contains(&Status::Failed), "{order:?}: {statuses:?}");
    }
}

#[test]
fn repeating_a_batch_changes_nothing() {
    let items = || {
        json!([
            {"region": {"name": "r", "labels": {"a": "b"}, "attributes": {"x": [1, {"y": null}]}, "tenant": "t",
                "coordinates": {"latitude": 1, "longitude": 2}}},
            {"site": {"name": "s", "type": "EDGE", "region": "r"}},
            {"rack": {"site": "s", "name": "k", "heightU": 10}},
            {"device": {"site": "s", "name": "d", "role": "SERVER", "addresses": [{"type": "INTERNAL", "address": "a"}],
                "placement": {"rack": "k", "startUnit": 1, "unitHeight": 1},
                "hardware": {"cpuCores": 1, "disks": [{"name": "a", "sizeBytes": 1, "type": "SSD"}]}}},
            {"port": {"device": "d", "name": "p", "type": "ETHERNET", "mac": "00005E005301", "addresses": ["10.0.0.1/8"]}},
            {"port": {"device": "d", "name": "q", "type": "ETHERNET"}},
            {"cable": {"aEnds": [{"port": {"device": "d", "port": "p"}}], "bEnds": [{"port": {"device": "d", "port": "q"}}],
                "lanes": [{}], "lengthM": 1}},
            {"provider": {"name": "p", "type": "CLOUD", "contract": {"notes": "n"}}},
            {"circuit": {"provider": "p", "name": "c", "type": "TRANSIT", "aEnd": {"site": "s"}, "installedOn": "2026-01-01"}}
        ])
    };
    for how in [How::default(), How::per_item(), How::source("bcm")] {
        let mut world = World::empty();
        assert!(world.write_as(items(), &how).iter().all(|outcome| outcome.status == Status::Created));
        let planned = world.plan(items(), &how);
        assert!(planned.outcomes.iter().all(|it| it.status == Status::Unchanged), "{:#?}", planned.outcomes);
        assert!(planned.touched.is_empty() && !planned.changes_something());
        assert_eq!(planned.next.revision(), world.snapshot.revision());
    }
}

#[test]
fn a_change_that_is_reverted_in_its_batch_is_no_change() {
    let mut world = World::of(json!([{"region": {"name": "r", "displayName": "x"}}]));
    let version = world.version("region", "r");
    let id = world.id("region", "r");
    let planned = world.plan(
        json!([{"region": {"id": id, "displayName": "y"}}, {"region": {"id": id, "displayName": "x"}}]),
        &How::default(),
    );
    assert!(planned.touched.is_empty(), "{:?}", planned.touched);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
    assert_eq!(world.version("region", "r"), version);
}

#[test]
fn a_version_is_the_revision_of_the_last_change() {
    let mut world = World::of(json!([region("r"), region("other")]));
    let first = world.version("region", "r");
    let change =
        |version: i64, name: &str| json!([{"region": {"name": "r", "displayName": name}, "ifVersion": version}]);
    world.write(change(first, "x"));
    assert_eq!(world.version("region", "r"), world.snapshot.revision());
    assert_eq!(world.version("region", "other"), first, "another object keeps its version");
    let says = format!("region/r is at version {}, not {first}: read it again", world.version("region", "r"));
    let delete = |version: i64| json!([{"delete": {"region": "r"}, "ifVersion": version}]);
    let new = json!([{"region": {"name": "new"}, "ifVersion": 1}]);
    refuse_all(
        &world,
        &[
            ("a change", change(first, "y"), "STALE_VERSION", "", &says),
            ("even one that changes nothing", change(first, "x"), "STALE_VERSION", "", &says),
            ("a delete", delete(first), "STALE_VERSION", "", &says),
            ("an object that is not there", new, "STALE_VERSION", "", "at version 0, not 1"),
        ],
    );
    world.write(delete(world.version("region", "r")));
}

#[test]
fn objects_can_swap_unique_values() {
    let mut world = World::small();
    world.write(json!([
        {"device": {"site": "ams1", "name": "chassis", "role": "CHASSIS"}},
        {"device": {"site": "ams1", "name": "a", "role": "OTHER", "assetTag": "1", "parent": "chassis", "slot": "1",
            "externalRefs": [{"source": "bcm", "externalId": "1"}]}},
        {"device": {"site": "ams1", "name": "b", "role": "OTHER", "assetTag": "2", "parent": "chassis", "slot": "2",
            "externalRefs": [{"source": "bcm", "externalId": "2"}]}}
    ]));
    let (a, b) = (world.id("device", "a"), world.id("device", "b"));
    let become_ = |id: uuid::Uuid, name: &str, number: &str| {
        json!({"device": {"id": id, "name": name, "assetTag": number, "slot": number,
            "externalRefs": [{"source": "bcm", "externalId": number}]}})
    };
    world.write(json!([become_(a, "b", "2"), become_(b, "a", "1")]));
    assert_eq!((world.id("device", "b"), world.id("device", "a")), (a, b));
    assert_eq!(world.field_of(a, "assetTag"), "2");
    // Both are found by their new names.
    world.write(json!([{"device": {"site": "ams1", "name": "a", "model": "x"}}]));
    assert_eq!(world.field_of(b, "model"), "x");
    // A cycle of three, and one that does not close.
    world.write(json!([{"device": {"site": "ams1", "name": "c", "role": "OTHER"}}]));
    let c = world.id("device", "c");
    let name = |id: uuid::Uuid, name: &str| json!({"device": {"id": id, "name": name}});
    world.write(json!([name(a, "a"), name(b, "c"), name(c, "b")]));
    let open = json!([name(a, "b"), name(b, "x")]);
    refuse_all(&world, &[("open", open, "DUPLICATE", "name", "the name b is already taken by device/ams1/b")]);
}

#[test]
fn a_name_used_temporarily_in_a_batch_is_free_again() {
    let mut world = World::of(json!([region("a"), region("b")]));
    let (a, b) = (world.id("region", "a"), world.id("region", "b"));
    let name = |name: &str| json!({"region": {"id": b, "name": name}});
    world.write(json!([name("a"), name("c")]));
    assert_eq!(world.write(json!([{"region": {"name": "a", "displayName": "x"}}]))[0].id, Some(a), "a is still found");
    assert_eq!(world.snapshot.len(), 2);
}

#[test]
fn a_batch_has_limits() {
    let world = World::empty();
    let items = |count: usize| -> Vec<Item> {
        world.items(json!((0..count).map(|at| region(&at.to_string())).collect::<Vec<_>>()))
    };
    assert!(world.plan_items(items(10_000), &How::default()).unwrap().accepted);
    let refusal = world.plan_items(items(10_001), &How::default()).unwrap_err();
    assert_eq!(refusal, Refusal::BatchTooLarge { count: 10_001, unit: "items", most: 10_000 });
    assert_eq!(refusal.to_string(), "the batch has 10001 items; at most 10000 are allowed in one");
    assert!(world.plan_items(Vec::new(), &How::default()).unwrap().outcomes.is_empty());
}

#[test]
fn items_with_the_same_id_build_on_each_other() {
    for mode in [Mode::Atomic, Mode::PerItem] {
        let mut world = World::empty();
        let how = How { mode, ..How::default() };
        let id = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
        let items = json!([
            {"region": {"id": id, "name": "r", "displayName": "x"}}, {"region": {"id": id, "description": "y"}}
        ]);
        let outcomes = world.write_as(items, &how);
        assert_eq!(outcomes[0].id, outcomes[1].id);
        assert_eq!(outcomes.iter().map(|it| it.status).collect::<Vec<_>>(), [Status::Created, Status::Updated]);
        assert_eq!(world.field("region", "r", "displayName"), "x");
        assert_eq!(world.field("region", "r", "description"), "y");
    }
}

/// The clocks of two processes differ a little, and times follow the order of revisions all the same. A clock that was
/// wrong for longer is not followed once it is set back.
#[test]
fn times_of_revisions_lead_the_clock_by_no_more_than_they_must() {
    let world = World::small();
    let before = world.snapshot.head().at;
    for (apart, expected) in [(-3_600, -3_600), (-11, -11), (-10, 0), (-1, 0), (0, 0), (1, 1), (3_600, 3_600)] {
        let now = before + TimeDelta::seconds(apart);
        let planned = world.plan_at(world.items(json!([region("later")])), &How::default(), now).expect("planned");
        assert!(planned.next.revision() > world.snapshot.revision());
        assert_eq!(planned.next.head().at, before + TimeDelta::seconds(expected), "{apart} s later by the clock");
        assert!(world.records(&planned).iter().all(|change| change.at == planned.next.head().at));
    }
}
