//! The state in which a source reports a new host: which callers may report it, and when it counts.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_engine::store::RunChanges;
use underlay_engine::write::{Attendant, Batch, Item, Leave, Origin, Planned};
use underlay_inventory::{KindId, Snapshot};

use crate::harness::world::{How, World, refuse_all};

/// The part of a run whose source decides how hosts arrive.
#[derive(Debug)]
struct Deciding {
    kind: KindId,
}

impl Attendant for Deciding {
    fn prepare(&self, _: &Snapshot, _: &[Item]) -> Option<Vec<Item>> {
        None
    }

    fn judge(&self, _: &Snapshot, _: &Batch, _: &Planned) -> Leave {
        Leave::new()
    }

    fn decides_arrival(&self, kind: KindId) -> bool {
        kind == self.kind
    }

    fn record(&self, _: &Snapshot, _: &Batch, _: &Planned) -> RunChanges {
        unreachable!("nothing is committed")
    }
}

/// A batch in a run whose source decides how the objects of a kind arrive.
fn deciding(world: &World, kind: &str) -> How {
    let kind = world.snapshot.registry().named(kind).expect("a kind").id;
    How { origin: Origin::Run(Arc::new(Deciding { kind })), ..How::source("ironic") }
}

fn host(name: &str, arrives: &Value) -> Value {
    json!({"host": {"name": name, "externalId": name, "arrivesAs": arrives}})
}

#[test]
fn a_new_host_arrives_as_its_source_reports_and_stays_so() {
    let mut world = World::of(json!([{"host": {"name": "old"}}]));
    let how = deciding(&world, "host");
    let items = json!([
        host("free", &json!("AVAILABLE")),
        host("used", &json!("INSTALLED")),
        host("plain", &Value::Null),
        host("old", &json!("AVAILABLE")),
        {"host": {"name": "silent", "externalId": "silent"}},
    ]);
    world.write_as(items, &how);
    let states = [
        ("free", "AVAILABLE"),
        ("used", "INSTALLED"),
        ("plain", "REGISTERED"),
        ("old", "REGISTERED"),
        ("silent", "REGISTERED"),
    ];
    for (name, state) in states {
        assert_eq!(world.field("host", name, "state"), state, "{name}");
        let holders = world.holders("host", name);
        assert!(!holders.iter().any(|(field, _)| field == "state"), "nobody owns a state: {holders:?}");
    }
    let before = world.snapshot.revision();
    let later = json!([
        host("free", &json!("INSTALLED")),
        host("used", &json!("AVAILABLE")),
        host("plain", &json!("AVAILABLE")),
        host("old", &json!("INSTALLED")),
        host("silent", &json!("AVAILABLE")),
    ]);
    world.write_as(later, &how);
    assert_eq!(world.snapshot.revision(), before, "another word changes nothing");
}

#[test]
fn only_a_run_whose_source_decides_it_counts() {
    let world = World::empty();
    let item = || json!([host("h", &json!("AVAILABLE"))]);
    let hows = [
        ("no run", How::source("ironic")),
        ("not decided", How::run("ironic")),
        ("decided for another kind", deciding(&world, "rack")),
    ];
    for (what, how) in hows {
        let mut world = World::empty();
        world.write_as(item(), &how);
        assert_eq!(world.field("host", "h", "state"), "REGISTERED", "{what}");
    }
    let says = "is for what a source reports: adopt a host with adoptHosts";
    let of = |arrives: &str| json!([{"host": {"name": "h", "arrivesAs": arrives}}]);
    refuse_all(
        &world,
        &[
            ("a person", of("AVAILABLE"), "INVALID", "arrivesAs", says),
            ("another word", of("ACQUIRED"), "INVALID", "arrivesAs", "must be one of AVAILABLE, INSTALLED"),
        ],
    );
    let refused = world.refused(json!([host("h", &json!(7))]), &deciding(&world, "host"));
    assert_eq!((refused[0].0.as_str(), refused[0].1.as_str()), ("INVALID", "arrivesAs"), "{refused:?}");
    let rack = json!([{"site": {"name": "s", "type": "EDGE", "arrivesAs": "AVAILABLE"}}]);
    refuse_all(&world, &[("another kind", rack, "INVALID", "arrivesAs", "Site has no field arrivesAs")]);
}
