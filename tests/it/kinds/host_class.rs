//! Host classes: the bounds of their conditions. Which class a host gets is tested beside the function.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

#[test]
fn the_conditions_of_a_class_are_bounded() {
    let world = World::empty();
    let class = |criteria: Value| json!([{"hostClass": {"name": "large", "match": criteria}}]);
    let disks = |count: usize| json!({"disks": vec![json!({"type": "NVME"}); count]});
    let labels = |count: usize| {
        let labels: serde_json::Map<_, _> = (0..count).map(|at| (format!("l{at}"), json!("v"))).collect();
        json!({ "labels": labels })
    };
    accept_all(
        &world,
        &[
            ("nothing", json!([{"hostClass": {"name": "large"}}])),
            ("no conditions", class(json!({}))),
            ("all", class(json!({"cpuCores": 1, "memoryBytes": 1, "disks": [{"count": 1000, "sizeBytes": 1}]}))),
            ("most disks", class(disks(8))),
            ("most labels", class(labels(64))),
        ],
    );
    refuse_all(
        &world,
        &[
            ("cores", class(json!({"cpuCores": 0})), "INVALID", "match.cpuCores", "at least 1, not 0"),
            ("memory", class(json!({"memoryBytes": 0})), "INVALID", "match.memoryBytes", "at least 1, not 0"),
            ("disks", class(disks(9)), "INVALID", "match.disks", "has 9 entries; at most 8 are allowed"),
            (
                "none",
                class(json!({"disks": [{"count": 0}]})),
                "INVALID",
                "match.disks[0].count",
                "from 1 to 1000, not 0",
            ),
            ("size", class(json!({"disks": [{"sizeBytes": 0}]})), "INVALID", "match.disks[0].sizeBytes", "at least 1"),
            ("labels", class(labels(65)), "INVALID", "match.labels", "has 65 entries; at most 64 are allowed"),
            ("value", class(json!({"labels": {"a": 1}})), "INVALID", "match.labels.a", "must be text"),
            ("member", class(json!({"gpus": 8})), "INVALID", "match", "unknown field `gpus`"),
        ],
    );
}
