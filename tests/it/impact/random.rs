//! Random small fleets with random failures: the answer equals that of the naive rules, and each effect has a cause.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::{
    Affected, Effect, Impact, ImpactQuery, Rule, SinglePointQuery, TakenQuery, single_points, taken,
};
use uuid::Uuid;

use super::drawn::Drawn;
use super::naive::Naive;
use super::{Fleet, ask, assert_explained, name};

/// The number of fleets in a test, and of failures of each.
const FLEETS: u64 = 100;
const FAILURES: usize = 6;

/// The effects by name, for comparison and messages.
pub fn effects(snapshot: &Snapshot, found: &Impact) -> BTreeMap<String, String> {
    let summary = |affected: &Affected| (name(snapshot, affected.object), format!("{:?}", affected.effect));
    found.affected().iter().map(summary).collect()
}

pub fn everything(snapshot: &Snapshot) -> Vec<ObjectRef> {
    let of = |kind: &'static underlay_inventory::Description| {
        snapshot.table(kind.id).rows(0).map(move |(slot, _)| ObjectRef { kind: kind.id, slot })
    };
    snapshot.registry().kinds().flat_map(of).collect()
}

pub fn id(snapshot: &Snapshot, object: ObjectRef) -> Uuid {
    snapshot.row(object).expect("a row").common().id
}

#[test]
fn answers_equal_the_naive_rules() {
    compare(0);
}

#[test]
fn answers_equal_the_naive_rules_on_other_fleets() {
    compare(1);
}

#[test]
fn answers_equal_the_naive_rules_on_more_fleets() {
    compare(2);
}

/// Compares the answers on one part of all fleets.
fn compare(part: u64) {
    let (mut isolated, mut degraded, mut unanchored) = (0, 0, 0);
    for seed in part * FLEETS..(part + 1) * FLEETS {
        let text = Drawn::fleet(seed);
        let fleet = Fleet::of(&text);
        let snapshot = fleet.snapshot();
        let naive = Naive::of(snapshot);
        let mut random = SmallRng::seed_from_u64(!seed);
        let all = everything(snapshot);
        let count = |random: &mut SmallRng| if random.random_bool(0.6) { 1 } else { random.random_range(2..=4) };
        let machines: Vec<ObjectRef> =
            all.iter().copied().filter(|it| snapshot.kind(it.kind).name == "Device").collect();
        for failure in 0..FAILURES {
            let count = count(&mut random);
            let among = if failure % 2 == 0 { &machines } else { &all };
            let of: Vec<ObjectRef> = among.choose_multiple(&mut random, count).copied().collect();
            let types = ["DATA"];
            let anchors = random.random_bool(0.25).then(|| {
                let fits = |object: &&ObjectRef| {
                    let row = snapshot.row(**object).expect("a row");
                    let kind = snapshot.kind(object.kind);
                    kind.field("plane").is_some_and(|field| {
                        (kind.fields[field].get)(row.as_ref()).as_str().is_some_and(|it| types.contains(&it))
                    })
                };
                let machines: Vec<ObjectRef> = machines.iter().filter(fits).copied().collect();
                machines.choose_multiple(&mut random, 2).copied().collect::<Vec<ObjectRef>>()
            });
            let ids =
                |objects: &[ObjectRef]| objects.iter().map(|object| id(snapshot, *object)).collect::<BTreeSet<Uuid>>();
            let expected = naive.answer(&ids(&of), anchors.as_deref().map(ids).as_ref());
            let question = ImpactQuery { of: of.clone(), anchors: anchors.clone(), ..ImpactQuery::default() };
            let found = ask(snapshot, &question).expect("an answer");
            let what: Vec<String> = of.iter().map(|object| name(snapshot, *object)).collect();
            let to: Option<Vec<String>> =
                anchors.map(|anchors| anchors.iter().map(|object| name(snapshot, *object)).collect());
            let expected_effects: BTreeMap<String, String> = expected
                .effects
                .iter()
                .map(|(id, effect)| (name(snapshot, snapshot.find(*id).expect("an object")), (*effect).to_owned()))
                .collect();
            let at = format!("seed {seed}: {what:?} fail, to reach {to:?}\n{text}");
            assert_eq!(effects(snapshot, &found), expected_effects, "{at}");
            assert_eq!(found.unanchored.len(), expected.unanchored, "unanchored, {at}");
            assert_explained(snapshot, &question, &found);
            isolated += expected.effects.values().filter(|effect| **effect == "Isolated").count();
            degraded += expected.effects.values().filter(|effect| **effect == "Degraded").count();
            unanchored += expected.unanchored;
        }
    }
    assert!(isolated > 100 && degraded > 300 && unanchored > 30, "{isolated} {degraded} {unanchored}: too tame");
}

#[test]
fn single_points_of_failure_equal_separate_failures() {
    let mut found_any = 0;
    for seed in 1_000..1_060 {
        let text = Drawn::fleet(seed);
        let fleet = Fleet::of(&text);
        let snapshot = fleet.snapshot();
        let naive = Naive::of(snapshot);
        let rule = [None, Some(Rule::Power), Some(Rule::Network), Some(Rule::Hosting)][seed as usize % 4];
        let mut expected: BTreeMap<String, usize> = BTreeMap::new();
        for object in everything(snapshot) {
            let question = ImpactQuery { of: vec![object], ..ImpactQuery::default() };
            let found = ask(snapshot, &question).expect("an answer");
            let counts = |affected: &&Affected| {
                let own = naive.is_inside(id(snapshot, affected.object), id(snapshot, object));
                let gone = affected.effect != Effect::Degraded && rule.is_none_or(|rule| rule == affected.rule);
                gone && !own && naive.is_missed(id(snapshot, affected.object))
            };
            let count = found.affected().iter().filter(counts).count();
            if count > 0 {
                expected.insert(name(snapshot, object), count);
            }
        }
        let query = SinglePointQuery { rule, ..SinglePointQuery::default() };
        let found = single_points(snapshot, underlay_kinds::topology(), query).expect("an answer");
        assert!(found.is_sorted_by_key(|point| std::cmp::Reverse(point.count)), "most first");
        let summary: BTreeMap<String, usize> = found.iter().map(|it| (name(snapshot, it.object), it.count)).collect();
        assert_eq!(summary, expected, "seed {seed}, by {rule:?}\n{text}");
        found_any += summary.len();
    }
    assert!(found_any > 300, "{found_any}: too tame");
}

/// The machines that each failure takes are those that it takes down or cuts off when it fails alone, and itself.
#[test]
fn failures_together_take_what_they_take_separately() {
    let mut found_any = 0;
    for seed in 7_000..7_000 + FLEETS {
        let text = Drawn::fleet(seed);
        let fleet = Fleet::of(&text);
        let snapshot = fleet.snapshot();
        let of_kinds = |kinds: &[&str]| {
            let mut found = everything(snapshot);
            found.retain(|object| kinds.contains(&snapshot.kind(object.kind).name));
            found
        };
        let mut members = of_kinds(&["Device", "VirtualMachine"]);
        // Any order of the machines will do.
        members.reverse();
        let network = of_kinds(&["Device"]);
        let failures = of_kinds(&["Rack", "PowerFeed", "Device", "Circuit", "Location"]);
        let query =
            TakenQuery { failures: &failures, network: &network, members: &members, max_steps: None, stop: None };
        let found = taken(snapshot, underlay_kinds::topology(), query).expect("an answer");
        let named = |(failure, taken): &(ObjectRef, Vec<u32>)| {
            let taken: BTreeSet<String> = taken.iter().map(|at| name(snapshot, members[*at as usize])).collect();
            (name(snapshot, *failure), taken)
        };
        let summary: BTreeMap<String, BTreeSet<String>> = found.iter().map(named).collect();
        // Every device stands in the site, so those that were up before are those that its failure takes down.
        let of_site = ImpactQuery { of: of_kinds(&["Site"]), ..ImpactQuery::default() };
        let all = ask(snapshot, &of_site).expect("an answer");
        let was_up = |object: &ObjectRef| all.affected().iter().any(|affected| affected.object == *object);
        let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for failure in &failures {
            let question = ImpactQuery { of: vec![*failure], ..ImpactQuery::default() };
            let effects = ask(snapshot, &question).expect("an answer");
            let gone = effects.affected().iter().filter(|affected| affected.effect != Effect::Degraded);
            let itself = [*failure].into_iter().filter(was_up);
            let gone = gone.map(|affected| affected.object).chain(itself).filter(|object| members.contains(object));
            let gone: BTreeSet<String> = gone.map(|object| name(snapshot, object)).collect();
            if !gone.is_empty() {
                found_any += gone.len();
                expected.insert(name(snapshot, *failure), gone);
            }
        }
        assert_eq!(summary, expected, "seed {seed}\n{text}");
    }
    assert!(found_any > 2_000, "{found_any}: too tame");
}

/// Equal queries have answers in equal order, so that pages of an answer can be computed again.
#[test]
fn equal_queries_have_answers_in_equal_order() {
    let mut several = 0;
    for seed in 5_000..5_000 + FLEETS {
        let Fleet { world, .. } = Fleet::of(&Drawn::fleet(seed));
        for object in everything(&world.snapshot) {
            let question = ImpactQuery { of: vec![object], ..ImpactQuery::default() };
            let summary = || {
                let found = ask(&world.snapshot, &question).expect("an answer");
                let summary = |it: &Affected| (it.object, it.effect, it.rule, found.because(it).to_vec());
                found.affected().iter().map(summary).collect::<Vec<_>>()
            };
            let first = summary();
            let by_network = first.iter().filter(|(_, _, rule, _)| *rule == Rule::Network).count();
            if by_network < 2 {
                continue;
            }
            several += 1;
            for _ in 0..4 {
                assert_eq!(summary(), first, "fleet {seed}, {}", name(&world.snapshot, object));
            }
        }
    }
    assert!(several > 50, "only {several} failures cut several off");
}
