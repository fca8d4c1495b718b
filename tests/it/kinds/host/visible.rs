//! Hosts are seen by the tenant of their cluster and by no other, and tenants see nothing of what is for operators.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_inventory::{Snapshot, TenantView};
use uuid::Uuid;

use super::write_as_server;
use crate::harness::world::World;

/// The fields of a host that no tenant sees.
const HIDDEN: [&str; 8] =
    ["bmcUrl", "uid", "serial", "bootMac", "appliance", "provisioner", "failure", "bmcCredential"];

fn world() -> World {
    let mut world = World::small();
    world.write(json!([
        {"cluster": {"name": "k1", "tenant": "blue"}},
        {"cluster": {"name": "k2"}},
        {"hostClass": {"name": "large"}},
        {"credential": {"name": "c", "type": "BASIC", "tenant": "blue"}},
        {"profile": {"name": "p", "purpose": "WIPE", "tenant": "blue"}},
        {"appliance": {"name": "a", "type": "MANUAL", "tenant": "blue"}},
        {"host": {"name": "of-k1", "cluster": "k1", "class": "large", "appliance": "a", "uid": "u", "serial": "s", "title": "t",
            "bmcUrl": "redfish://bmc-1", "bmcCredential": "c", "bootMac": "00:00:5e:00:53:01", "provisioner": "ironic"}},
        {"host": {"name": "of-k2", "cluster": "k2"}},
        {"host": {"name": "of-none"}},
        {"host": {"name": "says-blue", "tenant": "blue"}},
        {"host": {"name": "says-red", "tenant": "red", "cluster": "k1"}}
    ]));
    let failure = json!({"during": "WIPING", "reason": "R", "message": "at 10.0.0.7"});
    let condition = json!({"type": "A", "status": "TRUE", "reason": "R", "message": "at 10.0.0.7",
        "messageForTenants": "It is not ready."});
    let wanted = json!({"act": "WIPE", "profile": "p"});
    write_as_server(
        &mut world,
        json!([{"host": {"name": "of-k1", "failure": failure, "conditions": [condition], "wanted": wanted}}]),
    );
    world
}

fn seen(snapshot: &Snapshot, tenant: &str) -> Arc<Snapshot> {
    Arc::clone(TenantView::of(&Arc::new(snapshot.clone()), tenant).expect("a view").seen())
}

fn hosts(snapshot: &Snapshot) -> Vec<String> {
    let kind = snapshot.registry().named("host").expect("a kind");
    let mut names: Vec<_> = snapshot.table(kind.id).rows(0).map(|(_, row)| row.common().name.to_owned()).collect();
    names.sort();
    names
}

fn field(snapshot: &Snapshot, id: Uuid, name: &str) -> Value {
    let object = snapshot.find(id).expect("it is seen");
    let kind = snapshot.kind(object.kind);
    (kind.fields[kind.field(name).expect("a field")].get)(snapshot.row(object).expect("a row").as_ref())
}

#[test]
fn a_host_is_seen_by_the_tenant_of_its_cluster_alone() {
    let world = world();
    assert_eq!(hosts(&seen(&world.snapshot, "blue")), ["of-k1", "says-red"]);
    assert_eq!(hosts(&seen(&world.snapshot, "red")), [] as [&str; 0]);
    let view = seen(&world.snapshot, "blue");
    for kind in ["credential", "profile", "appliance"] {
        let kind = view.registry().named(kind).expect("a kind");
        assert_eq!(view.table(kind.id).len(), 0, "{}", kind.name);
    }
    let host = world.id("host", "of-k1");
    for name in HIDDEN {
        assert!(!world.field_of(host, name).is_null(), "{name}");
        assert_eq!(field(&view, host, name), Value::Null, "{name}");
    }
    let wanted = field(&view, host, "wanted");
    assert_eq!(wanted, json!({"act": "WIPE"}), "its profile is for operators");
    assert_eq!(field(&view, host, "title"), "t");
    assert_eq!(field(&view, host, "class"), json!(world.id("hostClass", "large")));
    let shown = json!([{"type": "A", "status": "TRUE", "reason": "R", "messageForTenants": "It is not ready."}]);
    assert_eq!(field(&view, host, "conditions"), shown);
}

#[test]
fn a_view_follows_the_cluster_of_a_host_and_its_tenant() {
    let mut world = world();
    let whole = Arc::new(world.snapshot.clone());
    let mut views: Vec<_> =
        ["blue", "red"].map(|tenant| (tenant, TenantView::of(&whole, tenant).expect("a view"))).into();
    let steps = [
        ("another cluster", json!([{"host": {"name": "of-k1", "cluster": "k2"}}])),
        ("a cluster that was shared", json!([{"cluster": {"name": "k2", "tenant": "blue"}}])),
        ("another tenant", json!([{"cluster": {"name": "k2", "tenant": "red"}}])),
        ("shared again", json!([{"cluster": {"name": "k2", "tenant": null}}])),
        ("no cluster", json!([{"host": {"name": "says-red", "cluster": null}}])),
        ("a cluster", json!([{"host": {"name": "of-none", "cluster": "k1"}}])),
        ("hidden fields", json!([{"host": {"name": "of-none", "uid": "x", "provisioner": "y"}}])),
    ];
    for (what, items) in steps {
        let outcomes = world.write(items);
        let whole = Arc::new(world.snapshot.clone());
        for (tenant, view) in &mut views {
            view.replicate(&whole, outcomes.iter().filter_map(|outcome| outcome.id)).expect("it goes on");
            let made = TenantView::of(&whole, tenant).expect("a view");
            assert_eq!(hosts(view.seen()), hosts(made.seen()), "{what}: {tenant}");
        }
    }
}
