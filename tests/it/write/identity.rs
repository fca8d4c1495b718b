//! The object that an item identifies: external ids, names that change owners within a batch, objects that are named
//! twice.

use serde_json::{Value, json};
use underlay_engine::write::{Conflicts, Mode, Recognised, Status};

use crate::harness::world::{How, World, refuse_all};

/// A rack that a source calls by an id.
fn rack(external_id: &str, name: &str) -> Value {
    json!({"rack": {"externalId": external_id, "site": "ams1", "name": name, "heightU": 42}})
}

fn ways() -> [How; 3] {
    let nb = || How::source("nb");
    [nb(), nb().on_conflict(Conflicts::Fail), How { mode: Mode::PerItem, ..nb() }]
}

/// The racks of the site, as the source calls them: (external id, name).
fn racks(world: &World) -> Vec<(String, String)> {
    let kind = world.snapshot.registry().named("rack").unwrap();
    let rows = world.snapshot.table(kind.id).rows(0).map(|(_, row)| row.common());
    let of_source =
        rows.filter_map(|row| Some((row.external_refs.0.first()?.external_id.clone(), row.name.to_owned())));
    let mut racks: Vec<_> = of_source.collect();
    racks.sort();
    racks
}

fn pairs(racks: &[(&str, &str)]) -> Vec<(String, String)> {
    racks.iter().map(|(id, name)| ((*id).to_owned(), (*name).to_owned())).collect()
}

/// Writes racks that a source has, then, in every order and in every way, what has become of them.
#[track_caller]
fn becomes(before: &[(&str, &str)], after: &[(&str, &str)]) {
    let items = |racks: &[(&str, &str)]| json!(racks.iter().map(|(id, name)| rack(id, name)).collect::<Vec<_>>());
    let backwards: Vec<_> = after.iter().rev().copied().collect();
    for how in ways() {
        for order in [after, &backwards] {
            let mut world = World::small();
            world.write_as(items(before), &how);
            let ids: Vec<_> = before.iter().map(|(_, name)| world.id("rack", name)).collect();
            world.write_as(items(order), &how);
            assert_eq!(racks(&world), pairs(after), "{:?} {:?} {order:?}", how.mode, how.conflicts);
            for ((external_id, _), id) in before.iter().zip(ids) {
                let Some((_, name)) = after.iter().find(|(it, _)| it == external_id) else { continue };
                assert_eq!(world.id("rack", name), id, "{external_id} is the object that it was");
            }
        }
    }
}

#[test]
fn a_replacement_is_another_object() {
    becomes(&[("1", "A")], &[("1", "A-old"), ("2", "A")]);
}

#[test]
fn names_can_be_shifted_and_exchanged() {
    becomes(&[("1", "A"), ("2", "B")], &[("1", "B"), ("2", "C"), ("3", "A")]);
    becomes(&[("1", "A"), ("2", "B")], &[("1", "B"), ("2", "A")]);
    becomes(&[("1", "A"), ("2", "B"), ("3", "C")], &[("1", "B"), ("2", "C"), ("3", "A")]);
}

#[test]
fn a_replacement_over_two_batches_needs_the_old_one_renamed_first() {
    for how in ways() {
        let mut world = World::small();
        world.write_as(json!([rack("1", "A")]), &how);
        let refused = world.refused(json!([rack("2", "A")]), &how);
        let (code, field, message) = &refused[0];
        assert_eq!((code.as_str(), field.as_str()), ("DUPLICATE", "name"));
        assert_eq!(
            message,
            "the name A is already taken by rack/ams1/A (1 of source nb); the item writes another object, a new Rack (2 of source nb)"
        );
        world.write_as(json!([rack("1", "A-old")]), &how);
        world.write_as(json!([rack("2", "A")]), &how);
        assert_eq!(racks(&world), pairs(&[("1", "A-old"), ("2", "A")]));
    }
}

#[test]
fn contents_of_a_replaced_device_stay_separate_from_those_of_the_new_one() {
    let device =
        |id: &str, name: &str| json!({"device": {"externalId": id, "site": "ams1", "name": name, "role": "SERVER"}});
    let port = |id: &str, device: Value| json!({"port": {"externalId": id, "device": device, "name": "eth0", "type": "ETHERNET"}});
    let by_id = |id: &str| json!({"externalId": id});
    for how in ways() {
        for backwards in [false, true] {
            let mut world = World::small();
            world.write_as(json!([device("1", "d"), port("11", by_id("1"))]), &how);
            let old = world.id("device", "d");
            let by_name = json!({"site": "ams1", "device": "d"});
            let mut items = vec![device("1", "d-old"), device("2", "d"), port("11", by_id("1")), port("12", by_name)];
            if backwards {
                items.reverse();
            }
            world.write_as(json!(items), &how);
            assert_eq!(world.id("device", "d-old"), old);
            let ports = world.snapshot.table(world.snapshot.registry().named("port").unwrap().id).len();
            assert_eq!(ports, 2, "the name of the device means the new one, wherever the item stands");
            let (new, device) = (world.id("device", "d"), world.snapshot.registry().named("device").unwrap());
            for (id, owner) in [("1", old), ("2", new)] {
                let slot = world.snapshot.table(device.id).by_external("nb", id).unwrap();
                assert_eq!(world.snapshot.table(device.id).row(slot).unwrap().common().id, owner);
                assert_eq!(
                    world.snapshot.incoming(world.snapshot.find(owner).unwrap()).iter().count(),
                    1,
                    "a port each"
                );
            }
        }
    }
}

#[test]
fn an_object_that_is_renamed_by_its_id_gives_up_its_name_in_the_same_batch() {
    for order in [[0, 1], [1, 0]] {
        let mut world = World::small();
        let old = world.id("rack", "A14");
        let items = [
            json!({"rack": {"id": old, "name": "A14-old"}}),
            json!({"rack": {"site": "ams1", "name": "A14", "heightU": 10}}),
        ];
        world.write(json!(order.map(|at| items[at].clone())));
        assert_eq!(world.id("rack", "A14-old"), old);
        assert_ne!(world.id("rack", "A14"), old);
    }
}

#[test]
fn an_object_is_renumbered_by_its_id() {
    let mut world = World::small();
    let nb = How::source("nb");
    world.write_as(json!([rack("1", "A")]), &nb);
    let id = world.id("rack", "A");
    let refs = |id: &str| json!([{"source": "nb", "externalId": id}]);
    let by_name = json!([{"rack": {"site": "ams1", "name": "A", "heightU": 42, "externalRefs": refs("2")}}]);
    let expected_message = "the name A is already taken by rack/ams1/A (1 of source nb); the item writes another object, a new Rack (2 of source nb)";
    let refused = world.refused(by_name, &nb);
    assert_eq!(refused, [("DUPLICATE".to_owned(), "name".to_owned(), expected_message.to_owned())]);
    world.write_as(json!([{"rack": {"id": id, "externalRefs": refs("2")}}]), &nb);
    assert_eq!(racks(&world), pairs(&[("2", "A")]));
    assert_eq!(world.write_as(json!([rack("2", "A")]), &nb)[0].by, Some(Recognised::ExternalId));
}

#[test]
fn an_object_of_another_source_or_none_is_found_by_name() {
    let mut world = World::small();
    for (source, external_id) in [("nb", "1"), ("bcm", "7")] {
        let outcome = &world.write_as(json!([rack(external_id, "A14")]), &How::source(source))[0];
        assert_eq!((outcome.by, outcome.id), (Some(Recognised::Key), Some(world.id("rack", "A14"))), "{source}");
        let again = &world.write_as(json!([rack(external_id, "A14")]), &How::source(source))[0];
        assert_eq!((again.status, again.by), (Status::Unchanged, Some(Recognised::ExternalId)), "{source}");
        assert_eq!(again.external_id.as_deref(), Some(external_id));
    }
}

#[test]
fn two_items_of_a_batch_for_one_object_are_rejected() {
    let mut world = World::small();
    world.write_as(json!([rack("1", "A")]), &How::source("nb"));
    let id = world.id("rack", "A");
    let region = |field: &str| json!({"region": {"name": "r", field: "x"}});
    let named = |field: &str| json!({"rack": {"site": "ams1", "name": "A14", field: "x"}});
    let twice = "item 0 of the batch writes";
    let cable = json!({"cable": {"aEnds": [{"port": {"device": "node-1", "port": "a"}}],
        "bEnds": [{"port": {"device": "leaf-1", "port": "a"}}]}});
    let ports = ["node-1", "leaf-1"].map(|device| json!({"port": {"device": device, "name": "a", "type": "ETHERNET"}}));
    let mut cabled = world.clone();
    cabled.write(json!([ports[0], ports[1], cable]));
    refuse_all(
        &world,
        &[
            ("two new ones", json!([region("displayName"), region("description")]), "DUPLICATE", "name", twice),
            ("one that is there", json!([named("cage"), named("row")]), "DUPLICATE", "name", twice),
            (
                "id and name",
                json!([{"rack": {"id": id, "row": "x"}}, {"rack": {"site": "ams1", "name": "A"}}]),
                "DUPLICATE",
                "name",
                twice,
            ),
        ],
    );
    refuse_all(&cabled, &[("one end", json!([cable, cable]), "DUPLICATE", "name", twice)]);
    let nb = How::source("nb");
    let external = world.refused(json!([rack("1", "A"), rack("1", "B")]), &nb);
    assert_eq!((external[0].0.as_str(), external[0].1.as_str()), ("DUPLICATE", "externalId"));
    assert_eq!(external[0].2, "item 0 of the batch writes rack/ams1/A too: give each object once");
    // One by one, the first is written.
    let mut after = world.clone();
    let statuses = after.statuses(json!([region("displayName"), region("description")]), &How::per_item());
    assert_eq!(statuses, [Status::Created, Status::Failed]);
    // An item that is refused has not written its object: another one may.
    let bad = json!({"region": {"name": "r", "hight": 1}});
    let statuses = world.clone().statuses(json!([bad, region("displayName")]), &How::per_item());
    assert_eq!(statuses, [Status::Failed, Status::Created]);
    // The id says that the same object is meant.
    world.write(json!([{"rack": {"id": id, "row": "1"}}, {"rack": {"id": id, "cage": "2"}}]));
    assert_eq!((world.field("rack", "A", "row"), world.field("rack", "A", "cage")), (json!("1"), json!("2")));
}

/// Two objects took the place of a third in the index of external references, and the last of them left it again.
#[test]
fn conflicting_objects_are_named_though_a_third_used_the_value_temporarily() {
    let mut world = World::of(json!([
        {"rack": {"site": "s", "name": "r64", "heightU": 1}}, {"rack": {"site": "s", "name": "r65", "heightU": 1}},
        {"rack": {"site": "s", "name": "r66", "heightU": 1, "externalRefs": [{"source": "nb", "externalId": "f"}]}},
        {"site": {"name": "s", "type": "EDGE"}}
    ]));
    let (r64, r65) = (world.id("rack", "r64"), world.id("rack", "r65"));
    let refer =
        |id: uuid::Uuid, to: &str| json!({"rack": {"id": id, "externalRefs": [{"source": "nb", "externalId": to}]}});
    let name = |id: uuid::Uuid, name: &str| json!({"rack": {"id": id, "name": name}});
    refuse_all(
        &world,
        &[
            (
                "an external reference",
                json!([refer(r64, "f"), refer(r65, "f"), refer(r65, "g")]),
                "DUPLICATE",
                "externalRefs",
                "the external reference f of source nb is already taken by rack/s/r66",
            ),
            (
                "a name",
                json!([name(r64, "r66"), name(r65, "r66"), name(r65, "r67")]),
                "DUPLICATE",
                "name",
                "the name r66 is already taken by rack/s/r66",
            ),
        ],
    );
    // The one that had it keeps it where both others leave.
    world.write(json!([refer(r64, "f"), refer(r65, "f"), refer(r65, "g"), refer(r64, "h")]));
    let found = world.snapshot.table(world.snapshot.registry().named("rack").unwrap().id).by_external("nb", "f");
    assert_eq!(
        found
            .and_then(|slot| Some(
                world
                    .snapshot
                    .table(world.snapshot.registry().named("rack").unwrap().id)
                    .row(slot)?
                    .common()
                    .name
                    .to_owned()
            ))
            .as_deref(),
        Some("r66")
    );
}

#[test]
fn a_result_says_how_its_object_was_recognised() {
    let mut world = World::small();
    let nb = How::source("nb");
    let by = |world: &mut World, items: Value| -> Vec<_> {
        world.write_as(items, &nb).into_iter().map(|it| (it.by.unwrap(), it.external_id)).collect()
    };
    let one = Some("1".to_owned());
    assert_eq!(by(&mut world, json!([rack("1", "A")])), [(Recognised::Created, one.clone())]);
    let id = world.id("rack", "A");
    let items = json!([rack("1", "A"), {"rack": {"site": "fra1", "name": "B1", "row": "1"}}, {"site": {"id": world.id("site", "ams1"), "displayName": "x"}}]);
    assert_eq!(
        by(&mut world, items),
        [(Recognised::ExternalId, one.clone()), (Recognised::Key, None), (Recognised::Id, None)]
    );
    assert_eq!(by(&mut world, json!([{"delete": {"rack": {"externalId": "1"}}}])), [(Recognised::ExternalId, one)]);
    assert_eq!(world.find("rack", "A"), None, "{id} is gone");
    assert_eq!(by(&mut world, json!([{"delete": {"rack": "B1"}}])), [(Recognised::Key, None)]);
}
