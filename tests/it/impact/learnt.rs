//! What a value took over from those before it is never said of what has changed since: fleets that are asked about,
//! changed at random and asked about again answer as they do when everything is worked out afresh.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use underlay::inventory::{Place, Snapshot};
use underlay::topology::impact::Question;

use super::random::{Drawn, effects, everything, id};
use super::{Fleet, ask, name};
use crate::kinds::world::{How, afresh, with};

const FLEETS: u64 = 40;
/// How often each fleet is changed.
const CHANGES: usize = 12;

/// What each device, cable and circuit takes with it when it fails.
fn answers(value: &Snapshot) -> Vec<String> {
    let answer = |place: Place| {
        let found = ask(value, &Question { of: vec![place], ..Question::default() }).expect("an answer");
        format!("{}: {:?}", name(value, place), effects(value, &found))
    };
    let fails = |place: &Place| ["Device", "Cable", "Circuit"].contains(&value.kind(place.kind).name);
    let mut found: Vec<String> = everything(value).into_iter().filter(fails).map(answer).collect();
    found.sort_unstable();
    found
}

/// A change of anything that ways may look at. It may be refused.
fn change(value: &Snapshot, random: &mut SmallRng) -> Value {
    let kinds = ["device", "port", "cable", "circuit", "circuitTermination", "rack"];
    let kind = *kinds.choose(random).expect("a kind");
    let of_kind: Vec<Place> =
        everything(value).into_iter().filter(|place| value.path(*place).split('/').next() == Some(kind)).collect();
    let Some(place) = of_kind.choose(random) else { return json!({"site": {"name": "s", "type": "DATACENTER"}}) };
    let id = id(value, *place);
    let mut one = |of: &[&'static str]| *of.choose(random).expect("a value");
    let fields = match kind {
        "device" if one(&["role", "status"]) == "role" => json!({"role": one(&["SERVER", "SPINE", "LEAF", "ROUTER"])}),
        "device" => json!({"status": one(&["ACTIVE", "FAILED"])}),
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
fn what_changed_is_worked_out_again() {
    let (mut affected, mut different) = (0, 0);
    for seed in 2_000..2_000 + FLEETS {
        let random = &mut SmallRng::seed_from_u64(seed);
        let Fleet { mut world, .. } = Fleet::of(&Drawn::fleet(seed));
        let mut before = answers(&world.value);
        for number in 0..CHANGES {
            let items: Vec<Value> = (0..random.random_range(1..3)).map(|_| change(&world.value, random)).collect();
            world.statuses(items.clone().into(), &How::per_item());
            let after = answers(&world.value);
            assert_eq!(after, answers(&afresh(&world.value)), "fleet {seed}, change {number}: {items:?}");
            affected += after.iter().filter(|answer| answer.contains("Isolated")).count();
            different += usize::from(after != before);
            before = after;
        }
    }
    assert!(different > 120 && affected > 500, "only {different} changes changed any of {affected} answers");
}
