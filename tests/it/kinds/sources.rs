//! Sources: their fields and bounds, the fields that only the server sets, and names that are reserved.

use serde_json::json;
use underlay::write::{Batch, Conflicts, Origin, plan};

use super::world::How;
use super::{World, accept_all, refuse_all};
use crate::harness::inside::batch;

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

#[test]
fn labels_that_an_item_of_a_run_does_not_name_go() {
    let rack = |labels: serde_json::Value| {
        let mut fields = json!({"site": "ams1", "name": "S1", "heightU": 42});
        if !labels.is_null() {
            fields["labels"] = labels;
        }
        json!([{ "rack": fields }])
    };
    let mut before = World::small();
    before.write_as(rack(json!({"a": "1", "b": "2"})), &How::run("nb"));
    before.write_as(rack(json!({"theirs": "y"})), &How::source("dns"));
    before.write_as(rack(json!({"mine": "x"})), &How::default());
    let others = json!({"mine": "x", "theirs": "y"});
    let with_others = |own: serde_json::Value| {
        let mut labels = others.clone();
        labels.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        labels
    };
    for (case, how, item, own) in [
        ("all are named", How::run("nb"), json!({"a": "1", "b": "2"}), json!({"a": "1", "b": "2"})),
        ("one is not named", How::run("nb"), json!({"a": "1"}), json!({"a": "1"})),
        ("one changes and one is not named", How::run("nb"), json!({"b": "3"}), json!({"b": "3"})),
        ("another one is named", How::run("nb"), json!({"c": "3"}), json!({"c": "3"})),
        ("none is named", How::run("nb"), json!({}), json!({})),
        ("one is removed by name", How::run("nb"), json!({"a": null, "b": "2"}), json!({"b": "2"})),
        ("one of others is named", How::run("nb"), json!({"a": "1", "mine": "z"}), json!({"a": "1"})),
        ("the item has no labels", How::run("nb"), json!(null), json!({"a": "1", "b": "2"})),
        ("another source runs", How::run("dns"), json!({"theirs": "y"}), json!({"a": "1", "b": "2"})),
        ("no run", How::source("nb"), json!({"a": "1"}), json!({"a": "1", "b": "2"})),
        ("a user", How::default(), json!({"mine": "x"}), json!({"a": "1", "b": "2"})),
    ] {
        let mut world = before.clone();
        world.write_as(rack(item), &how);
        assert_eq!(world.field("rack", "S1", "labels"), with_others(own.clone()), "{case}");
        let holders = world.holders("rack", "S1");
        for label in ["a", "b", "c"] {
            let is_held = holders.iter().any(|(held, _)| *held == format!("labels.{label}"));
            assert_eq!(is_held, own.get(label).is_some(), "{case}: {label}");
        }
    }
    // Other maps keep what is not named.
    let attributes = |value: serde_json::Value| json!([{"rack": {"site": "ams1", "name": "S1", "attributes": value}}]);
    before.write_as(attributes(json!({"p": 1, "q": 2})), &How::run("nb"));
    before.write_as(attributes(json!({"p": 1})), &How::run("nb"));
    assert_eq!(before.field("rack", "S1", "attributes"), json!({"p": 1, "q": 2}));
}
