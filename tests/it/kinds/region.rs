//! Regions: a region is no part of itself.

use serde_json::json;

use crate::harness::world::{World, refuse_all};

#[test]
fn regions_cannot_form_a_cycle() {
    let mut world = World::of(json!([
        {"region": {"name": "a"}},
        {"region": {"name": "b", "parent": "a"}},
        {"region": {"name": "c", "parent": "b"}}
    ]));
    let parent = |name: &str, parent: &str| json!([{"region": {"name": name, "parent": parent}}]);
    for (what, items) in [("itself", parent("a", "a")), ("its child", parent("a", "b")), ("below", parent("a", "c"))] {
        refuse_all(&world, &[(what, items, "INVALID", "parent", "must not be the region itself or a part of it")]);
    }
    let cycle = json!([{"region": {"name": "x", "parent": "y"}}, {"region": {"name": "y", "parent": "x"}}]);
    refuse_all(&world, &[("two new ones", cycle, "INVALID", "parent", "must not be the region itself")]);
    // Reversed in one batch it is no cycle.
    world.write(json!([{"region": {"name": "a", "parent": "c"}}, {"region": {"name": "b", "parent": null}}]));
    world.write(json!([{"region": {"name": "a", "parent": null}}]));
}
