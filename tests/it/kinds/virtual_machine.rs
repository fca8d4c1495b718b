//! Virtual machines: their fields, their home, and moves between hosts.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

#[test]
fn virtual_machines() {
    let mut world = World::small();
    let vm = |field: &str, value: Value| json!([{"virtualMachine": {"name": "v", "cluster": "k1", field: value}}]);
    let allocation = json!({"vcpus": 4, "memoryBytes": 1, "disks": [{"name": "vda", "sizeBytes": 1, "type": "SSD"}]});
    accept_all(
        &world,
        &[
            ("an allocation", vm("allocation", allocation)),
            ("addresses", vm("addresses", json!([{"type": "INTERNAL", "address": "10.0.0.1"}]))),
            ("a project", vm("projectRef", json!({"apiGroup": "g", "kind": "Project", "name": "p"}))),
            ("on a host", json!([{"virtualMachine": {"name": "v", "host": "node-1"}}])),
            ("at a provider", json!([{"virtualMachine": {"name": "v", "provider": "lumen"}}])),
        ],
    );
    let table = [
        ("allocation", json!({"vcpus": 0}), "INVALID", "allocation.vcpus", "at least 1, not 0"),
        ("allocation", json!({"memoryBytes": 0}), "INVALID", "allocation.memoryBytes", "at least 1, not 0"),
        ("allocation", json!({"cores": 1}), "INVALID", "allocation", "cores"),
        ("addresses", json!([{"type": "INTERNAL", "address": ""}]), "INVALID", "addresses[0].address", "1 to 253"),
        ("projectRef", json!({"kind": "k", "name": "n"}), "INVALID", "projectRef.apiGroup", "is required"),
        ("host", json!("node-99"), "NOT_FOUND", "host", "Device node-99 does not exist"),
        ("status", json!("ON"), "INVALID", "status", "must be one of"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, vm(field, value), code, path, says)]);
    }
    let homeless = json!([{"virtualMachine": {"name": "v"}}]);
    let says = "host, cluster or provider is required to create a VirtualMachine";
    refuse_all(&world, &[("no home", homeless, "INVALID", "host", says)]);
    world.write(vm("status", Value::Null));
    let left = json!([{"virtualMachine": {"id": world.id("virtualMachine", "v"), "cluster": null}}]);
    refuse_all(
        &world,
        &[(
            "out of its last home",
            left,
            "INVALID",
            "host",
            "host, cluster or provider is required to create a VirtualMachine",
        )],
    );
}

#[test]
fn a_virtual_machine_moves_between_hosts() {
    let mut world = World::small();
    world.write(json!([{"virtualMachine": {"name": "v", "cluster": "k1", "host": "node-1"}}]));
    world.write(json!([{"virtualMachine": {"name": "v", "cluster": "k1", "host": "node-9"}}]));
    assert_eq!(world.field("virtualMachine", "v", "host"), json!(world.id("device", "node-9")));
    assert_eq!(world.snapshot.table(world.snapshot.registry().named("virtualMachine").unwrap().id).len(), 1);
    // The key is in the cluster, else on the host.
    let create = |fields: Value| json!([{"create": {"virtualMachine": fields}}]);
    accept_all(&world, &[("on the host", create(json!({"name": "v", "host": "node-9"})))]);
    let same = create(json!({"name": "v", "cluster": "k1", "host": "node-1"}));
    refuse_all(&world, &[("in the cluster", same, "DUPLICATE", "name", "is already taken by virtualMachine/k1/v")]);
}
