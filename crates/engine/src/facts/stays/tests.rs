//! The life of parts by tables: reports of hosts, and what is told of each.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use serde_json::json;
use underlay_entity::facts::{FactsOrigin, Model as Row};
use underlay_entity::hardware_event::Model as Event;
use underlay_entity::{hardware_part, hardware_stay};
use underlay_facts::{MemoryModule, Report, Section};
use uuid::Uuid;

use super::{Stays, sighting};
use crate::facts::events::{Judge, Noise};
use crate::facts::packed;
use crate::store::{FactsJudge as _, FactsMeaning, KnownParts, PartRows, PartsMeaning, ReportedFacts};

/// The hosts of a test, as a server knows them. A host is a letter, a part is a serial number.
#[derive(Default)]
pub(super) struct Fleet {
    pub parts: BTreeMap<i64, hardware_part::Model>,
    pub stays: BTreeMap<i64, hardware_stay::Model>,
    facts: BTreeMap<char, ReportedFacts>,
    noise: Noise,
    second: i64,
}

/// A report of a test.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub host: char,
    pub version: u32,
    pub is_complete: bool,
    /// The slots with the serial numbers of their modules.
    pub modules: BTreeMap<String, String>,
}

impl Said {
    /// Reads a report: `A: 1=P 2=Q`, with `?` after the host if it is incomplete, and the version of the agent after a
    /// slash.
    fn read(text: &str) -> Self {
        let (who, modules) = text.split_once(':').expect("a host");
        let (host, version) = who.split_once('/').unwrap_or((who, "1"));
        let module = |text: &str| text.split_once('=').map(|(slot, serial)| (slot.to_owned(), serial.to_owned()));
        Self {
            host: host.chars().next().expect("a host"),
            version: version.parse().expect("a version"),
            is_complete: !host.ends_with('?'),
            modules: modules.split_whitespace().map(|text| module(text).expect("a slot")).collect(),
        }
    }

    fn report(&self) -> Report {
        let report =
            json!({"format": 1, "agent": {"version": self.version.to_string()}, "observedAt": "2026-11-01T10:00:00Z"});
        let mut report: Report = serde_json::from_value(report).expect("a report");
        let module = |(slot, serial): (&String, &String)| MemoryModule {
            slot: slot.clone(),
            serial: Some(format!("SN-{serial}")),
            part_number: Some("N16".to_owned()),
            manufacturer: Some("Maker".to_owned()),
            ..MemoryModule::default()
        };
        let modules = self.modules.iter().map(module).collect();
        let mut memory = Section::complete(underlay_facts::Memory { modules, ..underlay_facts::Memory::default() });
        if !self.is_complete {
            memory.lacks("/sys/firmware/dmi/tables/DMI", "permission denied");
        }
        report.sections.memory = Some(memory);
        report
    }
}

pub(super) fn id(host: char) -> Uuid {
    Uuid::from_u128(u128::from(u32::from(host)))
}

pub(super) fn name(host: Uuid) -> char {
    u32::try_from(host.as_u128()).ok().and_then(char::from_u32).expect("a host of the test")
}

impl Fleet {
    /// Gives the server a report. One that says the same again counts only while something is missing.
    pub fn report(&mut self, said: &Said) -> Vec<Event> {
        self.second += 60;
        let report = said.report();
        let digest = report.digest().expect("a digest");
        let before = self.facts.get(&said.host).cloned();
        let same = before.clone().filter(|it| it.row.digest == digest && it.row.program == report.agent.version);
        if same.as_ref().is_some_and(|same| !same.row.pending) {
            return Vec::new();
        }
        let is_again = same.is_some();
        let at = DateTime::from_timestamp(self.second, 0).expect("a time");
        let row = Row {
            disk_failing: false,
            memory_errors: false,
            summary: None,
            host_id: id(said.host),
            origin: FactsOrigin::Agent.number(),
            digest,
            program: report.agent.version.clone(),
            observed_at: at,
            received_at: at,
            since: at,
            pending: false,
            written_at: at,
        };
        let after = ReportedFacts { row, body: packed::pack(&report).expect("a body"), missing: None };
        let FactsMeaning { missing, summary: _, parts } =
            Judge(&self.noise).compare(before.as_ref(), &same.unwrap_or(after.clone()));

        let mut stays = Stays::new(self.known());
        let told = stays.apply(parts);
        let PartsMeaning { events, changed, lacking } = stays.into_meaning(told);
        self.parts.extend(changed.parts.into_iter().map(|part| (part.id, part)));
        self.stays.extend(changed.stays.into_iter().map(|stay| (stay.id, stay)));
        let pending = !is_again && (missing.is_some() || lacking.contains(&id(said.host)));
        let row = Row { pending, ..after.row };
        self.facts.insert(said.host, ReportedFacts { row, missing, ..after });
        events
    }

    fn known(&self) -> KnownParts {
        let rows =
            PartRows { parts: self.parts.values().cloned().collect(), stays: self.stays.values().cloned().collect() };
        let last_part = self.parts.keys().next_back().copied().unwrap_or(0);
        KnownParts { rows, last_part, last_stay: self.stays.keys().next_back().copied().unwrap_or(0) }
    }

    /// The parts that are in hosts: serial numbers, hosts and slots.
    pub fn places(&self) -> BTreeSet<(String, char, String)> {
        let open = self.stays.values().filter(|stay| stay.until_at.is_none());
        open.map(|stay| (serial(&self.parts[&stay.part_id].serial), name(stay.host_id), stay.place.clone())).collect()
    }
}

pub(super) fn serial(text: &str) -> String {
    text.trim_start_matches("SN-").to_owned()
}

/// An event in words, such as `MOVED P from A to B`.
fn words(event: &Event) -> String {
    let of = |part: &Option<serde_json::Value>| {
        part.as_ref().map(|part| serial(part["serial"].as_str().expect("a serial number"))).unwrap_or_default()
    };
    let (before, after, host) = (of(&event.before), of(&event.after), name(event.host_id));
    match (json!(event.change).as_str().expect("a change"), event.from_host_id) {
        ("MOVED", Some(from)) => format!("MOVED {after} from {} to {host}", name(from)),
        ("REPLACED", _) => format!("REPLACED {before} by {after} in {host}"),
        (change, _) => format!("{change} {before}{after} in {host}"),
    }
}

/// Plays reports, each with what is told of it.
fn plays(script: &[(&str, &[&str])]) -> Fleet {
    let mut fleet = Fleet::default();
    for (number, (said, expected)) in script.iter().enumerate() {
        let told: Vec<String> = fleet.report(&Said::read(said)).iter().map(words).collect();
        assert_eq!(told, *expected, "step {number}: {said}");
    }
    fleet
}

#[test]
fn a_part_moves_in_either_order_of_the_reports() {
    let old_first = plays(&[
        ("A: 1=P 2=Q", &[]),
        ("B: 1=Z", &[]),
        ("A: 2=Q", &[]),
        ("B: 1=Z 5=P", &["MOVED P from A to B"]),
        ("A: 2=Q", &[]),
        ("A: 2=Q 3=R", &["ADDED R in A"]),
    ]);
    let new_first = plays(&[
        ("A: 1=P 2=Q", &[]),
        ("B: 1=Z", &[]),
        ("B: 1=Z 5=P", &[]),
        ("A: 2=Q", &["MOVED P from A to B"]),
        ("A: 2=Q", &[]),
        ("A: 2=Q 3=R", &["ADDED R in A"]),
    ]);
    assert_eq!(old_first.places(), new_first.places());
    let ended: Vec<_> = old_first.stays.values().filter(|stay| stay.until_at.is_some()).collect();
    assert_eq!(ended.len(), 1);
    assert_eq!((name(ended[0].host_id), ended[0].place.as_str()), ('A', "1"));
}

#[test]
fn the_event_shows_the_part_in_both_places() {
    let mut fleet = plays(&[("A: 1=P", &[]), ("B:", &[]), ("A:", &[])]);
    let moved = fleet.report(&Said::read("B: 5=P")).remove(0);
    let at = |slot| Some(json!({"slot": slot, "partNumber": "N16", "serial": "SN-P", "manufacturer": "Maker"}));
    assert_eq!((moved.before, moved.after, moved.place.as_str()), (at("1"), at("5"), "5"));
}

#[test]
fn a_part_that_lay_in_store_moved_all_the_same() {
    plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("A:", &[]),
        ("A:", &["REMOVED P in A"]),
        ("B: 2=P", &["MOVED P from A to B"]),
        ("B:", &[]),
        ("B:", &["REMOVED P in B"]),
        ("B: 3=P", &["ADDED P in B"]),
    ]);
}

#[test]
fn nothing_is_told_while_two_hosts_have_it() {
    plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("C:", &[]),
        ("B: 1=P", &[]),
        ("C: 1=P", &[]),
        ("A:", &[]),
        ("A:", &["REMOVED P in A"]),
        ("B:", &["MOVED P from B to C"]),
        ("B:", &[]),
    ]);
}

/// Two parts of one serial number: the one that comes and goes was never the one that stays.
#[test]
fn a_double_that_comes_and_goes_moves_nowhere() {
    plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("B: 1=P", &[]),
        ("B:", &[]),
        ("B:", &["REMOVED P in B"]),
        ("B: 1=P", &[]),
        ("B:", &[]),
        ("B:", &["REMOVED P in B"]),
    ]);
}

#[test]
fn first_facts_tell_nothing_but_a_later_lack_does() {
    plays(&[("A: 1=P", &[]), ("B: 1=P", &[]), ("A:", &["MOVED P from A to B"]), ("A:", &[])]);
    plays(&[("A: 1=P", &[]), ("A:", &[]), ("B: 1=P", &[]), ("A:", &["MOVED P from A to B"])]);
}

#[test]
fn another_version_of_the_agent_tells_nothing() {
    plays(&[("A: 1=P", &[]), ("B:", &[]), ("B/2: 1=P", &[]), ("A:", &["MOVED P from A to B"])]);
    let fleet = plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("B: 1=P", &[]),
        ("A/2:", &[]),
        ("A/2:", &["MOVED P from A to B"]),
        ("A/2:", &[]),
    ]);
    assert_eq!(fleet.places(), BTreeSet::from([("P".to_owned(), 'B', "1".to_owned())]));
}

#[test]
fn a_part_in_the_place_of_another_may_come_from_elsewhere() {
    plays(&[
        ("A: 1=P", &[]),
        ("B: 1=Q", &[]),
        ("B:", &[]),
        ("A: 1=Q", &["REPLACED P by Q in A", "MOVED Q from B to A"]),
        ("B: 1=P", &["REPLACED Q by P in B", "MOVED P from A to B"]),
    ]);
    // An exchange.
    plays(&[
        ("A: 1=P", &[]),
        ("B: 1=Q", &[]),
        ("A: 1=Q", &["REPLACED P by Q in A"]),
        ("B: 1=P", &["REPLACED Q by P in B", "MOVED P from A to B", "MOVED Q from B to A"]),
    ]);
    // The stay ends at once.
    assert_eq!(plays(&[("A: 1=P", &[]), ("A: 1=Q", &["REPLACED P by Q in A"])]).places().len(), 1);
}

#[test]
fn an_incomplete_section_lacks_nothing() {
    plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("A?:", &[]),
        ("B: 1=P", &[]),
        ("A?: 2=R", &["ADDED R in A"]),
        ("A: 2=R", &["MOVED P from A to B"]),
        ("A: 2=R", &[]),
    ]);
}

#[test]
fn a_part_that_comes_back_within_two_reports_moved_twice() {
    plays(&[
        ("A: 1=P", &[]),
        ("B:", &[]),
        ("A:", &[]),
        ("B: 1=P", &["MOVED P from A to B"]),
        ("B:", &[]),
        ("A: 1=P", &["MOVED P from B to A"]),
        ("B:", &[]),
        ("B: 2=R", &["ADDED R in B"]),
    ]);
}

#[test]
fn a_part_changes_its_place_within_a_host() {
    let fleet = plays(&[("A: 1=P", &[]), ("A: 2=P", &["CHANGED PP in A"])]);
    assert_eq!(fleet.places(), BTreeSet::from([("P".to_owned(), 'A', "2".to_owned())]));
    assert_eq!(fleet.stays.len(), 1);
}

#[test]
fn of_parts_that_a_report_shows_twice_nothing_is_known() {
    let fleet = plays(&[("A: 1=P 2=P", &[]), ("B: 1=P", &[])]);
    assert_eq!(fleet.places().len(), 1);
    let fleet = plays(&[("A: 1=P", &[]), ("A: 1=P 2=P", &["ADDED P in A"])]);
    assert_eq!(fleet.places().len(), 1, "it is not missing");
}

/// A database of an older version has facts and no stays.
#[test]
fn facts_without_stays_begin_them_without_events() {
    let mut fleet = plays(&[("A: 1=P 2=Q", &[]), ("B: 1=Z", &[])]);
    fleet.parts.clear();
    fleet.stays.clear();
    let mut told = |text| fleet.report(&Said::read(text)).iter().map(words).collect::<Vec<_>>();
    assert_eq!(told("B: 1=Z 2=P"), ["ADDED P in B"]);
    assert!(told("A: 2=Q").is_empty());
    assert_eq!(told("A: 2=Q"), ["REMOVED P in A"]);
    assert_eq!(fleet.places().len(), 3);
}

#[test]
fn only_agents_tell_where_parts_are() {
    let report = Said::read("A: 1=P").report();
    let mut row = Row {
        disk_failing: false,
        memory_errors: false,
        summary: None,
        host_id: id('A'),
        origin: FactsOrigin::Agent.number(),
        digest: String::new(),
        program: String::new(),
        observed_at: DateTime::UNIX_EPOCH,
        received_at: DateTime::UNIX_EPOCH,
        since: DateTime::UNIX_EPOCH,
        pending: false,
        written_at: DateTime::UNIX_EPOCH,
    };
    assert_eq!(sighting(&row, None, &report).expect("a sighting").seen.len(), 1);
    row.origin = 1;
    assert_eq!(sighting(&row, None, &report), None);
}
