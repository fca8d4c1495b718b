//! The life of parts against a plain model: many hosts, with parts that move, are pulled, lie in store, and have doubles.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use underlay_entity::hardware_event::{HardwareChange, Model as Event};

use super::tests::{Fleet, Said, name, serial};

const HOSTS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];
const SLOTS: usize = 5;
const PARTS: usize = 16;
const ROUNDS: usize = 12;
const SEEDS: u64 = 60;
const STEPS: usize = 400;

/// A slot of a host.
type Slot = (char, usize);

/// The places of parts in truth. A part in store is in none.
struct Truth {
    random: StdRng,
    modules: BTreeMap<Slot, String>,
    store: Vec<String>,
}

impl Truth {
    fn new(seed: u64, doubles: usize) -> Self {
        let serials =
            (0..PARTS).map(|number| format!("P{number}")).chain((0..doubles).map(|number| format!("P{number}")));
        let mut truth =
            Self { random: StdRng::seed_from_u64(seed), modules: BTreeMap::new(), store: serials.collect() };
        for _ in 0..PARTS {
            truth.put_in();
        }
        truth
    }

    /// Takes some part out of its host.
    fn pull(&mut self) {
        let slots: Vec<Slot> = self.modules.keys().copied().collect();
        let Some(slot) = slots.choose(&mut self.random) else { return };
        self.store.extend(self.modules.remove(slot));
    }

    /// Puts some part of the store into a free slot. No host has two of one serial number.
    fn put_in(&mut self) {
        if self.store.is_empty() {
            return;
        }
        let at = self.random.random_range(0..self.store.len());
        let part = self.store.swap_remove(at);
        let has_double = |host: char| self.modules.iter().any(|((of, _), serial)| *of == host && *serial == part);
        let slots =
            HOSTS.iter().filter(|host| !has_double(**host)).flat_map(|host| (0..SLOTS).map(|slot| (*host, slot)));
        let free: Vec<Slot> = slots.filter(|slot| !self.modules.contains_key(slot)).collect();
        match free.choose(&mut self.random) {
            Some(slot) => drop(self.modules.insert(*slot, part)),
            None => self.store.push(part),
        }
    }

    /// Returns what a host says. An incomplete report does not show some parts.
    fn said(&mut self, host: char, is_complete: bool, version: u32) -> Said {
        let of_host: Vec<_> = self.modules.iter().filter(|((of, _), _)| *of == host).collect();
        let mut modules: BTreeMap<String, String> =
            of_host.iter().map(|((_, slot), serial)| (slot.to_string(), (*serial).clone())).collect();
        modules.retain(|_, _| is_complete || self.random.random_bool(0.7));
        Said { host, version, is_complete, modules }
    }

    fn places(&self) -> BTreeSet<(String, char, String)> {
        self.modules.iter().map(|((host, slot), serial)| (serial.clone(), *host, slot.to_string())).collect()
    }

    fn hosts(&self) -> BTreeMap<String, char> {
        self.modules.iter().map(|((host, _), serial)| (serial.clone(), *host)).collect()
    }
}

/// A part that moved: its serial number, and from which host to which.
type Move = (String, char, char);

fn moves(events: &[Event]) -> Vec<Move> {
    let moved = events.iter().filter(|event| event.change == HardwareChange::Moved);
    let part = |event: &Event| Some(serial(event.after.as_ref()?["serial"].as_str()?));
    moved
        .map(|event| {
            let from = event.from_host_id.expect("a host from which it moved");
            (part(event).expect("a serial number"), name(from), name(event.host_id))
        })
        .collect()
}

/// In each round some parts change their places, and then all hosts report, in any order and again and again. What moved
/// is told once, and nothing else is.
#[test]
fn each_move_is_told_once_in_any_order_of_reports() {
    for seed in 0..SEEDS {
        let (mut truth, mut fleet) = (Truth::new(seed, 0), Fleet::default());
        let mut last: BTreeMap<String, char> = BTreeMap::new();
        for round in 0..ROUNDS {
            let hosts = truth.hosts();
            let came = hosts.iter().filter_map(|(part, host)| Some((part.clone(), *last.get(part)?, *host)));
            let mut expected: Vec<Move> = came.filter(|(_, from, to)| from != to).collect();
            last.extend(hosts);

            let mut told = Vec::new();
            for (host, is_complete) in turns(&mut truth.random, round) {
                told.extend(moves(&fleet.report(&truth.said(host, is_complete, 1))));
            }
            told.sort();
            expected.sort();
            assert_eq!(told, expected, "seed {seed}, round {round}");
            assert_eq!(fleet.places(), truth.places(), "seed {seed}, round {round}");

            let count = truth.random.random_range(0..6);
            (0..count).for_each(|_| truth.pull());
            let count = truth.random.random_range(0..6);
            (0..count).for_each(|_| truth.put_in());
        }
    }
}

/// Returns the hosts in the order in which they report in a round, and whether their reports are complete. The last ones
/// of each host are. The first round has the first facts of all.
fn turns(random: &mut StdRng, round: usize) -> Vec<(char, bool)> {
    let mut open: Vec<(char, Vec<bool>)> = HOSTS
        .iter()
        .map(|host| {
            let unclear = if round == 0 { 0 } else { random.random_range(0..3) };
            let mut turns: Vec<bool> = (0..unclear).map(|_| random.random_bool(0.3)).collect();
            turns.extend([true; 3]);
            (*host, turns)
        })
        .collect();
    open.shuffle(random);
    let mut turns = Vec::new();
    while !open.is_empty() {
        let at = random.random_range(0..open.len());
        let (host, left) = &mut open[at];
        turns.push((*host, left.remove(0)));
        if left.is_empty() {
            open.remove(at);
        }
    }
    turns
}

/// The knowledge of one host that its reports give.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The parts that it has, with their slots.
    has: BTreeMap<String, String>,
    /// The number of times that each part came.
    arrivals: BTreeMap<String, usize>,
    /// The number of times that it had come when it was told last.
    told: BTreeMap<String, usize>,
}

/// Parts change their places at any time, some have doubles, and agents are renewed. A move is told at most once for each
/// arrival, from a host that had the part, and only while no other host has it.
#[test]
fn nothing_is_told_twice_or_while_two_hosts_have_it() {
    let mut count = 0;
    for seed in 0..SEEDS {
        let (mut truth, mut fleet) = (Truth::new(seed, 3), Fleet::default());
        let mut known: BTreeMap<char, Known> = HOSTS.iter().map(|host| (*host, Known::default())).collect();
        let mut versions: BTreeMap<char, u32> = HOSTS.iter().map(|host| (*host, 1)).collect();
        let mut steps: Vec<Option<char>> = vec![None; STEPS];
        // In the end all report what there is.
        steps.extend(HOSTS.iter().cycle().take(3 * HOSTS.len()).map(|host| Some(*host)));
        for (step, end) in steps.into_iter().enumerate() {
            match (end, truth.random.random_range(0..10)) {
                (None, 0..2) => truth.pull(),
                (None, 2..4) => truth.put_in(),
                _ => {
                    let host = end.unwrap_or(HOSTS[truth.random.random_range(0..HOSTS.len())]);
                    let version = versions.get_mut(&host).expect("a version");
                    *version += u32::from(truth.random.random_bool(0.03));
                    let is_complete = end.is_some() || truth.random.random_bool(0.8);
                    let said = truth.said(host, is_complete, *version);
                    known.get_mut(&host).expect("a host").learn(&said);
                    for told in moves(&fleet.report(&said)) {
                        check(&mut known, &told, &format!("seed {seed}, step {step}: {told:?}"));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(fleet.places(), truth.places(), "seed {seed}");
    }
    assert!(count > 1_000, "only {count} moves");
}

impl Known {
    fn learn(&mut self, said: &Said) {
        for serial in said.modules.values().filter(|serial| !self.has.contains_key(*serial)) {
            *self.arrivals.entry(serial.clone()).or_default() += 1;
        }
        // Another part in the slot of one says that this one is gone, also in an incomplete report.
        self.has.retain(|_, slot| !said.is_complete && !said.modules.contains_key(slot));
        self.has.extend(said.modules.iter().map(|(slot, serial)| (serial.clone(), slot.clone())));
    }
}

fn check(known: &mut BTreeMap<char, Known>, (part, from, to): &Move, place: &str) {
    assert_ne!(from, to, "{place}");
    assert!(known[from].arrivals.contains_key(part), "{place}: it was never there");
    let having: Vec<char> =
        known.iter().filter(|(_, known)| known.has.contains_key(part)).map(|(host, _)| *host).collect();
    assert_eq!(having, [*to], "{place}");
    let known = known.get_mut(to).expect("a host");
    let arrival = known.arrivals[part];
    assert_ne!(known.told.insert(part.clone(), arrival), Some(arrival), "{place}: it was told");
}
