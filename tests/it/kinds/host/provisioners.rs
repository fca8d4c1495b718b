//! The provisioner of a host: another one can be chosen only while nothing of the host is at the old one.

use serde_json::{Value, json};

use super::write_as_server;
use crate::harness::world::{How, World};

/// The states of hosts, with whether another provisioner can be chosen in them.
const STATES: [(&str, bool); 9] = [
    ("REGISTERED", true),
    ("DISCOVERING", false),
    ("AVAILABLE", true),
    ("ACQUIRED", false),
    ("INSTALLING", false),
    ("INSTALLED", false),
    ("RELEASING", false),
    ("WIPING", false),
    ("FAILED", true),
];

/// A host of a provisioner, with these fields besides.
fn world_with(fields: Value) -> World {
    let mut world = World::of(json!([{"host": {"name": "h", "provisioner": "simulated"}}]));
    let mut host = json!({"name": "h"});
    host.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    write_as_server(&mut world, json!([{ "host": host }]));
    world
}

/// Returns the field and the sentence with which a write of a host by a user is refused.
fn refusal(world: &World, fields: Value) -> Option<String> {
    let mut host = json!({"name": "h"});
    host.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let planned = world.plan(json!([{ "host": host }]), &How::default());
    planned.outcomes.iter().find_map(|outcome| outcome.error.as_ref().map(ToString::to_string))
}

#[test]
fn another_provisioner_is_chosen_for_a_free_host_alone() {
    for (state, can) in STATES {
        let world = world_with(json!({"state": state, "generation": 3, "generationDone": 3}));
        for other in [json!("ironic"), Value::Null] {
            let refused = refusal(&world, json!({ "provisioner": other }));
            assert_eq!(refused.is_none(), can, "{state} {other}: {refused:?}");
            let sentence = format!("the host is {state}, so it stays with its provisioner simulated");
            let says = |refused: String| refused.contains(&sentence) && refused.ends_with("release it first");
            assert!(refused.is_none_or(says), "{state}");
        }
        assert_eq!(refusal(&world, json!({"provisioner": "simulated", "title": "t"})), None, "{state}: it stays");
        // One that has none gets one in every state, and is taken over there.
        let mut world = World::of(json!([{"host": {"name": "h"}}]));
        write_as_server(&mut world, json!([{"host": {"name": "h", "state": state}}]));
        assert_eq!(refusal(&world, json!({"provisioner": "ironic"})), None, "{state}: the first one");
    }
    for state in ["REGISTERED", "AVAILABLE", "FAILED"] {
        let world = world_with(json!({"state": state, "generation": 3, "generationDone": 2}));
        let refused = refusal(&world, json!({"provisioner": "ironic"})).unwrap_or_default();
        assert!(refused.contains("the host has an order at work, so it stays"), "{state}: {refused}");
    }
}
