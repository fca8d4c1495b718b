//! A snapshot never uses memoized facts about changed objects: after random changes, fleets give the same answers as
//! when everything is computed afresh.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::ImpactQuery;

use super::drawn::Drawn;
use super::random::{effects, everything, id};
use super::{Fleet, ask, name};
use crate::harness::world::{How, afresh, with};

const FLEETS: u64 = 40;
/// The number of changes of each fleet.
const CHANGES: usize = 12;

/// Returns the effect of the failure of each device, cable and circuit.
fn answers(snapshot: &Snapshot) -> Vec<String> {
    let answer = |object: ObjectRef| {
        let found = ask(snapshot, &ImpactQuery { of: vec![object], ..ImpactQuery::default() }).expect("an answer");
        let shares = found.affected().iter().filter_map(|affected| affected.share);
        format!("{}: {:?} {:?}", name(snapshot, object), effects(snapshot, &found), shares.collect::<Vec<_>>())
    };
    let fails = |object: &ObjectRef| ["Device", "Cable", "Circuit"].contains(&snapshot.kind(object.kind).name);
    let mut found: Vec<String> = everything(snapshot).into_iter().filter(fails).map(answer).collect();
    found.sort_unstable();
    found
}

/// A change of anything that ways may look at. It may be refused.
fn change(snapshot: &Snapshot, random: &mut SmallRng) -> Value {
    let kinds = ["device", "port", "cable", "circuit", "circuitTermination", "rack", "powerFeed"];
    let kind = *kinds.choose(random).expect("a kind");
    let of_kind: Vec<ObjectRef> = everything(snapshot)
        .into_iter()
        .filter(|object| snapshot.path(*object).split('/').next() == Some(kind))
        .collect();
    let Some(object) = of_kind.choose(random) else { return json!({"site": {"name": "s", "type": "DATACENTER"}}) };
    let id = id(snapshot, *object);
    let mut one = |of: &[&'static str]| *of.choose(random).expect("a value");
    let fields = match kind {
        "device" => match one(&["role", "status", "cluster"]) {
            "role" => json!({"role": one(&["SERVER", "SPINE", "LEAF", "ROUTER"])}),
            "status" => json!({"status": one(&["ACTIVE", "FAILED"])}),
            _ => json!({"cluster": if one(&["in", "out"]) == "in" { json!({"cluster": "k"}) } else { json!(null) }}),
        },
        "powerFeed" => json!({"status": one(&["ACTIVE", "FAILED"])}),
        "port" => {
            json!({"enabled": one(&["yes", "yes", "no"]) == "yes", "mgmtOnly": one(&["yes", "no", "no"]) == "yes"})
        }
        "cable" if one(&["delete", "status", "status"]) == "status" => {
            json!({"status": one(&["CONNECTED", "PLANNED"])})
        }
        "circuit" => json!({"status": one(&["ACTIVE", "FAILED"]), "type": one(&["TRANSIT", "CROSS_CONNECT"])}),
        "rack" => json!({"status": one(&["ACTIVE", "PLANNED"])}),
        _ => return json!({"delete": {kind: {"id": id}}}),
    };
    json!({"update": with(&json!({ kind: fields }), "id", json!(id))})
}

#[test]
fn changed_facts_are_computed_again() {
    let (mut affected, mut different) = (0, 0);
    for seed in 2_000..2_000 + FLEETS {
        let random = &mut SmallRng::seed_from_u64(seed);
        let Fleet { mut world, .. } = Fleet::of(&Drawn::fleet(seed));
        let mut before = answers(&world.snapshot);
        for number in 0..CHANGES {
            let items: Vec<Value> = (0..random.random_range(1..3)).map(|_| change(&world.snapshot, random)).collect();
            world.statuses(items.clone().into(), &How::per_item());
            let after = answers(&world.snapshot);
            assert_eq!(after, answers(&afresh(&world.snapshot)), "fleet {seed}, change {number}: {items:?}");
            affected += after.iter().filter(|answer| answer.contains("Isolated")).count();
            different += usize::from(after != before);
            before = after;
        }
    }
    assert!(different > 120 && affected > 500, "only {different} changes changed any of {affected} answers");
}

/// Returns the lost and all servers of the cluster if a server fails, within a number of steps.
fn lost_with(snapshot: &Snapshot, server: &str, max_steps: Option<u64>) -> Option<(u32, u32)> {
    let object = everything(snapshot).into_iter().find(|object| name(snapshot, *object) == server).expect("a server");
    let found = ask(snapshot, &ImpactQuery { of: vec![object], max_steps, ..ImpactQuery::default() })
        .expect("it is within the steps");
    found.affected().iter().find_map(|affected| affected.share).map(|share| (share.lost, share.of))
}

#[test]
fn a_failure_in_a_large_cluster_costs_what_it_affects() {
    const SERVERS: usize = 1_500;
    let servers = (0..SERVERS).map(|number| format!("server n{number} cluster=k < p{}\n", number % 7));
    let pdus = (0..7).map(|number| format!("pdu p{number} < f{number}\n"));
    let feeds = (0..7).map(|number| format!("feed f{number}\n"));
    let text: String = std::iter::once("cluster k\n".to_owned()).chain(feeds).chain(pdus).chain(servers).collect();
    let Fleet { mut world, .. } = Fleet::of(&text);
    let all = SERVERS as u32;
    assert_eq!(lost_with(&world.snapshot, "n7", None), Some((1, all)), "all of the cluster is looked at once");
    // Then a stretch of 64 machines at the most, each with what it draws power from.
    let few = Some(1_000);
    assert_eq!(lost_with(&world.snapshot, "n8", few), Some((1, all)));
    let id = |snapshot: &Snapshot, of: &str| {
        let object = everything(snapshot).into_iter().find(|object| name(snapshot, *object) == of).expect("an object");
        json!(id(snapshot, object))
    };
    let update = |snapshot: &Snapshot, kind: &str, of: &str, fields: Value| json!([{"update": with(&json!({ kind: fields }), "id", id(snapshot, of))}]);
    for (kind, of, fields, now) in [
        ("device", "n9", json!({"status": "FAILED"}), all - 1),
        ("device", "n10", json!({"cluster": null}), all - 2),
        ("device", "n9", json!({"status": "ACTIVE"}), all - 1),
        ("device", "n11", json!({"role": "SWITCH"}), all - 2),
    ] {
        world.write(update(&world.snapshot, kind, of, fields));
        assert_eq!(lost_with(&world.snapshot, "n8", few), Some((1, now)), "{of}");
        assert_eq!(lost_with(&afresh(&world.snapshot), "n8", None), Some((1, now)), "{of}");
    }
    world.write(
        json!([{"device": {"name": "new", "site": {"site": "s"}, "role": "SERVER", "cluster": {"cluster": "k"}}}]),
    );
    assert_eq!(lost_with(&world.snapshot, "n8", few), Some((1, all - 1)), "one came");
    // An object on which many facts depend is compared again with all of them.
    world.write(update(&world.snapshot, "powerFeed", "f3", json!({"status": "FAILED"})));
    let fed = (0..SERVERS as u32).filter(|number| number % 7 == 3 && ![10, 11].contains(number)).count() as u32;
    assert_eq!(lost_with(&world.snapshot, "n8", None), Some((1, all - 1 - fed)));
    assert_eq!(lost_with(&afresh(&world.snapshot), "n8", None), Some((1, all - 1 - fed)));
}
