//! A large batch has the same meaning as a small one, although it is prefetched and processed by two threads.

use serde_json::{Value, json};
use underlay_engine::write::{Outcome, Planned};
use uuid::Uuid;

use crate::harness::world::{How, World};

/// The number of items that makes a batch large.
const LARGE_BATCH_ITEMS: usize = 1_100;

/// Returns the results of items without the ids of new objects: status, name, true if the object existed, and the
/// error.
fn summaries(world: &World, outcomes: &[Outcome]) -> Vec<String> {
    let there = |id: Option<Uuid>| id.is_some_and(|id| world.snapshot.find(id).is_some());
    let summaries = outcomes.iter().map(|it| {
        let error =
            it.error.as_ref().map(|refusal| (refusal.code(), refusal.field().map(str::to_owned), refusal.to_string()));
        format!("{:?} {:?} {} {error:?}", it.status, it.name, there(it.id))
    });
    summaries.collect()
}

/// Returns the recorded changes of ports in order, without ids and times.
fn recorded(world: &World, planned: &Planned, of: usize) -> Vec<(String, String)> {
    let record = |it: &underlay_entity::change::Model| (it.name.clone(), format!("{:?}", it.operation));
    let mut records: Vec<_> =
        world.records(planned).iter().map(record).filter(|(name, _)| !name.starts_with("filler")).collect();
    records.truncate(of);
    records
}

#[test]
fn items_mean_the_same_among_many_others() {
    let mut world = World::small();
    let eth = |device: Value, name: &str| json!({"port": {"device": device, "name": name, "type": "ETHERNET"}});
    world.write(json!([
        {"device": {"site": "fra1", "name": "node-1", "role": "SERVER"}},
        eth(json!("node-9"), "e1"), eth(json!("node-9"), "e2"),
        {"port": {"rack": "A14", "name": "e1", "type": "ETHERNET"}},
    ]));
    let (node, e1) = (world.id("device", "node-9").to_string(), world.id("port", "e1").to_string());
    let id = "01910000-0000-7000-8000-000000000001";
    let nine = || json!("node-9");
    let cases = [
        ("new and known ports", json!([eth(nine(), "e1"), eth(nine(), "e3"), eth(json!({"id": node}), "e2")])),
        ("the same key twice", json!([eth(nine(), "e7"), eth(json!({"site": "fra1", "device": "node-9"}), "e7")])),
        (
            "two words for a device",
            json!([
                eth(json!({"site": "ams1", "device": "node-1"}), "x"),
                eth(json!({"device": "node-1", "site": "fra1"}), "x")
            ]),
        ),
        ("a name that two devices have", json!([eth(json!("node-1"), "x"), eth(nine(), "e1")])),
        ("a device that is not there", json!([eth(json!("node-8"), "x"), eth(json!({"id": id}), "x")])),
        (
            "a device that is none",
            json!([eth(json!({"id": e1}), "x"), eth(json!(7), "x"), eth(json!({"shelf": "s"}), "x")]),
        ),
        ("no owner", json!([{"port": {"name": "x", "type": "ETHERNET"}}, {"port": {"name": "e1", "mtu": 9000}}])),
        ("a rack's port", json!([{"port": {"rack": "A14", "name": "e1", "mtu": 9000}}])),
        (
            "a power port beside one of data",
            json!([{"port": {"device": "node-9", "name": "e1", "type": "POWER_INLET"}}]),
        ),
        (
            "a name that goes to another",
            json!([{"port": {"id": e1, "name": "e9"}}, eth(nine(), "e1"), eth(nine(), "e9")]),
        ),
        (
            "an id that takes a name",
            json!([{"port": {"id": id, "device": "node-9", "name": "e1", "type": "ETHERNET"}}, eth(nine(), "e1")]),
        ),
        (
            "an object twice",
            json!([{"port": {"id": e1, "mtu": 9000}}, {"port": {"id": e1, "mtu": 1500, "description": "twice"}}]),
        ),
        (
            "wrong values",
            json!([{"port": {"device": "node-9", "name": "e1", "mtu": -1}}, {"port": {"device": "node-9", "name": "x"}}]),
        ),
        ("a device that goes", json!([eth(nine(), "e3"), {"delete": {"device": "node-9"}, "cascade": true}])),
        ("a version", json!([{"port": {"device": "node-9", "name": "e1", "mtu": 9000}, "ifVersion": 1}])),
        (
            "parts of ports",
            json!([eth(nine(), "p"), {"port": {"device": "node-9", "name": "q", "type": "ETHERNET", "parent": {"device": "node-9", "port": "p"}}}]),
        ),
    ];
    let filler = |at: usize| eth(json!({"site": "ams1", "device": "leaf-1"}), &format!("filler-{at}"));
    for (what, case) in cases {
        let items = case.as_array().expect("a list").clone();
        let alone = world.plan(json!(items), &How::default());
        let among: Vec<Value> = items.iter().cloned().chain((0..LARGE_BATCH_ITEMS).map(filler)).collect();
        let among = world.plan(json!(among), &How::default());
        let own = &among.outcomes[..items.len()];
        assert_eq!(summaries(&world, own), summaries(&world, &alone.outcomes), "{what}");
        assert_eq!(among.accepted, alone.accepted, "{what}");
        if alone.accepted {
            let records = recorded(&world, &alone, usize::MAX);
            assert_eq!(recorded(&world, &among, records.len()), records, "{what}");
            assert_eq!(among.next.len(), alone.next.len() + LARGE_BATCH_ITEMS, "{what}");
        }
    }
}
