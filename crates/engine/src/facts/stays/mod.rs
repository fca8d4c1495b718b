//! The pure logic of the life of parts: in which host each was from when to when, and which of them moved.
//!
//! Guarantees: a stay begins with the first report that shows the part, and ends when two complete sections in turn lack
//! it, when another part takes its place, or when it is told to have moved. A part is told to have moved once, when its
//! old host lacks it and one other host has it, in whichever order these report. While two hosts have it, nothing is told.
//! A part that was told to have moved is in no host but the new one.

mod part;
#[cfg(test)]
mod random_tests;
mod sighting;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use serde_json::{Value as Json, json};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::hardware_event::{HardwareChange, HardwarePart, Model as Event};
use underlay_entity::{hardware_part, hardware_stay};
use uuid::Uuid;

pub(super) use self::sighting::{key_of, sighting};

use self::part::{Confirmation, Origin, PartLife, Way};
use crate::store::{JudgedEvent, KnownParts, PartKey, PartRows, PartsChange, PartsMeaning, SeenPart, Sighting};

/// The parts that changes are about, with their stays.
#[derive(Debug)]
pub(super) struct Stays {
    /// The parts, by the ids of their rows.
    parts: BTreeMap<i64, PartLife>,
    ids: HashMap<PartKey, i64>,
    /// The parts that are in each host, or were, by ids.
    of_hosts: HashMap<Uuid, BTreeSet<i64>>,
    last_part: i64,
    last_stay: i64,
    /// The hosts that reported.
    reported: BTreeSet<Uuid>,
}

/// The arrival of a part in a host.
#[derive(Debug)]
enum Arrival {
    /// It is new.
    New,
    /// Another host has it too.
    Unclear,
    /// It moved.
    Moved(Box<Event>),
}

impl Stays {
    pub fn new(known: KnownParts) -> Self {
        let KnownParts { rows, last_part, last_stay } = known;
        let ids = rows.parts.iter().map(|part| (PartKey::of(part), part.id)).collect();
        let mut parts: BTreeMap<i64, PartLife> =
            rows.parts.into_iter().map(|part| (part.id, PartLife::stored(part))).collect();
        let mut of_hosts: HashMap<Uuid, BTreeSet<i64>> = HashMap::default();
        for stay in rows.stays {
            of_hosts.entry(stay.host_id).or_default().insert(stay.part_id);
            if let Some(part) = parts.get_mut(&stay.part_id) {
                part.know(stay);
            }
        }
        Self { parts, ids, of_hosts, last_part, last_stay, reported: BTreeSet::new() }
    }

    /// Notes what a change says of parts. Returns its events, as they are to be told.
    pub fn apply(&mut self, change: PartsChange) -> Vec<Event> {
        let PartsChange { events, sighting } = change;
        let Some(sighting) = sighting else { return events.into_iter().map(|it| it.event).collect() };
        self.reported.insert(sighting.host);

        let gone = events.iter().filter_map(|it| it.gone.clone());
        let mut left: HashSet<PartKey> = gone.filter(|key| self.has_left(key, sighting.host)).collect();
        let departures = self.depart(&sighting, &events);
        left.extend(departures.iter().map(|(key, _)| key.clone()));
        let arrivals = self.arrive(&sighting);
        let mut told = tell(events, &sighting, arrivals, &left);
        told.extend(departures.into_iter().map(|(_, event)| event));
        told
    }

    /// Returns the rows that changed, with these events.
    pub fn into_meaning(self, events: Vec<Event>) -> PartsMeaning {
        let missing: BTreeSet<Uuid> = self.parts.values().flat_map(PartLife::missing_at).collect();
        let lacking = self.reported.intersection(&missing).copied().collect();
        let mut changed = PartRows::default();
        for part in self.parts.into_values() {
            let (row, stays) = part.into_changed();
            changed.parts.extend(row);
            changed.stays.extend(stays);
        }
        changed.stays.sort_unstable_by_key(|stay| stay.id);
        PartsMeaning { events, changed, lacking }
    }

    /// Returns true if a part has gone from a host, and came to another one after that.
    fn has_left(&self, key: &PartKey, host: Uuid) -> bool {
        let part = self.ids.get(key).and_then(|id| self.parts.get(id));
        part.is_some_and(|part| part.has_left(host))
    }

    /// Notes which parts a report lacks, and which others took the place of. Returns those that are in another host.
    fn depart(&mut self, sighting: &Sighting, events: &[JudgedEvent]) -> Vec<(PartKey, Event)> {
        let host = sighting.host;
        let shown: HashSet<&PartKey> = sighting.seen.iter().map(|it| &it.key).chain(&sighting.shared).collect();
        let gone: HashSet<&PartKey> = events.iter().filter_map(|it| it.gone.as_ref()).collect();
        let mut moved = Vec::new();
        for id in self.of_hosts.get(&host).into_iter().flatten() {
            let Some(part) = self.parts.get_mut(id).filter(|part| part.is_at(host)) else { continue };
            let key = PartKey::of(part.row());
            let confirmation = if gone.contains(&key) { Confirmation::Told } else { Confirmation::ByNextReport };
            let is_lacking = confirmation == Confirmation::Told || sighting.complete.contains(&key.kind);
            if shown.contains(&key) || !is_lacking {
                continue;
            }
            // The first report of another version of the agent tells nothing.
            match sighting.seen_before.as_ref().and_then(|_| part.way_from(host)) {
                Some(way) => {
                    part.end_elsewhere(way.to, sighting.at);
                    moved.push((key, moved_event(part.row(), way, sighting)));
                }
                None => part.lack(host, sighting.at, confirmation),
            }
        }
        moved
    }

    /// Notes which parts a report shows. Returns those that the report before did not show.
    fn arrive(&mut self, sighting: &Sighting) -> HashMap<PartKey, Arrival> {
        let mut arrivals = HashMap::default();
        for seen in &sighting.seen {
            let part = Self::known(&mut self.parts, &mut self.ids, &mut self.last_part, seen);
            part.note_maker(seen.manufacturer.as_ref());
            if part.is_at(sighting.host) {
                part.see(sighting.host, &seen.place);
                continue;
            }
            if sighting.seen_before.as_ref().is_some_and(|before| !before.contains(&seen.key)) {
                arrivals.insert(seen.key.clone(), arrival(part, seen, sighting));
            }
            self.last_stay += 1;
            self.of_hosts.entry(sighting.host).or_default().insert(part.row().id);
            part.begin(hardware_stay::Model {
                id: self.last_stay,
                part_id: part.row().id,
                host_id: sighting.host,
                place: seen.place.clone(),
                from_at: sighting.at,
                until_at: None,
                missing_since: None,
            });
        }
        arrivals
    }

    /// Returns a part, which may be new.
    fn known<'a>(
        parts: &'a mut BTreeMap<i64, PartLife>,
        ids: &mut HashMap<PartKey, i64>,
        last_part: &mut i64,
        seen: &SeenPart,
    ) -> &'a mut PartLife {
        let id = *ids.entry(seen.key.clone()).or_insert_with(|| {
            *last_part += 1;
            *last_part
        });
        parts.entry(id).or_insert_with(|| {
            let PartKey { kind, model, serial } = seen.key.clone();
            PartLife::new(hardware_part::Model { id, kind, manufacturer: seen.manufacturer.clone(), model, serial })
        })
    }
}

/// Returns what it is that a part came to a host. One that moved is nowhere else afterwards.
fn arrival(part: &mut PartLife, seen: &SeenPart, sighting: &Sighting) -> Arrival {
    match part.origin(sighting.host) {
        Origin::Unknown => Arrival::New,
        Origin::Unclear => Arrival::Unclear,
        Origin::Host(from, from_place) => {
            part.end_elsewhere(sighting.host, sighting.at);
            let way = Way { from, from_place, to: sighting.host, to_place: seen.place.clone() };
            Arrival::Moved(Box::new(moved_event(part.row(), way, sighting)))
        }
    }
}

/// Returns the events of a report as they are to be told: a part that came from another host moved, and one that `left`
/// for another host was not removed.
fn tell(
    events: Vec<JudgedEvent>,
    sighting: &Sighting,
    mut arrivals: HashMap<PartKey, Arrival>,
    left: &HashSet<PartKey>,
) -> Vec<Event> {
    let mut told = Vec::new();
    for JudgedEvent { event, gone, came } in events {
        let arrival = came.and_then(|key| arrivals.remove(&key));
        match (event.change, arrival) {
            (HardwareChange::Added, Some(Arrival::Moved(moved))) => told.push(*moved),
            (HardwareChange::Added, Some(Arrival::Unclear)) => {}
            (HardwareChange::Removed, _) if gone.is_some_and(|key| left.contains(&key)) => {}
            (_, Some(Arrival::Moved(moved))) => told.extend([event, *moved]),
            (_, None | Some(Arrival::New | Arrival::Unclear)) => told.push(event),
        }
    }
    // A part that came back within two reports is no event by itself.
    for seen in &sighting.seen {
        if let Some(Arrival::Moved(moved)) = arrivals.remove(&seen.key) {
            told.push(*moved);
        }
    }
    told
}

/// Returns the event that a part moved. It shows the part by the signs by which it is recognised, named as in reports.
fn moved_event(part: &hardware_part::Model, way: Way, sighting: &Sighting) -> Event {
    let Way { from, from_place, to, to_place } = way;
    Event {
        // The writer sets it.
        id: 0,
        host_id: to,
        origin: FactsOrigin::Agent.number(),
        part: part.kind,
        change: HardwareChange::Moved,
        before: Some(shown_at(part, &from_place)),
        after: Some(shown_at(part, &to_place)),
        place: to_place,
        at: sighting.at,
        from_host_id: Some(from),
        serial: Some(part.serial.clone()),
        serial_before: None,
    }
}

fn shown_at(part: &hardware_part::Model, place: &str) -> Json {
    let mut shown = match part.kind {
        HardwarePart::Memory => json!({ "slot": place, "partNumber": part.model, "serial": part.serial }),
        _ => json!({ "place": place, "model": part.model, "serial": part.serial }),
    };
    if let Some(members) = shown.as_object_mut() {
        members.extend(part.manufacturer.iter().map(|maker| ("manufacturer".to_owned(), json!(maker))));
        members.retain(|_, value| value.as_str() != Some(""));
    }
    shown
}
