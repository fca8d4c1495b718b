//! The events of hardware: what changed between two reports of a host.
//!
//! Guarantees: an event is stored together with the facts that it is about, once, whatever is sent again. A host has a
//! bounded number of events within an hour; then one event says that further ones are not kept.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use foldhash::HashMap;
use serde_json::Value as Json;
use underlay_entity::hardware_event::{HardwareChange, HardwarePart, Model};
use underlay_facts::{Comparison, MissingParts, Part, PartChange, PartEvent, Summary, compare};
use uuid::Uuid;

use super::packed;
use super::stays::{self, Stays};
use crate::store::{FactsJudge, FactsMeaning, JudgedEvent, KnownParts, PartsChange, PartsMeaning, ReportedFacts};

/// The greatest number of events of a host within an hour.
const MAX_EVENTS: u32 = 100;
/// The time in which events are counted, in seconds.
const HOUR: i64 = 3_600;

/// The events of hosts within the last hour, which bound further ones.
#[derive(Debug, Default)]
pub(super) struct Noise(Mutex<HashMap<Uuid, Window>>);

/// An hour of one host, which begins with an event.
#[derive(Clone, Copy, Debug)]
struct Window {
    began: DateTime<Utc>,
    events: u32,
}

/// The judgement of what changes of facts mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'a>(pub &'a Noise);

impl FactsJudge for Judge<'_> {
    /// The first facts of a host make no event, and neither do those of another version of the agent.
    fn compare(&self, before: Option<&ReportedFacts>, after: &ReportedFacts) -> FactsMeaning {
        // Facts that cannot be read were written by another program, or the disk lost data: nothing can be said about
        // them.
        let Ok(new) = packed::unpack(&after.body) else { return FactsMeaning::default() };
        let old = before.and_then(|before| packed::unpack(&before.body).ok());
        let missing = before.and_then(|before| before.missing.clone());
        let missing: MissingParts =
            missing.and_then(|missing| serde_json::from_value(missing).ok()).unwrap_or_default();

        let Comparison { events, missing } = old.as_ref().map(|old| compare(old, &missing, &new)).unwrap_or_default();
        let events = events.into_iter().map(|event| judged(after, event)).collect();
        let parts = PartsChange { events, sighting: stays::sighting(&after.row, old.as_ref(), &new) };
        let summary = serde_json::to_value(Summary::of(&new.sections, &missing)).ok();
        let missing = (!missing.is_empty()).then(|| serde_json::to_value(&missing).ok()).flatten();
        FactsMeaning { missing, summary, parts }
    }

    fn trace(&self, known: KnownParts, changes: Vec<PartsChange>) -> PartsMeaning {
        let mut stays = Stays::new(known);
        let mut events = Vec::new();
        for change in changes {
            let told = stays.apply(change);
            // A part that moved is an event of another host than that of the report.
            for of_host in told.chunk_by(|one, other| one.host_id == other.host_id) {
                events.extend(self.0.bound(of_host.to_vec()));
            }
        }
        stays.into_meaning(events)
    }
}

fn judged(after: &ReportedFacts, event: PartEvent) -> JudgedEvent {
    let key = |json: &Option<Json>| stays::key_of(event.part, json.as_ref()?);
    let (gone, came) = match event.change {
        PartChange::Added => (None, key(&event.after)),
        PartChange::Removed => (key(&event.before), None),
        PartChange::Replaced => (key(&event.before), key(&event.after)),
        PartChange::Changed | PartChange::Failing | PartChange::LinkDown | PartChange::LinkUp => (None, None),
    };
    JudgedEvent { event: row(after, event), gone, came }
}

fn row(after: &ReportedFacts, event: PartEvent) -> Model {
    let PartEvent { part, change, place, before, after: now, serial, serial_before } = event;
    Model {
        // The writer sets it.
        id: 0,
        host_id: after.row.host_id,
        origin: after.row.origin,
        part: kind_of_part(part),
        change: change_of(change),
        place,
        before,
        after: now,
        at: after.row.received_at,
        from_host_id: None,
        serial,
        serial_before,
    }
}

/// Returns the kind of part as it is stored.
pub fn kind_of_part(part: Part) -> HardwarePart {
    match part {
        Part::System => HardwarePart::System,
        Part::Memory => HardwarePart::Memory,
        Part::Processor => HardwarePart::Processor,
        Part::Disk => HardwarePart::Disk,
        Part::Interface => HardwarePart::Interface,
        Part::Device => HardwarePart::Device,
        Part::Gpu => HardwarePart::Gpu,
        Part::Neighbour => HardwarePart::Neighbour,
        Part::Firmware => HardwarePart::Firmware,
        Part::PowerSupply => HardwarePart::PowerSupply,
        Part::Fan => HardwarePart::Fan,
    }
}

fn change_of(change: PartChange) -> HardwareChange {
    match change {
        PartChange::Added => HardwareChange::Added,
        PartChange::Removed => HardwareChange::Removed,
        PartChange::Replaced => HardwareChange::Replaced,
        PartChange::Changed => HardwareChange::Changed,
        PartChange::Failing => HardwareChange::Failing,
        PartChange::LinkDown => HardwareChange::LinkDown,
        PartChange::LinkUp => HardwareChange::LinkUp,
    }
}

impl Noise {
    /// Counts events of one host and one time. Returns those that are kept, with the event that says so if they are too
    /// many.
    fn bound(&self, mut events: Vec<Model>) -> Vec<Model> {
        let Some(last) = events.last().cloned() else { return events };
        let (host, now) = (last.host_id, last.at);
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let window = hosts.entry(host).or_insert(Window { began: now, events: 0 });
        if (now - window.began).num_seconds() >= HOUR {
            *window = Window { began: now, events: 0 };
        }
        let (had, count) = (window.events, u32::try_from(events.len()).unwrap_or(u32::MAX));
        window.events = had.saturating_add(count);

        let room = MAX_EVENTS.saturating_sub(had);
        if count > room {
            events.truncate(room as usize);
            if had <= MAX_EVENTS {
                let (part, change) = (HardwarePart::System, HardwareChange::Noisy);
                let place = "system".to_owned();
                let noisy = Model { part, change, place, before: None, after: None, from_host_id: None, ..last };
                events.push(Model { serial: None, serial_before: None, ..noisy });
                window.events = window.events.max(MAX_EVENTS + 1);
            }
        }
        events
    }

    /// Forgets the hosts whose hour is over.
    pub fn tidy(&self, now: DateTime<Utc>) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.retain(|_, window| (now - window.began).num_seconds() < HOUR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(host_id: Uuid, count: usize, at: DateTime<Utc>) -> Vec<Model> {
        let event = Model {
            id: 0,
            host_id,
            origin: 0,
            part: HardwarePart::Disk,
            change: HardwareChange::Added,
            place: "a".to_owned(),
            before: None,
            after: None,
            at,
            from_host_id: None,
            serial: None,
            serial_before: None,
        };
        vec![event; count]
    }

    #[test]
    fn a_host_is_noisy_once_in_an_hour() {
        let (noise, host) = (Noise::default(), Uuid::from_u128(1));
        let at = |second| DateTime::from_timestamp(second, 0).expect("a time");
        let kept = |host, count, second| {
            let kept = noise.bound(events(host, count, at(second)));
            let noisy = kept.iter().filter(|event| event.change == HardwareChange::Noisy).count();
            (kept.len() - noisy, noisy)
        };
        assert_eq!(kept(host, 60, 0), (60, 0));
        assert_eq!(kept(host, 40, 10), (40, 0));
        assert_eq!(kept(host, 1, 20), (0, 1));
        assert_eq!(kept(host, 5, 30), (0, 0));
        assert_eq!(kept(Uuid::from_u128(2), 150, 30), (100, 1), "each host by itself");
        assert_eq!(kept(Uuid::from_u128(2), 1, 40), (0, 0));
        assert_eq!(kept(host, 5, HOUR), (5, 0), "another hour");
        assert_eq!(kept(host, 0, HOUR), (0, 0));
    }
}
