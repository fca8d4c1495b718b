//! Managers: the owner of each field, the policy for fields of others, and the release of fields.

use serde_json::{Value, json};
use underlay_engine::write::{Conflicts, SkipReason, Skipped, Status};
use uuid::Uuid;

use crate::harness::world::{How, World, refuse_all};

/// A rack that the source bcm wrote.
fn world() -> World {
    let mut world = World::small();
    world.write_as(
        json!([{"rack": {"site": "ams1", "name": "S1", "heightU": 42, "serial": "s", "labels": {"env": "prod"},
            "attributes": {"a": 1}, "externalRefs": [{"source": "bcm", "externalId": "1"}]}}]),
        &How::source("bcm"),
    );
    world
}

fn rack(field: &str, value: Value) -> Value {
    json!([{"rack": {"site": "ams1", "name": "S1", field: value}}])
}

fn holder(world: &World, what: &str) -> Option<String> {
    world.holders("rack", "S1").into_iter().find(|(held, _)| held == what).map(|(_, manager)| manager)
}

#[test]
fn the_writer_of_a_field_becomes_its_manager() {
    let mut world = world();
    for held in ["name", "site", "heightU", "serial", "labels.env", "attributes.a", "externalRefs.bcm"] {
        assert_eq!(holder(&world, held).as_deref(), Some("source:bcm"), "{held}");
    }
    assert_eq!(holder(&world, "cage"), None, "what was not set is held by nobody");
    world.write_as(rack("cage", json!("7")), &How::actor("bob"));
    assert_eq!(holder(&world, "cage").as_deref(), Some("user:bob"));
}

#[test]
fn a_user_cannot_change_fields_of_a_source() {
    let world = world();
    let table = [
        ("serial", json!("other"), "serial", "serial is held by source:bcm"),
        ("labels", json!({"env": "test"}), "labels.env", "labels.env is held by source:bcm"),
        ("labels", json!({"env": null}), "labels.env", "labels.env is held by source:bcm"),
        ("attributes", json!({"a": 2}), "attributes.a", "attributes.a is held by source:bcm"),
        ("externalRefs", json!([{"source": "bcm", "externalId": "2"}]), "externalRefs.bcm", "is held by source:bcm"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, rack(field, value), "MANAGED_ELSEWHERE", path, says)]);
    }
    let two = json!([{"rack": {"site": "ams1", "name": "S1", "serial": "x", "heightU": 40}}]);
    let says = "serial is held by source:bcm, heightU is held by source:bcm; conflicts: FORCE takes over";
    refuse_all(&world, &[("all are named", two, "MANAGED_ELSEWHERE", "serial", says)]);
}

#[test]
fn writing_the_same_value_keeps_the_manager() {
    let mut world = world();
    let again = world.write(rack("serial", json!("s")));
    assert_eq!((again[0].status, again[0].skipped.len()), (Status::Unchanged, 0));
    assert_eq!(holder(&world, "serial").as_deref(), Some("source:bcm"));
}

#[test]
fn force_takes_over_fields_of_others() {
    let mut world = world();
    let force = How::default().on_conflict(Conflicts::Force);
    world.write_as(rack("serial", json!("other")), &force);
    assert_eq!(world.field("rack", "S1", "serial"), "other");
    assert_eq!(holder(&world, "serial").as_deref(), Some("user:ann"));
    assert_eq!(holder(&world, "heightU").as_deref(), Some("source:bcm"), "only what was given");
    // A value that stays is taken over too.
    assert_eq!(world.write_as(rack("heightU", json!(42)), &force)[0].status, Status::Updated);
    assert_eq!(holder(&world, "heightU").as_deref(), Some("user:ann"));
    assert_eq!(world.write_as(rack("heightU", json!(42)), &force)[0].status, Status::Unchanged);
    world.write_as(rack("labels", json!({"env": "test"})), &force);
    assert_eq!(holder(&world, "labels.env").as_deref(), Some("user:ann"));
    // Now the source leaves it alone.
    let skipped = &world.write_as(rack("serial", json!("s")), &How::source("bcm"))[0];
    assert_eq!(skipped.status, Status::Unchanged);
    assert_eq!(
        skipped.skipped,
        [Skipped { field: "serial".to_owned(), manager: "user:ann".to_owned(), reason: SkipReason::Managed }]
    );
    assert_eq!(world.field("rack", "S1", "serial"), "other");
}

#[test]
fn a_source_skips_fields_of_others_and_writes_the_rest() {
    let mut world = world();
    let items = json!([{"rack": {"site": "ams1", "name": "S1", "serial": "x", "cage": "9",
        "labels": {"env": "test", "team": "core"}, "externalRefs": [{"source": "dns", "externalId": "d"}]}}]);
    let outcome = &world.write_as(items.clone(), &How::source("dns"))[0];
    let skipped: Vec<_> = outcome.skipped.iter().map(|it| it.field.as_str()).collect();
    assert_eq!((outcome.status, skipped), (Status::Updated, vec!["serial", "labels.env"]));
    assert_eq!(world.field("rack", "S1", "serial"), "s");
    assert_eq!(world.field("rack", "S1", "labels"), json!({"env": "prod", "team": "core"}));
    assert_eq!(holder(&world, "labels.team").as_deref(), Some("source:dns"), "each entry has a holder of its own");
    assert_eq!(holder(&world, "labels.env").as_deref(), Some("source:bcm"));
    let failing = How::source("dns").on_conflict(Conflicts::Fail);
    assert_eq!(world.refused(items, &failing)[0].0, "MANAGED_ELSEWHERE");
}

/// With a tenant, an object and what is in it is hidden from all other tenants.
#[test]
fn a_source_decides_who_sees_its_own_objects_alone() {
    let mut world = world();
    let tenant = |item: Value| json!([item]);
    let site = tenant(json!({"site": {"name": "ams1", "tenant": "blue", "description": "a site"}}));
    let of_bcm = tenant(json!({"rack": {"site": "ams1", "name": "S1", "tenant": "blue"}}));
    for (what, items, kind, name, holder) in
        [("of a user", &site, "site", "ams1", "user:ann"), ("of another source", &of_bcm, "rack", "S1", "source:bcm")]
    {
        let outcome = &world.write_as(items.clone(), &How::source("dns"))[0];
        let skipped = Skipped { field: "tenant".to_owned(), manager: holder.to_owned(), reason: SkipReason::Managed };
        assert_eq!(outcome.skipped, [skipped], "{what}");
        assert_eq!(world.field(kind, name, "tenant"), Value::Null, "{what}");
        let failing = How::source("dns").on_conflict(Conflicts::Fail);
        assert_eq!(world.refused(items.clone(), &failing)[0].0, "MANAGED_ELSEWHERE", "{what}");
    }
    assert_eq!(world.field("site", "ams1", "description"), "a site", "everything else is written");

    world.write_as(of_bcm, &How::source("bcm"));
    assert_eq!(world.field("rack", "S1", "tenant"), "blue", "the source that has the rack decides");
    world.write_as(site, &How::actor("bob"));
    assert_eq!(world.field("site", "ams1", "tenant"), "blue", "people agree with each other");
    let new = tenant(json!({"site": {"name": "new", "type": "EDGE", "tenant": "blue"}}));
    world.write_as(new, &How::source("dns"));
    assert_eq!(world.field("site", "new", "tenant"), "blue");
}

#[test]
fn users_can_change_fields_of_each_other() {
    let mut world = World::small();
    world.write_as(json!([{"rack": {"site": "ams1", "name": "A14", "serial": "1"}}]), &How::actor("ann"));
    world.write_as(json!([{"rack": {"site": "ams1", "name": "A14", "serial": "2"}}]), &How::actor("bob"));
    let holders = world.holders("rack", "A14");
    assert!(holders.contains(&("serial".to_owned(), "user:bob".to_owned())), "{holders:?}");
}

#[test]
fn a_controller_is_a_manager_of_its_own_and_agrees_with_users() {
    const ROLE: &str = "underlay/cluster-role";
    let held = format!("labels.{ROLE}");
    let mut world = world();
    let set = |id: Uuid, value: &str| json!([{"rack": {"id": id, "labels": {ROLE: value}}}]);
    let mine = world.id("rack", "S1");
    world.write_as(set(mine, "a"), &How::controller("hosts"));
    assert_eq!(holder(&world, &held).as_deref(), Some("controller:hosts"));
    world.write_as(set(mine, "b"), &How::actor("bob"));
    assert_eq!(holder(&world, &held).as_deref(), Some("user:bob"));
    world.write_as(set(mine, "c"), &How::controller("hosts"));
    assert_eq!(holder(&world, &held).as_deref(), Some("controller:hosts"));
    let of_source = json!([{"rack": {"site": "ams1", "name": "S2", "heightU": 42, "labels": {ROLE: "a"}}}]);
    world.write_as(of_source, &How::source("bcm"));
    let other = set(world.id("rack", "S2"), "x");
    assert_eq!(world.refused(other, &How::controller("hosts"))[0].0, "MANAGED_ELSEWHERE");
}

#[test]
fn removed_entries_have_no_manager() {
    let mut world = world();
    let bcm = How::source("bcm");
    world.write_as(rack("labels", json!({"env": null})), &bcm);
    assert_eq!(holder(&world, "labels.env"), None);
    world.write_as(rack("labels", json!({"env": "x"})), &How::source("dns"));
    assert_eq!(holder(&world, "labels.env").as_deref(), Some("source:dns"));
}

#[test]
fn fields_can_be_released() {
    let mut world = world();
    let id = world.id("rack", "S1");
    let release = |fields: Value| json!([{"release": {"id": id, "fields": fields}}]);
    let outcome = &world.write(release(json!(["serial", "labels.env"])))[0];
    assert_eq!((outcome.status, outcome.name.as_deref()), (Status::Updated, Some("S1")));
    assert_eq!((holder(&world, "serial"), holder(&world, "labels.env")), (None, None));
    assert_eq!(world.field("rack", "S1", "serial"), "s", "the value stays");
    assert_eq!(world.write(release(json!(["serial"])))[0].status, Status::Unchanged);
    world.write(rack("serial", json!("mine")));
    assert_eq!(holder(&world, "serial").as_deref(), Some("user:ann"));
    // A map is released with all its entries.
    world.write(release(json!(["attributes"])));
    assert_eq!(holder(&world, "attributes.a"), None);
    let missing = json!([{"release": {"id": "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee", "fields": []}}]);
    refuse_all(
        &world,
        &[
            ("no such field", release(json!(["hight"])), "INVALID", "hight", "has no field hight"),
            ("no such map", release(json!(["serial.x"])), "INVALID", "serial.x", "has no field serial.x"),
            ("no such object", missing, "NOT_FOUND", "id", "does not exist"),
        ],
    );
}

#[test]
fn the_ends_of_a_circuit_have_managers_of_their_own() {
    let mut world = World::small();
    let circuit = |site: &str| json!([{"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", "aEnd": {"site": site}}}]);
    world.write_as(circuit("ams1"), &How::source("bcm"));
    let skipped = &world.write_as(circuit("fra1"), &How::source("dns"))[0].skipped;
    assert_eq!(skipped[0].field, "aEnd.site");
    refuse_all(&world, &[("a user", circuit("fra1"), "MANAGED_ELSEWHERE", "aEnd.site", "is held by source:bcm")]);
}
