//! The events of hardware: what changed between two reports of a host.
//!
//! Guarantees: an event is stored together with the facts that it is about, once, whatever is sent again. A host has a
//! bounded number of events within an hour; then one event says that further ones are not kept.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use foldhash::HashMap;
use underlay_entity::hardware_event::{HardwareChange, HardwarePart, Model};
use underlay_facts::{Comparison, MissingParts, Part, PartChange, PartEvent, compare};
use uuid::Uuid;

use super::packed;
use crate::store::{FactsMeaning, ReportedFacts};

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

/// Returns what it means that the facts of a host are others. The first facts of a host mean nothing.
pub(super) fn judge(noise: &Noise, before: Option<&ReportedFacts>, after: &ReportedFacts) -> FactsMeaning {
    let Some(before) = before else { return FactsMeaning::default() };
    // Facts that cannot be read were written by another program, or the disk lost data: nothing can be said about them.
    let (Ok(old), Ok(new)) = (packed::unpack(&before.body), packed::unpack(&after.body)) else {
        return FactsMeaning::default();
    };
    let missing = before.missing.clone().and_then(|missing| serde_json::from_value(missing).ok());
    let missing: MissingParts = missing.unwrap_or_default();

    let Comparison { events, missing } = compare(&old, &missing, &new);
    let at = after.row.received_at;
    let events = noise.bound(after.row.host_id, events.into_iter().map(|event| row(after, event, at)).collect(), at);
    let missing = (!missing.is_empty()).then(|| serde_json::to_value(&missing).ok()).flatten();
    FactsMeaning { missing, events }
}

fn row(after: &ReportedFacts, event: PartEvent, at: DateTime<Utc>) -> Model {
    let PartEvent { part, change, place, before, after: now } = event;
    Model {
        // The writer sets it.
        id: 0,
        host_id: after.row.host_id,
        origin: after.row.origin,
        part: part_of(part),
        change: change_of(change),
        place,
        before,
        after: now,
        at,
    }
}

fn part_of(part: Part) -> HardwarePart {
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
    /// Counts events of a host. Returns those that are kept, with the event that says so if they are too many.
    fn bound(&self, host: Uuid, mut events: Vec<Model>, now: DateTime<Utc>) -> Vec<Model> {
        let Some(last) = events.last().cloned() else { return events };
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
                events.push(Model { part, change, place: "system".to_owned(), before: None, after: None, ..last });
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

    fn events(count: usize, at: DateTime<Utc>) -> Vec<Model> {
        let event = Model {
            id: 0,
            host_id: Uuid::nil(),
            origin: 0,
            part: HardwarePart::Disk,
            change: HardwareChange::Added,
            place: "a".to_owned(),
            before: None,
            after: None,
            at,
        };
        vec![event; count]
    }

    #[test]
    fn a_host_is_noisy_once_in_an_hour() {
        let (noise, host) = (Noise::default(), Uuid::from_u128(1));
        let at = |second| DateTime::from_timestamp(second, 0).expect("a time");
        let kept = |host, count, second| {
            let kept = noise.bound(host, events(count, at(second)), at(second));
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
