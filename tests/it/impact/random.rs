//! Random small fleets with random failures: the answer equals that of the naive rules, and each effect has a cause.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use underlay::kinds;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::{
    Affected, Effect, Impact, ImpactQuery, Rule, SinglePointQuery, TakenQuery, single_points, taken,
};
use uuid::Uuid;

use super::naive::Naive;
use super::{Fleet, ask, assert_explained, name};

/// The number of fleets in a test, and of failures of each.
const FLEETS: u64 = 100;
const FAILURES: usize = 6;

/// A random fleet, line by line.
pub struct Drawn {
    random: SmallRng,
    text: String,
    devices: Vec<String>,
    sources: Vec<String>,
    cables: usize,
}

impl Drawn {
    pub fn fleet(seed: u64) -> String {
        let random = SmallRng::seed_from_u64(seed);
        let mut drawn = Self { random, text: String::new(), devices: Vec::new(), sources: Vec::new(), cables: 0 };
        drawn.places();
        drawn.power();
        drawn.devices();
        drawn.network();
        drawn.outside();
        drawn.compute();
        drawn.text
    }

    fn line(&mut self, line: impl AsRef<str>) {
        writeln!(self.text, "{}", line.as_ref()).expect("a text grows");
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent, 100)
    }

    fn one(&mut self, list: &[&str]) -> String {
        (*list.choose(&mut self.random).expect("a list")).to_owned()
    }

    fn status(&mut self) -> &'static str {
        match self.random.random_range(0..24) {
            0 => " status=PLANNED",
            1 => " status=FAILED",
            2 => " status=STAGED",
            3 => " status=DECOMMISSIONING",
            _ => "",
        }
    }

    fn places(&mut self) {
        self.line("location hall");
        self.line("location row parent=hall");
        for rack in ["A", "B", "C"] {
            let location = if self.chance(50) { " location=row" } else { "" };
            let status = self.status();
            self.line(format!("rack {rack}{location}{status}"));
        }
    }

    fn power(&mut self) {
        self.line("feed f1");
        let upstream = if self.chance(50) { " < f1" } else { "" };
        self.line(format!("feed f2{upstream}"));
        if self.chance(50) {
            self.line("ups u1 < f1");
            self.line("feed f3 < u1:out");
            self.sources.push("f3".to_owned());
        }
        self.sources.extend(["f1", "f2"].map(str::to_owned));
        for number in 1..=3 {
            let count = self.random.random_range(1..=2);
            let feeds: Vec<String> = self.sources.iter().filter(|it| it.starts_with('f')).cloned().collect();
            let feeds: Vec<String> =
                (0..count).map(|_| feeds.choose(&mut self.random).expect("feeds").clone()).collect();
            let status = self.status();
            self.line(format!("pdu p{number}{status} < {}", feeds.join(" ")));
            self.sources.push(format!("p{number}"));
        }
    }

    fn devices(&mut self) {
        self.line("cluster k");
        let roles = [
            "server",
            "server",
            "server",
            "leaf",
            "leaf",
            "spine",
            "switch",
            "border_router",
            "storage",
            "firewall",
            "console_server",
            "chassis",
            "other",
        ];
        let count = self.random.random_range(4..=11);
        for number in 0..count {
            let role = self.one(&roles);
            let name = format!("d{number}");
            let mut line = format!("{role} {name}{}", self.status());
            let parent = self.devices.choose(&mut self.random).cloned().filter(|_| self.random.random_ratio(1, 6));
            match parent {
                Some(parent) => line += &format!(" parent={parent}"),
                None if self.chance(50) => line += &format!(" rack={}", self.one(&["A", "B", "C"])),
                None if self.chance(30) => line += " location=row",
                None => {}
            }
            if self.chance(30) {
                line += &format!(" inlets={}", self.random.random_range(1..=2));
            }
            if self.chance(8) {
                line += " plane=MANAGEMENT";
            }
            if self.chance(10) {
                line += &format!(" forwards={}", self.random.random_bool(0.5));
            }
            if self.chance(40) {
                line += " cluster=k";
            }
            let inlets = self.random.random_range(0..=3);
            if inlets > 0 {
                line += " <";
                for _ in 0..inlets {
                    let source = self.sources.choose(&mut self.random).expect("sources").clone();
                    let source = if self.chance(8) { "?".to_owned() } else { source };
                    line += &format!(" {source}");
                }
            }
            self.line(line);
            self.devices.push(name);
        }
    }

    fn two(&mut self) -> (String, String) {
        let pair: Vec<String> = self.devices.choose_multiple(&mut self.random, 2).cloned().collect();
        (pair[0].clone(), pair[1].clone())
    }

    fn cable(&mut self) -> String {
        self.cables += 1;
        let planned = if self.chance(8) { " status=PLANNED" } else { "" };
        format!("cable=c{}{planned}", self.cables)
    }

    fn network(&mut self) {
        self.line("patch_panel pp1 rack=A");
        self.line("patch_panel pp2 rack=B");
        self.line("trunk t pp1 = pp2 3");
        let count = self.devices.len() + self.random.random_range(0..6);
        for _ in 0..count {
            let (a, b) = self.two();
            let cable = self.cable();
            self.line(format!("{a} -- {b} {cable}"));
        }
        for strand in 1..=self.random.random_range(0..=3) {
            let (a, b) = self.two();
            let (near, far) = (self.cable(), self.cable());
            self.line(format!("{a} -- pp1:t-{strand} {near}"));
            self.line(format!("{b} -- pp2:t-{strand} {far}"));
        }
        if self.chance(40) {
            let count = self.random.random_range(3..=4).min(self.devices.len());
            let ends: Vec<String> = self.devices.choose_multiple(&mut self.random, count).cloned().collect();
            self.line(format!("cable breakout {} -- {}", ends[0], ends[1..].join(" ")));
        }
        if self.chance(50) {
            let (a, b) = self.two();
            self.line(format!("lag {a}:bond of {a}:m1 {a}:m2"));
            let (first, second) = (self.cable(), self.cable());
            self.line(format!("{a}:m1 -- {b} {first}"));
            if self.chance(70) {
                self.line(format!("{a}:m2 -- {b} {second}"));
            }
        }
    }

    fn outside(&mut self) {
        self.line("provider x");
        self.line("provider y");
        self.line("network nx of x");
        self.line("network ny of y");
        for number in 0..self.random.random_range(0..=3) {
            let (provider, network) = if self.chance(50) { ("x", "nx") } else { ("y", "ny") };
            let (a, b) = self.two();
            let kind = self.one(&["TRANSIT", "PROVIDER_CIRCUIT", "CROSS_CONNECT"]);
            let far = match self.random.random_range(0..5) {
                0 | 1 => format!("net:{network}"),
                2 => "nowhere".to_owned(),
                3 => "site:s".to_owned(),
                _ => b,
            };
            let status = self.status();
            self.line(format!("circuit q{number} of {provider} {kind} {a} -> {far}{status}"));
        }
    }

    fn compute(&mut self) {
        for number in 0..self.random.random_range(0..=3) {
            let device = self.devices.choose(&mut self.random).expect("devices").clone();
            let home = match self.random.random_range(0..3) {
                0 => format!("host={device}"),
                1 => "cluster=k".to_owned(),
                _ => "provider=x".to_owned(),
            };
            let status = self.status();
            self.line(format!("vm v{number} {home}{status}"));
            if self.chance(50) {
                self.line(format!("host hv{number} on virtualMachine v{number}"));
            }
        }
        if self.chance(50) {
            let device = self.devices.choose(&mut self.random).expect("devices").clone();
            self.line(format!("host hd on device {device}"));
        }
        if self.chance(60) {
            let (a, b) = self.two();
            let cables = if self.cables > 1 && self.chance(60) { " c1 c2" } else { "" };
            self.line(format!("link l1 device {a} device {b}{cables}"));
            self.line(format!("link l2 device {a} cluster k"));
        }
    }
}

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
        let found = single_points(snapshot, kinds::topology(), query).expect("an answer");
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
        let found = taken(snapshot, kinds::topology(), query).expect("an answer");
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
