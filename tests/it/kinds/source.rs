//! Sources: their fields and bounds, the fields that only the server sets, and names that are reserved.

use serde_json::json;
use underlay_engine::write::{Batch, Conflicts, Origin, plan};

use crate::harness::inside::batch;
use crate::harness::world::{How, World, accept_all, refuse_all};

#[test]
fn the_fields_of_a_source_are_bounded() {
    let world = World::small();
    let source =
        |field: &str, value: serde_json::Value| json!([{"source": {"name": "nb", "type": "netbox", field: value}}]);
    accept_all(
        &world,
        &[
            ("least", source("interval", json!(10))),
            ("most", source("interval", json!(2_592_000))),
            ("url", source("url", json!("nfs:/exports/inventory"))),
            ("no limits", source("limits", json!({"share": 0.0, "count": 0}))),
            ("part of the limits", source("limits", json!({"share": 1}))),
            ("prune", source("prune", json!("RETIRE"))),
            ("paused", source("paused", json!(true))),
            ("hosts", source("hostsArrive", json!("AS_REPORTED"))),
        ],
    );
    refuse_all(
        &world,
        &[
            ("type", json!([{"source": {"name": "nb", "type": " "}}]), "INVALID", "type", "must not be empty"),
            ("interval", source("interval", json!(9)), "INVALID", "interval", "from 10 to 2592000"),
            ("interval", source("interval", json!(2_592_001)), "INVALID", "interval", "from 10 to 2592000"),
            ("url", source("url", json!("x".repeat(2_001))), "INVALID", "url", "at most 2000 characters"),
            ("share", source("limits", json!({"share": 1.1})), "INVALID", "limits.share", "from 0 to 1"),
            ("count", source("limits", json!({"count": -1})), "INVALID", "limits.count", "from 0 to"),
            ("member", source("limits", json!({"most": 1})), "INVALID", "limits", "unknown field `most`"),
            ("prune", source("prune", json!("ALL")), "INVALID", "prune", "RETIRE"),
            ("hosts", source("hostsArrive", json!("FREE")), "INVALID", "hostsArrive", "one of REGISTERED, AS_REPORTED"),
            ("health", source("health", json!("FRESH")), "INVALID", "health", "is set by the server alone"),
            ("reserved", source("reserved", json!(true)), "INVALID", "reserved", "is set by the server alone"),
        ],
    );
}

#[test]
fn a_source_has_its_defaults() {
    let world = World::of(json!([{"source": {"name": "nb", "type": "netbox"}}]));
    for (field, value) in [
        ("interval", json!(300)),
        ("prune", json!("KEEP")),
        ("limits", json!({"share": 0.1, "count": 10})),
        ("paused", json!(false)),
        ("health", json!("NEVER")),
        ("reserved", json!(false)),
        ("hostsArrive", json!("REGISTERED")),
    ] {
        assert_eq!(world.field("source", "nb", field), value, "{field}");
    }
}

#[test]
fn only_runs_write_in_a_reserved_name_and_it_does_not_change() {
    let mut world = World::of(json!([
        {"source": {"name": "nb", "type": "netbox"}},
        {"source": {"name": "free", "type": "netbox"}}
    ]));
    let region = || json!([{"region": {"name": "eu", "externalId": "1"}}]);
    let of = |source| How { source: Some(source), conflicts: Conflicts::Skip, ..How::default() };
    assert!(world.plan(region(), &of("nb")).accepted, "no run of it was started yet");
    let items = world.items(json!([{"source": {"name": "nb", "reserved": true}}]));
    let reserved = plan(&world.snapshot, &Batch { origin: Origin::Server, ..batch(items) }, chrono::Utc::now());
    world.snapshot = std::sync::Arc::unwrap_or_clone(reserved.expect("the server may").next);

    let refused = world.plan_items(world.items(region()), &of("nb")).expect_err("the name is reserved");
    assert_eq!((refused.code().as_str(), refused.field()), ("INCOMPATIBLE", Some("source")));
    assert!(refused.to_string().contains("start a run with startRun"), "{refused}");
    for other in ["free", "unknown"] {
        assert!(world.plan(region(), &of(other)).accepted, "{other}");
    }
    let id = world.id("source", "nb");
    refuse_all(
        &world,
        &[(
            "another name",
            json!([{"source": {"id": id, "name": "nb2"}}]),
            "IMMUTABLE",
            "name",
            "cannot change after the Source is created: it is nb",
        )],
    );
    accept_all(&world, &[("another type", json!([{"source": {"id": id, "type": "files"}}]))]);
}
