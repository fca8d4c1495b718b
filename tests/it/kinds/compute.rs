//! Clusters, virtual machines, and links between sites, clusters and devices.

use serde_json::{Value, json};

use super::{World, accept_all, refuse_all};

#[test]
fn clusters() {
    let mut world = World::small();
    let cluster = |field: &str, value: Value| json!([{"cluster": {"name": "c", field: value}}]);
    let table = [
        ("type", json!("KUBERNETES")),
        ("type", json!("HYPERVISOR")),
        ("role", json!("COMPUTE")),
        ("role", json!("MANAGEMENT")),
        ("role", json!("EDGE")),
        ("role", json!("GATEWAY")),
        ("endpoint", json!("https://10.0.0.1:6443")),
        ("endpoint", json!("http://[2001:db8::1]:6443/api")),
        ("controlPlaneSite", json!("ams1")),
        ("platform", json!("sidero-omni")),
    ];
    for (field, value) in table {
        accept_all(&world, &[(field, cluster(field, value))]);
    }
    let table = [
        ("type", json!("SLURM"), "INVALID", "type", "must be one of KUBERNETES, HYPERVISOR, not \"SLURM\""),
        ("role", json!("CHIEF"), "INVALID", "role", "must be one of COMPUTE, MANAGEMENT, EDGE, GATEWAY"),
        ("endpoint", json!("10.0.0.1:6443"), "INVALID", "endpoint", "must be an http or https URL"),
        ("endpoint", json!(7), "INVALID", "endpoint", "must be text"),
        ("controlPlaneSite", json!("x"), "NOT_FOUND", "controlPlaneSite", "Site x does not exist"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, cluster(field, value), code, path, says)]);
    }
    world.write(cluster("role", Value::Null));
    assert_eq!(world.field("cluster", "c", "type"), "KUBERNETES", "the default");
}

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

#[test]
fn links() {
    let mut world = World::small();
    world.write(json!([
        {"port": {"device": "node-1", "name": "e", "type": "ETHERNET"}},
        {"port": {"device": "leaf-1", "name": "e", "type": "ETHERNET"}},
        {"cable": {"name": "k", "aEnds": [{"port": {"device": "node-1", "port": "e"}}],
            "bEnds": [{"port": {"device": "leaf-1", "port": "e"}}]}}
    ]));
    let link = |field: &str, value: Value| {
        let mut link = json!({"name": "l", "type": "PHYSICAL", "a": {"site": "ams1"}, "b": {"site": "fra1"}});
        link[field] = value;
        json!([{"link": link}])
    };
    for (field, value) in [
        ("type", json!("LOGICAL")),
        ("type", json!("INTERNET")),
        ("a", json!({"cluster": "k1"})),
        ("b", json!({"device": "node-9"})),
        ("capacityMbps", json!(1)),
        ("latencyMs", json!(0)),
        ("cables", json!(["k"])),
    ] {
        accept_all(&world, &[(field, link(field, value))]);
    }
    let table = [
        ("type", json!("MAGIC"), "INVALID", "type", "must be one of PHYSICAL, LOGICAL, INTERNET"),
        ("b", json!({"site": "ams1"}), "INVALID", "b", "must not be the same as a"),
        ("a", json!({"rack": "A14"}), "INVALID", "a", "must have exactly one of site, cluster, device"),
        ("a", json!({"site": "ams1", "cluster": "k1"}), "INVALID", "a", "must have exactly one of"),
        ("a", json!({"site": "x"}), "NOT_FOUND", "a.site", "Site x does not exist"),
        ("capacityMbps", json!(0), "INVALID", "capacityMbps", "at least 1, not 0"),
        ("latencyMs", json!(-1), "INVALID", "latencyMs", "at least 0, not -1"),
        ("cables", json!(["k", "k"]), "INVALID", "cables[1]", "is in the list already"),
        ("cables", json!(["k", "x"]), "NOT_FOUND", "cables[1]", "Cable x does not exist"),
        ("cables", json!("k"), "INVALID", "cables", "must be a list"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, link(field, value), code, path, says)]);
    }
}
