//! The fields that a role may set though it may not write objects, and the fields that only controllers set.

use serde_json::{Value, json};
use underlay_engine::write::{Conflicts, Mode, Sets};
use underlay_inventory::{Description, Field, Registry, Role, Roles, Snapshot};

use crate::harness::world::{How, World};

const RECONCILER: Roles = Roles::NONE.with(Role::Reconciler);

/// Writes as a reconciler.
fn reconciler() -> How {
    How { sets: Sets::Assigned(RECONCILER), actor: "hub", ..How::default() }
}

fn device(field: &str, value: Value) -> Value {
    json!({"device": {"site": "ams1", "name": "d", field: value}})
}

/// Checks that a batch of one item is refused with FORBIDDEN.
#[track_caller]
fn refuse(world: &World, how: &How, (what, items, field, says): (&str, &Value, &str, &str)) {
    let errors = world.refused(items.clone(), how);
    let (code, its_field, message) = &errors[0];
    let found = (code.as_str(), its_field.as_str());
    assert!(found == ("FORBIDDEN", field) && message.contains(says), "{what}, {:?}: {errors:?}", how.mode);
}

/// A world with a device, a virtual machine and a rack.
fn world() -> World {
    let mut world = World::small();
    world.write(json!([
        device("role", json!("SERVER")),
        {"virtualMachine": {"name": "v", "cluster": "k1"}},
        {"rack": {"site": "ams1", "name": "r", "heightU": 42}},
    ]));
    world
}

/// The kinds, with another list of fields for one of them.
fn kinds_with(kind: &str, change: impl Fn(Field) -> Field) -> Registry {
    let kinds = underlay_kinds::registry();
    let kinds = kinds.kinds().map(|described| match described.name == kind {
        true => {
            let fields: Vec<Field> = described.fields.iter().copied().map(&change).collect();
            let changed = Description { fields: fields.leak(), ..*described };
            &*Box::leak(Box::new(changed))
        }
        false => described,
    });
    Registry::new(kinds.collect())
}

#[test]
fn a_reconciler_sets_what_is_assigned_by_it() {
    let mut world = world();
    let (device, machine) = (world.id("device", "d"), world.id("virtualMachine", "v"));
    let labels = json!({"underlay/cluster-role": "worker"});
    for fields in [
        json!({"device": {"id": device, "status": "STAGED", "cluster": "k1", "labels": labels}}),
        json!({"device": {"id": device, "cluster": null, "labels": {"underlay/cluster-role": null}}}),
        json!({"virtualMachine": {"id": machine, "status": "OFFLINE"}}),
    ] {
        world.write_as(json!([fields.clone()]), &reconciler());
        world.write_as(json!([{"update": fields}]), &reconciler());
    }
    assert_eq!(world.field("device", "d", "status"), "STAGED");
}

#[test]
fn a_reconciler_sets_nothing_else() {
    let world = world();
    let (device, rack) = (world.id("device", "d"), world.id("rack", "r"));
    let others = "can be set only with one of the roles operator, synchronizer, admin";
    let set = |field: &str, value: Value| json!([{"device": {"id": device, field: value}}]);
    let only_existing = "can only update existing objects";
    let new = json!({"device": {"site": "ams1", "name": "new", "role": "SERVER"}});
    for (what, items, field, says) in [
        ("a name", set("name", json!("e")), "name", others),
        ("its own value", set("name", json!("d")), "name", others),
        ("another label", set("labels", json!({"env": "p"})), "labels.env", others),
        ("all labels", set("labels", Value::Null), "labels", others),
        ("a list", set("externalRefs", json!([{"source": "s", "externalId": "1"}])), "externalRefs", others),
        ("a tenant", set("tenant", json!("blue")), "tenant", others),
        ("the status of a rack", json!([{"rack": {"id": rack, "status": "ACTIVE"}}]), "status", others),
        ("a name as the key", json!([device_by_name()]), "site", others),
        ("a new object", json!([new.clone()]), "", only_existing),
        ("a create", json!([{"create": new}]), "", only_existing),
        ("a delete", json!([{"delete": device.to_string()}]), "", only_existing),
        ("a cascade", json!([{"delete": {"device": {"id": device}}, "cascade": true}]), "", only_existing),
        ("a release", json!([{"release": {"id": device, "fields": ["status"]}}]), "", only_existing),
    ] {
        for conflicts in [Conflicts::Fail, Conflicts::Skip, Conflicts::Force] {
            for mode in [Mode::Atomic, Mode::PerItem] {
                let how = How { conflicts, mode, ..reconciler() };
                refuse(&world, &how, (what, &items, field, says));
            }
        }
    }
}

fn device_by_name() -> Value {
    device("status", json!("STAGED"))
}

#[test]
fn the_parts_of_an_item_are_no_way_round() {
    let mut world = world();
    world.write(json!([{"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", "aEnd": {"site": "ams1"}}}]));
    let circuit = world.id("circuit", "c");
    for (what, value, field) in [("a cleared part", Value::Null, ""), ("a part", json!({"site": "ams1"}), "aEnd.site")]
    {
        let items = json!([{"circuit": {"id": circuit, "aEnd": value}}]);
        let errors = world.refused(items, &reconciler());
        assert_eq!(errors[0].0, "FORBIDDEN", "{what}: {errors:?}");
        assert_eq!(errors[0].1, field, "{what}: {errors:?}");
    }
}

#[test]
fn only_controllers_set_a_reported_field() {
    let kinds = kinds_with("Rack", |field| match field.name {
        "cage" => field.assigned_by(Role::Reconciler).reported(),
        _ => field,
    });
    let mut world = World { snapshot: Snapshot::empty(kinds.into()) };
    world.write(json!([
        {"region": {"name": "eu"}}, {"site": {"region": "eu", "name": "ams1", "type": "DATACENTER"}},
        {"rack": {"site": "ams1", "name": "r", "heightU": 42}},
    ]));
    let rack = world.id("rack", "r");
    let cage = |value: &str| json!([{"rack": {"id": rack, "cage": value}}]);
    let says = "cage of a Rack can be set only with one of the roles reconciler";
    let operator = How { sets: Sets::All(Roles::NONE.with(Role::Operator)), ..How::default() };
    let source = How { sets: Sets::All(Roles::NONE.with(Role::Synchronizer)), ..How::source("dcim") };
    for how in [&operator, &source, &How { conflicts: Conflicts::Force, ..How::default() }] {
        refuse(&world, how, ("a report", &cage("7"), "cage", says));
    }
    world.write_as(cage("7"), &reconciler());
    let both = How { sets: Sets::All(RECONCILER.with(Role::Operator)), ..How::default() };
    world.write_as(cage("8"), &both);
    assert_eq!(world.field("rack", "r", "cage"), "8");
    assert!(!world.holders("rack", "r").iter().any(|(field, _)| field == "cage"), "nobody owns a report");
    let mark = |world: &World| {
        let row = world.snapshot.row_of(rack).expect("the rack");
        (row.common().version, row.common().updated_at)
    };
    let marked = mark(&world);
    assert_eq!(marked.0, 1, "reports leave the version and the time");
    let stale = json!([{"rack": {"id": rack, "description": "x"}, "ifVersion": 1}]);
    world.write_as(stale, &How::default());
    assert_eq!(mark(&world).0, world.snapshot.revision(), "a write of a person moves them");
    let mixed = json!([{"rack": {"id": rack, "description": "y", "cage": "9"}}]);
    world.write_as(mixed, &both);
    assert_eq!(mark(&world).0, world.snapshot.revision(), "and so does one with a report in it");
    world.write_as(cage("8"), &reconciler());
    assert!(mark(&world).0 < world.snapshot.revision());
    let before = world.snapshot.revision();
    world.write_as(cage("8"), &reconciler());
    assert_eq!(world.snapshot.revision(), before, "an equal report changes nothing");
}
