//! References: by id, external reference, key or bare name, to objects of the batch in any order; and invalid
//! references.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_engine::write::Status;

use crate::harness::world::{How, World, accept_all, refuse_all};

#[test]
fn every_form_of_a_reference() {
    let mut world = World::small();
    world.write(json!([
        {"rack": {"site": "ams1", "name": "A14", "externalRefs": [{"source": "bcm", "externalId": "r14"}]}},
        {"rack": {"site": "fra1", "name": "A14", "heightU": 10}},
        {"port": {"device": "node-1", "name": "1", "type": "PATCH_FRONT"}},
        {"port": {"device": "node-1", "name": "1", "type": "PATCH_REAR"}}
    ]));
    let id = world.id("rack", "A14");
    let device =
        |rack: Value| json!([{"device": {"site": "ams1", "name": "d", "role": "OTHER", "placement": {"rack": rack}}}]);
    let forms = [
        json!(id),
        json!({"id": id}),
        json!({"source": "bcm", "externalId": "r14"}),
        json!({"site": "ams1", "rack": "A14"}),
        json!({"id": null, "site": "ams1", "rack": "A14"}),
        // As it is printed, and the rack of the site of the device.
        json!("ams1/A14"),
        json!("rack/ams1/A14"),
        json!({"rack": "ams1/A14"}),
        json!("A14"),
        json!({"rack": "A14"}),
    ];
    for form in forms {
        let planned = world.plan(device(form.clone()), &How::default());
        let mut after = world.clone();
        assert!(planned.accepted, "{form}: {:?}", planned.outcomes);
        after.snapshot = Arc::unwrap_or_clone(planned.next);
        assert_eq!(after.field("device", "d", "placement")["rack"], json!(id), "{form}");
    }
    // The source of the batch stands in for that of the reference.
    world.clone().write_as(device(json!({"externalId": "r14"})), &How::source("bcm"));
    let port = |port: Value| json!([{"cable": {"name": "c", "aEnds": [{"port": port}], "bEnds": [{"port": {"device": "leaf-1", "port": "x"}}]}}]);
    let field = "placement.rack";
    let without_site = json!([{"device": {"id": world.id("device", "node-1"), "placement": {"rack": "A14"}}}]);
    refuse_all(
        &world,
        &[
            ("a bare name", without_site.clone(), "AMBIGUOUS", field, "Rack A14 fits 2 objects: rack/"),
            ("it lists them", without_site.clone(), "AMBIGUOUS", field, "rack/ams1/A14"),
            ("all of them", without_site.clone(), "AMBIGUOUS", field, "rack/fra1/A14"),
            ("what to do", without_site, "AMBIGUOUS", field, "name its parents or use its id"),
            ("the path of nothing", device(json!("ams1/A15")), "NOT_FOUND", field, "Rack ams1/A15 does not exist"),
            ("the end of a path", device(json!("1/A14")), "NOT_FOUND", field, "Rack 1/A14 does not exist"),
            ("two families", port(json!({"device": "node-1", "port": "1"})), "AMBIGUOUS", "aEnds[0].port", "fits 2"),
            (
                "another family",
                port(json!({"device": "node-1", "family": "DATA", "port": "1"})),
                "NOT_FOUND",
                "aEnds[0].port",
                "does not exist",
            ),
            (
                "no family",
                port(json!({"device": "node-1", "family": "X", "port": "1"})),
                "INVALID",
                "aEnds[0].port.family",
                "must be one of DATA, SERIAL",
            ),
            ("no such name", device(json!("Z9")), "NOT_FOUND", field, "Rack Z9 does not exist"),
            (
                "no such key",
                device(json!({"site": "fra1", "rack": "Z9"})),
                "NOT_FOUND",
                field,
                "Rack Z9 (site fra1) does not exist",
            ),
            ("no such site", device(json!({"site": "x", "rack": "A14"})), "NOT_FOUND", field, "Rack A14 (site x)"),
            (
                "no such external id",
                device(json!({"source": "bcm", "externalId": "x"})),
                "NOT_FOUND",
                field,
                "Rack x of source bcm does not exist",
            ),
            ("no source", device(json!({"externalId": "r14"})), "INVALID", field, "an externalId without its source"),
            (
                "no such id",
                device(json!("0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee")),
                "NOT_FOUND",
                field,
                "Rack 0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee does not exist",
            ),
            ("no UUID", device(json!({"id": "x"})), "INVALID", "placement.rack.id", "must be a UUID, not \"x\""),
            ("nothing", device(json!({})), "INVALID", field, "must name a Rack by id, externalId or rack"),
            (
                "another member",
                device(json!({"rack": "A14", "floor": "2"})),
                "INVALID",
                "placement.rack.floor",
                "is not part of a reference to a Rack; allowed are id, source, externalId, rack, site",
            ),
            ("a number in it", device(json!({"rack": 7})), "INVALID", "placement.rack.rack", "must be text, not 7"),
            (
                "the wrong kind",
                device(json!(world.id("site", "ams1"))),
                "INVALID",
                field,
                "must be a Rack; site/ams1 is not",
            ),
        ],
    );
    let devices: Vec<_> = (0..7).map(|at| json!({"site": {"name": format!("s{at}"), "type": "EDGE"}})).collect();
    world.write(json!(devices));
    for at in 0..7 {
        world.write(json!([{"rack": {"site": format!("s{at}"), "name": "many", "heightU": 1}}]));
    }
    let message = world.refused(device(json!("many")), &How::default())[0].2.clone();
    assert!(message.starts_with("Rack many fits 7 objects: "), "{message}");
    assert_eq!(message.matches("rack/").count(), 5, "five are listed: {message}");
}

#[test]
fn objects_of_the_batch_are_found_in_any_order() {
    let forward = json!([
        {"region": {"name": "eu"}},
        {"site": {"name": "s", "type": "EDGE", "region": "eu"}},
        {"rack": {"site": "s", "name": "r", "heightU": 10}},
        {"device": {"site": "s", "name": "a", "role": "SERVER",
            "placement": {"rack": {"site": "s", "rack": "r"}, "startUnit": 1, "unitHeight": 1}}},
        {"device": {"site": "s", "name": "b", "role": "SERVER", "placement": {"rack": "r"}}},
        {"port": {"device": {"site": "s", "device": "a"}, "name": "e", "type": "ETHERNET"}},
        {"port": {"device": "b", "name": "e", "type": "ETHERNET"}},
        {"cable": {"name": "c", "aEnds": [{"port": {"device": "a", "port": "e"}}],
            "bEnds": [{"port": {"site": "s", "device": "b", "port": "e"}}]}},
        {"link": {"name": "l", "type": "LOGICAL", "a": {"device": "a"}, "b": {"device": "b"}, "cables": ["c"]}}
    ]);
    let mut backward = forward.as_array().unwrap().clone();
    backward.reverse();
    for how in [How::default(), How::per_item()] {
        for items in [forward.clone(), json!(backward)] {
            let mut world = World::empty();
            world.write_as(items, &how);
            assert_eq!(world.snapshot.len(), 9, "{:?}", how.mode);
        }
    }
}

#[test]
fn an_object_of_the_batch_is_found_by_its_ids() {
    let id = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
    for how in [How::source("bcm"), How { mode: underlay_engine::write::Mode::PerItem, ..How::source("bcm") }] {
        let mut world = World::empty();
        world.write_as(
            json!([
                {"rack": {"site": {"externalId": "7"}, "name": "by external id", "heightU": 1}},
                {"rack": {"site": id, "name": "by id", "heightU": 1}},
                {"site": {"id": id, "externalId": "7", "name": "s", "type": "EDGE"}}
            ]),
            &how,
        );
        assert_eq!(world.field("rack", "by id", "site"), json!(id));
        assert_eq!(world.field("rack", "by external id", "site"), json!(id));
    }
}

#[test]
fn objects_of_a_batch_that_refer_to_each_other_in_a_cycle_are_found() {
    let world = World::small();
    // They are found, and refused for what they would be: feeds and outlets that supply each other in turn.
    let cycle = json!([
        {"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "o", "type": "POWER_OUTLET",
            "fedBy": [{"powerFeed": "f"}]}},
        {"powerFeed": {"site": "ams1", "name": "f", "upstream": {"port": {"rack": "A14", "port": "o"}}}}
    ]);
    refuse_all(&world, &[("a circle", cycle, "INVALID", "fedBy", "closes a circle of power")]);
}

#[test]
fn a_client_may_supply_ids() {
    let id = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
    let mut world = World::empty();
    let made = world.write(json!([{"region": {"id": id, "name": "r"}}]));
    assert_eq!((made[0].status, made[0].id.unwrap().to_string()), (Status::Created, id.to_owned()));
    assert_eq!(world.write(json!([{"region": {"id": id, "name": "renamed"}}]))[0].status, Status::Updated);
    refuse_all(
        &world,
        &[
            ("no UUID", json!([{"region": {"id": "x", "name": "y"}}]), "INVALID", "id", "must be a UUID, not \"x\""),
            (
                "nil",
                json!([{"region": {"id": "00000000-0000-0000-0000-000000000000", "name": "y"}}]),
                "INVALID",
                "id",
                "must be a UUID",
            ),
            ("a number", json!([{"region": {"id": 7, "name": "y"}}]), "INVALID", "id", "must be text, not 7"),
            (
                "of another kind",
                json!([{"cluster": {"id": id, "name": "y"}}]),
                "INVALID",
                "id",
                "is that of a Region, not of a Cluster",
            ),
            (
                "create again",
                json!([{"create": {"region": {"id": id, "name": "y"}}}]),
                "DUPLICATE",
                "id",
                "is already taken by region/renamed",
            ),
            (
                "an update of nothing",
                json!([{"update": {"region": {"id": "0192aaaa-bbbb-7ccc-8ddd-ffffffffffff", "name": "y"}}}]),
                "NOT_FOUND",
                "id",
                "Region 0192aaaa-bbbb-7ccc-8ddd-ffffffffffff does not exist",
            ),
        ],
    );
}

#[test]
fn an_item_is_found_by_id_then_external_id_then_key() {
    let mut world = World::of(json!([
        {"region": {"name": "a", "externalRefs": [{"source": "bcm", "externalId": "1"}]}},
        {"region": {"name": "b"}}
    ]));
    let bcm = How::source("bcm");
    let a = world.id("region", "a");
    // The external id wins over the key: it is renamed, and collides with the one that has the name.
    let collides = json!([{"region": {"externalId": "1", "name": "b"}}]);
    assert_eq!(
        world.refused(collides, &bcm.clone().on_conflict(underlay_engine::write::Conflicts::Force))[0].0,
        "DUPLICATE"
    );
    // The id wins over the external id.
    let b = world.id("region", "b");
    let other = json!([{"region": {"id": b, "externalId": "1", "displayName": "x"}}]);
    assert_eq!(world.refused(other, &bcm)[0].0, "DUPLICATE", "the external id is of another");
    world.write(json!([{"region": {"id": a, "name": "c"}}, {"region": {"id": b, "name": "a"}}]));
    assert_eq!((world.id("region", "c"), world.id("region", "a")), (a, b));
}

#[test]
fn a_bare_name_finds_an_item_if_it_is_unambiguous() {
    let mut world = World::small();
    assert_eq!(world.write(json!([{"rack": {"name": "A14", "cage": "7"}}]))[0].status, Status::Updated);
    world.write(json!([{"rack": {"site": "fra1", "name": "A14", "heightU": 1}}]));
    let items = json!([{"rack": {"name": "A14", "cage": "8"}}]);
    refuse_all(&world, &[("two of them", items, "AMBIGUOUS", "name", "Rack A14 fits 2 objects")]);
}

#[test]
fn references_are_resolved_before_the_batch_in_any_order() {
    let world = World::small();
    let renames = [
        json!({"device": {"id": world.id("device", "node-1"), "name": "leaf-1"}}),
        json!({"device": {"id": world.id("device", "leaf-1"), "name": "node-1"}}),
    ];
    let vm = json!({"virtualMachine": {"name": "v", "cluster": "k1", "host": {"site": "ams1", "device": "node-1"}}});
    let orders =
        [json!([vm, renames[0], renames[1]]), json!([renames[0], vm, renames[1]]), json!([renames[0], renames[1], vm])];
    for items in orders {
        let mut after = world.clone();
        after.write(items.clone());
        assert_eq!(after.field("virtualMachine", "v", "host"), json!(world.id("device", "node-1")), "{items}");
    }
    // The new name of a single one is found too, since nothing else has it.
    let rename = json!({"device": {"id": world.id("device", "node-1"), "name": "fresh"}});
    let vm = json!({"virtualMachine": {"name": "v", "cluster": "k1", "host": "node-1"}});
    accept_all(&world, &[("before", json!([vm, rename])), ("after", json!([rename, vm]))]);
}

#[test]
fn a_batch_cannot_refer_to_objects_that_it_deletes() {
    let world = World::small();
    let device = json!({"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}});
    let rack = json!({"delete": {"rack": "A14"}});
    for items in [json!([device, rack]), json!([rack, device])] {
        let refused = world.refused(items, &How::default());
        assert_eq!(refused[0].0, "NOT_FOUND", "{refused:?}");
        assert_eq!(refused[0].1, "placement.rack");
        assert_eq!(refused[0].2, "Rack A14, which the batch deletes, does not exist");
    }
}

/// Everything that an item names can be in its own batch, in any order.
#[test]
fn a_name_is_that_of_the_same_site_and_a_path_is_a_name() {
    let mut world = World::small();
    let rack = |site: &str| json!({"rack": {"site": site, "name": "new/1", "heightU": 42}});
    let device = |site: &str, name: &str, rack: &str| json!({"device": {"site": site, "name": name, "role": "OTHER", "placement": {"rack": rack}}});
    let feed = |site: &str| json!({"powerFeed": {"site": site, "rack": "new/1", "name": "a"}});
    world.write(json!([
        device("ams1", "d1", "new/1"), device("fra1", "d2", "new/1"), device("fra1", "d3", "fra1/new/1"),
        feed("ams1"), feed("fra1"),
        {"port": {"rack": "ams1/new/1", "name": "o", "type": "POWER_OUTLET", "fedBy": [{"powerFeed": "ams1/new/1/a"}]}},
        rack("ams1"), rack("fra1"),
    ]));
    let racks: Vec<Value> =
        ["d1", "d2", "d3"].map(|name| world.field("device", name, "placement")["rack"].clone()).to_vec();
    assert!(racks[0] != racks[1] && racks[1] == racks[2], "{racks:?}");
    // Several of one site are several still.
    world.write(json!([
        {"powerFeed": {"site": "ams1", "name": "b"}}, {"powerFeed": {"site": "ams1", "rack": "new/1", "name": "b"}},
    ]));
    let upstream = json!([{"powerFeed": {"site": "ams1", "name": "c", "upstream": {"powerFeed": "b"}}}]);
    refuse_all(&world, &[("two of a site", upstream, "AMBIGUOUS", "upstream.powerFeed", "fits 2 objects")]);
}
