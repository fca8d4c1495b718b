//! Clusters: their fields.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

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
