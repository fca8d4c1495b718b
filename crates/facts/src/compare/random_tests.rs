//! Random tests: a machine that people work at, compared with a plain bookkeeping of what is known of it, and reports that
//! no firmware should make.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

use super::*;
use crate::parts::{
    Device, Disk, Fan, Firmware, Gpu, Interface, Memory, MemoryModule, Neighbour, PartHealth, PowerSupply, Processor,
};

const STEPS: u32 = 6_000;
/// The number of steps after which the machine is another one.
const STEPS_OF_A_MACHINE: u32 = 50;
/// The places of a section.
const PLACES: usize = 3;
/// The sections of parts that come and go, in the order of their events.
const SECTIONS: [Part; 9] = [
    Part::Memory,
    Part::Disk,
    Part::Interface,
    Part::Device,
    Part::Gpu,
    Part::Neighbour,
    Part::PowerSupply,
    Part::Fan,
    Part::Firmware,
];

/// A part that the machine has, or that was seen. Its number is its identity.
#[derive(Clone, Debug)]
struct Thing {
    number: u32,
    firmware: u32,
    is_failing: bool,
    carrier: Option<bool>,
    carrier_changes: u64,
}

/// The knowledge of a part that was seen.
#[derive(Clone, Debug)]
struct Seen {
    thing: Thing,
    place: usize,
    at: u32,
    /// True if a complete section lacked it.
    is_lacked: bool,
}

/// The way in which a report shows a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Complete,
    Incomplete,
    Absent,
}

/// A section of the machine, and the bookkeeping of what was seen of it.
#[derive(Debug)]
struct SectionModel {
    part: Part,
    things: BTreeMap<usize, Thing>,
    seen: BTreeMap<u32, Seen>,
    look: Look,
    was_complete: bool,
}

#[derive(Debug)]
struct Machine {
    sections: Vec<SectionModel>,
    boot: u32,
    uncorrected: u64,
    next_number: u32,
    now: u32,
    /// The boot that the last report said, and its errors of memory.
    told: (Option<u32>, Option<u64>),
}

/// An event without its values.
type Short = (Part, PartChange, String);

fn place_of(part: Part, place: usize) -> String {
    format!("{part:?} place {place}")
}

impl Machine {
    fn new() -> Self {
        let section = |part| SectionModel {
            part,
            things: BTreeMap::new(),
            seen: BTreeMap::new(),
            look: Look::Absent,
            was_complete: false,
        };
        let sections = SECTIONS.map(section).into();
        Self { sections, boot: 1, uncorrected: 0, next_number: 1, now: 0, told: (None, None) }
    }

    /// Does something to the machine.
    fn work(&mut self, random: &mut StdRng) {
        let place = random.random_range(0..PLACES);
        let section = &mut self.sections[random.random_range(0..SECTIONS.len())];
        match random.random_range(0..20) {
            0 => drop(section.things.remove(&place)),
            1..=6 => {
                let firmware = random.random_range(1..3);
                let carrier = Some(random.random());
                let is_failing = random.random_ratio(1, 4);
                let thing = Thing { number: self.next_number, firmware, is_failing, carrier, carrier_changes: 1 };
                self.next_number += 1;
                section.things.insert(place, thing);
            }
            7 | 8 => {
                let (one, other) = (section.things.remove(&place), section.things.remove(&((place + 1) % PLACES)));
                section.things.extend(one.map(|thing| ((place + 1) % PLACES, thing)));
                section.things.extend(other.map(|thing| (place, thing)));
            }
            9 | 10 => section.things.values_mut().for_each(|thing| thing.firmware = random.random_range(1..3)),
            11 | 12 => section.things.values_mut().for_each(|thing| thing.is_failing = random.random()),
            13..=17 => section.things.values_mut().for_each(|thing| {
                thing.carrier = *[None, Some(true), Some(false)].choose(random).expect("a carrier");
                thing.carrier_changes += random.random_range(0..3);
            }),
            18 => self.uncorrected += 1,
            _ => self.boot(random),
        }
    }

    fn boot(&mut self, random: &mut StdRng) {
        self.boot += 1;
        self.uncorrected = random.random_range(0..2);
        for thing in self.sections.iter_mut().flat_map(|section| section.things.values_mut()) {
            thing.carrier_changes = random.random_range(0..4);
        }
    }

    /// Returns a report, and the events that the bookkeeping expects of it.
    fn report(&mut self, random: &mut StdRng) -> (Report, Vec<Short>) {
        self.now += 1;
        let boot = random.random_ratio(9, 10).then_some(self.boot);
        let is_same_boot = boot.is_some() && boot == self.told.0;
        let mut report = json!({
            "format": 1, "agent": {"version": "1"}, "observedAt": "2026-11-01T10:00:00Z",
            "system": {"complete": true, "found": {"bootId": boot.map(|boot| boot.to_string())}},
        });
        let mut events = Vec::new();
        for section in &mut self.sections {
            let looks = [Look::Complete, Look::Complete, Look::Incomplete, Look::Incomplete, Look::Absent];
            let look = *looks.choose(random).expect("a look");
            let is_shown = |_: &usize| look == Look::Complete || (look == Look::Incomplete && random.random());
            let shown: BTreeSet<usize> = section.things.keys().copied().filter(is_shown).collect();
            let (name, parts) = section.json(&shown, self.boot, random);
            let found = match section.part {
                Part::Memory => json!({"modules": parts, "errors": {"corrected": 0, "uncorrected": self.uncorrected}}),
                _ => parts.into(),
            };
            if let Some(text) = look.section(&found) {
                report[name] = text;
            }
            events.extend(section.look_at(&shown, look, is_same_boot, self.now));
        }
        events.extend(self.errors(boot));
        (serde_json::from_value(report).expect("a report"), events)
    }

    /// Notes what a report says of the errors of memory, and returns their event.
    fn errors(&mut self, boot: Option<u32>) -> Option<Short> {
        let (told_boot, told_errors) = self.told;
        let errors = (self.sections[0].look != Look::Absent).then_some(self.uncorrected);
        self.told = (boot, errors);
        let least = if boot? == told_boot? { told_errors? } else { 0 };
        (errors? > least).then(|| (Part::Memory, PartChange::Failing, "memory".to_owned()))
    }
}

impl Look {
    /// Returns the JSON of a section in which some parts were found.
    fn section(self, found: &Value) -> Option<Value> {
        let unread = json!([{"what": "a folder", "reason": "permission denied"}]);
        match self {
            Self::Complete => Some(json!({"complete": true, "found": found})),
            Self::Incomplete => Some(json!({"complete": false, "unread": unread, "found": found})),
            Self::Absent => None,
        }
    }
}

impl SectionModel {
    /// Returns the name of the section, and the JSON of the parts that are shown, in any order.
    fn json(&self, shown: &BTreeSet<usize>, boot: u32, random: &mut StdRng) -> (&'static str, Vec<Value>) {
        let mut names: Vec<usize> = (0..PLACES).collect();
        // At each boot the kernel names the parts anew.
        names.shuffle(&mut StdRng::seed_from_u64(boot.into()));
        let of = |place: &usize| {
            let thing = &self.things[place];
            let (name, serial) = (format!("name{}", names[*place]), thing.number.to_string());
            let (place, firmware) = (place_of(self.part, *place), thing.firmware.to_string());
            let health = if thing.is_failing { "FAILING" } else { "PASSED" };
            let health_by_bmc = if thing.is_failing { "CRITICAL" } else { "OK" };
            match self.part {
                Part::Memory => json!({"slot": place, "serial": serial, "manufacturer": "M", "partNumber": "P"}),
                Part::Disk => json!({
                    "name": name, "serial": serial, "place": place, "firmwareVersion": firmware, "health": health,
                }),
                Part::Device => {
                    json!({"place": place, "vendor": "15b3", "device": serial, "linkWidth": thing.firmware})
                }
                Part::Gpu => json!({
                    "place": place, "serial": serial, "firmwareVersion": firmware, "offBus": thing.is_failing,
                }),
                Part::Neighbour => json!({
                    "interface": place, "chassisId": "C", "portId": serial, "systemName": firmware,
                }),
                Part::PowerSupply => json!({
                    "place": place, "serial": serial, "firmwareVersion": firmware, "health": health_by_bmc,
                }),
                Part::Fan => json!({"place": place, "serial": serial, "health": health_by_bmc}),
                Part::Firmware => json!({"name": place, "version": firmware}),
                _ => json!({
                    "name": name, "permanentMac": serial, "place": place, "firmwareVersion": firmware,
                    "carrier": thing.carrier, "carrierChanges": thing.carrier_changes,
                }),
            }
        };
        let mut found: Vec<Value> = shown.iter().map(of).collect();
        found.shuffle(random);
        let name = match self.part {
            Part::Memory => "memory",
            Part::Disk => "disks",
            Part::Device => "devices",
            Part::Gpu => "gpus",
            Part::Neighbour => "neighbours",
            Part::PowerSupply => "powerSupplies",
            Part::Fan => "fans",
            Part::Firmware => "firmware",
            _ => "interfaces",
        };
        (name, found)
    }

    /// Returns the number by which the thing at a place is known. What cannot be taken along is another thing elsewhere, and
    /// firmware is known by its place alone.
    fn number_at(&self, place: usize) -> u32 {
        let number = self.things[&place].number;
        match self.part {
            Part::Device | Part::Neighbour => number * PLACES as u32 + place as u32,
            Part::Firmware => place as u32,
            _ => number,
        }
    }

    /// Notes what a report shows, and returns the events in any order.
    fn look_at(&mut self, shown: &BTreeSet<usize>, look: Look, is_same_boot: bool, now: u32) -> Vec<Short> {
        let is_new_told = self.was_complete || (self.look == Look::Incomplete && look == Look::Incomplete);
        let numbers: BTreeSet<u32> = shown.iter().map(|place| self.number_at(*place)).collect();
        let mut events = Vec::new();
        let mut gone = BTreeSet::new();
        for place in shown {
            let thing = &self.things[place];
            let last = self.last_at(*place).filter(|number| !numbers.contains(number));
            if let Some(seen) = self.seen.get(&self.number_at(*place)) {
                events.extend(self.of_same(seen, *place, thing, is_same_boot && seen.at + 1 == now));
            } else {
                let is_replaced = last.is_some_and(|number| gone.insert(number));
                let change = if is_replaced { PartChange::Replaced } else { PartChange::Added };
                events.extend((is_replaced || is_new_told).then(|| (self.part, change, place_of(self.part, *place))));
                events.extend(self.failing(*place, thing));
            }
        }

        let lost: Vec<u32> =
            self.seen.keys().copied().filter(|it| !numbers.contains(it) && !gone.contains(it)).collect();
        for seen in self.seen.values_mut().filter(|it| look == Look::Complete && lost.contains(&it.thing.number)) {
            if seen.is_lacked {
                gone.insert(seen.thing.number);
                events.push((self.part, PartChange::Removed, place_of(self.part, seen.place)));
            }
            seen.is_lacked = true;
        }
        self.seen.retain(|number, _| !gone.contains(number));
        for place in shown {
            let thing = Thing { number: self.number_at(*place), ..self.things[place].clone() };
            self.seen.insert(thing.number, Seen { thing, place: *place, at: now, is_lacked: false });
        }
        self.look = look;
        self.was_complete |= look == Look::Complete;
        events
    }

    /// Returns what happened to a part that was seen before.
    fn of_same(&self, seen: &Seen, place: usize, thing: &Thing, is_counted_on: bool) -> Vec<Short> {
        let name = place_of(self.part, place);
        let heals = self.can_fail() && seen.thing.is_failing && !thing.is_failing;
        let is_other_version = seen.thing.firmware != thing.firmware;
        let has_firmware =
            matches!(self.part, Part::Disk | Part::Interface | Part::Gpu | Part::PowerSupply | Part::Firmware);
        let is_updated = has_firmware && is_other_version;
        // Devices and neighbours say the number as something else of themselves.
        let says_other = matches!(self.part, Part::Device | Part::Neighbour) && is_other_version;
        let changed =
            (seen.place != place || heals || says_other).then(|| (self.part, PartChange::Changed, name.clone()));
        let firmware = is_updated.then(|| (Part::Firmware, PartChange::Changed, name.clone()));
        let failing = self.failing(place, thing).filter(|_| !seen.thing.is_failing);
        let link = self.link(seen, thing, is_counted_on).map(|change| (self.part, change, name));
        [changed, firmware, failing, link].into_iter().flatten().collect()
    }

    fn can_fail(&self) -> bool {
        matches!(self.part, Part::Disk | Part::Gpu | Part::PowerSupply | Part::Fan)
    }

    fn failing(&self, place: usize, thing: &Thing) -> Option<Short> {
        (self.can_fail() && thing.is_failing).then(|| (self.part, PartChange::Failing, place_of(self.part, place)))
    }

    /// Returns the part that was last seen at a place and that another one can replace there.
    fn last_at(&self, place: usize) -> Option<u32> {
        if self.part == Part::Neighbour {
            return None;
        }
        let there = self.seen.values().filter(|seen| seen.place == place);
        there.max_by_key(|seen| seen.at).map(|seen| seen.thing.number)
    }

    fn link(&self, seen: &Seen, thing: &Thing, is_counted_on: bool) -> Option<PartChange> {
        let is_interface = self.part == Part::Interface;
        let (was_up, is_up) = seen.thing.carrier.zip(thing.carrier).filter(|_| is_interface)?;
        let flapped = is_counted_on && thing.carrier_changes > seen.thing.carrier_changes;
        let change = if is_up { PartChange::LinkUp } else { PartChange::LinkDown };
        (was_up != is_up || flapped).then_some(change)
    }
}

/// Returns events by section and place, and those of one place by their names: the bookkeeping has none of these orders.
fn sorted(mut events: Vec<Short>) -> Vec<Short> {
    let order = |(part, change, place): &Short| (rank(place), format!("{part:?} {change:?}"));
    events.sort_by_key(order);
    events
}

/// Returns by what events are ordered: the section, and the place in it.
fn rank(place: &str) -> (Option<usize>, String) {
    (SECTIONS.iter().position(|part| place.starts_with(&format!("{part:?}"))), place.to_owned())
}

#[test]
fn a_machine_that_people_work_at_is_told_as_a_plain_bookkeeping_has_it() {
    let seed = rand::random();
    println!("seed {seed}");
    let random = &mut StdRng::seed_from_u64(seed);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..STEPS / STEPS_OF_A_MACHINE {
        let mut machine = Machine::new();
        let (mut before, _) = machine.report(random);
        let mut missing = MissingParts::default();
        for step in 0..STEPS_OF_A_MACHINE {
            (0..random.random_range(0..6)).for_each(|_| machine.work(random));
            let (after, expected) = machine.report(random);
            let comparison = compare(&before, &missing, &after);
            assert!(comparison.events.is_sorted_by_key(|event| rank(&event.place)), "seed {seed}, step {step}");
            let found = comparison.events.iter().map(|event| (event.part, event.change, event.place.clone())).collect();
            assert_eq!(
                sorted(found),
                sorted(expected),
                "seed {seed}, step {step}: {before:#?} {missing:#?} {after:#?}"
            );
            for event in &comparison.events {
                *counts.entry(format!("{:?} {:?}", event.part, event.change)).or_default() += 1;
            }
            same_again(&after, &comparison.missing, random);
            (before, missing) = (after, comparison.missing);
        }
    }
    assert!(counts.len() == 41 && counts.values().all(|count| *count > 5), "seed {seed}: {counts:#?}");
}

#[test]
fn reports_that_no_firmware_should_make_differ_in_nothing_from_themselves() {
    let seed = rand::random();
    println!("seed {seed}");
    let random = &mut StdRng::seed_from_u64(seed);
    let mut before = confused(random);
    let mut missing = MissingParts::default();
    for _ in 0..STEPS / 2 {
        let after = confused(random);
        let comparison = compare(&before, &missing, &after);
        same_again(&after, &comparison.missing, random);
        (before, missing) = (after, comparison.missing);
    }
}

/// Checks that a report differs in nothing from itself, in whatever order its parts are, and that it confirms what is
/// missing.
fn same_again(report: &Report, missing: &MissingParts, random: &mut StdRng) {
    let mut shuffled = report.clone();
    let sections = &mut shuffled.sections;
    sections.processors.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.memory.iter_mut().for_each(|section| section.found.modules.shuffle(random));
    sections.disks.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.interfaces.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.devices.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.gpus.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.neighbours.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.power_supplies.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.fans.iter_mut().for_each(|section| section.found.shuffle(random));
    sections.firmware.iter_mut().for_each(|section| section.found.shuffle(random));
    for again in [report, &shuffled] {
        let comparison = compare(report, &MissingParts::default(), again);
        assert_eq!(comparison, Comparison::default(), "{report:#?} {again:#?}");

        let comparison = compare(report, missing, again);
        let is_removal = |event: &PartEvent| event.change == PartChange::Removed;
        assert!(comparison.events.iter().all(is_removal), "{:#?} {report:#?} {missing:#?}", comparison.events);
        assert_eq!(comparison.events.len(), confirmed(report, missing), "{report:#?} {missing:#?}");
        if all_complete(report) {
            assert!(comparison.missing.is_empty(), "{report:#?} {missing:#?}");
        }
        let third = compare(again, &comparison.missing, report);
        assert_eq!(third, Comparison { events: Vec::new(), missing: comparison.missing }, "{report:#?} {missing:#?}");
    }
}

/// The number of missing parts whose section is complete.
fn confirmed(report: &Report, missing: &MissingParts) -> usize {
    let sections = &report.sections;
    let of = |is_complete: Option<bool>, count: usize| if is_complete == Some(true) { count } else { 0 };
    of(sections.processors.as_ref().map(|it| it.complete), missing.processors.lacked.len())
        + of(sections.memory.as_ref().map(|it| it.complete), missing.modules.lacked.len())
        + of(sections.disks.as_ref().map(|it| it.complete), missing.disks.lacked.len())
        + of(sections.interfaces.as_ref().map(|it| it.complete), missing.interfaces.lacked.len())
        + of(sections.devices.as_ref().map(|it| it.complete), missing.devices.lacked.len())
        + of(sections.gpus.as_ref().map(|it| it.complete), missing.gpus.lacked.len())
        + of(sections.neighbours.as_ref().map(|it| it.complete), missing.neighbours.lacked.len())
        + of(sections.power_supplies.as_ref().map(|it| it.complete), missing.supplies.lacked.len())
        + of(sections.fans.as_ref().map(|it| it.complete), missing.fans.lacked.len())
        + of(sections.firmware.as_ref().map(|it| it.complete), missing.firmware.lacked.len())
}

fn all_complete(report: &Report) -> bool {
    let sections = &report.sections;
    sections.processors.as_ref().is_some_and(|section| section.complete)
        && sections.memory.as_ref().is_some_and(|section| section.complete)
        && sections.disks.as_ref().is_some_and(|section| section.complete)
        && sections.interfaces.as_ref().is_some_and(|section| section.complete)
        && sections.devices.as_ref().is_some_and(|section| section.complete)
        && sections.gpus.as_ref().is_some_and(|section| section.complete)
        && sections.neighbours.as_ref().is_some_and(|section| section.complete)
        && sections.power_supplies.as_ref().is_some_and(|section| section.complete)
        && sections.fans.as_ref().is_some_and(|section| section.complete)
        && sections.firmware.as_ref().is_some_and(|section| section.complete)
}

/// Returns a report with few values, so that many parts share them.
fn confused(random: &mut StdRng) -> Report {
    let mut report: Report = serde_json::from_value(json!({
        "format": 1, "agent": {"version": "1"}, "observedAt": "2026-11-01T10:00:00Z",
        "system": {"complete": true, "found": {"bootId": any(random)}},
    }))
    .expect("a report");
    report.sections.processors = any_section(random, |random| Processor {
        socket: random.random_range(0..2),
        model: any(random),
        cores: random.random_range(1..3),
        ..Processor::default()
    });
    let modules = any_section(random, |random| MemoryModule {
        slot: any(random).unwrap_or_default(),
        serial: any(random),
        manufacturer: any(random),
        part_number: any(random),
        size_bytes: random.random_ratio(1, 2).then_some(random.random_range(1..3)),
        ..MemoryModule::default()
    });
    report.sections.memory = modules.map(|section| Section {
        complete: section.complete,
        found: Memory { modules: section.found, ..Memory::default() },
        ..Section::default()
    });
    report.sections.disks = any_section(random, |random| Disk {
        name: any(random).unwrap_or_default(),
        serial: any(random),
        model: any(random),
        wwn: any(random),
        place: any(random),
        firmware_version: any(random),
        ..Disk::default()
    });
    report.sections.interfaces = any_section(random, |random| Interface {
        name: any(random).unwrap_or_default(),
        permanent_mac: any(random),
        place: any(random),
        carrier: random.random_ratio(1, 2).then_some(random.random()),
        carrier_changes: random.random_ratio(1, 2).then_some(random.random_range(0..3)),
        ..Interface::default()
    });
    confuse_cards(&mut report, random);
    confuse_chassis(&mut report, random);
    report
}

/// Adds power supplies, fans and firmware with few values.
fn confuse_chassis(report: &mut Report, random: &mut StdRng) {
    let health = |random: &mut StdRng| {
        let all = [None, Some(PartHealth::Ok), Some(PartHealth::Warning), Some(PartHealth::Critical)];
        all.choose(random).copied().flatten()
    };
    report.sections.power_supplies = any_section(random, |random| PowerSupply {
        place: any(random).unwrap_or_default(),
        model: any(random),
        serial: any(random),
        capacity_watts: random.random_ratio(1, 2).then_some(random.random_range(1..3)),
        firmware_version: any(random),
        health: health(random),
        ..PowerSupply::default()
    });
    report.sections.fans = any_section(random, |random| Fan {
        place: any(random).unwrap_or_default(),
        model: any(random),
        serial: any(random),
        health: health(random),
        ..Fan::default()
    });
    report.sections.firmware = any_section(random, |random| Firmware {
        name: any(random).unwrap_or_default(),
        version: any(random),
        ..Firmware::default()
    });
}

/// Adds devices, GPUs and neighbours with few values.
fn confuse_cards(report: &mut Report, random: &mut StdRng) {
    report.sections.devices = any_section(random, |random| Device {
        place: any(random).unwrap_or_default(),
        vendor: any(random),
        device: any(random),
        link_width: random.random_ratio(1, 2).then_some(random.random_range(1..3)),
        ..Device::default()
    });
    report.sections.gpus = any_section(random, |random| Gpu {
        place: any(random).unwrap_or_default(),
        device: any(random),
        serial: any(random),
        uuid: any(random),
        firmware_version: any(random),
        off_bus: random.random_ratio(1, 4),
        ..Gpu::default()
    });
    report.sections.neighbours = any_section(random, |random| Neighbour {
        interface: any(random).unwrap_or_default(),
        permanent_mac: any(random),
        chassis_id: any(random).unwrap_or_default(),
        port_id: any(random).unwrap_or_default(),
        system_name: any(random),
        ..Neighbour::default()
    });
}

fn any(random: &mut StdRng) -> Option<String> {
    [None, Some("a"), Some("b"), Some("c")].choose(random).copied().flatten().map(str::to_owned)
}

fn any_section<T>(random: &mut StdRng, mut part: impl FnMut(&mut StdRng) -> T) -> Option<Section<Vec<T>>> {
    let found = (0..random.random_range(0..6)).map(|_| part(random)).collect();
    let section = Section { complete: random.random_ratio(3, 4), ..Section::complete(found) };
    random.random_ratio(7, 8).then_some(section)
}
