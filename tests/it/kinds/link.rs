//! Links between sites, clusters and devices: their fields, their ends, and the cables that carry them.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

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
